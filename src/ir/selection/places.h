// The places of a draft: numbers of its registers and constants.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>

#include "ir/isa/names.h"
#include "ir/selection/draft.h"

namespace heddle::ir {

class Places {
public:
    // Adds to draft.registers and draft.constants. `draft` outlives this object.
    explicit Places(Draft& draft) : draft_(draft) {}

    // The place of a register that the text declares. `component`: of a vector register, from 0. A register of 128 bits
    // is two of 64 bits: component 0 is the lower half, 1 the upper.
    [[nodiscard]] Place virtual_register(const Symbol& symbol, unsigned component = 0);
    // A new register.
    [[nodiscard]] Place temporary(Type type);
    // The predicate that holds the carry flag CC.CF of the function.
    [[nodiscard]] Place carry_flag();

    // Equal constants have one place.
    [[nodiscard]] Place constant(const Constant& constant);
    // A number of 8 bytes when `wide`, else of the low 4 bytes of `bits`.
    [[nodiscard]] Place constant(std::uint64_t bits, bool wide = false);

    // Bytes of the place in a frame or in the pool: 4 or 8.
    [[nodiscard]] std::uint8_t storage(Place place) const;

private:
    struct ConstantHash {
        std::size_t operator()(const Constant& c) const;
    };

    Draft& draft_;
    std::unordered_map<std::uint64_t, Place> registers_; // by owner, index, number and component
    std::unordered_map<Constant, Place, ConstantHash> constants_;
    Place carry_flag_ = kNowhere;
};

} // namespace heddle::ir
