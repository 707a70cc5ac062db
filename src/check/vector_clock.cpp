#include "check/vector_clock.h"

#include <algorithm>

namespace heddle::check {

VectorClock::VectorClock(ThreadId begin, ThreadId end, Clock clock) {
    add(begin, end, clock);
}

void VectorClock::add(ThreadId begin, ThreadId end, Clock clock) {
    if (begin >= end || clock == 0)
        return;
    if (!runs_.empty() && runs_.back().end == begin && runs_.back().clock == clock)
        runs_.back().end = end;
    else
        runs_.push_back({begin, end, clock});
}

Clock VectorClock::of(ThreadId thread) const {
    const auto behind =
        std::upper_bound(runs_.begin(), runs_.end(), thread, [](ThreadId t, const Run& run) { return t < run.begin; });
    return behind == runs_.begin() || std::prev(behind)->end <= thread ? 0 : std::prev(behind)->clock;
}

std::optional<ThreadId> VectorClock::first_below(ThreadId begin, ThreadId end, Clock clock, ThreadId except) const {
    auto run = std::upper_bound(runs_.begin(), runs_.end(), begin, [](ThreadId t, const Run& r) { return t < r.end; });
    for (ThreadId t = begin; t < end;) {
        if (run != runs_.end() && run->end <= t)
            ++run;
        else if (run != runs_.end() && run->begin <= t && run->clock >= clock)
            t = run->end;
        else if (t == except)
            ++t;
        else
            return t;
    }
    return std::nullopt;
}

bool VectorClock::includes(const VectorClock& other) const {
    return std::all_of(other.runs_.begin(), other.runs_.end(), [this](const Run& run) {
        return !first_below(run.begin, run.end, run.clock, run.end).has_value();
    });
}

// One pass over both lists: between two neighbouring ends of runs both clocks are constant.
void VectorClock::join(const VectorClock& other) {
    if (other.empty())
        return;
    VectorClock out;
    out.runs_.reserve(runs_.size() + other.runs_.size());
    auto a = runs_.cbegin(), b = other.runs_.cbegin();
    for (ThreadId at = 0; a != runs_.cend() || b != other.runs_.cend();) {
        ThreadId end = UINT32_MAX;
        Clock clock = 0;
        const auto see = [&](const Run& run) {
            end = std::min(end, run.begin > at ? run.begin : run.end);
            clock = std::max(clock, run.begin > at ? 0 : run.clock);
        };
        if (a != runs_.cend())
            see(*a);
        if (b != other.runs_.cend())
            see(*b);
        out.add(at, end, clock);
        at = end;
        if (a != runs_.cend() && a->end <= at)
            ++a;
        if (b != other.runs_.cend() && b->end <= at)
            ++b;
    }
    runs_ = std::move(out.runs_);
}

void VectorClock::raise(ThreadId begin, ThreadId end, Clock clock) {
    if (runs_.empty() || runs_.back().end <= begin)
        return add(begin, end, clock);
    join(VectorClock(begin, end, clock));
}

SharedClock joined(const SharedClock& a, const SharedClock& b) {
    if (a == b || b == nullptr)
        return a;
    if (a == nullptr || b->includes(*a))
        return b;
    if (a->includes(*b))
        return a;
    auto out = std::make_shared<VectorClock>(*a);
    out->join(*b);
    return out;
}

} // namespace heddle::check
