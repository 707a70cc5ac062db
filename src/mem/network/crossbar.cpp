#include "mem/network/crossbar.h"

#include <algorithm>
#include <cassert>

namespace heddle::mem {

template <class PortMask>
Crossbar<PortMask>::Crossbar(const CrossbarShape& shape)
    : speedup_(shape.speedup), setup_(shape.setup), fifo_(shape.fifo),
      allocator_(crossbar_allocators<PortMask>().make(shape.allocator,
                                                      {shape.inputs, shape.outputs, shape.iterations, shape.seed})),
      inputs_(shape.inputs, shape.fifo ? 1 : shape.outputs, shape.input_flits), requests_(shape.inputs, shape.outputs),
      busy_(allocator_->inputs_contend()), groups_(shape.groups.begin(), shape.groups.end()),
      outputs_(shape.output_flits, shape.latency) {
    assert(shape.inputs >= 1 && shape.inputs <= PortMask::kSize && shape.outputs >= 1 &&
           shape.outputs <= PortMask::kSize);
    assert(shape.speedup >= 1);
}

template <class PortMask>
Cycle Crossbar<PortMask>::send(unsigned input, unsigned output, std::uint32_t number, unsigned flits, Cycle now) {
    const Cycle first = comes_at(input, now);
    inputs_.put(input, packets_.make({.sent = now, .at = first, .number = number, .flits = flits, .output = output}));
    wake = select(first < wake, first, wake);
    return first;
}

template <class PortMask>
void Crossbar<PortMask>::tick(Cycle now) {
    assert(now >= next_tick_);
    next_tick_ = now + 1;
    inputs_.collect(now, [&](unsigned input, const Packet& packet) {
        if (fifo_ ? !requests_.inputs().contains(input) : !requests_.contains(input, packet.output))
            requests_.insert(input, packet.output, packet.at);
    });
    const Slot first = now * speedup_;
    for (Slot slot = first; slot < first + speedup_ && requests_.outputs().any(); ++slot)
        run_slot(slot, now);
    wake = next_work(now);
}

template <class PortMask>
void Crossbar<PortMask>::run_slot(Slot slot, Cycle now) {
    busy_.advance(slot);
    PortMask inputs = requests_.inputs() & ~busy_.inputs();
    PortMask outputs = requests_.outputs() & ~busy_.outputs() & ~waiting_.all();
    waiting_.roomy().for_each([&](unsigned output) {
        const unsigned input = waiting_.input_of(output);
        if (!inputs.contains(input))
            return;
        if (busy_.inputs_contend())
            inputs.erase(input);
        waiting_.erase(output);
        grant(input, output, slot, now);
    });
    if (inputs.empty() || outputs.empty())
        return;

    Match<PortMask> match;
    allocator_->allocate(requests_.between(inputs, outputs), match);
    match.outputs.for_each([&](unsigned output) {
        const unsigned input = match.input[output];
        if (outputs_.has_room(output, inputs_.front(input, output).flits)) {
            grant(input, output, slot, now);
        } else {
            ++stats_.refused;
            waiting_.insert(output, input);
        }
    });
}

// Moves the packet at the front of a queue through the switch, from `slot` on.
template <class PortMask>
void Crossbar<PortMask>::grant(unsigned input, unsigned output, Slot slot, Cycle now) {
    Packet& packet = inputs_.front(input, output);
    // Its last flit comes flits - 1 cycles after the first and goes in that cycle's first slot, unless it is late.
    const Slot end = std::max(slot + setup_ + packet.flits, (packet.at + packet.flits - 1) * speedup_ + 1);
    if (end > slot + 1)
        busy_.hold(input, output, slot, end);
    request_next(input, output, now);
    Cycle begin = setup_ == 0 ? now : (slot + setup_) / speedup_;
    for (PortGroups& group : groups_)
        begin = group.pass(input, output, packet.flits, begin);
    stats_.count_grant(packet, now, outputs_.put(output, packet, now, begin - now));
}

// Takes the granted packet out of its queue: the packet behind it requests its output.
template <class PortMask>
void Crossbar<PortMask>::request_next(unsigned input, unsigned output, Cycle now) {
    const Cycle since = inputs_.pop(input, output);
    if (!fifo_) [[likely]]
        return requests_.replace(input, output, since, now);
    requests_.replace(input, output, kNever, now);
    if (since <= now)
        requests_.insert(input, inputs_.front(input, output).output, since);
}

// Whether one more slot could grant a packet now.
template <class PortMask>
bool Crossbar<PortMask>::can_grant() const {
    const PortMask inputs = requests_.inputs() & ~busy_.inputs();
    return requests_.contains_any(inputs, requests_.outputs() & ~busy_.outputs() & ~waiting_.all()) ||
           waiting_.any_roomy(inputs);
}

// After the slots of cycle `now`: the next cycle in which a first flit comes, or in which a port that a request needs
// becomes free.
template <class PortMask>
Cycle Crossbar<PortMask>::next_work(Cycle now) const {
    if (requests_.outputs().empty())
        return inputs_.next_arrival();
    if (can_grant())
        return now + 1;
    const Slot slot = busy_.next_release(requests_.inputs(), requests_.outputs());
    return std::min(inputs_.next_arrival(), slot == kNever ? kNever : slot / speedup_);
}

template <class PortMask>
std::uint32_t Crossbar<PortMask>::take(unsigned output, Cycle now) {
    Packet& packet = outputs_.take(output, now);
    packets_.give_back(packet);
    if (waiting_.all().contains(output) &&
        outputs_.has_room(output, inputs_.front(waiting_.input_of(output), output).flits)) {
        waiting_.set_roomy(output);
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
