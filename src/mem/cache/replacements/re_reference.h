// Re-reference interval prediction (Jaleel, Theobald, Steely, Emer: High Performance Cache Replacement Using
// Re-Reference Interval Prediction, ISCA 2010), with M = 2 bits a line and hit priority: what srrip, brrip, drrip and
// ship have in common. They differ in what they predict of a new line.
#pragma once

#include <algorithm>
#include <bit>
#include <vector>

#include "mem/cache/replacement.h"

namespace heddle::mem {

class ReReference : public Replacement {
public:
    // When a line is predicted to be used again. A new line is never predicted to be near, nor one interval from that.
    enum Interval : std::uint8_t { kNear = 0, kLong = 2, kDistant = 3 };

    explicit ReReference(const ReplacementShape& shape)
        : ways_(shape.ways), interval_(std::size_t{shape.sets} * shape.ways, kDistant) {}

    // The first candidate that is predicted distant. While there is none, all lines of the set age.
    unsigned victim(unsigned set, WayMask candidates, const CacheAccess& /*access*/) final {
        std::uint8_t* const line = &interval_[std::size_t{set} * ways_];
        std::uint8_t oldest = kNear;
        for (WayMask rest = candidates; rest != 0; rest &= rest - 1)
            oldest = std::max(oldest, line[std::countr_zero(rest)]);
        for (unsigned way = 0; way < ways_; ++way) // held lines age as others do
            line[way] = static_cast<std::uint8_t>(std::min<unsigned>(line[way] + kDistant - oldest, kDistant));
        while (line[std::countr_zero(candidates)] != kDistant)
            candidates &= candidates - 1;
        return static_cast<unsigned>(std::countr_zero(candidates));
    }

protected:
    void predict(unsigned set, unsigned way, Interval interval) {
        interval_[std::size_t{set} * ways_ + way] = interval;
    }

private:
    unsigned ways_;
    std::vector<std::uint8_t> interval_; // by line
};

} // namespace heddle::mem
