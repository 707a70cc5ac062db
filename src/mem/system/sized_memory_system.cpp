#include "mem/system/sized_memory_system.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace heddle::mem {
namespace {

ClockRatio channel_clock(const DramConfig& dram, double core_mhz) {
    if (dram.model == "simple" || dram.clock_mhz == 0)
        return {};
    return {static_cast<double>(dram.clock_mhz), core_mhz};
}

CrossbarShape shape_of(const InterconnectConfig& config, unsigned inputs, unsigned outputs) {
    return {.inputs = inputs,
            .outputs = outputs,
            .input_flits = static_cast<unsigned>(config.input_flits),
            .output_flits = static_cast<unsigned>(config.output_flits),
            .speedup = static_cast<unsigned>(config.speedup),
            .latency = static_cast<unsigned>(config.latency),
            .allocator = config.allocator,
            .iterations = static_cast<unsigned>(config.iterations),
            .seed = config.seed};
}

} // namespace

template <class PortMask>
SizedMemorySystem<PortMask>::SizedMemorySystem(const config::Machine& machine, unsigned sms, double core_mhz,
                                               unsigned block)
    : network_(machine.get<InterconnectConfig>()), packets_(network_), network_clock_(network_.clock_mhz, core_mhz),
      channel_clock_(channel_clock(machine.get<DramConfig>(), core_mhz)),
      interleave_(machine.get<LlcConfig>(), machine.get<DramConfig>().channels),
      coherent_(machine.get<LlcConfig>().coherence != "none"),
      window_ticks_(std::min(network_clock_.tick_before(network_.link) + 1, Crossbar<PortMask>::kAhead)),
      first_slice_(static_cast<unsigned>(machine.get<DramConfig>().channels)),
      request_number_(first_slice_ + static_cast<unsigned>(machine.get<LlcConfig>().slices)),
      requests_(shape_of(network_, sms, static_cast<unsigned>(machine.get<LlcConfig>().slices))),
      replies_(shape_of(network_, static_cast<unsigned>(machine.get<LlcConfig>().slices), sms)), links_(sms),
      on_link_(sms), replies_to_(sms), wheel_(reply_number() + 1), alarms_(reply_number() + 1, kNever) {
    const auto dram = machine.get<DramConfig>();
    const auto llc = machine.get<LlcConfig>();
    for (std::uint64_t c = 0; c < dram.channels; ++c)
        channels_.push_back(make_dram_channel(dram));
    slices_of_.resize(channels_.size());
    served_slices_.resize(channels_.size());
    const Slice::Clocks clocks{llc.clock_mhz == 0 ? ClockRatio() : ClockRatio(llc.clock_mhz, core_mhz), channel_clock_};
    slices_.reserve(llc.slices);
    for (unsigned s = 0; s < llc.slices; ++s) {
        const unsigned channel = interleave_.channel_of(s);
        slices_.emplace_back(s, llc, Slice::DataCaches{block, sms}, interleave_, clocks, transactions_,
                             *channels_[channel]);
        slices_of_[channel].insert(s);
    }
    stats_.channel_bytes.resize(channels_.size());
    stats_.channel_busy.resize(channels_.size());
}

template <class PortMask>
void SizedMemorySystem<PortMask>::accept(unsigned sm, std::span<const Request> requests) {
    news_.insert(sm);
    if (requests.empty())
        return;
    RingQueue<Sent>& link = links_[sm];
    Cycle first = kNever;
    // The network may have seen the whole window in which they were sent, or nothing of it.
    const Cycle horizon =
        network_clock_.tick_before(requests.front().sent) + Crossbar<PortMask>::kAhead - window_ticks_;
    for (const Request& request : requests) {
        const Cycle at = request.sent + network_.link;
        const Cycle tick = network_clock_.tick_before(at);
        const unsigned flits = packets_.flits(request.carried);
        const TransactionId id = transactions_.open(request, sm, interleave_.slice_of(request.address));
        if (link.empty() && requests_.accepts(sm, flits) && requests_.comes_at(sm, tick) < horizon) [[likely]] {
            first = std::min(first, enter(id, flits, tick));
            continue;
        }
        if (link.empty()) {
            link_ends_.put(PortMask::bit(sm), at, requests.front().sent);
            set_alarm(request_number(), at);
        }
        link.push({at, id, flits});
        on_link_[sm] += flits;
    }
    set_alarm(request_number(), network_clock_.core_cycle(first));
}

