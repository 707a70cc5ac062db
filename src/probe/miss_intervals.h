// Divergent accesses to a data cache over the time of a run, by interval (MAWS Figure 2).
//
// A run may be long, so at most kMost intervals are kept. When a cycle lies beyond them, each two intervals become one,
// and the interval is twice as long from then on.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/types.h"

namespace heddle::probe {

struct MissInterval {
    std::uint64_t missed = 0;      // accesses with a thread that missed
    std::uint64_t divergent = 0;   // accesses with a thread that missed and a thread that did not
    std::uint64_t line_cycles = 0; // lines on their way, summed over the cycles
    std::uint64_t most_lines = 0;  // the most lines on their way to one cache in a cycle
};

class MissIntervals {
public:
    static constexpr std::size_t kMost = 4096;

    // `length`: cycles of an interval, at first. `width`: threads of an access at most.
    MissIntervals(Cycle length, unsigned width) : length_(length), degrees_(width + 1) {}

    // In cycle `now` an access has missed for `threads` threads; `divergent`: other threads of the access hit.
    void missed(unsigned threads, bool divergent, Cycle now) {
        MissInterval& row = row_at(now);
        ++row.missed;
        end_ = std::max(end_, now + 1);
        if (divergent) {
            ++row.divergent;
            ++by_degree_[last_ * degrees_ + threads];
        }
    }
    // So many lines, not 0, were on their way in the cycles from `begin` up to `end` - 1.
    void on_their_way(unsigned lines, Cycle begin, Cycle end);
    // The run has come to the end of cycle `end` - 1: the intervals up to this cycle are part of the run, also empty
    // ones.
    void extend(Cycle end) {
        if (end != 0)
            static_cast<void>(row_at(end - 1));
        end_ = std::max(end_, end);
    }
    // Adds the intervals of another cache of this machine; the lengths may differ by now.
    void add(MissIntervals other);

    [[nodiscard]] Cycle length() const {
        return length_;
    }
    [[nodiscard]] std::span<const MissInterval> rows() const { // row i begins in cycle i * length()
        return rows_;
    }
    [[nodiscard]] Cycle cycles_of(std::size_t row) const { // the last row may be shorter
        return std::min(length_, end_ - row * length_);
    }
    // Divergent accesses of a row by the number of threads that missed, 0 to the width.
    [[nodiscard]] std::span<const std::uint64_t> degrees(std::size_t row) const {
        return std::span(by_degree_).subspan(row * degrees_, degrees_);
    }

private:
    MissInterval& row_at(Cycle now) {
        if (now - last_begin_ >= last_cycles_) [[unlikely]]
            reach(now);
        return rows_[last_];
    }
    // Makes the row of a cycle the last one.
    void reach(Cycle now);
    void merge_pairs();

    Cycle length_;
    Cycle end_ = 0; // all recorded events happened before
    std::size_t degrees_;
    // The row of the last event: further events of the row need no division.
    std::size_t last_ = 0;
    Cycle last_begin_ = 0;
    Cycle last_cycles_ = 0; // 0: none
    std::vector<MissInterval> rows_;
    std::vector<std::uint64_t> by_degree_; // row by row
};

} // namespace heddle::probe
