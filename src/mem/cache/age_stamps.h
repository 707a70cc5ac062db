// The ages of the lines of a cache, for the choice of the way for a new line. A line that is held, which is to say
// pending or locked, keeps its way.
#pragma once

#include <cstdint>

#include "base/line_vector.h"

namespace heddle::mem {

class AgeStamps {
public:
    static constexpr std::size_t kMaxWays = 64;

    // All lines are empty. `ways`: of a set, at most kMaxWays.
    AgeStamps(std::size_t lines, std::size_t ways) {
        reset(lines, ways);
    }
    void reset(std::size_t lines, std::size_t ways) {
        stamps_.resize(lines);
        for (std::size_t line = 0; line < lines; ++line)
            stamps_[line] = line % ways;
        clock_ = 0;
    }

    // A line is used: it is the youngest of all now.
    void renew(std::size_t line) {
        stamps_[line] = (stamps_[line] & (kHeld | kWay)) | (clock_ += kUse);
    }
    void hold(std::size_t line) {
        stamps_[line] |= kHeld;
    }
    void release(std::size_t line) {
        stamps_[line] &= ~kHeld;
    }
    // A line leaves its way: it is not held, and older than all lines that were used.
    void clear(std::size_t line) {
        stamps_[line] &= kWay;
    }
    [[nodiscard]] bool is_held(std::size_t line) const {
        return stamps_[line] >= kHeld;
    }
    // Whether one of the `ways` lines from `first` on, a set, is not held.
    [[nodiscard]] bool any_free(std::size_t first, std::size_t ways) const {
        bool any = false; // no branch for each way: the host cannot predict which ways are free
        for (std::size_t i = first; i < first + ways; ++i)
            any |= stamps_[i] < kHeld;
        return any;
    }
    // The way of the oldest line of a set that is not held; an empty way before all others, the lowest first. Some way
    // is not held.
    [[nodiscard]] std::size_t oldest(std::size_t first, std::size_t ways) const {
        const std::uint64_t* const stamps = stamps_.data() + first;
        std::uint64_t least = stamps[0];
        for (std::size_t way = 1; way < ways; ++way) {
            const std::uint64_t stamp = stamps[way];
            least = stamp < least ? stamp : least;
        }
        return least & kWay;
    }

private:
    // A stamp: from the top, whether the line is held; when it was used, 0 for an empty one; its way. So the least
    // stamp of a set is that of the way for a new line.
    static constexpr std::uint64_t kHeld = std::uint64_t{1} << 63;
    static constexpr std::uint64_t kWay = kMaxWays - 1;
    static constexpr std::uint64_t kUse = kWay + 1;

    LineVector<std::uint64_t> stamps_; // a set lies in as few lines of the host's cache as it can
    std::uint64_t clock_ = 0;          // of the last use, in stamps
};

} // namespace heddle::mem
