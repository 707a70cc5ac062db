// What a core needs to know of an instruction of native code beside its micro-op and its control bits: the vector
// registers that it reads, by the place of the operand in the instruction, its constant, and how it is timed.
#pragma once

#include <array>
#include <cstdint>

#include "ir/micro_op.h"

namespace heddle::ir {

struct NativeInstruction {
    struct Operand {
        std::uint8_t first = 0; // number of the first register
        std::uint8_t count = 0; // consecutive registers; 0: the operand is no vector register
        bool reuse = false;     // they stay in the register-file cache
        bool operator==(const Operand&) const = default;
    };
    struct Constant {             // c[bank][offset], read as an operand; an access to memory has none
        std::uint32_t offset = 0; // bytes
        std::uint8_t bank = 0;
        bool is_read = false;
        bool ahead = false; // the instruction asks for its line, and does not wait for it
        bool operator==(const Constant&) const = default;
    };
    // Classes that a machine may time apart from those of micro-ops (ir::Work).
    enum class Class : std::uint8_t {
        Popc,
        Flo, // also BREV
        Half,
        Convert,     // between numbers of at most 32 bits
        ConvertWide, // from or to 64 bits
        Compare,     // comparisons and logic whose result is a predicate
        Uniform,     // of the uniform path
        Other,
    };
    std::array<Operand, 7> operands;
    Constant constant;         // one at most: the encoding has one place for it
    std::uint8_t results = 0;  // vector registers that it writes
    bool fixed = false;        // its latency is fixed: stall counts keep it
    bool wide_product = false; // IMAD.WIDE
    Place phase = kNowhere;    // SYNCS.PHASECHK: the predicate that it writes
    Class type = Class::Other;
    bool operator==(const NativeInstruction&) const = default;
};

} // namespace heddle::ir
