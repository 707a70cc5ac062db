// What lies behind the SMs' own caches: request network, slices with their part of the last-level cache, DRAM channels,
// reply network. Each runs by its own clock; the hierarchy keeps core cycles and wakes each when it has work.
//
// It runs the same windows of cycles as the SMs, and touches nothing of them meanwhile (docs/parallel.md): what an SM
// sends in a window enters the network `link` cycles later, so never before the window's end, and what it gets takes as
// long on its way back.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/event_wheel.h"
#include "base/mask_wheel.h"
#include "mem/network/config.h"
#include "mem/network/crossbar.h"
#include "mem/system/slice.h"
#include "stats/tree.h"

namespace heddle::mem {

// Where the cycles of loads went, on the way from an SM's cache to it.
struct PathStats {
    static constexpr std::size_t kBuckets = 24; // bucket b counts latencies from 2^(b-1) up to 2^b - 1; 0 in bucket 0
    std::uint64_t loads = 0;
    std::uint64_t from_memory = 0;
    std::uint64_t total = 0;
    std::uint64_t request_network = 0;
    std::uint64_t slice = 0;
    std::uint64_t memory = 0;
    std::uint64_t reply_network = 0;
    stats::Histogram llc_latency = stats::Histogram(kBuckets);
    stats::Histogram memory_latency = stats::Histogram(kBuckets);
    // By channel
    stats::Histogram channel_bytes, channel_busy;
    static std::span<const stats::Statistic<PathStats>> statistics();
    static std::span<const stats::Formula> formulas();
};

class MemorySystem {
public:
    // For a machine with an interconnect. `core_mhz`: the SMs' clock; `block`: bytes of a line of their data caches.
    MemorySystem(const config::Machine& machine, unsigned sms, double core_mhz, unsigned block);

    // Cycles that a message takes between an SM and the network.
    [[nodiscard]] Cycle link() const {
        return network_.link;
    }
    // Takes what SM `sm` has sent in a window, in order of time.
    void accept(unsigned sm, std::span<const Request> requests);
    // Runs what is due before cycle `until`.
    [[gnu::flatten]] void run(Cycle until);
    // SMs with replies, or with another room() than before the last call.
    [[nodiscard]] PortMask take_news() {
        return std::exchange(news_, PortMask{0});
    }
    // What SM `sm` gets, in order of time; valid until taken().
    [[nodiscard]] std::span<const Reply> replies(unsigned sm) const {
        return replies_to_[sm];
    }
    void taken(unsigned sm) {
        replies_to_[sm].clear();
    }
    // Flits that the network can take from an SM beyond those on their way to it.
    [[nodiscard]] std::int64_t room(unsigned sm) const;

    // The next cycle in which something happens; kNever when nothing is on its way.
    [[nodiscard]] Cycle next() const {
        return wheel_.next();
    }
    // Requests that are on their way or whose reply is.
    [[nodiscard]] std::size_t open_requests() const {
        return transactions_.open_count();
    }
    // The slice that an address lies in.
    [[nodiscard]] const Slice& slice_of(Address address) const {
        return slices_[interleave_.slice_of(address)];
    }
    void add_statistics(stats::Tree& tree);

private:
    // Components by number, in the order in which they run within a cycle: what one hands to the next is seen by it
    // in the following cycle at the earliest.
    [[nodiscard]] unsigned channel_number(unsigned channel) const {
        return channel;
    }
    [[nodiscard]] unsigned slice_number(unsigned slice) const {
        return first_slice_ + slice;
    }
    [[nodiscard]] unsigned request_number() const {
        return request_number_;
    }
    [[nodiscard]] unsigned reply_number() const {
        return request_number_ + 1;
    }

    // An alarm that is already set for as early spares the wheel, and the component a wake-up for nothing.
    void set_alarm(unsigned component, Cycle at) {
        if (at >= alarms_[component])
            return;
        alarms_[component] = at;
        wheel_.set(component, at);
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
    Cycle enter(TransactionId id, unsigned flits, Cycle tick);
    void send_requests(Cycle now);
    void send_answers(unsigned slice, Cycle now);
    void deliver(TransactionId id, Cycle now);
    void count(const Transaction& t, Cycle now);
    void count(Message message, unsigned flits) {
        if (is_overhead(message)) [[unlikely]] {
            ++coherence_.messages;
            coherence_.flits += flits;
        }
    }

    struct Sent {
        Cycle at;
        TransactionId id;
        std::uint32_t flits;
    };

    const InterconnectConfig network_;
    const PacketSize packets_;
    const ClockRatio network_clock_;
    const ClockRatio channel_clock_;
    Cycle channel_tick_ = 0; // the channels' last tick up to the cycle that runs
    Cycle network_tick_ = 0; // the networks'
    const Interleave interleave_;
    const bool coherent_;
    const Cycle window_ticks_; // ticks of the networks in a window, at most; no more than matter
    const unsigned first_slice_;
    const unsigned request_number_;
    Transactions transactions_;
    std::vector<std::unique_ptr<DramChannel>> channels_;
    std::vector<Slice> slices_;
    std::vector<PortMask> slices_of_;     // by channel
    std::vector<PortMask> served_slices_; // by channel: up to the one that got on last; the others go first
    Crossbar requests_, replies_;
    std::vector<RingQueue<Sent>> links_;         // from the SMs, by SM
    std::vector<std::int64_t> on_link_;          // flits, by SM
    MaskWheel<PortMask> link_ends_;              // SMs, by when the first request on their link comes to the network
    PortMask refused_links_ = 0;                 // those whose first packet the network had no room for
    PortMask roomy_links_ = 0;                   // of these, those for which there may be room now
    PortMask full_channels_ = 0;                 // channels whose slices wait for room
    PortMask full_slices_ = 0;                   // slices that could not take a request
    PortMask refused_slices_ = 0;                // those for whose first answer the network had no room
    PortMask answering_ = 0;                     // others with answers, and those for which there may be room now
    std::vector<std::vector<Reply>> replies_to_; // by SM
    PortMask news_ = 0;                          // for take_news()
    EventWheel wheel_;
    std::vector<Cycle> alarms_; // by component: the earliest that is set
    PathStats stats_;
    CoherenceStats coherence_; // messages and flits
};

} // namespace heddle::mem
