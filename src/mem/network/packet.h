// The packets of a crossbar: lists of them, and the pool that they come from.
#pragma once

#include <cstdint>
#include <deque>
#include <utility>

#include "base/select.h"
#include "base/types.h"

namespace heddle::mem {

// A packet from Crossbar::send() to Crossbar::take(). Cycles are those of the network.
struct Packet {
    Cycle sent = 0;
    Cycle at = 0;             // at the input: its first flit is in the buffer; at the output: it can be taken
    std::uint32_t number = 0; // the owner's
    std::uint32_t flits = 0;
    std::uint32_t output = 0;
    Packet* behind = nullptr; // the next packet on the input link
    Packet* next = nullptr;   // in its queue, then in its output's buffer, then in the list of free packets
};

inline constexpr Packet kNoPacket{.at = kNever}; // stands for the front of an empty list

// Packets in order of append(), linked by one of their pointers, which is null in a packet that is appended. append()
// and pop() have no branch, because the host cannot predict whether a list is empty.
template <Packet* Packet::*kNext>
class PacketList {
public:
    PacketList() = default;
    PacketList(const PacketList&) = delete;
    PacketList& operator=(const PacketList&) = delete;

    [[nodiscard]] bool empty() const {
        return head_ == nullptr;
    }
    // The first packet of a list that is not empty.
    [[nodiscard]] Packet& front() const {
        return *head_;
    }
    // Packet::at of the first packet; kNever when the list is empty. No branch.
    [[nodiscard]] Cycle front_at() const {
        return select<const Packet>(head_ != nullptr, head_, &kNoPacket)->at;
    }
    void append(Packet& packet) {
        *end_ = &packet;
        end_ = &(packet.*kNext);
    }
    // Takes the first packet out of a list that is not empty.
    void pop() {
        head_ = head_->*kNext;
        end_ = select(head_ != nullptr, end_, &head_);
    }

private:
    Packet* head_ = nullptr;
    Packet** end_ = &head_; // the pointer that is null
};

// The packets of one crossbar. A packet keeps its address from make() to give_back().
class PacketPool {
public:
    // A packet with the given contents.
    Packet& make(const Packet& contents) {
        Packet& packet = free_ == nullptr ? packets_.emplace_back() : *std::exchange(free_, free_->next);
        packet = contents;
        return packet;
    }
    // The packet is in no list any more. Its contents stay until the next make().
    void give_back(Packet& packet) {
        packet.next = free_;
        free_ = &packet;
    }
    // Packets that were ever made at once.
    [[nodiscard]] std::size_t size() const {
        return packets_.size();
    }

private:
    std::deque<Packet> packets_; // a deque does not move its elements
    Packet* free_ = nullptr;     // list of the packets that are not in use
};

} // namespace heddle::mem
