#include "mem/network/crossbar.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <utility>

namespace heddle::mem {

template <class PortMask>
Crossbar<PortMask>::Crossbar(const CrossbarShape& shape)
    : shape_(shape), allocator_(crossbar_allocators<PortMask>().make(
                         shape.allocator, {shape.inputs, shape.outputs, shape.iterations, shape.seed})),
      inputs_contend_(allocator_->inputs_contend()), queues_(std::size_t{shape.inputs} * shape.outputs),
      since_(queues_.size()) {
    assert(shape.inputs >= 1 && shape.inputs <= PortMask::kSize && shape.outputs >= 1 &&
           shape.outputs <= PortMask::kSize);
    assert(shape.speedup >= 1 && shape.latency >= 1);
    delivers_at_.fill(kNever);
}

// Any packet that is not in use.
template <class PortMask>
typename Crossbar<PortMask>::Packet& Crossbar<PortMask>::new_packet() {
    if (unused_ == nullptr)
        return packets_.emplace_back();
    return *std::exchange(unused_, unused_->next);
}

template <class PortMask>
Cycle Crossbar<PortMask>::send(unsigned input, unsigned output, std::uint32_t number, unsigned flits, Cycle now) {
    assert(flits >= 1 && accepts(input, flits));
    const Cycle first = comes_at(input, now);
    input_link_free_[input] = first - 1 + flits;
    input_used_[input] += flits;

    Packet& packet = new_packet();
    packet = {now, first, number, flits, output, nullptr, nullptr};
    queues_[pair(input, output)].append(packet);
    if (arrivals_[input].head == nullptr)
        arriving_.put(PortMask::bit(input), first, now);
    arrivals_[input].append(packet);
    wake = select(first < wake, first, wake);
    return first;
}

template <class PortMask>
void Crossbar<PortMask>::ask(unsigned input, unsigned output, Cycle since) {
    asked_by_[output].insert(input);
    asks_for_[input].insert(output);
    asked_.insert(output);
    asking_.insert(input);
    since_[pair(input, output)] = since;
}

// First flits have come: their packets ask.
template <class PortMask>
void Crossbar<PortMask>::admit(unsigned input, Cycle now) {
    for (auto& arrivals = arrivals_[input]; arrivals.head != nullptr; arrivals.pop()) {
        const Packet& first = *arrivals.head;
        if (first.at > now)
            return arriving_.put(PortMask::bit(input), first.at, now);
        if (!asks_for_[input].contains(first.output))
            ask(input, first.output, first.at);
    }
}

template <class PortMask>
void Crossbar<PortMask>::tick(Cycle now) {
    assert(now >= next_tick_);
    next_tick_ = now + 1;
    arriving_.collect(now).for_each([&](unsigned input) { admit(input, now); });
    const Slot first = now * shape_.speedup;
    for (Slot slot = first; slot < first + shape_.speedup && asked_.any(); ++slot)
        run_slot(slot, now);
    wake = next_work(now);
}

template <class PortMask>
void Crossbar<PortMask>::run_slot(Slot slot, Cycle now) {
    if (slot >= releases_.next())
        release(slot);
    PortMask inputs = asking_ & ~busy_inputs_;
    PortMask outputs = asked_ & ~busy_outputs_ & ~waiting_;
    roomy_.for_each([&](unsigned output) {
        const unsigned input = waits_for_[output];
        if (!inputs.contains(input))
            return;
        if (inputs_contend_)
            inputs.erase(input);
        waiting_.erase(output);
        roomy_.erase(output);
        grant(input, output, slot, now);
    });
    if (inputs.empty() || outputs.empty())
        return;

    Match<PortMask> match;
    allocator_->allocate({inputs, outputs, asked_by_.data(), asks_for_.data(), since_.data()}, match);
    match.outputs.for_each([&](unsigned output) {
        const unsigned input = match.input[output];
        if (has_room(output, queues_[pair(input, output)].head->flits)) {
            grant(input, output, slot, now);
        } else {
            ++stats_.refused;
            waiting_.insert(output);
            waits_for_[output] = static_cast<std::uint16_t>(input);
        }
    });
}

// Moves the packet at the head of a queue through the switch, from `slot` on.
template <class PortMask>
void Crossbar<PortMask>::grant(unsigned input, unsigned output, Slot slot, Cycle now) {
    Packet& packet = *queues_[pair(input, output)].head;
    // Its last flit comes flits - 1 cycles after the first and goes in that cycle's first slot, unless it is late.
    const Slot end = std::max(slot + packet.flits, (packet.at + packet.flits - 1) * shape_.speedup + 1);
    if (end > slot + 1)
        hold(input, output, slot, end);
    dequeue(input, output, now);
    deliver(packet, output, now);
}

template <class PortMask>
void Crossbar<PortMask>::dequeue(unsigned input, unsigned output, Cycle now) {
    auto& queue = queues_[pair(input, output)];
    input_used_[input] -= queue.head->flits;
    queue.pop();
    freed_inputs_.insert(input);

    const Cycle next = head_or_nobody(queue).at; // whether it asks at once is anybody's guess: no branch
    since_[pair(input, output)] = next;
    asked_by_[output].erase_if(next > now, input);
    asks_for_[input].erase_if(next > now, output);
    asked_.erase_if(asked_by_[output].empty(), output);
    asking_.erase_if(asks_for_[input].empty(), input);
}

// A packet's way from the switch to its delivery, known when it is granted at cycle `now`.
template <class PortMask>
void Crossbar<PortMask>::deliver(Packet& packet, unsigned output, Cycle now) {
    const Cycle done = std::max(now + shape_.latency, output_link_free_[output]) + packet.flits;
    output_link_free_[output] = done;
    output_used_[output] += packet.flits;
    if (deliveries_[output].head == nullptr) {
        delivers_at_[output] = done;
        due_.put(PortMask::bit(output), done, now);
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
template <class PortMask>
void Crossbar<PortMask>::hold(unsigned input, unsigned output, Slot slot, Slot end) {
    Ports held{.outputs = PortMask::bit(output)};
    output_free_[output] = end;
    if (inputs_contend_) {
        held.inputs = PortMask::bit(input);
        input_free_[input] = end;
    }
    busy_inputs_ |= held.inputs;
    busy_outputs_ |= held.outputs;
    releases_.put(held, end, slot);
    if (end - slot >= MaskWheel<Ports>::kSpan)
        last_far_release_ = std::max(last_far_release_, end);
}

template <class PortMask>
void Crossbar<PortMask>::release(Slot slot) {
    const Ports due = releases_.collect(slot);
    busy_inputs_ &= ~due.inputs;
    busy_outputs_ &= ~due.outputs;
    if (slot < last_far_release_) [[unlikely]]
        hold_on(due, slot);
}

// Those of some ports that the wheel could not hold for long enough.
template <class PortMask>
void Crossbar<PortMask>::hold_on(const Ports& ports, Slot slot) {
    ports.inputs.for_each([&](unsigned input) {
        if (input_free_[input] > slot) {
            busy_inputs_.insert(input);
            releases_.put({.inputs = PortMask::bit(input)}, input_free_[input], slot);
        }
    });
    ports.outputs.for_each([&](unsigned output) {
        if (output_free_[output] > slot) {
            busy_outputs_.insert(output);
            releases_.put({.outputs = PortMask::bit(output)}, output_free_[output], slot);
        }
    });
}

// Whether a packet could be granted now, were there another slot.
template <class PortMask>
bool Crossbar<PortMask>::can_grant() const {
    const PortMask inputs = asking_ & ~busy_inputs_;
    for (PortMask outputs = asked_ & ~busy_outputs_ & ~waiting_; outputs.any(); outputs.drop_lowest())
        if ((asked_by_[outputs.lowest()] & inputs).any())
            return true;
    for (PortMask outputs = roomy_; outputs.any(); outputs.drop_lowest())
        if (inputs.contains(waits_for_[outputs.lowest()]))
            return true;
    return false;
}

// After the slots of cycle `now`: the next cycle in which a packet asks, or could be granted because a port that it
// needs becomes free.
template <class PortMask>
Cycle Crossbar<PortMask>::next_work(Cycle now) const {
    if (asked_.empty())
        return arriving_.next();
    if (can_grant())
        return now + 1;
    const Slot slot = next_useful_release();
    return std::min(arriving_.next(), slot == kNever ? kNever : slot / shape_.speedup);
}

// The slot in which a port that a packet needs becomes free.
template <class PortMask>
typename Crossbar<PortMask>::Slot Crossbar<PortMask>::next_useful_release() const {
    Slot slot = kNever;
    (busy_inputs_ & asking_).for_each([&](unsigned input) { slot = std::min(slot, input_free_[input]); });
    (busy_outputs_ & asked_).for_each([&](unsigned output) { slot = std::min(slot, output_free_[output]); });
    return slot;
}

template <class PortMask>
void Crossbar<PortMask>::find_ready(Cycle now) {
    due_.collect(now).for_each([&](unsigned output) {
        if (delivers_at_[output] <= now)
            ready_.insert(output);
        else if (delivers_at_[output] != kNever)
            due_.put(PortMask::bit(output), delivers_at_[output], now);
    });
}

template <class PortMask>
std::uint32_t Crossbar<PortMask>::take(unsigned output, Cycle now) {
    assert(ready(output, now));
    Packet& packet = *deliveries_[output].head;
    deliveries_[output].pop();
    const Cycle next = head_or_nobody(deliveries_[output]).at;
    delivers_at_[output] = next;
    ready_.erase_if(next > now, output);
    if (next > now && next != kNever)
        due_.put(PortMask::bit(output), next, now);

    packet.next = unused_;
    unused_ = &packet;
    output_used_[output] -= packet.flits;
    if (waiting_.contains(output) && has_room(output, queues_[pair(waits_for_[output], output)].head->flits)) {
        roomy_.insert(output);
        wake = std::min(wake, std::max(now, next_tick_));
    }
    return packet.number;
}

template class Crossbar<Ports64>;
template class Crossbar<Ports256>;
template class Crossbar<Ports1024>;

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
