// Sums of single numbers, for atomics: the operation add without .ftz and .sat.
#pragma once

#include <cstdint>

namespace heddle::exec::ops {

[[nodiscard]] std::uint16_t sum_f16(std::uint16_t a, std::uint16_t b);
[[nodiscard]] std::uint16_t sum_bf16(std::uint16_t a, std::uint16_t b);
[[nodiscard]] double sum_f64(double a, double b);

} // namespace heddle::exec::ops
