// One network, requests or replies: a crossbar switch with virtual output queues and virtual cut-through. Nothing is
// dropped; packets from one input to one output keep their order. All times are in network cycles.
//
// A packet of f flits on its way, `s` the speed-up, a slot the s-th part of a cycle:
//
//   input link    one flit a cycle, packets in the order of send(): the first flit of a packet sent over a free link
//                 at cycle t is in the buffer at t + 1, the last one at t + f
//   switch        asks from its first flit's cycle on; a grant at slot g holds the input and the output for f slots, or
//                 until the last flit has come and gone; the output must have room for the whole packet
//   output        the first flit is there `latency` cycles after the cycle of slot g
//   output link   one flit a cycle, packets in the order of grants: deliverable f cycles later. It never starves within
//                 a packet, because flits come at least as fast as it takes them
//
// So a packet alone takes 1 + latency + f cycles. Room in an input's buffer returns with the grant: from then on flits
// leave at least as fast as the link can bring new ones. Room in an output's buffer returns with take().
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/mask_wheel.h"
#include "base/select.h"
#include "base/types.h"
#include "mem/network/allocator.h"
#include "stats/statistic.h"

namespace heddle::mem {

struct CrossbarShape {
    unsigned inputs = 1;        // 1..PortMask::kSize
    unsigned outputs = 1;       // 1..PortMask::kSize
    unsigned input_flits = 64;  // buffer of an input, over all its queues
    unsigned output_flits = 64; // buffer of an output: granted and not yet taken
    unsigned speedup = 1;       // slots a cycle
    unsigned latency = 1;       // cycles through the switch, at least 1
    std::string allocator = "islip";
    unsigned iterations = 1;
    std::uint64_t seed = 1;
};

// Counted when a packet is granted, as far as its future is known then.
struct CrossbarStats {
    static constexpr std::size_t kBuckets = 24;
    std::uint64_t packets = 0;
    std::uint64_t flits = 0;
    std::uint64_t queueing = 0;
    std::uint64_t latency = 0;
    std::uint64_t refused = 0;
    stats::Histogram latencies = stats::Histogram(kBuckets);
    static std::span<const stats::Statistic<CrossbarStats>> statistics();
    static std::span<const stats::Formula> formulas();
};

template <class PortMask = Ports64>
class Crossbar {
public:
    // Throws UserError when there is no allocator of that name.
    explicit Crossbar(const CrossbarShape& shape);

    // Whether an input has room for a packet. One longer than the whole buffer has room when it is empty.
    [[nodiscard]] bool accepts(unsigned input, unsigned flits) const {
        return input_used_[input] + flits <= shape_.input_flits || input_used_[input] == 0;
    }
    // Flits in an input's buffer or on their way into it over its link.
    [[nodiscard]] unsigned used_flits(unsigned input) const {
        return input_used_[input];
    }
    static constexpr Cycle kAhead = MaskWheel<PortMask>::kSpan; // see send()
    // When the first flit of a packet that is sent in cycle `now` comes to the input's buffer.
    [[nodiscard]] Cycle comes_at(unsigned input, Cycle now) const {
        return std::max(now, input_link_free_[input]) + 1;
    }
    // Puts a packet, the owner's number, on an input's link in cycle `now`, never before an earlier call's of the same
    // input. The input accepts() it. `now` may be still to come, as long as the first flit comes_at() less than kAhead
    // cycles after each tick until then: the input will have room then, too. Returns when that is.
    Cycle send(unsigned input, unsigned output, std::uint32_t packet, unsigned flits, Cycle now);
    // Inputs whose buffer got room since the last call. Only tick() makes room.
    PortMask take_freed_inputs() {
        return std::exchange(freed_inputs_, {});
    }

    // The next cycle in which tick() has work; kNever when only send() or take() can make some. Both may bring it
    // forward, take() to the cycle of its call when that has not been ticked.
    Cycle wake = kNever;
    // The grants of one cycle. Cycles ascend; those without work are left out, for room that take() makes in a cycle
    // counts from that cycle on unless it has been ticked. (Both networks of a machine share its
    // code: a window goes over more of it than a first-level instruction cache holds.)
    [[gnu::noinline]] void tick(Cycle now);

    // The first cycle, as far as is known, in which an output that is not in ready_outputs() has a packet to deliver.
    [[nodiscard]] Cycle next_ready() const {
        return due_.next();
    }
    // The outputs that have a packet to deliver. Cycles ascend.
    [[nodiscard]] PortMask ready_outputs(Cycle now) {
        if (now >= due_.next())
            find_ready(now);
        return ready_;
    }
    [[nodiscard]] bool ready(unsigned output, Cycle now) const {
        return delivers_at_[output] <= now;
    }
    // The packet that an output delivers next. There must be one on its way.
    [[nodiscard]] std::uint32_t front(unsigned output) const {
        return deliveries_[output].head->number;
    }
    // Takes the packet of a ready() output; its room is free for grants from this cycle on.
    std::uint32_t take(unsigned output, Cycle now);

    [[nodiscard]] CrossbarStats& stats() {
        return stats_;
    }

private:
    using Slot = std::uint64_t;

