// Parts of fold() (form.h).
#pragma once

#include <cstdint>

#include "ir/micro_op.h"

namespace heddle::native {

[[nodiscard]] inline std::uint64_t sign_extended(std::uint64_t value, unsigned bytes) {
    const unsigned shift = 64 - 8 * bytes;
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(value << shift) >> shift);
}

[[nodiscard]] inline std::uint64_t cut(std::uint64_t value, unsigned bytes) {
    return bytes >= 8 ? value : value & ((std::uint64_t{1} << (8 * bytes)) - 1);
}

// False: not folded.
[[nodiscard]] bool fold_comparison(const ir::MicroOp& op, std::uint64_t a, std::uint64_t b, std::uint64_t& result);
[[nodiscard]] bool fold_floating(const ir::MicroOp& op, std::uint64_t a, std::uint64_t b, std::uint64_t& result);

} // namespace heddle::native
