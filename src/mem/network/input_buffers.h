// The input side of a crossbar: for each input a link, a buffer, and in the buffer one queue for each output (virtual
// output queues), or one for all of them. Times are network cycles.
//
//   link      carries one flit a cycle, packets in the order of put(). The first flit of a packet that is put on a free
//             link at cycle t is in the buffer at t + 1, the last one at t + flits
//   room      a packet takes its flits from put() to pop(). A packet that is longer than the buffer fits an empty one
//   queues    packets of one queue keep their order; a packet is in its queue from put() on
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/mask_wheel.h"
#include "mem/network/packet.h"

namespace heddle::mem {

template <class PortMask>
class InputBuffers {
public:
    // See put(). The requests of a window are put ahead of the network by the window and the way to it, both
    // interconnect.link: this span has room for four of 64 cycles.
    static constexpr Cycle kAhead = 256;

    // `queues`: of one input, as many as there are outputs, or 1: a FIFO. `flits`: the room of one input.
    InputBuffers(unsigned inputs, unsigned queues, unsigned flits)
        : stride_(queues == 1 ? 0 : inputs), flits_(flits), queues_(std::size_t{inputs} * queues) {}

    [[nodiscard]] bool accepts(unsigned input, unsigned flits) const {
        return used_[input] + flits <= flits_ || used_[input] == 0;
    }
    // Flits in the buffer or on the link.
    [[nodiscard]] unsigned used_flits(unsigned input) const {
        return used_[input];
    }
    // The cycle in which the first flit of a packet that is sent in cycle `now` is in the buffer.
    [[nodiscard]] Cycle comes_at(unsigned input, Cycle now) const {
        return std::max(now, link_free_[input]) + 1;
    }
    // Puts a packet on the link in cycle packet.sent. The input accepts() it, packet.at is comes_at(). packet.sent is
    // not before that of an earlier packet of this input. It may lie ahead of the cycle of the last collect(), as long
    // as packet.at is less than kAhead cycles after that cycle.
    void put(unsigned input, Packet& packet) {
        assert(packet.flits >= 1 && accepts(input, packet.flits));
        assert(packet.at == comes_at(input, packet.sent));
        link_free_[input] = packet.at - 1 + packet.flits;
        used_[input] += packet.flits;
        queues_[queue(input, packet.output)].append(packet);
        if (on_link_[input].empty())
            arriving_.put(PortMask::bit(input), packet.at, packet.sent);
        on_link_[input].append(packet);
    }

    // The first cycle, as far as is known, in which a packet has its first flit in a buffer and is not collected.
    [[nodiscard]] Cycle next_arrival() const {
        return arriving_.next();
    }
    // Calls arrived(input, packet) for each packet whose first flit has come up to cycle `now`, once: in ascending
    // order of inputs, for one input in the order of put().
    template <class F>
    void collect(Cycle now, F&& arrived) {
        arriving_.collect(now).for_each([&](unsigned input) {
            for (auto& packets = on_link_[input]; !packets.empty(); packets.pop()) {
                const Packet& first = packets.front();
                if (first.at > now)
                    return arriving_.put(PortMask::bit(input), first.at, now);
                arrived(input, first);
            }
        });
    }

    // The first packet of the queue that has the packets of an input for an output; it is not empty.
    [[nodiscard]] Packet& front(unsigned input, unsigned output) const {
        return queues_[queue(input, output)].front();
    }
    // Takes front() out of its queue and gives its room back. Returns when the first flit of the next packet of the
    // queue is in the buffer, now or later; kNever when there is no next packet.
    Cycle pop(unsigned input, unsigned output) {
        auto& packets = queues_[queue(input, output)];
        used_[input] -= packets.front().flits;
        packets.pop();
        freed_.insert(input);
        return packets.front_at();
    }
    // The inputs of pop() since the last call.
    PortMask take_freed() {
        return std::exchange(freed_, {});
    }

private:
    [[nodiscard]] std::size_t queue(unsigned input, unsigned output) const {
        return std::size_t{output} * stride_ + input;
    }

    unsigned stride_; // from the queue of an output to that of the next
    unsigned flits_;
    std::array<Cycle, PortMask::kSize> link_free_{};
    std::array<std::uint32_t, PortMask::kSize> used_{};
    std::array<PacketList<&Packet::behind>, PortMask::kSize> on_link_; // packets whose first flit is not collected
    MaskWheel<PortMask, kAhead> arriving_; // inputs, by the cycle in which the first packet of on_link_ arrives
    PortMask freed_;
    std::vector<PacketList<&Packet::next>> queues_;
};

} // namespace heddle::mem