    struct Packet { // from send() to take()
        Cycle sent = 0;
        Cycle at = 0; // in which its first flit is in the buffer; once it is granted: in which it can be taken
        std::uint32_t number = 0;
        std::uint32_t flits = 0;
        std::uint32_t output = 0;
        Packet* behind = nullptr; // it on the link
        Packet* next = nullptr;   // in its queue, then in its output's buffer, then in the list of unused ones
    };
    // Of packets, by one of their pointers. Putting one in and taking one out need no branch: whether a list was empty
    // is anybody's guess.
    template <Packet* Packet::*kNext>
    struct List {
        Packet* head = nullptr;
        Packet** end = &head; // the pointer that says null

        List() = default;
        List(const List&) = delete;
        List& operator=(const List&) = delete;
        void append(Packet& packet) {
            *end = &packet;
            end = &(packet.*kNext);
        }
        void pop() {
            head = head->*kNext;
            end = select(head != nullptr, end, &head);
        }
    };
    struct Ports {
        PortMask inputs = {};
        PortMask outputs = {};
        Ports& operator|=(const Ports& other) {
            inputs |= other.inputs;
            outputs |= other.outputs;
            return *this;
        }
    };

    Packet& new_packet();
    // Its first packet; of an empty list one that never comes. No branch.
    template <class Packets>
    [[nodiscard]] const Packet& head_or_nobody(const Packets& list) const {
        return *select<const Packet>(list.head != nullptr, list.head, &nobody_);
    }
    void admit(unsigned input, Cycle now);
    void ask(unsigned input, unsigned output, Cycle since);
    [[gnu::always_inline]] inline void run_slot(Slot slot, Cycle now);
    void grant(unsigned input, unsigned output, Slot slot, Cycle now);
    void dequeue(unsigned input, unsigned output, Cycle now);
    void deliver(Packet& packet, unsigned output, Cycle now);
    void hold(unsigned input, unsigned output, Slot slot, Slot end);
    void release(Slot slot);
    void hold_on(const Ports& ports, Slot slot);
    void find_ready(Cycle now);
    [[nodiscard]] bool can_grant() const;
    [[nodiscard]] Cycle next_work(Cycle now) const;
    [[nodiscard]] Slot next_useful_release() const;
    [[nodiscard]] bool has_room(unsigned output, unsigned flits) const {
        const std::uint32_t used = output_used_[output];
        return (mask_if(used == 0) | mask_if(used + flits <= shape_.output_flits)) != 0;
    }
    [[nodiscard]] std::size_t pair(unsigned input, unsigned output) const {
        return std::size_t{output} * shape_.inputs + input;
    }

    CrossbarShape shape_;
    std::unique_ptr<Allocator<PortMask>> allocator_;
    bool inputs_contend_;
    Cycle next_tick_ = 0; // the first cycle that tick() has not passed

    // Inputs: link, buffer, queues.
    std::array<Cycle, PortMask::kSize> input_link_free_{};
    std::array<std::uint32_t, PortMask::kSize> input_used_{};     // flits in the buffer or on their way into it
    std::array<List<&Packet::behind>, PortMask::kSize> arrivals_; // packets whose first flit is on the link
    MaskWheel<PortMask> arriving_;            // inputs, by the cycle in which their first arrival comes
    PortMask freed_inputs_;                   // for take_freed_inputs()
    std::vector<List<&Packet::next>> queues_; // [pair]
    std::deque<Packet> packets_;              // they stay where they are
    Packet nobody_{.at = kNever};             // stands for the head of an empty list
    Packet* unused_ = nullptr;                // list of those that can be used again

    // The switch: who asks, who is busy.
    std::array<PortMask, PortMask::kSize> asked_by_{}; // [output]: inputs whose packet has its first flit in
    std::array<PortMask, PortMask::kSize> asks_for_{}; // [input]: the same, as outputs
    std::vector<Cycle> since_;                         // [pair]: Packet::at of the packet that asks
    PortMask asking_;                                  // inputs that ask
    PortMask asked_;                                   // outputs that are asked for
    PortMask busy_inputs_;
    PortMask busy_outputs_;
    std::array<Slot, PortMask::kSize> input_free_{}; // of busy inputs: the slot in which they are free again
    std::array<Slot, PortMask::kSize> output_free_{};
    MaskWheel<Ports> releases_; // busy ports, by these slots
    Slot last_far_release_ = 0; // of those beyond the wheel's span

    // Back-pressure: an output that granted a packet without having room waits for room for that one and takes it
    // first, so that short packets cannot keep a long one out. It is not busy while it waits.
    PortMask waiting_;                                       // outputs that wait, or have room and wait for the input
    PortMask roomy_;                                         // the latter
    std::array<std::uint16_t, PortMask::kSize> waits_for_{}; // of waiting ones: the input

    // Outputs: buffer, link.
    std::array<std::uint32_t, PortMask::kSize> output_used_{}; // flits
    std::array<Cycle, PortMask::kSize> output_link_free_{};
    std::array<List<&Packet::next>, PortMask::kSize> deliveries_;
    std::array<Cycle, PortMask::kSize> delivers_at_; // the first of them; kNever: none
    MaskWheel<PortMask> due_;                        // outputs, by the cycle of their first delivery
    PortMask ready_;                                 // those of which ready_outputs() found that it is due

    CrossbarStats stats_;
};

} // namespace heddle::mem
