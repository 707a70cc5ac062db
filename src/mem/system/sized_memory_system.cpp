#include "mem/system/sized_memory_system.h"

#include <algorithm>
#include <array>

#include "mem/network/gpc_config.h"

namespace heddle::mem {
namespace {

ClockRatio channel_clock(const DramConfig& dram, double core_mhz) {
    if (dram.model == "simple" || dram.clock_mhz == 0)
        return {};
    return {static_cast<double>(dram.clock_mhz), core_mhz};
}

// Of the network for requests, or for replies.
CrossbarShape network_shape(const config::Machine& machine, unsigned sms, bool requests) {
    const auto network = machine.get<InterconnectConfig>();
    const auto gpcs = machine.get<GpcConfig>();
    const auto slices = static_cast<unsigned>(machine.get<LlcConfig>().slices);
    CrossbarShape out = requests ? network.shape(sms, slices) : network.shape(slices, sms);
    out.groups = requests ? gpcs.request_groups() : gpcs.answer_groups();
    return out;
}

// The GPC of each SM where reads are merged.
std::vector<std::uint16_t> merging_gpcs(const GpcConfig& config) {
    return config.merges_reads ? config.gpc_of_sm() : std::vector<std::uint16_t>();
}

// Stands in a packet that carries a part of an answer, and not its end.
constexpr TransactionId kPart = ~TransactionId{0};
constexpr TransactionId kNoTransaction = ~TransactionId{0};

} // namespace

template <class PortMask>
SizedMemorySystem<PortMask>::SizedMemorySystem(const config::Machine& machine, unsigned sms, double core_mhz,
                                               unsigned block)
    : network_(machine.get<InterconnectConfig>()), request_packets_(request_network(machine)),
      answer_packets_(network_),
      answer_bytes_(network_.answer_bytes == 0 ? ~0U : static_cast<unsigned>(network_.answer_bytes)),
      clocks_({network_.clock_mhz, core_mhz}, channel_clock(machine.get<DramConfig>(), core_mhz)),
      interleave_(machine.get<LlcConfig>(), machine.get<DramConfig>().channels),
      coherent_(machine.get<LlcConfig>().coherence != "none"),
      host_bytes_(machine.get<L2Config>().host_copies ? machine.get<LlcConfig>().size : 0),
      line_(machine.get<LlcConfig>().line),
      window_ticks_(std::min(clocks_.networks().tick_before(network_.link) + 1, Crossbar<PortMask>::kAhead)),
      components_(static_cast<unsigned>(machine.get<DramConfig>().channels),
                  static_cast<unsigned>(machine.get<LlcConfig>().slices)),
      alarms_(components_.count()), links_(sms), requests_(network_shape(machine, sms, true)),
      replies_(network_shape(machine, sms, false)), sent_(machine.get<LlcConfig>().slices), replies_to_(sms),
      partitions_(machine.get<L2Config>(), machine.get<LlcConfig>(), machine.get<GpcConfig>(), sms),
      reads_(merging_gpcs(machine.get<GpcConfig>())) {
    const auto dram = dram_of(machine);
    const auto llc = llc_of(machine);
    for (std::uint64_t c = 0; c < dram.channels; ++c)
        channels_.add(make_dram_channel(dram));
    const Slice::Clocks clocks{llc.clock_mhz == 0 ? ClockRatio() : ClockRatio(llc.clock_mhz, core_mhz),
                               clocks_.channels()};
    slices_.reserve(llc.slices);
    for (unsigned s = 0; s < llc.slices; ++s) {
        std::vector<DramChannel*> of_slice;
        for_each_channel(s, [&](unsigned c) {
            of_slice.push_back(&channels_[c]);
            channels_.add_slice(c, s);
        });
        slices_.emplace_back(s, llc, Slice::DataCaches{block, sms}, interleave_, clocks, transactions_,
                             std::move(of_slice));
    }
    stats_.channel_bytes.resize(channels_.size());
    stats_.channel_busy.resize(channels_.size());
}

template <class PortMask>
void SizedMemorySystem<PortMask>::accept(unsigned sm, std::span<const Request> requests) {
    replies_to_.room_changed(sm);
    if (requests.empty())
        return;
    const Cycle start = requests.front().sent;
    Cycle first = kNever;
    // The network may have run the whole window in which they were sent, or nothing of it.
    const Cycle horizon = clocks_.networks().tick_before(start) + Crossbar<PortMask>::kAhead - window_ticks_;
    for (const Request& request : requests) {
        const Cycle at = request.sent + network_.link;
        const bool merges = reads_.is_on() && ReadMerger::merges(request);
        if (merges && reads_.join(request, sm, at))
            continue;
        const TransactionId id = transactions_.open(request, sm, slice_for(sm, request));
        if (merges)
            reads_.lead(request, sm, id);
        const Cycle tick = clocks_.networks().tick_before(at);
        const unsigned flits = request_packets_.flits(request.carried);
        const bool free = links_.empty(sm);
        if (free && requests_.accepts(sm, flits) && requests_.comes_at(sm, tick) < horizon) [[likely]] {
            first = std::min(first, enter(id, flits, tick));
            continue;
        }
        if (free)
            alarms_.set(components_.request_network(), at);
        links_.push(sm, {at, id, flits}, start);
    }
    alarms_.set(components_.request_network(), clocks_.networks().core_cycle(first));
}

// The slice that a request goes to: that of its line, or the one that stands for it.
template <class PortMask>
unsigned SizedMemorySystem<PortMask>::slice_for(unsigned sm, const Request& request) const {
    const unsigned slice = interleave_.slice_of(request.address);
    const bool stands_in = partitions_.has_copies() && request.use() == DramUse::Read;
    return stands_in ? partitions_.near_slice(sm, slice) : slice;
}

// A request enters the network in a network cycle, now or later. Returns when its first flit is in the buffer.
template <class PortMask>
Cycle SizedMemorySystem<PortMask>::enter(TransactionId id, unsigned flits, Cycle tick) {
    const Transaction& t = transactions_[id];
    coherence_.count_packet(t.request.message, flits);
    return requests_.send(t.sm, t.slice, id, flits, tick);
}

template <class PortMask>
std::int64_t SizedMemorySystem<PortMask>::room(unsigned sm) const {
    return static_cast<std::int64_t>(network_.input_flits) - requests_.used_flits(sm) - links_.flits(sm);
}

template <class PortMask>
void SizedMemorySystem<PortMask>::run(Cycle until) {
    for (Cycle now = alarms_.next(); now < until; now = alarms_.next()) {
        clocks_.advance(now);
        alarms_.run(now, [&](unsigned component) {
            components_.dispatch(
                component, [&](unsigned c) { tick_channel(c, now); }, [&](unsigned s) { tick_slice(s, now); },
                [&] { tick_requests(now); }, [&] { tick_replies(now); });
        });
    }
}

// Sets the alarm of a channel for when a request of it may be done, or when there may be room that slices wait for.
template <class PortMask>
void SizedMemorySystem<PortMask>::wake_channel(unsigned c, Cycle now) {
    if (const Cycle at = channels_.next(c); at != kNever)
        alarms_.set(components_.channel(c), std::max(now + 1, clocks_.channels().core_cycle(at)));
}

// Makes up for the ticks of a channel up to now.
template <class PortMask>
void SizedMemorySystem<PortMask>::catch_up(unsigned c, Cycle now) {
    if (channels_.catch_up(c, clocks_.channel_tick()))
        offer_room(c, now);
}

// A channel for which slices wait has room.
template <class PortMask>
void SizedMemorySystem<PortMask>::offer_room(unsigned c, Cycle now) {
    channels_.slices(c).for_each([&](unsigned s) {
        slices_[s].retry(now);
        alarms_.set(components_.slice(s), slices_[s].wake());
    });
}

template <class PortMask>
void SizedMemorySystem<PortMask>::await_answers(unsigned s, Cycle now) {
    if (const Cycle next = slices_[s].next_answer(); next != kNever) {
        answering_.insert(s);
        alarms_.set(components_.reply_network(), std::max(now, next));
    }
}

template <class PortMask>
void SizedMemorySystem<PortMask>::tick_channel(unsigned c, Cycle now) {
    catch_up(c, now);
    DramChannel& channel = channels_[c];
    while (channel.done_at() <= clocks_.channel_tick()) {
        const std::uint32_t id = channel.done.pop().id;
        const unsigned s = id >> Slice::kIdBits;
        const bool several = interleave_.channels_of_slice() != 1; // a dirty line may go to another one of them
        if (several) [[unlikely]]
            for_each_channel(s, [&](unsigned other) { catch_up(other, now); });
        slices_[s].done(id & ((1U << Slice::kIdBits) - 1), now);
        if (several) [[unlikely]]
            for_each_channel(s, [&](unsigned other) { wake_channel(other, now); });
        alarms_.set(components_.slice(s), slices_[s].wake());
        await_answers(s, now);
    }
    const DramStats& counted = channel.stats();
    stats_.channel_bytes[c] = counted.bytes;
    stats_.channel_busy[c] = counted.bus_busy;
    wake_channel(c, now);
}

// Slices of one channel that have work in one cycle take turns in going first. (A slice with several channels shares
// none of them.)
template <class PortMask>
void SizedMemorySystem<PortMask>::tick_slice(unsigned s, Cycle now) {
    const unsigned c = interleave_.channel_of(s);
    PortMask due;
    channels_.slices(c).for_each([&](unsigned other) { due.insert_if(slices_[other].wake() <= now, other); });
    channels_.in_turn(c, due, [&](unsigned first) { look_up(first, c, now); });
    alarms_.set(components_.slice(s), slices_[s].wake()); // when the slice ran with another slice's alarm
}

template <class PortMask>
void SizedMemorySystem<PortMask>::look_up(unsigned s, unsigned c, Cycle now) {
    Slice& slice = slices_[s];
    std::array<Cycle, LlcConfig::kMostChannels> expected; // by channel of the slice
    for_each_channel(s, [&](unsigned other) {
        catch_up(other, now);
        expected[other - c] = channels_[other].may_be_done_at();
    });
    const bool freed = slice.tick(now);
    alarms_.set(components_.slice(s), slice.wake());
    for_each_channel(s, [&](unsigned other) {
        if (channels_[other].may_be_done_at() < expected[other - c])
            wake_channel(other, now);
        if (slice.is_blocked() && channels_.await_room(other))
            wake_channel(other, now);
    });
    if (freed) {
        channels_.served(c, s);
        if (full_slices_.contains(s)) {
            full_slices_.erase(s);
            alarms_.set(components_.request_network(), now);
        }
    }
    if ((freed || coherent_) && !answering_.is_refused(s))
        send_answers(s, now);
}

// Requests that have passed their link enter the network, or stay on the link while the network has no room.
template <class PortMask>
void SizedMemorySystem<PortMask>::send_requests(Cycle now) {
    links_.send(
        now, [&](unsigned sm, unsigned flits) { return requests_.accepts(sm, flits); },
        [&](unsigned, const typename SmLinks<PortMask>::Packet& packet) {
            enter(packet.id, packet.flits, clocks_.network_tick());
        });
    alarms_.set(components_.request_network(), links_.next());
}

template <class PortMask>
void SizedMemorySystem<PortMask>::tick_requests(Cycle now) {
    send_requests(now);
    const Cycle tick = clocks_.network_tick();
    while (requests_.wake <= tick)
        requests_.tick(requests_.wake);
    const PortMask freed = requests_.take_freed_inputs();
    replies_to_.room_changed(freed);
    if (links_.retry(freed))
        alarms_.set(components_.request_network(), now + 1);
    (requests_.ready_outputs(tick) & ~full_slices_).for_each([&](unsigned s) {
        Slice& slice = slices_[s];
        while (requests_.ready(s, tick) && slice.has_room()) {
            const TransactionId id = requests_.take(s, tick);
            if (partitions_.has_copies()) [[unlikely]]
                arrive_in_partition(id, now);
            else
                slice.arrive(id, now);
        }
        if (requests_.ready(s, tick))
            full_slices_.insert(s);
        alarms_.set(components_.slice(s), std::max(now + 1, slice.wake()));
        if (coherent_) // notices of an SM are processed at once, and may complete a request
            await_answers(s, now);
    });
    const Cycle next = std::min(requests_.wake, requests_.next_ready());
    alarms_.set(components_.request_network(), std::max(now + 1, clocks_.networks().core_cycle(next)));
}

// A request comes to a slice of a last level with copies: a read perhaps to one that stands for its line's own slice.
template <class PortMask>
void SizedMemorySystem<PortMask>::arrive_in_partition(TransactionId id, Cycle now) {
    Transaction& t = transactions_[id];
    const unsigned own = interleave_.slice_of(t.request.address);
    if (own != t.slice) {
        if (slices_[t.slice].arrive_for_copy(id, partitions_.mark_of(own), now))
            return;
        t.slice = static_cast<std::uint16_t>(own);
    }
    slices_[own].arrive(id, now);
    alarms_.set(components_.slice(own), std::max(now + 1, slices_[own].wake()));
    if (t.request.use() != DramUse::Read)
        partitions_.for_each_stand_in(own, [&](unsigned s) {
            push_late(
                {now + partitions_.far_latency(), kNoTransaction, s, t.request.address | partitions_.mark_of(own)});
        });
}

template <class PortMask>
void SizedMemorySystem<PortMask>::push_late(const Late& late) {
    late_.push(late);
    alarms_.set(components_.reply_network(), late_.front().at);
}

// The first answer of a slice is to a read of another partition's SM, and goes to a slice there.
template <class PortMask>
void SizedMemorySystem<PortMask>::send_to_partition(unsigned s, Cycle now) {
    push_late({now + partitions_.far_latency(), slices_[s].answer()});
    slices_[s].take_answer(now);
    alarms_.set(components_.slice(s), slices_[s].wake());
}

// The answers that a slice has by now enter the network as far as there is room. Between the look-up of a slice and the
// run of the reply network in one cycle, no other code reads the answers.
template <class PortMask>
void SizedMemorySystem<PortMask>::send_answers(unsigned s, Cycle now) {
    while (slices_[s].has_answer(now)) {
        if (partitions_.has_copies() && partitions_.leaves_copy(transactions_[slices_[s].answer()])) [[unlikely]]
            send_to_partition(s, now);
        else if (!send_packet(s, now))
            return answering_.refuse(s);
    }
    await_answers(s, now);
}

// Sends the first answer of a slice, or the next part of it. False when the network has no room.
template <class PortMask>
bool SizedMemorySystem<PortMask>::send_packet(unsigned s, Cycle now) {
    Slice& slice = slices_[s];
    const Transaction& t = transactions_[slice.answer()];
    const unsigned left = t.answer_bytes() - sent_[s];
    const bool whole = left <= answer_bytes_;
    const unsigned flits = answer_packets_.flits(whole ? left : answer_bytes_);
    if (!replies_.accepts(s, flits))
        return false;
    const Cycle first = replies_.send(s, t.sm, whole ? slice.answer() : kPart, flits, clocks_.network_tick());
    alarms_.set(components_.reply_network(), clocks_.networks().core_cycle(first));
    coherence_.count_packet(t.request.requester == Requester::Probe ? t.request.message : t.grant, flits);
    sent_[s] = whole ? 0 : sent_[s] + answer_bytes_;
    if (whole) {
        slice.take_answer(now);
        alarms_.set(components_.slice(s), slice.wake());
    }
    return true;
}

template <class PortMask>
void SizedMemorySystem<PortMask>::tick_replies(Cycle now) {
    if (!late_.empty())
        deliver_late(now);
    if (reads_.kept() != 0) [[unlikely]]
        answer_kept(now);
    answering_.take().for_each([&](unsigned s) { send_answers(s, now); });
    const Cycle tick = clocks_.network_tick();
    while (replies_.wake <= tick)
        replies_.tick(replies_.wake);
    if (answering_.retry(replies_.take_freed_inputs()))
        alarms_.set(components_.reply_network(), now + 1);
    replies_.ready_outputs(tick).for_each([&](unsigned sm) {
        while (replies_.ready(sm, tick)) {
            const TransactionId id = replies_.take(sm, tick);
            if (id != kPart && (!partitions_.any() || !is_held_back(id, now)))
                deliver(id, now);
        }
    });
    if (!late_.empty())
        alarms_.set(components_.reply_network(), late_.front().at);
    alarms_.set(components_.reply_network(), reads_.next_kept());
    const Cycle next = std::min(replies_.wake, replies_.next_ready());
    alarms_.set(components_.reply_network(), std::max(now + 1, clocks_.networks().core_cycle(next)));
}

// Keeps an answer that comes later, because its slice is far from the SM. All of them come equally late.
template <class PortMask>
bool SizedMemorySystem<PortMask>::is_held_back(TransactionId id, Cycle now) {
    const Transaction& t = transactions_[id];
    const bool copied = partitions_.has_copies() && t.request.use() == DramUse::Read; // has come from near
    if (copied || !partitions_.is_far(t.sm, t.slice))
        return false;
    late_.push({now + partitions_.far_latency(), id});
    return true;
}

// What comes from far partitions, and for which the time has come.
template <class PortMask>
void SizedMemorySystem<PortMask>::deliver_late(Cycle now) {
    while (!late_.empty() && late_.front().at <= now) {
        const Late late = late_.pop();
        if (late.id == kNoTransaction)
            slices_[late.slice].drop_copy(late.copy);
        else if (partitions_.leaves_copy(transactions_[late.id]))
            answer_from_partition(late.id, now);
        else
            deliver(late.id, now);
    }
}

// The answer to a read is in the partition of its SM.
template <class PortMask>
void SizedMemorySystem<PortMask>::answer_from_partition(TransactionId id, Cycle now) {
    Transaction& t = transactions_[id];
    const unsigned own = t.slice;
    const unsigned s = partitions_.near_slice(t.sm, own);
    t.slice = static_cast<std::uint16_t>(s);
    for_each_channel(s, [&](unsigned c) { catch_up(c, now); });
    slices_[s].take_copy(id, partitions_.mark_of(own), now);
    alarms_.set(components_.slice(s), slices_[s].wake());
    for_each_channel(s, [&](unsigned c) { wake_channel(c, now); }); // a dirty line may have made room for the copy
    answering_.insert(s);
}

template <class PortMask>
void SizedMemorySystem<PortMask>::deliver(TransactionId id, Cycle now) {
    const Transaction& t = transactions_[id];
    answer(t, now);
    if (reads_.is_on() && ReadMerger::merges(t.request)) [[unlikely]]
        deliver_to_followers(id, now);
    transactions_.close(id);
}

// The SM of a transaction gets its answer.
template <class PortMask>
void SizedMemorySystem<PortMask>::answer(const Transaction& t, Cycle now) {
    const Cycle at = now + network_.link;
    if (is_load(t.request.requester) && t.request.kind != AccessKind::Prefetch)
        stats_.count_load(t, at);
    const bool probe = t.request.requester == Requester::Probe;
    replies_to_.push(t.sm, {at, t.request.requester, t.from_memory ? Level::Dram : Level::Llc,
                            probe ? t.request.message : t.grant, t.request.id, probe ? t.request.address : 0});
}

// The reads that have joined one are answered with it, or when they come to the network.
template <class PortMask>
void SizedMemorySystem<PortMask>::deliver_to_followers(TransactionId id, Cycle now) {
    const Transaction& leader = transactions_[id];
    reads_.end(id, leader.sm, [&](const ReadMerger::Follower& f) {
        Transaction t = leader;
        t.request = f.request;
        t.sm = static_cast<std::uint16_t>(f.sm);
        if (f.at <= now)
            answer(t, now);
        else
            reads_.keep(f.at, t);
    });
    alarms_.set(components_.reply_network(), reads_.next_kept());
}

template <class PortMask>
void SizedMemorySystem<PortMask>::answer_kept(Cycle now) {
    while (reads_.next_kept() <= now)
        answer(reads_.take_kept(), now);
    alarms_.set(components_.reply_network(), reads_.next_kept());
}

template <class PortMask>
void SizedMemorySystem<PortMask>::host_writes(Address begin, std::uint64_t bytes) {
    const Address end = begin + bytes;
    for (Address line = (end - std::min(bytes, host_bytes_)) & ~(line_ - 1); host_bytes_ != 0 && line < end;
         line += line_)
        slices_[interleave_.slice_of(line)].put_line(line);
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
    for (unsigned c = 0; c < channels_.size(); ++c)
        tree.add_one_of("dram", channels_[c].stats());
}

template class SizedMemorySystem<Ports64>;
template class SizedMemorySystem<Ports256>;
template class SizedMemorySystem<Ports1024>;

} // namespace heddle::mem
