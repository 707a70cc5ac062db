// The reads that instructions still have to do, as a second scoreboard counts them (Huerta et al., MICRO 2025, 7.5): a
// register that an instruction on its way has to read must not be written, and has a limited number of such readers.
// The cycle of each read is known when its instruction issues.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "sm/sub_core/scoreboard.h"

namespace heddle::sm {

class PendingReads {
public:
    // `rows`: of registers. `most`: readers that are counted of a register; 0: none is, and nothing waits.
    PendingReads(unsigned rows, unsigned most) : most_(most), of_row_(most == 0 ? 0 : rows) {}

    [[nodiscard]] bool are_counted() const {
        return most_ != 0;
    }
    // Starts a kernel: nothing is to be read.
    void begin() {
        for (std::vector<Read>& reads : of_row_)
            reads.clear();
    }
    // An instruction reads registers of a row (a bit a register). They are read in the cycle before `until`.
    void add(RowId row, std::span<const std::uint64_t> registers, Writer reader, Cycle until) {
        if (most_ == 0)
            return;
        for (unsigned w = 0; w < registers.size(); ++w)
            for (std::uint64_t left = registers[w]; left != 0; left &= left - 1)
                of_row_[row].push_back({w * 64 + static_cast<unsigned>(std::countr_zero(left)), reader, until});
    }
    // What an instruction waits for at `now` that reads and writes registers: the last reader of one that it writes, or
    // the first to go of the most readers of one that it reads.
    [[nodiscard]] Scoreboard::Block blocker(RowId row, std::span<const std::uint64_t> reads,
                                            std::span<const std::uint64_t> writes, Cycle now) {
        if (most_ == 0)
            return {};
        std::vector<Read>& pending = of_row_[row];
        std::erase_if(pending, [now](const Read& read) { return read.until <= now; });
        for (const Read& read : pending) {
            if (has(writes, read.number))
                return {read.reader, last_read(pending, read.number)};
            if (has(reads, read.number))
                if (const Cycle until = has_room_at(pending, read.number); until > now)
                    return {read.reader, until};
        }
        return {};
    }

private:
    struct Read {
        unsigned number; // of the register
        Writer reader;
        Cycle until;
    };
    static bool has(std::span<const std::uint64_t> mask, unsigned r) {
        return (mask[r / 64] >> (r % 64) & 1) != 0;
    }
    [[nodiscard]] static Cycle last_read(const std::vector<Read>& pending, unsigned r) {
        Cycle last = 0;
        for (const Read& read : pending)
            last = read.number == r ? std::max(last, read.until) : last;
        return last;
    }
    // The cycle in which a register has room for one more reader; 0: it has.
    [[nodiscard]] Cycle has_room_at(const std::vector<Read>& pending, unsigned r) const {
        unsigned readers = 0;
        Cycle first = kNever;
        for (const Read& read : pending)
            if (read.number == r) {
                ++readers;
                first = std::min(first, read.until);
            }
        return readers < most_ ? 0 : first;
    }

    unsigned most_;
    std::vector<std::vector<Read>> of_row_;
};

} // namespace heddle::sm
