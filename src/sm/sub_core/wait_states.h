// Units by what their next instruction waits for: a bit mask for each state, so that the units that can issue are found
// with a few ANDs.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/select.h"
#include "base/types.h"
#include "sm/sub_core/pipe_config.h"

namespace heddle::sm {

// Kinds of writers of a register that an instruction waits for, by cause of a stall.
enum class Producer : std::uint8_t { Alu, Sfu, Dp, OnChip, Memory };
inline constexpr unsigned kProducers = 5;

// The states of a machine with `pipes` pipes, ordered from the wait that ends first to the one that ends last: a pipe,
// by its index; the load/store unit; a register, by its producer; no instruction in the buffer. `words`: of 64 units
// each.
class WaitStates {
public:
    using State = std::uint8_t;
    static constexpr unsigned kMost = PipeTable::kMost + 1 + kProducers + 1;

    explicit WaitStates(unsigned pipes, unsigned words) : pipes_(pipes), of_word_(words) {}

    [[nodiscard]] unsigned pipes() const {
        return pipes_;
    }
    [[nodiscard]] State load_store() const {
        return static_cast<State>(pipes_);
    }
    [[nodiscard]] State reg(Producer producer) const {
        return static_cast<State>(pipes_ + 1 + static_cast<unsigned>(producer));
    }
    [[nodiscard]] State no_instruction() const {
        return static_cast<State>(pipes_ + 1 + kProducers);
    }
    [[nodiscard]] bool is_register(State state) const {
        return state > pipes_ && state != no_instruction();
    }

    [[nodiscard]] unsigned words() const {
        return static_cast<unsigned>(of_word_.size());
    }
    // The masks of units 64 i to 64 i + 63, by state.
    [[nodiscard]] const std::array<std::uint64_t, kMost>& word(unsigned i) const {
        return of_word_[i].in;
    }
    // Those of the units that wait for a pipe or for the load/store unit, open or not.
    [[nodiscard]] std::uint64_t for_pipes(unsigned i) const {
        return of_word_[i].for_pipes;
    }
    void move(UnitId unit, State from, State to) {
        Word& word = of_word_[unit / 64];
        const std::uint64_t bit = std::uint64_t{1} << (unit % 64);
        word.in[from] &= ~bit;
        word.in[to] |= bit;
        word.for_pipes = (word.for_pipes & ~bit) | (bit & mask_if(to <= pipes_));
    }

private:
    struct Word {
        std::array<std::uint64_t, kMost> in{};
        std::uint64_t for_pipes = 0;
    };

    unsigned pipes_;
    std::vector<Word> of_word_;
};

} // namespace heddle::sm
