// A register that an instruction reads, with the place of its operand, in the room of a register number.
#pragma once

#include <cstdint>

namespace heddle::sm {

struct OperandRead {
    std::uint8_t number = 0;
    std::uint8_t place = 0; // of the operand, 0 to 7
    bool reuse = false;     // it stays in the register-file cache

    [[nodiscard]] std::uint16_t packed() const {
        return static_cast<std::uint16_t>(number | (place & 7U) << 8 | (reuse ? 1U : 0U) << 11);
    }
    [[nodiscard]] static OperandRead of(std::uint16_t word) {
        return {static_cast<std::uint8_t>(word), static_cast<std::uint8_t>(word >> 8 & 7U), (word >> 11 & 1U) != 0};
    }
    bool operator==(const OperandRead&) const = default;
};

} // namespace heddle::sm
