// The memory system of machines with as many SMs, and slices of memory, as a PortMask holds.
#pragma once

#include <span>
#include <vector>

#include "mem/network/crossbar.h"
#include "mem/system/alarms.h"
#include "mem/system/channels.h"
#include "mem/system/components.h"
#include "mem/system/memory_clocks.h"
#include "mem/system/memory_system.h"
#include "mem/system/network_senders.h"
#include "mem/system/partitions.h"
#include "mem/system/read_merger.h"
#include "mem/system/sm_links.h"
#include "mem/system/sm_replies.h"

namespace heddle::mem {

template <class PortMask>
class SizedMemorySystem final : public MemorySystem {
public:
    SizedMemorySystem(const config::Machine& machine, unsigned sms, double core_mhz, unsigned block);

    [[nodiscard]] Cycle link() const override {
        return network_.link;
    }
    void accept(unsigned sm, std::span<const Request> requests) override;
    [[gnu::flatten]] void run(Cycle until) override;
    [[nodiscard]] SmSet take_news() override {
        return replies_to_.take_news();
    }
    [[nodiscard]] std::span<const Reply> replies(unsigned sm) const override {
        return replies_to_.of(sm);
    }
    void taken(unsigned sm) override {
        replies_to_.clear(sm);
    }
    [[nodiscard]] std::int64_t room(unsigned sm) const override;
    [[nodiscard]] Cycle next() const override {
        return alarms_.next();
    }
    [[nodiscard]] std::size_t open_requests() const override {
        return transactions_.open_count() + reads_.kept();
    }
    [[nodiscard]] const Slice& slice_of(Address address) const override {
        return slices_[interleave_.slice_of(address)];
    }
    void host_writes(Address begin, std::uint64_t bytes) override;
    void add_statistics(stats::Tree& tree) override;

private:
    // Something that comes from a far partition: an answer, or that a line has been written. (All of it takes equally
    // long: a copy of a line is there before it is taken away.)
    struct Late {
        Cycle at;
        TransactionId id;   // none: a copy is to be dropped
        unsigned slice = 0; // that one
        Address copy = 0;
    };

    // Calls f(channel) for each channel of a slice.
    template <class F>
    void for_each_channel(unsigned slice, F&& f) const {
        const unsigned first = interleave_.channel_of(slice);
        for (unsigned c = first; c != first + interleave_.channels_of_slice(); ++c)
            f(c);
    }
    void wake_channel(unsigned channel, Cycle now);
    void catch_up(unsigned channel, Cycle now);
    [[gnu::noinline]] void offer_room(unsigned channel, Cycle now);
    void await_answers(unsigned slice, Cycle now);
    void tick_channel(unsigned channel, Cycle now);
    void tick_slice(unsigned slice, Cycle now);
    void look_up(unsigned slice, unsigned channel, Cycle now);
    void tick_requests(Cycle now);
    void tick_replies(Cycle now);
    [[nodiscard]] unsigned slice_for(unsigned sm, const Request& request) const;
    [[gnu::noinline]] void arrive_in_partition(TransactionId id, Cycle now);
    [[gnu::noinline]] void send_to_partition(unsigned slice, Cycle now);
    Cycle enter(TransactionId id, unsigned flits, Cycle tick);
    void send_requests(Cycle now);
    void send_answers(unsigned slice, Cycle now);
    bool send_packet(unsigned slice, Cycle now);
    void answer(const Transaction& t, Cycle now);
    [[gnu::noinline]] void answer_kept(Cycle now);
    void deliver(TransactionId id, Cycle now);
    [[gnu::noinline]] void deliver_to_followers(TransactionId id, Cycle now);
    [[gnu::noinline]] bool is_held_back(TransactionId id, Cycle now);
    void push_late(const Late& late);
    void deliver_late(Cycle now);
    void answer_from_partition(TransactionId id, Cycle now);

    const InterconnectConfig network_;
    const PacketSize request_packets_, answer_packets_;
    const unsigned answer_bytes_; // most data of one packet to an SM
    MemoryClocks clocks_;
    const Interleave interleave_;
    const bool coherent_;
    const std::uint64_t host_bytes_; // that the host's copies leave in the last level
    const std::uint64_t line_;       // bytes of a line of it
    const Cycle window_ticks_;       // ticks of the networks in a window, at most; no more than matter
    const Components components_;
    Alarms alarms_; // by component: what one hands to the next is seen by it in the following cycle at the earliest
    Transactions transactions_;
    Channels<PortMask> channels_;
    std::vector<Slice> slices_;
    PortMask full_slices_; // slices that could not take a request
    SmLinks<PortMask> links_;
    Crossbar<PortMask> requests_, replies_;
    NetworkSenders<PortMask> answering_; // slices with answers
    std::vector<unsigned> sent_;         // by slice: data of its first answer that are in packets already
    SmReplies<PortMask> replies_to_;
    Partitions partitions_;
    ReadMerger reads_;
    RingQueue<Late> late_; // in order of time
    PathStats stats_;
    CoherenceStats coherence_; // messages and flits
};

} // namespace heddle::mem
