// Types whose registers hold two integers of 16 bits. A sum of them does not carry from one to the other, so the rules
// for sums of words do not hold.
#pragma once

#include "ptx/syntax.h"

namespace heddle::native {

[[nodiscard]] constexpr bool is_integer_pair(ptx::Type type) {
    return type == ptx::Type::U16x2 || type == ptx::Type::S16x2;
}

} // namespace heddle::native
