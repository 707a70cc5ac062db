// The links from the SMs to the request network. A packet is on its SM's link until it enters the network, packets of
// one SM in the order in which they were sent. Packets that find no room at the network stay on the link and keep the
// packets behind them there.
#pragma once

#include <cstdint>
#include <vector>

#include "base/mask_wheel.h"
#include "base/ring_queue.h"
#include "mem/system/network_senders.h"
#include "mem/system/transaction.h"

namespace heddle::mem {

template <class PortMask>
class SmLinks {
public:
    struct Packet {
        Cycle at; // core cycle in which it has passed the link
        TransactionId id;
        std::uint32_t flits;
    };

    explicit SmLinks(unsigned sms) : links_(sms), flits_(sms) {}

    [[nodiscard]] unsigned sms() const {
        return static_cast<unsigned>(links_.size());
    }
    [[nodiscard]] bool empty(unsigned sm) const {
        return links_[sm].empty();
    }
    // Flits of the packets on the link of an SM.
    [[nodiscard]] std::int64_t flits(unsigned sm) const {
        return flits_[sm];
    }
    // Puts a packet on a link. packet.at is not before that of the packets that are on it, and after cycle `now`; all
    // that was due before `now` has been sent.
    void push(unsigned sm, const Packet& packet, Cycle now) {
        if (links_[sm].empty())
            ends_.put(PortMask::bit(sm), packet.at, now);
        links_[sm].push(packet);
        flits_[sm] += packet.flits;
    }
    // The next cycle in which a packet may have passed its link, or one before it when that is far ahead; kNever when
    // there is none. Links that wait for room do not count.
    [[nodiscard]] Cycle next() const {
        return ends_.next();
    }
    // Takes off their links, in ascending order of SMs, the packets that have passed it by cycle `now` and that the
    // network has room for: calls accepts(sm, flits) for each, and enter(sm, packet) when it returned true. The link
    // of an SM whose packet was refused is left out until retry(). Cycles ascend.
    template <class Accepts, class Enter>
    void send(Cycle now, Accepts&& accepts, Enter&& enter) {
        (senders_.take() | ends_.collect(now)).for_each([&](unsigned sm) {
            RingQueue<Packet>& link = links_[sm];
            while (!link.empty() && link.front().at <= now) {
                const Packet packet = link.front();
                if (!accepts(sm, packet.flits)) {
                    senders_.refuse(sm);
                    return;
                }
                link.pop();
                flits_[sm] -= packet.flits;
                enter(sm, packet);
            }
            if (!link.empty())
                ends_.put(PortMask::bit(sm), link.front().at, now);
        });
    }
    // The inputs of some SMs have got room. True when a link waits for that room: the next send() tries again.
    bool retry(const PortMask& freed) {
        return senders_.retry(freed);
    }

private:
    std::vector<RingQueue<Packet>> links_;
    std::vector<std::int64_t> flits_;
    MaskWheel<PortMask> ends_;         // SMs, by the cycle in which the first packet has passed the link
    NetworkSenders<PortMask> senders_; // SMs whose first packet has passed the link and found no room
};

} // namespace heddle::mem
