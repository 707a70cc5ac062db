// The accesses to a word of memory that later ones may race with: its last write, and the reads since then.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "base/types.h"
#include "check/thread_clocks.h"

namespace heddle::check {

// Strong accesses (PTX: volatile, relaxed and stronger, and atomic) of a scope that holds both threads never race.
enum class Strength : std::uint8_t { Weak, Block, Device };
enum class How : std::uint8_t { Read, Write, Atomic };

// Of one access that a report names.
struct Party {
    ThreadId id = 0; // ThreadClocks::owner() is the thread
    Pc pc = kNoPc;
    How how = How::Read;
    Strength strength = Strength::Weak;
};

// An access to a word, or to bytes of it.
struct WordAccess {
    Accessor who;
    std::uint32_t block = 0;
    Pc pc = 0;
    How how = How::Read;
    Strength strength = Strength::Weak;
    std::optional<std::uint32_t> value{}; // that a store writes: the bytes of the word, others 0
};

// Words of 4 bytes. A word whose bytes are accessed separately has a history for each byte.
class Histories {
public:
    struct Word {
        ThreadId writer = 0;
        Clock write_clock = 0; // 0: no write
        Pc write_pc = 0;
        std::uint32_t value = 0;
        ThreadId read_begin = 0, read_end = 0; // threads that have read by one instruction at one clock
        Clock read_clock = 0;                  // 0: no read
        Pc read_pc = 0;
        std::uint32_t more = 0; // index of further reads, or of the histories of the bytes; 0: none
        How write_how = How::Write;
        Strength write_strength = Strength::Weak, read_strength = Strength::Weak;
        bool has_value : 1 = false;
        bool split : 1 = false; // `more` is of bytes
    };

    // A launch begins, with so many threads a block: there are no histories.
    void begin(std::uint32_t threads_of_block, const ThreadClocks& clocks);
    // Enters an access to the bytes of `mask` (bit i: byte i). The other access, where they race.
    [[nodiscard]] std::optional<Party> access(Word& word, unsigned mask, const WordAccess& what);
    // The word is used no more.
    void forget(Word& word);

private:
    // More groups of readers than this, that do not know of each other, are not kept: the oldest is forgotten.
    static constexpr unsigned kMoreReads = 7;
    struct Reads {
        ThreadId begin = 0, end = 0;
        Clock clock = 0;
        Pc pc = 0;
        Strength strength = Strength::Weak;
    };
    struct MoreReads {
        std::array<Reads, kMoreReads> reads{};
        unsigned count = 0;
    };

    [[nodiscard]] std::optional<Party> enter(Word& word, const WordAccess& what, std::uint32_t value);
    [[nodiscard]] std::optional<Party> racing_write(const Word& word, const WordAccess& what,
                                                    std::uint32_t value) const;
    [[nodiscard]] std::optional<Party> racing_read(const Word& word, const WordAccess& what) const;
    [[nodiscard]] std::optional<Party> racing(const Reads& reads, const WordAccess& what) const;
    void enter_write(Word& word, const WordAccess& what, std::uint32_t value);
    void enter_read(Word& word, const WordAccess& what);
    void enter_more_reads(Word& word, const WordAccess& what);
    void split(Word& word);
    // Both strong, of scopes that hold both threads.
    [[nodiscard]] bool are_strong(ThreadId a, Strength a_strength, const WordAccess& b) const;

    std::uint32_t threads_of_block_ = 1;
    const ThreadClocks* clocks_ = nullptr;
    std::deque<MoreReads> more_; // these two grow large: they never move
    std::deque<std::array<Word, 4>> bytes_;
    std::vector<std::uint32_t> free_more_, free_bytes_;
};

} // namespace heddle::check
