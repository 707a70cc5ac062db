// The tags of a cache, side by side by line, and the search for one of them in the ways of a set. A line without a tag
// is empty.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#include "base/line_vector.h"
#include "base/types.h"

namespace heddle::mem {

using LineId = std::uint32_t; // set * ways + way
inline constexpr LineId kNoLine = ~LineId{0};

class TagArray {
public:
    static constexpr Address kNone = ~Address{0}; // the tag of an empty line

    explicit TagArray(std::size_t lines) {
        reset(lines);
    }
    // All lines are empty.
    void reset(std::size_t lines) {
        tags_.assign(lines + kCompared, kNone);
        marks_.assign(tags_.size(), 0);
        found_ = 0;
    }

    [[nodiscard]] Address operator[](std::size_t line) const {
        return tags_[line];
    }
    void set(std::size_t line, Address tag) {
        tags_[line] = tag;
        marks_[line] = mark_of(tag);
    }
    void clear(std::size_t line) {
        tags_[line] = kNone;
    }
    // Whether the line that a search() found last has this tag: an access and the events that follow from it look for
    // one line several times.
    [[nodiscard]] bool is_last_found(Address tag) const {
        return tags_[found_] == tag;
    }
    [[nodiscard]] LineId last_found() const {
        return found_;
    }
    // The line with a tag among the `ways` lines from `first` on; kNoLine when there is none. `tag` is in no line
    // outside this set. Eight ways are compared at once, by a mark of their tag; a way with the mark nearly always has
    // the tag. A comparison may include ways of other sets.
    [[nodiscard]] LineId search(Address tag, LineId first, LineId ways) const {
        constexpr std::uint64_t kLow = 0x0101010101010101U;
        const std::uint64_t pattern = kLow * mark_of(tag);
        for (LineId way = 0; way < ways; way += kCompared) {
            std::uint64_t marks;
            std::memcpy(&marks, marks_.data() + first + way, sizeof marks);
            const std::uint64_t other = marks ^ pattern;
            // Bytes that are 0, and perhaps some behind them that are 1
            for (std::uint64_t alike = (other - kLow) & ~other & (kLow << 7); alike != 0; alike &= alike - 1) {
                const LineId line = first + way + static_cast<LineId>(std::countr_zero(alike)) / 8;
                if (tags_[line] == tag)
                    return found_ = line;
            }
        }
        return kNoLine;
    }

private:
    static constexpr LineId kCompared = 8; // ways at a time; behind the last set are as many empty lines

    static std::uint8_t mark_of(Address tag) { // the tags of a set have regular bits: multiplied, all of them matter
        return static_cast<std::uint8_t>((tag * 0x9e3779b97f4a7c15U) >> 56);
    }

    LineVector<Address> tags_; // a set lies in as few lines of the host's cache as it can
    LineVector<std::uint8_t> marks_;
    mutable LineId found_ = 0; // by the last search() that found a line
};

} // namespace heddle::mem
