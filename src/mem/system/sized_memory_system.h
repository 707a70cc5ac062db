// The memory system of machines with as many SMs, and slices of memory, as a PortMask holds.
#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/event_wheel.h"
#include "base/mask_wheel.h"
#include "mem/network/crossbar.h"
#include "mem/system/memory_system.h"

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
        return SmSet(std::exchange(news_, {}).words().first((links_.size() + 63) / 64));
    }
    [[nodiscard]] std::span<const Reply> replies(unsigned sm) const override {
        return replies_to_[sm];
    }
    void taken(unsigned sm) override {
        replies_to_[sm].clear();
    }
    [[nodiscard]] std::int64_t room(unsigned sm) const override;
    [[nodiscard]] Cycle next() const override {
        return wheel_.next();
    }
    [[nodiscard]] std::size_t open_requests() const override {
        return transactions_.open_count();
    }
    [[nodiscard]] const Slice& slice_of(Address address) const override {
        return slices_[interleave_.slice_of(address)];
    }
    void add_statistics(stats::Tree& tree) override;

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
    Crossbar<PortMask> requests_, replies_;
    std::vector<RingQueue<Sent>> links_;         // from the SMs, by SM
    std::vector<std::int64_t> on_link_;          // flits, by SM
    MaskWheel<PortMask> link_ends_;              // SMs, by when the first request on their link comes to the network
    PortMask refused_links_;                     // those whose first packet the network had no room for
    PortMask roomy_links_;                       // of these, those for which there may be room now
    PortMask full_channels_;                     // channels whose slices wait for room
    PortMask full_slices_;                       // slices that could not take a request
    PortMask refused_slices_;                    // those for whose first answer the network had no room
    PortMask answering_;                         // others with answers, and those for which there may be room now
    std::vector<std::vector<Reply>> replies_to_; // by SM
    PortMask news_;                              // for take_news()
    EventWheel wheel_;
    std::vector<Cycle> alarms_; // by component: the earliest that is set
    PathStats stats_;
    CoherenceStats coherence_; // messages and flits
};

} // namespace heddle::mem
