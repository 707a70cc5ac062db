#include "check/checker.h"

#include <algorithm>
#include <tuple>

namespace heddle::check {

Checker::Block::Block(std::uint32_t number, const Launch& launch)
    : check(number, launch.threads_of_block), live(launch.threads_of_block) {
    written_shared.write(launch.shared_bytes - launch.reserved_shared, launch.reserved_shared);
}

void Checker::begin_launch(const Launch& launch) {
    launch_ = launch;
    std::sort(launch_.own_code.begin(), launch_.own_code.end());
    clocks_.begin(launch.threads, launch.threads_of_block);
    histories_.begin(launch.threads_of_block, clocks_);
    global_.clear();
    blocks_.clear();
    clusters_.clear();
    cluster_phase_.clear();
    last_block_ = UINT32_MAX;
}

void Checker::end_launch(bool stuck) {
    if (stuck && checks_.barriers) {
        Findings found;
        std::vector<std::uint32_t> numbers;
        for (const auto& [number, block] : blocks_)
            numbers.push_back(number);
        std::sort(numbers.begin(), numbers.end());
        for (const std::uint32_t number : numbers)
            blocks_.at(number)->check.stuck(found);
        report_all(found);
    }
    blocks_.clear();
    last_block_ = UINT32_MAX;
}

// Cycle by cycle, and SM by SM in a cycle.
void Checker::read(std::span<EventLog* const> logs) {
    next_.assign(logs.size(), 0);
    for (;;) {
        Cycle cycle = kNever;
        for (std::size_t i = 0; i < logs.size(); ++i)
            if (const auto events = logs[i]->events(); next_[i] < events.size())
                cycle = std::min(cycle, events[next_[i]].cycle);
        if (cycle == kNever)
            break;
        for (std::size_t i = 0; i < logs.size(); ++i)
            for (const auto events = logs[i]->events(); next_[i] < events.size() && events[next_[i]].cycle == cycle;
                 ++next_[i])
                apply(*logs[i], events[next_[i]]);
    }
    for (EventLog* const log : logs)
        log->clear();
}

Checker::Block* Checker::block(std::uint32_t number) {
    if (number != last_block_) {
        const auto found = blocks_.find(number);
        last_ = found == blocks_.end() ? nullptr : found->second.get();
        last_block_ = number;
    }
    return last_;
}

bool Checker::is_own_code(Pc pc) const {
    const auto behind = std::upper_bound(launch_.own_code.begin(), launch_.own_code.end(), std::pair(pc, kNoPc));
    return behind != launch_.own_code.begin() && pc < std::prev(behind)->second;
}

Place Checker::place(const Party& party) const {
    const ThreadId thread = clocks_.owner(party.id);
    return {party.pc, thread / launch_.threads_of_block, thread % launch_.threads_of_block, party.how,
            thread != party.id};
}

void Checker::report(Finding finding) {
    finding.launch = launch_.number;
    findings.add(finding);
}

void Checker::report_all(const Findings& found) {
    for (const Finding& each : found.all())
        report(each);
}

void Checker::apply(const EventLog& log, const Event& e) {
    using enum Event::Kind;
    switch (e.kind) {
    case Start:
        blocks_[e.block] = std::make_unique<Block>(e.block, launch_);
        last_block_ = UINT32_MAX;
        clocks_.start_block(e.block);
        return;
    case Access:
        return access(log, e);
    case WarpMeets:
        return warp_meets(log, e);
    case Arrives:
        return arrives(log, e);
    case Completes:
        return completes(e);
    case ClusterArrives:
    case ClusterWaits:
    case ClusterComplete:
        return cluster(log, e);
    case Fence:
        for (const ThreadId t : log.threads(e))
            clocks_.fence(t, e.scope);
        return;
    case ClosesGroup:
        for (const ThreadId t : log.threads(e))
            clocks_.close_group(t);
        return;
    case WaitsForCopies:
        for (const ThreadId t : log.threads(e))
            clocks_.wait_for_copies(t, e.number, e.all);
        return;
    case Exits:
        return exits(log, e);
    }
}

// Those of one PTX warp with one mask meet. (Where four warps meet for wgmma, all masks are 0.)
void Checker::warp_meets(const EventLog& log, const Event& e) {
    const auto threads = log.threads(e);
    const auto masks = log.addresses(e);
    const auto key = [&](std::size_t i) {
        const std::uint32_t in_block = threads[i] % launch_.threads_of_block;
        const bool alone = masks[i] != 0;
        return std::tuple(threads[i] / launch_.threads_of_block, in_block / (alone ? kPtxWarp : kWarpgroup), masks[i]);
    };
    for (std::size_t i = 0; i < threads.size(); ++i) {
        const std::uint32_t in_block = threads[i] % launch_.threads_of_block;
        if (checks_.barriers && masks[i] != 0 && (masks[i] >> (in_block % kPtxWarp) & 1) == 0) {
            Finding finding;
            finding.kind = Kind::WarpMask;
            finding.second = place({threads[i], e.pc});
            report(finding);
        }
        bool first = checks_.races; // of its meeting
        for (std::size_t j = 0; j < i && first; ++j)
            first = key(j) != key(i);
        if (!first)
            continue;
        members_.clear();
        for (std::size_t j = i; j < threads.size(); ++j)
            if (key(j) == key(i))
                members_.push_back(threads[j]);
        std::sort(members_.begin(), members_.end());
        Meeting meeting;
        for (const ThreadId t : members_)
            clocks_.arrive(meeting, t, true);
        clocks_.meet(meeting, members_);
    }
}

void Checker::arrives(const EventLog& log, const Event& e) {
    Block* const b = block(e.block);
    if (b == nullptr)
        return;
    Barrier& barrier = b->barriers[e.number];
    Findings found;
    for (const ThreadId t : log.threads(e)) {
        const BarrierCheck::Arrival arrival{t % launch_.threads_of_block, e.pc, e.expected, e.waits, e.aligned};
        if (checks_.barriers)
            b->check.arrive(e.number, arrival, found);
        if (!checks_.races)
            continue;
        clocks_.arrive(barrier.meeting, t, e.waits);
        if (e.waits)
            barrier.waiting.push_back(t);
    }
    report_all(found);
}

void Checker::completes(const Event& e) {
    Block* const b = block(e.block);
    if (b == nullptr)
        return;
    if (checks_.barriers) {
        Findings found;
        b->check.complete(e.number, found);
        report_all(found);
    }
    if (!checks_.races)
        return;
    Barrier& barrier = b->barriers[e.number];
    std::sort(barrier.waiting.begin(), barrier.waiting.end());
    clocks_.meet(barrier.meeting, barrier.waiting);
    barrier.waiting.clear();
}

void Checker::cluster(const EventLog& log, const Event& e) {
    if (!checks_.races)
        return;
    Cluster& c = clusters_[e.block];
    if (e.kind == Event::Kind::ClusterComplete) {
        c.last = ThreadClocks::known_to(c.meeting);
        c.meeting = {};
        ++c.phase;
        for (const ThreadId t : c.waiting)
            clocks_.learn(c.last, t);
        c.waiting.clear();
        return;
    }
    for (const ThreadId t : log.threads(e)) {
        if (e.kind == Event::Kind::ClusterArrives) {
            clocks_.arrive(c.meeting, t, false);
            cluster_phase_[t] = c.phase;
        } else if (cluster_phase_[t] != c.phase) {
            clocks_.learn(c.last, t);
        } else {
            c.waiting.push_back(t);
        }
    }
}

void Checker::exits(const EventLog& log, const Event& e) {
    for (const ThreadId t : log.threads(e)) {
        const std::uint32_t number = t / launch_.threads_of_block;
        Block* const b = block(number);
        if (b == nullptr)
            continue;
        if (checks_.barriers)
            b->check.exits(t % launch_.threads_of_block, e.pc);
        if (--b->live == 0)
            end_block(number);
    }
}

void Checker::end_block(std::uint32_t number) {
    Block& b = *blocks_.at(number);
    for (Histories::Word& w : b.shared)
        histories_.forget(w);
    blocks_.erase(number);
    last_block_ = UINT32_MAX;
    clocks_.end_block(number);
}

} // namespace heddle::check