// A request enters the network in a network cycle, now or later. Returns when the network sees it.
template <class PortMask>
Cycle SizedMemorySystem<PortMask>::enter(TransactionId id, unsigned flits, Cycle tick) {
    const Transaction& t = transactions_[id];
    count(t.request.message, flits);
    return requests_.send(t.sm, t.slice, id, flits, tick);
}

template <class PortMask>
std::int64_t SizedMemorySystem<PortMask>::room(unsigned sm) const {
    return static_cast<std::int64_t>(network_.input_flits) - requests_.used_flits(sm) - on_link_[sm];
}

template <class PortMask>
void SizedMemorySystem<PortMask>::run(Cycle until) {
    for (Cycle now = wheel_.next(); now < until; now = wheel_.next()) {
        channel_tick_ = channel_clock_.tick_before(now);
        network_tick_ = network_clock_.tick_before(now);
        wheel_.run(now, [&](unsigned component) {
            if (const Cycle alarm = alarms_[component]; alarm > now) { // it was for later than the wheel's span
                if (alarm != kNever)
                    wheel_.set(component, alarm);
                return;
            }
            alarms_[component] = kNever;
            if (component < first_slice_)
                tick_channel(component, now);
            else if (component < request_number())
                tick_slice(component - first_slice_, now);
            else if (component == request_number())
                tick_requests(now);
            else
                tick_replies(now);
        });
    }
}

// A channel is looked at when something may come out of it, or when there may be room that is waited for.
template <class PortMask>
void SizedMemorySystem<PortMask>::wake_channel(unsigned c, Cycle now) {
    const DramChannel& channel = *channels_[c];
    const bool room = full_channels_.contains(c);
    const Cycle at = room ? std::min(channel.done_at(), channel.wake) : channel.may_be_done_at();
    if (at == kNever)
        return;
    set_alarm(channel_number(c), std::max(now + 1, channel_clock_.core_cycle(at)));
}

// Makes up for the ticks of a channel up to now.
template <class PortMask>
void SizedMemorySystem<PortMask>::catch_up(unsigned c, Cycle now) {
    DramChannel& channel = *channels_[c];
    if (channel.wake <= channel_tick_)
        channel.catch_up(channel_tick_);
    if (full_channels_.contains(c) && channel.accepts())
        offer_room(c, now);
}

// A channel that was full is no more.
template <class PortMask>
void SizedMemorySystem<PortMask>::offer_room(unsigned c, Cycle now) {
    full_channels_.erase(c);
    slices_of_[c].for_each([&](unsigned s) {
        slices_[s].retry(now);
        set_alarm(slice_number(s), slices_[s].wake());
    });
}

template <class PortMask>
void SizedMemorySystem<PortMask>::await_answers(unsigned s, Cycle now) {
    if (const Cycle next = slices_[s].next_answer(); next != kNever) {
        answering_.insert(s);
        set_alarm(reply_number(), std::max(now, next));
    }
}

template <class PortMask>
void SizedMemorySystem<PortMask>::tick_channel(unsigned c, Cycle now) {
    catch_up(c, now);
    DramChannel& channel = *channels_[c];
    while (channel.done_at() <= channel_tick_) {
        const std::uint32_t id = channel.done.pop().id;
        const unsigned s = id >> Slice::kIdBits;
        slices_[s].done(id & ((1U << Slice::kIdBits) - 1), now);
        set_alarm(slice_number(s), slices_[s].wake());
        await_answers(s, now);
    }
    const DramStats& counted = channel.stats();
    stats_.channel_bytes[c] = counted.bytes;
    stats_.channel_busy[c] = counted.bus_busy;
    wake_channel(c, now);
}

