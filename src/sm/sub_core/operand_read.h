// A register that an instruction reads, with the place of its operand, in the room of a register number.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

namespace heddle::sm {

struct OperandRead {
    std::uint8_t number = 0;
    std::uint8_t place = 0; // of the operand, 0 to 7
    bool reuse = false;     // it stays in the register-file cache
    bool again = false;     // an operand before it is the same register

    [[nodiscard]] std::uint16_t packed() const {
        return static_cast<std::uint16_t>(number | (place & 7U) << 8 | (reuse ? 1U : 0U) << 11 |
                                          (again ? 1U : 0U) << 12);
    }
    [[nodiscard]] static OperandRead of(std::uint16_t word) {
        return {static_cast<std::uint8_t>(word), static_cast<std::uint8_t>(word >> 8 & 7U), (word >> 11 & 1U) != 0,
                (word >> 12 & 1U) != 0};
    }
    bool operator==(const OperandRead&) const = default;
};

// Sets OperandRead::again in the packed operands of an instruction.
inline void mark_registers_read_again(std::span<std::uint16_t> words) {
    for (auto word = words.begin(); word != words.end(); ++word) {
        OperandRead read = OperandRead::of(*word);
        read.again = std::any_of(words.begin(), word,
                                 [&](std::uint16_t earlier) { return OperandRead::of(earlier).number == read.number; });
        *word = read.packed();
    }
}

} // namespace heddle::sm
