#include "formation/warp_paths.h"

#include <algorithm>

namespace heddle::formation {

void WarpPaths::start(Pc entry, LaneMask lanes) {
    running_ = {entry, lanes};
    live_ = lanes;
    rounds_ = 0;
    yields_ = false;
    yielded_ = meeting_ = 0;
    ready_.clear();
    suspended_.clear();
    for (auto& settings : barriers_)
        settings.clear();
}

void WarpPaths::choose() {
    running_ = {};
    if (ready_.empty() && meeting_ != 0)
        release_without(meeting_);
    if (ready_.empty())
        return;
    const auto next = order_.oldest_first ? ready_.begin() : ready_.end() - 1;
    running_ = *next;
    ready_.erase(next);
    yields_ = false;
    yielded_ &= ~running_.lanes;
    // Now no path waits, or the one that waited for the longest time runs.
    if (order_.oldest_first || ready_.empty())
        rounds_ = 0;
}

// Forward progress: threads that go round loops may wait for what another path does, which could run. The count goes on
// where these threads part, meet or wait in each round.
void WarpPaths::go_round() {
    if (ready_.empty() || order_.rounds == 0 || ++rounds_ < order_.rounds)
        return;
    ready_.insert(order_.oldest_first ? ready_.end() : ready_.begin(), running_);
    if (yields_)
        yielded_ |= running_.lanes;
    rounds_ = 0;
    choose();
}

void WarpPaths::branch(LaneMask taken, Pc target) {
    const Pc from = running_.pc;
    if (taken == running_.lanes) {
        running_.pc = target;
    } else if (taken == 0) {
        next();
    } else {
        const Path there{target, taken}, behind{from + 1, running_.lanes & ~taken};
        ready_.push_back(order_.taken_first ? behind : there);
        running_ = order_.taken_first ? there : behind;
    }
    if (taken != 0 && target <= from)
        go_round();
}

void WarpPaths::go_on(std::span<const Path> paths) {
    const Pc from = running_.pc;
    ready_.insert(ready_.end(), paths.begin(), paths.end());
    choose();
    if (std::ranges::any_of(paths, [&](const Path& p) { return p.pc <= from; }))
        go_round();
}

void WarpPaths::set(unsigned barrier) {
    auto& settings = barriers_.at(barrier);
    for (Setting& s : settings)
        s.members &= ~running_.lanes;
    release_complete(settings);
    settings.push_back({running_.lanes, 0, kNoPc});
    next();
}

void WarpPaths::wait(unsigned barrier) {
    auto& settings = barriers_.at(barrier);
    const Pc behind = running_.pc + 1;
    LaneMask waiting = 0;
    for (Setting& s : settings)
        if (const LaneMask here = s.members & running_.lanes; here != 0) {
            s.arrived |= here;
            s.behind = behind;
            waiting |= here;
        }
    const LaneMask others = running_.lanes & ~waiting;
    if (others != 0)
        ready_.push_back({behind, others});
    release_complete(settings);
    choose();
}

void WarpPaths::yield() {
    next();
    yields_ = true;
    release_without(yielded_ | running_.lanes);
}

void WarpPaths::release_without(LaneMask absent) {
    for (auto& settings : barriers_) {
        for (Setting& s : settings)
            if (s.arrived != 0 && (s.members & ~s.arrived & ~absent) == 0)
                s.members = s.arrived;
        release_complete(settings);
    }
}

void WarpPaths::release_complete(std::vector<Setting>& settings) {
    for (const Setting& s : settings)
        if (s.arrived == s.members && s.members != 0)
            ready_.push_back({s.behind, s.members});
    std::erase_if(settings, [](const Setting& s) { return s.arrived == s.members; });
}

void WarpPaths::exit(LaneMask lanes) {
    live_ &= ~lanes;
    running_.lanes &= ~lanes;
    ++running_.pc;
    for (auto& settings : barriers_) {
        for (Setting& s : settings)
            s.members &= ~lanes;
        release_complete(settings);
    }
    if (running_.lanes == 0)
        choose();
}

void WarpPaths::meet(LaneMask lanes) {
    meeting_ |= lanes;
    suspend(lanes);
}

void WarpPaths::suspend(LaneMask lanes) {
    if (lanes != 0)
        suspended_.push_back({running_.pc + 1, lanes});
    running_.lanes &= ~lanes;
    ++running_.pc;
    if (running_.lanes == 0)
        choose();
}

// Threads that go on at one place go on together.
void WarpPaths::resume(LaneMask lanes) {
    meeting_ &= ~lanes;
    std::vector<Path> released;
    for (Path& p : suspended_) {
        const LaneMask here = p.lanes & lanes;
        if (here == 0)
            continue;
        p.lanes &= ~here;
        const auto same = std::find_if(released.begin(), released.end(), [&](const Path& r) { return r.pc == p.pc; });
        if (same != released.end())
            same->lanes |= here;
        else
            released.push_back({p.pc, here});
    }
    std::erase_if(suspended_, [](const Path& p) { return p.lanes == 0; });
    ready_.insert(ready_.end(), released.begin(), released.end());
    if (running_.lanes == 0)
        choose();
}

} // namespace heddle::formation