// Slices of one channel that have work in the same cycle take turns in going first.
template <class PortMask>
void SizedMemorySystem<PortMask>::tick_slice(unsigned s, Cycle now) {
    const unsigned c = interleave_.channel_of(s);
    PortMask due;
    slices_of_[c].for_each([&](unsigned other) { due.insert_if(slices_[other].wake() <= now, other); });
    for (const PortMask served = served_slices_[c]; due.any();) {
        const PortMask before = due & ~served;
        const unsigned first = before.any() ? before.lowest() : due.lowest();
        due.erase(first);
        look_up(first, c, now);
    }
    set_alarm(slice_number(s), slices_[s].wake()); // when it was ticked with another's alarm
}

template <class PortMask>
void SizedMemorySystem<PortMask>::look_up(unsigned s, unsigned c, Cycle now) {
    Slice& slice = slices_[s];
    catch_up(c, now);
    DramChannel& channel = *channels_[c];
    const Cycle expected = channel.may_be_done_at();
    const bool freed = slice.tick(now);
    set_alarm(slice_number(s), slice.wake());
    if (channel.may_be_done_at() < expected)
        wake_channel(c, now);
    if (slice.is_blocked() && !full_channels_.contains(c) && !channel.accepts()) {
        full_channels_.insert(c);
        wake_channel(c, now);
    }
    if (freed) {
        served_slices_[c] = PortMask::first(s + 1);
        if (full_slices_.contains(s)) {
            full_slices_.erase(s);
            set_alarm(request_number(), now);
        }
    }
    if ((freed || coherent_) && !refused_slices_.contains(s))
        send_answers(s, now);
}

// What has come to the network enters it, or stays on its link.
template <class PortMask>
void SizedMemorySystem<PortMask>::send_requests(Cycle now) {
    (std::exchange(roomy_links_, {}) | link_ends_.collect(now)).for_each([&](unsigned sm) {
        RingQueue<Sent>& link = links_[sm];
        while (!link.empty() && link.front().at <= now) {
            const auto [at, id, flits] = link.front();
            if (!requests_.accepts(sm, flits)) {
                refused_links_.insert(sm); // a tick of the network makes room
                return;
            }
            link.pop();
            on_link_[sm] -= flits;
            enter(id, flits, network_tick_);
        }
        if (!link.empty())
            link_ends_.put(PortMask::bit(sm), link.front().at, now);
    });
    set_alarm(request_number(), link_ends_.next());
}

template <class PortMask>
void SizedMemorySystem<PortMask>::tick_requests(Cycle now) {
    send_requests(now);
    const Cycle tick = network_tick_;
    while (requests_.wake <= tick)
        requests_.tick(requests_.wake);
    const PortMask freed = requests_.take_freed_inputs();
    news_ |= freed;
    roomy_links_ = freed & refused_links_;
    if (roomy_links_.any()) {
        refused_links_ &= ~roomy_links_;
        set_alarm(request_number(), now + 1);
    }
    (requests_.ready_outputs(tick) & ~full_slices_).for_each([&](unsigned s) {
        Slice& slice = slices_[s];
        while (requests_.ready(s, tick) && slice.has_room())
            slice.arrive(requests_.take(s, tick), now);
        if (requests_.ready(s, tick))
            full_slices_.insert(s);
        set_alarm(slice_number(s), std::max(now + 1, slice.wake()));
        if (coherent_) // what an SM tells is taken in at once, and may be answered
            await_answers(s, now);
    });
    const Cycle next = std::min(requests_.wake, requests_.next_ready());
    set_alarm(request_number(), std::max(now + 1, network_clock_.core_cycle(next)));
}

