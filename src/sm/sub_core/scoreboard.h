// The scoreboard: which registers have a result on its way. An instruction waits while a register that it reads or
// writes has one.
//
// The scoreboard belongs to threads, not to units: one pending bit a home row and register, with a lane mask where
// several units may hold threads of one row. (A scoreboard keyed by warp would check wrong registers after compaction.)
// A bit is cleared by clear(). Where the cycle of the write is known at issue, the bit is cleared by the first look-up
// from that cycle on.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "warp/flight.h"

namespace heddle::sm {

// The writer of a register: its flight, and the kind of its instruction. The kind is read more often than the flight.
struct Writer {
    static constexpr unsigned kKinds = 16;
    static constexpr unsigned kFlights = 4094;
    static constexpr warp::FlightId kPassing = kFlights; // an instruction without a flight

    std::uint16_t word = 0xffff; // no writer

    Writer() = default;
    Writer(warp::FlightId flight, unsigned kind) : word(static_cast<std::uint16_t>(flight * kKinds + kind)) {}
    [[nodiscard]] static Writer of(std::uint16_t word) {
        Writer writer;
        writer.word = word;
        return writer;
    }
    [[nodiscard]] warp::FlightId flight() const {
        return word / kKinds;
    }
    [[nodiscard]] unsigned kind() const {
        return word % kKinds;
    }
    bool operator==(const Writer&) const = default;
};
inline const Writer kNoWriter{};

class Scoreboard {
public:
    static constexpr Cycle kUntilCleared = (Cycle{1} << 48) - 1; // pending until clear()

    // The writer that an instruction waits for, and the cycle in which it writes.
    struct Block {
        Writer writer; // kNoWriter: the instruction does not wait
        Cycle until = kUntilCleared;
    };

    // `divided`: several units may hold threads of one row.
    Scoreboard(unsigned rows, bool divided) : divided_(divided), rows_(rows) {}

    // Starts a kernel with `registers` registers, whose masks have `words` words of 64 bits. No register is pending.
    void begin(unsigned registers, unsigned words) {
        registers_ = registers;
        words_ = words;
        pending_.assign(std::size_t{rows_} * words_, 0);
        writes_.assign(std::size_t{rows_} * registers, {});
        lanes_.assign(divided_ ? std::size_t{rows_} * registers : 0, 0);
    }

    // A writer that has a result on its way at `now` to one of the registers `needs` (a bit a register) of the threads.
    [[nodiscard]] Block blocker(const warp::Part& threads, const std::uint64_t* needs, Cycle now) {
        std::uint64_t* const pending = pending_.data() + std::size_t{threads.row} * words_;
        for (unsigned w = 0; w < words_; ++w)
            for (std::uint64_t both = pending[w] & needs[w]; both != 0; both &= both - 1) {
                const std::size_t r = index(threads.row, w * 64 + static_cast<unsigned>(std::countr_zero(both)));
                const Write write = writes_[r];
                if (write.until() <= now)
                    pending[w] &= ~(both & (~both + 1));
                else if (!divided_ || (lanes_[r] & threads.lanes) != 0)
                    return {write.writer(), write.until()};
            }
        return {};
    }

    // As blocker() where rows are not divided, at a cycle that need not have come: what other instructions wait for
    // does not change.
    [[nodiscard]] Block blocker_at(RowId row, const std::uint64_t* needs, Cycle at) const {
        const std::uint64_t* const pending = pending_.data() + std::size_t{row} * words_;
        for (unsigned w = 0; w < words_; ++w)
            for (std::uint64_t both = pending[w] & needs[w]; both != 0; both &= both - 1)
                if (const Write write = writes_[index(row, w * 64 + static_cast<unsigned>(std::countr_zero(both)))];
                    write.until() > at)
                    return {write.writer(), write.until()};
        return {};
    }

    // One of the registers `needs` that has the result of a writer on its way at `now`; registers_: none has.
    [[nodiscard]] unsigned awaited(RowId row, const std::uint64_t* needs, Writer writer, Cycle now) const {
        const std::uint64_t* const pending = pending_.data() + std::size_t{row} * words_;
        for (unsigned w = 0; w < words_; ++w)
            for (std::uint64_t both = pending[w] & needs[w]; both != 0; both &= both - 1) {
                const unsigned r = w * 64 + static_cast<unsigned>(std::countr_zero(both));
                if (const Write write = writes_[index(row, r)]; write.writer() == writer && write.until() > now)
                    return r;
            }
        return registers_;
    }
    [[nodiscard]] unsigned registers() const {
        return registers_;
    }

    // Marks registers as pending until clear().
    void set(const warp::Group& group, std::span<const std::uint16_t> registers, Writer writer) {
        for (unsigned p = 0; p < group.parts; ++p)
            for (const std::uint16_t r : registers) {
                set(group.part[p].row, r, writer, kUntilCleared);
                if (divided_)
                    lanes_[index(group.part[p].row, r)] |= group.part[p].lanes;
            }
    }
    // Marks a register as pending until cycle `until`. Only where rows are not divided.
    void set(RowId row, std::uint16_t r, Writer writer, Cycle until) {
        pending_[std::size_t{row} * words_ + r / 64] |= bit(r);
        writes_[index(row, r)] = {until << 16 | writer.word};
    }
    void clear(const warp::Group& group, std::span<const std::uint16_t> registers) {
        for (unsigned p = 0; p < group.parts; ++p)
            for (const std::uint16_t r : registers)
                clear(group.part[p], r);
    }

private:
    struct Write { // the writer in the lowest 16 bits, and above it the cycle
        std::uint64_t word = 0;

        [[nodiscard]] Cycle until() const {
            return word >> 16;
        }
        [[nodiscard]] Writer writer() const {
            return Writer::of(static_cast<std::uint16_t>(word));
        }
    };

    static std::uint64_t bit(std::uint16_t r) {
        return std::uint64_t{1} << (r % 64);
    }
    [[nodiscard]] std::size_t index(RowId row, unsigned r) const {
        return std::size_t{row} * registers_ + r;
    }
    void clear(const warp::Part& part, std::uint16_t r) {
        if (divided_ && (lanes_[index(part.row, r)] &= ~part.lanes) != 0)
            return;
        pending_[std::size_t{part.row} * words_ + r / 64] &= ~bit(r);
    }

    const bool divided_;
    const unsigned rows_;
    unsigned registers_ = 0;
    unsigned words_ = 1;
    std::vector<std::uint64_t> pending_; // by row
    std::vector<Write> writes_;          // by row and register: the last write
    std::vector<LaneMask> lanes_;        // by row and register, where rows are divided
};

} // namespace heddle::sm
