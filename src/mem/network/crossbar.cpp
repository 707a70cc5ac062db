#include "mem/network/crossbar.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <utility>

namespace heddle::mem {

namespace {

unsigned lowest(PortMask ports) {
    return static_cast<unsigned>(std::countr_zero(ports));
}

} // namespace

Crossbar::Crossbar(const CrossbarShape& shape)
    : shape_(shape), allocator_(crossbar_allocators().make(
                         shape.allocator, {shape.inputs, shape.outputs, shape.iterations, shape.seed})),
      inputs_contend_(allocator_->inputs_contend()), queues_(std::size_t{shape.inputs} * shape.outputs),
      since_(queues_.size()) {
    assert(shape.inputs >= 1 && shape.inputs <= kMaxPorts && shape.outputs >= 1 && shape.outputs <= kMaxPorts);
    assert(shape.speedup >= 1 && shape.latency >= 1);
    delivers_at_.fill(kNever);
}

// Any packet that is not in use.
Crossbar::Packet& Crossbar::new_packet() {
    if (unused_ == nullptr)
        return packets_.emplace_back();
    return *std::exchange(unused_, unused_->next);
}

Cycle Crossbar::send(unsigned input, unsigned output, std::uint32_t number, unsigned flits, Cycle now) {
    assert(flits >= 1 && accepts(input, flits));
    const Cycle first = comes_at(input, now);
    input_link_free_[input] = first - 1 + flits;
    input_used_[input] += flits;

    Packet& packet = new_packet();
    packet = {now, first, number, flits, output, nullptr, nullptr};
    queues_[pair(input, output)].append(packet);
    if (arrivals_[input].head == nullptr)
        arriving_.put(port_bit(input), first, now);
    arrivals_[input].append(packet);
    wake = select(first < wake, first, wake);
    return first;
}

void Crossbar::ask(unsigned input, unsigned output, Cycle since) {
    asked_by_[output] |= port_bit(input);
    asks_for_[input] |= port_bit(output);
    asked_ |= port_bit(output);
    asking_ |= port_bit(input);
    since_[pair(input, output)] = since;
}

// First flits have come: their packets ask.
void Crossbar::admit(unsigned input, Cycle now) {
    for (auto& arrivals = arrivals_[input]; arrivals.head != nullptr; arrivals.pop()) {
        const Packet& first = *arrivals.head;
        if (first.at > now)
            return arriving_.put(port_bit(input), first.at, now);
        if ((asks_for_[input] & port_bit(first.output)) == 0)
            ask(input, first.output, first.at);
    }
}

void Crossbar::tick(Cycle now) {
    assert(now >= next_tick_);
    next_tick_ = now + 1;
    for (PortMask inputs = arriving_.collect(now); inputs != 0; inputs &= inputs - 1)
        admit(lowest(inputs), now);
    const Slot first = now * shape_.speedup;
    for (Slot slot = first; slot < first + shape_.speedup && asked_ != 0; ++slot)
        run_slot(slot, now);
    wake = next_work(now);
}

void Crossbar::run_slot(Slot slot, Cycle now) {
    if (slot >= releases_.next())
        release(slot);
    PortMask inputs = asking_ & ~busy_inputs_;
    PortMask outputs = asked_ & ~busy_outputs_ & ~waiting_;
    for (PortMask roomy = roomy_; roomy != 0; roomy &= roomy - 1) {
        const unsigned output = lowest(roomy);
        const unsigned input = waits_for_[output];
        if ((inputs & port_bit(input)) == 0)
            continue;
        if (inputs_contend_)
            inputs &= ~port_bit(input);
        waiting_ &= ~port_bit(output);
        roomy_ &= ~port_bit(output);
        grant(input, output, slot, now);
    }
    if (inputs == 0 || outputs == 0)
        return;

    Match match;
    allocator_->allocate({inputs, outputs, asked_by_.data(), asks_for_.data(), since_.data()}, match);
    for (PortMask matched = match.outputs; matched != 0; matched &= matched - 1) {
        const unsigned output = lowest(matched);
        const unsigned input = match.input[output];
        if (has_room(output, queues_[pair(input, output)].head->flits)) {
            grant(input, output, slot, now);
        } else {
            ++stats_.refused;
            waiting_ |= port_bit(output);
            waits_for_[output] = static_cast<std::uint8_t>(input);
        }
    }
}

// Moves the packet at the head of a queue through the switch, from `slot` on.
void Crossbar::grant(unsigned input, unsigned output, Slot slot, Cycle now) {
    Packet& packet = *queues_[pair(input, output)].head;
    // Its last flit comes flits - 1 cycles after the first and goes in that cycle's first slot, unless it is late.
    const Slot end = std::max(slot + packet.flits, (packet.at + packet.flits - 1) * shape_.speedup + 1);
    if (end > slot + 1)
        hold(input, output, slot, end);
    dequeue(input, output, now);
    deliver(packet, output, now);
}

void Crossbar::dequeue(unsigned input, unsigned output, Cycle now) {
    auto& queue = queues_[pair(input, output)];
    input_used_[input] -= queue.head->flits;
    queue.pop();
    freed_inputs_ |= port_bit(input);

    const Cycle next = head_or_nobody(queue).at; // whether it asks at once is anybody's guess: no branch
    since_[pair(input, output)] = next;
    const std::uint64_t over = mask_if(next > now);
    asked_by_[output] &= ~(port_bit(input) & over);
    asks_for_[input] &= ~(port_bit(output) & over);
    asked_ &= ~(port_bit(output) & mask_if(asked_by_[output] == 0));
    asking_ &= ~(port_bit(input) & mask_if(asks_for_[input] == 0));
}

// A packet's way from the switch to its delivery, known when it is granted at cycle `now`.
void Crossbar::deliver(Packet& packet, unsigned output, Cycle now) {
    const Cycle done = std::max(now + shape_.latency, output_link_free_[output]) + packet.flits;
    output_link_free_[output] = done;
    output_used_[output] += packet.flits;
    if (deliveries_[output].head == nullptr) {
        delivers_at_[output] = done;
        due_.put(port_bit(output), done, now);
    }
    packet.at = done;
    packet.next = nullptr;
    deliveries_[output].append(packet);

    ++stats_.packets;
    stats_.flits += packet.flits;
    stats_.queueing += now - packet.sent;
    const Cycle latency = done - packet.sent;
    stats_.latency += latency;
    const auto bucket = static_cast<std::size_t>(std::bit_width(latency) - 1);
    ++stats_.latencies[std::min(bucket, CrossbarStats::kBuckets - 1)];
}

// Makes the two ports busy until slot `end`.
void Crossbar::hold(unsigned input, unsigned output, Slot slot, Slot end) {
    Ports held{.outputs = port_bit(output)};
    output_free_[output] = end;
    if (inputs_contend_) {
        held.inputs = port_bit(input);
        input_free_[input] = end;
    }
    busy_inputs_ |= held.inputs;
    busy_outputs_ |= held.outputs;
    releases_.put(held, end, slot);
    if (end - slot >= MaskWheel<Ports>::kSpan)
        last_far_release_ = std::max(last_far_release_, end);
}

void Crossbar::release(Slot slot) {
    const Ports due = releases_.collect(slot);
    busy_inputs_ &= ~due.inputs;
    busy_outputs_ &= ~due.outputs;
    if (slot < last_far_release_) [[unlikely]]
        hold_on(due, slot);
}

// Those of some ports that the wheel could not hold for long enough.
void Crossbar::hold_on(const Ports& ports, Slot slot) {
    for (PortMask inputs = ports.inputs; inputs != 0; inputs &= inputs - 1)
        if (const unsigned input = lowest(inputs); input_free_[input] > slot) {
            busy_inputs_ |= port_bit(input);
            releases_.put({.inputs = port_bit(input)}, input_free_[input], slot);
        }
    for (PortMask outputs = ports.outputs; outputs != 0; outputs &= outputs - 1)
        if (const unsigned output = lowest(outputs); output_free_[output] > slot) {
            busy_outputs_ |= port_bit(output);
            releases_.put({.outputs = port_bit(output)}, output_free_[output], slot);
        }
}

// Whether a packet could be granted now, were there another slot.
bool Crossbar::can_grant() const {
    const PortMask inputs = asking_ & ~busy_inputs_;
    for (PortMask outputs = asked_ & ~busy_outputs_ & ~waiting_; outputs != 0; outputs &= outputs - 1)
        if ((asked_by_[lowest(outputs)] & inputs) != 0)
            return true;
    for (PortMask outputs = roomy_; outputs != 0; outputs &= outputs - 1)
        if ((inputs & port_bit(waits_for_[lowest(outputs)])) != 0)
            return true;
    return false;
}

// After the slots of cycle `now`: the next cycle in which a packet asks, or could be granted because a port that it
// needs becomes free.
Cycle Crossbar::next_work(Cycle now) const {
    if (asked_ == 0)
        return arriving_.next();
    if (can_grant())
        return now + 1;
    const Slot slot = next_useful_release();
    return std::min(arriving_.next(), slot == kNever ? kNever : slot / shape_.speedup);
}

// The slot in which a port that a packet needs becomes free.
Crossbar::Slot Crossbar::next_useful_release() const {
    Slot slot = kNever;
    for (PortMask inputs = busy_inputs_ & asking_; inputs != 0; inputs &= inputs - 1)
        slot = std::min(slot, input_free_[lowest(inputs)]);
    for (PortMask outputs = busy_outputs_ & asked_; outputs != 0; outputs &= outputs - 1)
        slot = std::min(slot, output_free_[lowest(outputs)]);
    return slot;
}

void Crossbar::find_ready(Cycle now) {
    for (PortMask outputs = due_.collect(now); outputs != 0; outputs &= outputs - 1) {
        const unsigned output = lowest(outputs);
        if (delivers_at_[output] <= now)
            ready_ |= port_bit(output);
        else if (delivers_at_[output] != kNever)
            due_.put(port_bit(output), delivers_at_[output], now);
    }
}

std::uint32_t Crossbar::take(unsigned output, Cycle now) {
    assert(ready(output, now));
    Packet& packet = *deliveries_[output].head;
    deliveries_[output].pop();
    const Cycle next = head_or_nobody(deliveries_[output]).at;
    delivers_at_[output] = next;
    ready_ &= ~(port_bit(output) & mask_if(next > now));
    if (next > now && next != kNever)
        due_.put(port_bit(output), next, now);

    packet.next = unused_;
    unused_ = &packet;
    output_used_[output] -= packet.flits;
    if ((waiting_ & port_bit(output)) != 0 && has_room(output, queues_[pair(waits_for_[output], output)].head->flits)) {
        roomy_ |= port_bit(output);
        wake = std::min(wake, std::max(now, next_tick_));
    }
    return packet.number;
}

std::span<const stats::Statistic<CrossbarStats>> CrossbarStats::statistics() {
    using S = CrossbarStats;
    static const stats::Statistic<S> table[] = {
        {"packets", &S::packets, "packets", "packets granted"},
        {"flits", &S::flits, "flits", "their flits; each takes one cycle of its output's link"},
        {"queueing", &S::queueing, "network cycles", "sum over packets, from being sent to the grant"},
        {"latency", &S::latency, "network cycles", "sum over packets, from being sent to the delivery"},
        {"refused", &S::refused, "packets", "packets that had to wait for room in their output's buffer"},
        {"latencies", &S::latencies, "packets",
         "packets by latency: bucket i counts 2^i to 2^(i+1) - 1 network cycles, the last bucket also longer ones"},
    };
    return table;
}

std::span<const stats::Formula> CrossbarStats::formulas() {
    static const stats::Formula table[] = {
        {"mean_queueing", "queueing", "packets", "network cycles from being sent to the grant"},
        {"mean_latency", "latency", "packets", "network cycles from being sent to the delivery"},
    };
    return table;
}

} // namespace heddle::mem

HEDDLE_STATISTICS(heddle::mem::CrossbarStats, "request_network", "network from the SMs to the memory")
HEDDLE_STATISTICS(heddle::mem::CrossbarStats, "reply_network", "network from the memory to the SMs")