// What a slice has answered by now enters the network as far as there is room. Nobody looks at its answers between its
// look-up and the network's turn in the same cycle.
template <class PortMask>
void SizedMemorySystem<PortMask>::send_answers(unsigned s, Cycle now) {
    Slice& slice = slices_[s];
    while (slice.has_answer(now)) {
        const Transaction& t = transactions_[slice.answer()];
        const unsigned flits = packets_.flits(t.answer_bytes());
        if (!replies_.accepts(s, flits)) {
            refused_slices_.insert(s); // a tick of the network makes room
            return;
        }
        const Cycle first = replies_.send(s, t.sm, slice.answer(), flits, network_tick_);
        set_alarm(reply_number(), network_clock_.core_cycle(first));
        count(t.request.requester == Requester::Probe ? t.request.message : t.grant, flits);
        slice.take_answer(now);
        set_alarm(slice_number(s), slice.wake());
    }
    await_answers(s, now);
}

template <class PortMask>
void SizedMemorySystem<PortMask>::tick_replies(Cycle now) {
    std::exchange(answering_, {}).for_each([&](unsigned s) { send_answers(s, now); });
    const Cycle tick = network_tick_;
    while (replies_.wake <= tick)
        replies_.tick(replies_.wake);
    const PortMask roomy = replies_.take_freed_inputs() & refused_slices_;
    if (roomy.any()) {
        refused_slices_ &= ~roomy;
        answering_ |= roomy;
        set_alarm(reply_number(), now + 1);
    }
    replies_.ready_outputs(tick).for_each([&](unsigned sm) {
        while (replies_.ready(sm, tick))
            deliver(replies_.take(sm, tick), now);
    });
    const Cycle next = std::min(replies_.wake, replies_.next_ready());
    set_alarm(reply_number(), std::max(now + 1, network_clock_.core_cycle(next)));
}

template <class PortMask>
void SizedMemorySystem<PortMask>::deliver(TransactionId id, Cycle now) {
    const Transaction& t = transactions_[id];
    const Cycle at = now + network_.link;
    if (is_load(t.request.requester) && t.request.kind != AccessKind::Prefetch)
        count(t, at);
    const bool probe = t.request.requester == Requester::Probe;
    news_.insert(t.sm);
    replies_to_[t.sm].push_back({at, t.request.requester, t.from_memory ? Level::Dram : Level::Llc,
                                 probe ? t.request.message : t.grant, t.request.id, probe ? t.request.address : 0});
    transactions_.close(id);
}

template <class PortMask>
void SizedMemorySystem<PortMask>::count(const Transaction& t, Cycle at) {
    const auto bucket = [](Cycle latency) {
        return std::min<std::size_t>(static_cast<std::size_t>(std::bit_width(latency)), PathStats::kBuckets - 1);
    };
    const Cycle total = at - t.request.sent;
    ++stats_.loads;
    stats_.total += total;
    stats_.request_network += t.arrived - t.request.sent;
    stats_.reply_network += at - t.answered;
    if (t.from_memory) {
        ++stats_.from_memory;
        stats_.slice += t.missed - t.arrived;
        stats_.memory += t.answered - t.missed;
        ++stats_.memory_latency[bucket(total)];
    } else {
        stats_.slice += t.answered - t.arrived;
        ++stats_.llc_latency[bucket(total)];
    }
}

template <class PortMask>
void SizedMemorySystem<PortMask>::add_statistics(stats::Tree& tree) {
    tree.add("memory_path", stats_);
    tree.add("request_network", requests_.stats());
    tree.add("reply_network", replies_.stats());
    for (Slice& slice : slices_) {
        tree.add_one_of("slices", slice.stats());
        if (const CacheStats* cache = slice.cache_stats())
            tree.add_one_of("llc", *cache);
        if (PrefetchStats* const prefetches = slice.prefetch_stats())
            tree.add_one_of("llc_prefetch", *prefetches);
        if (const CoherenceStats* coherence = slice.coherence_stats())
            tree.add_one_of("coherence", *coherence);
    }
    if (coherent_)
        tree.add_one_of("coherence", coherence_);
    for (const auto& channel : channels_)
        tree.add_one_of("dram", channel->stats());
}

template class SizedMemorySystem<Ports64>;
template class SizedMemorySystem<Ports256>;
template class SizedMemorySystem<Ports1024>;

} // namespace heddle::mem
