// The output side of a crossbar: for each output a buffer and a link. Times are network cycles.
//
//   link      carries one flit a cycle, packets in the order of put(). The first flit of a packet that is put at cycle
//             t is at the output at t + setup + latency; `flits` cycles after the link begins with it, it can be taken
//   room      a packet takes its flits from put() to take(). A packet that is longer than the buffer fits an empty one
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>

#include "base/mask_wheel.h"
#include "mem/network/packet.h"

namespace heddle::mem {

template <class PortMask>
class OutputBuffers {
public:
    // `flits`: the room of one output. `latency`: cycles through the switch, at least 1.
    OutputBuffers(unsigned flits, unsigned latency) : flits_(flits), latency_(latency) {
        assert(latency >= 1);
        delivers_at_.fill(kNever);
    }

    // No branch.
    [[nodiscard]] bool has_room(unsigned output, unsigned flits) const {
        const std::uint32_t used = used_[output];
        return (mask_if(used == 0) | mask_if(used + flits <= flits_)) != 0;
    }
    // A packet enters the switch `setup` cycles after cycle `now`, on its way to an output that has_room(). Returns
    // when it can be taken. Cycles ascend.
    Cycle put(unsigned output, Packet& packet, Cycle now, Cycle setup = 0) {
        const Cycle done = std::max(now + setup + latency_, link_free_[output]) + packet.flits;
        link_free_[output] = done;
        used_[output] += packet.flits;
        if (packets_[output].empty()) {
            delivers_at_[output] = done;
            due_.put(PortMask::bit(output), done, now);
        }
        packet.at = done;
        packet.next = nullptr;
        packets_[output].append(packet);
        return done;
    }

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
    // The packet that the output delivers next. There is one, ready or not.
    [[nodiscard]] const Packet& front(unsigned output) const {
        return packets_[output].front();
    }
    // Takes the packet of a ready() output, and gives its room back.
    Packet& take(unsigned output, Cycle now) {
        assert(ready(output, now));
        Packet& packet = packets_[output].front();
        packets_[output].pop();
        const Cycle next = packets_[output].front_at();
        delivers_at_[output] = next;
        ready_.erase_if(next > now, output);
        if (next > now && next != kNever)
            due_.put(PortMask::bit(output), next, now);
        used_[output] -= packet.flits;
        return packet;
    }

private:
    void find_ready(Cycle now) {
        due_.collect(now).for_each([&](unsigned output) {
            if (delivers_at_[output] <= now)
                ready_.insert(output);
            else if (delivers_at_[output] != kNever)
                due_.put(PortMask::bit(output), delivers_at_[output], now);
        });
    }

    unsigned flits_;
    unsigned latency_;
    std::array<std::uint32_t, PortMask::kSize> used_{};
    std::array<Cycle, PortMask::kSize> link_free_{};
    std::array<PacketList<&Packet::next>, PortMask::kSize> packets_;
    std::array<Cycle, PortMask::kSize> delivers_at_; // the first of packets_; kNever: there is none
    MaskWheel<PortMask> due_;                        // outputs, by the cycle of their first delivery
    PortMask ready_;                                 // the outputs that ready_outputs() has found due
};

} // namespace heddle::mem
