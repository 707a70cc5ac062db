// One network, requests or replies: a crossbar switch with virtual output queues, or a FIFO at each input, and virtual
// cut-through. Nothing is dropped; packets from one input to one output keep their order. All times are in network
// cycles.
//
// The way of a packet of f flits, with the speed-up s; a slot is the s-th part of a cycle:
//
//   input link    one flit a cycle, packets in the order of send(): the first flit of a packet sent over a free link
//                 at cycle t is in the buffer at t + 1, the last one at t + f
//   switch        the packet requests its output from its first flit's cycle on, where inputs are FIFOs: once it is
//                 the first of its input; a grant at slot g holds the input and the output for setup + f slots, or
//                 until the last flit has come and gone; the output must have room for the whole packet
//   groups        a granted packet passes the ports of groups of inputs or outputs, if there are any (port_groups.h)
//   output        the first flit is there `latency` cycles after the cycle of slot g + setup, or after the one in which
//                 it has passed the last group
//   output link   one flit a cycle, packets in the order of grants: deliverable f cycles later. It never starves within
//                 a packet, because flits come at least as fast as it takes them
//
// So a packet alone takes 1 + latency + f cycles. Room in an input's buffer returns with the grant: from then on flits
// leave at least as fast as the link can bring new ones. Room in an output's buffer returns with take().
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "mem/network/allocator.h"
#include "mem/network/busy_ports.h"
#include "mem/network/config.h"
#include "mem/network/input_buffers.h"
#include "mem/network/output_buffers.h"
#include "mem/network/port_groups.h"
#include "mem/network/request_matrix.h"
#include "mem/network/waiting_outputs.h"
#include "stats/statistic.h"

namespace heddle::mem {

// Counted when a packet is granted, as far as its future is known then.
struct CrossbarStats {
    static constexpr std::size_t kBuckets = 24;
    std::uint64_t packets = 0;
    std::uint64_t flits = 0;
    std::uint64_t queueing = 0;
    std::uint64_t latency = 0;
    std::uint64_t refused = 0;
    stats::Histogram latencies = stats::Histogram(kBuckets);
    // A packet is granted in cycle `now` and delivered in cycle `done`.
    void count_grant(const Packet& packet, Cycle now, Cycle done) {
        ++packets;
        flits += packet.flits;
        queueing += now - packet.sent;
        const Cycle total = done - packet.sent;
        latency += total;
        const auto bucket = static_cast<std::size_t>(std::bit_width(total) - 1);
        ++latencies[std::min(bucket, kBuckets - 1)];
    }
    static std::span<const stats::Statistic<CrossbarStats>> statistics();
    static std::span<const stats::Formula> formulas();
};

template <class PortMask = Ports64>
class Crossbar {
public:
    // Throws UserError when there is no allocator of that name.
    explicit Crossbar(const CrossbarShape& shape);

    // Whether an input has room for a packet. A packet that is longer than the buffer has room when the buffer is
    // empty.
    [[nodiscard]] bool accepts(unsigned input, unsigned flits) const {
        return inputs_.accepts(input, flits);
    }
    // Flits in an input's buffer or on their way into it over its link.
    [[nodiscard]] unsigned used_flits(unsigned input) const {
        return inputs_.used_flits(input);
    }
    static constexpr Cycle kAhead = InputBuffers<PortMask>::kAhead; // see send()
    // The cycle in which the first flit of a packet that is sent in cycle `now` is in the input's buffer.
    [[nodiscard]] Cycle comes_at(unsigned input, Cycle now) const {
        return inputs_.comes_at(input, now);
    }
    // Puts a packet, the owner's number, on an input's link in cycle `now`, never before an earlier call's of this
    // input. The input accepts() it. `now` may lie ahead, as long as the first flit comes_at() less than kAhead cycles
    // after each tick until then: the input has room at that time, too. Returns comes_at().
    Cycle send(unsigned input, unsigned output, std::uint32_t packet, unsigned flits, Cycle now);
    // Inputs whose buffer got room since the last call. Only tick() makes room.
    PortMask take_freed_inputs() {
        return inputs_.take_freed();
    }

    // The next cycle in which tick() has work; kNever when only send() or take() can make some. Both may bring it
    // forward, take() to the cycle of its call when that has not been ticked.
    Cycle wake = kNever;
    // The grants of one cycle. Cycles ascend. Cycles without work are left out, because room that take() makes in a
    // cycle counts from that cycle on unless it has been ticked. (Not inlined, so that both networks of a machine share
    // the code: the code of a window is larger than a first-level instruction cache.)
    [[gnu::noinline]] void tick(Cycle now);

    // The first cycle, as far as is known, in which an output that is not in ready_outputs() has a packet to deliver.
    [[nodiscard]] Cycle next_ready() const {
        return outputs_.next_ready();
    }
    // The outputs that have a packet to deliver. Cycles ascend.
    [[nodiscard]] PortMask ready_outputs(Cycle now) {
        return outputs_.ready_outputs(now);
    }
    [[nodiscard]] bool ready(unsigned output, Cycle now) const {
        return outputs_.ready(output, now);
    }
    // The packet that an output delivers next. There must be one on its way.
    [[nodiscard]] std::uint32_t front(unsigned output) const {
        return outputs_.front(output).number;
    }
    // Takes the packet of a ready() output; its room is free for grants from this cycle on.
    std::uint32_t take(unsigned output, Cycle now);

    [[nodiscard]] CrossbarStats& stats() {
        return stats_;
    }

private:
    using Slot = typename BusyPorts<PortMask>::Slot;

    [[gnu::always_inline]] inline void run_slot(Slot slot, Cycle now);
    void grant(unsigned input, unsigned output, Slot slot, Cycle now);
    void request_next(unsigned input, unsigned output, Cycle now);
    [[nodiscard]] bool can_grant() const;
    [[nodiscard]] Cycle next_work(Cycle now) const;

    const unsigned speedup_;
    const unsigned setup_;
    const bool fifo_; // see CrossbarShape
    std::unique_ptr<Allocator<PortMask>> allocator_;
    Cycle next_tick_ = 0; // the first cycle that tick() has not passed
    InputBuffers<PortMask> inputs_;
    RequestMatrix<PortMask> requests_;
    BusyPorts<PortMask> busy_;
    WaitingOutputs<PortMask> waiting_;
    std::vector<PortGroups> groups_;
    OutputBuffers<PortMask> outputs_;
    PacketPool packets_;
    CrossbarStats stats_;
};

} // namespace heddle::mem
