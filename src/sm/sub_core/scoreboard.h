// The scoreboard: which registers have a result on its way. An instruction waits while one of the registers it reads
// or writes does.
//
// The scoreboard belongs to threads, not to units: one pending bit a home row and register, with a lane mask where
// several units may hold threads of one row. (A scoreboard keyed by warp would check wrong registers after compaction.)
// A bit is taken back when the writer is told to have written, or, where the cycle in which it writes is known when it
// issues, by whoever asks from then on.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "warp/flight.h"

namespace heddle::sm {

// Who writes a register: the flight, and what kind of instruction it is, which is asked for more often than the flight.
struct Writer {
    static constexpr unsigned kKinds = 16;
    static constexpr unsigned kFlights = 4094;
    static constexpr warp::FlightId kPassing = kFlights; // an instruction without a flight

    std::uint16_t word = 0xffff; // nobody

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
    static constexpr Cycle kTold = (Cycle{1} << 48) - 1; // pending until clear()

    // What an instruction waits for.
    struct Block {
        Writer writer; // kNoWriter: nothing
        Cycle until = kTold;
    };

    // `divided`: several units may hold threads of one row.
    Scoreboard(unsigned rows, bool divided) : divided_(divided), rows_(rows) {}

    // For a kernel with so many registers, `words` of 64 bits; nothing is pending.
    void begin(unsigned registers, unsigned words) {
        registers_ = registers;
        words_ = words;
        pending_.assign(std::size_t{rows_} * words_, 0);
        writes_.assign(std::size_t{rows_} * registers, {});
        lanes_.assign(divided_ ? std::size_t{rows_} * registers : 0, 0);
    }

    // Who writes a register among `needs` (a bit a register) of the threads that has a result on its way at `now`.
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

    // Registers are pending until clear().
    void set(const warp::Group& group, std::span<const std::uint16_t> registers, Writer writer) {
        for (unsigned p = 0; p < group.parts; ++p)
            for (const std::uint16_t r : registers) {
                set(group.part[p].row, r, writer, kTold);
                if (divided_)
                    lanes_[index(group.part[p].row, r)] |= group.part[p].lanes;
            }
    }
    // Where rows are not divided: until cycle `until`.
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
    struct Write { // who, in the lowest 16 bits, and until when
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
    std::vector<Write> writes_;          // by row and register: the last one that was set
    std::vector<LaneMask> lanes_;        // by row and register, where rows are divided
};

} // namespace heddle::sm
