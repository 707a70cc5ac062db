// The tensor units of chips after 2017: how long products of matrices take, by shape and type.
//
// Each sub-core has a unit, the pipe "tensor". A product takes it for
//   interval = multiply-adds of the product / (multiply-adds of an SM in a cycle / sub-cores)
// cycles, to the nearest whole one, and at least `least`. The factors come from registers: where `factors` is not 0,
// the interval is not below registers of A and B of a lane / factors. Products of a longer k are steps of the unit,
// each of which adds to the sum of the one before:
//   latency = latency of a step + (steps - 1) * further, at least the interval,   steps = bits of a row of A / step
// The zeros of a sparse matrix are no multiply-adds and no bits. A type without a rate takes the pipe of multiply-adds,
// as on a machine without the section.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/parameter.h"
#include "ir/isa/matrix.h"
#include "sm/sub_core/pipe_timing.h"

namespace heddle::sm {

// wmma and mma, which a warp executes.
struct TensorConfig {
    static constexpr std::string_view kSection = "tensor";
    static constexpr bool kOptional = true;
    // Multiply-adds of an SM in a cycle, by the type of A; 0: the unit does not multiply the type.
    std::uint64_t f16 = 0, f16_f32 = 0, tf32 = 0, f64 = 0, fp8 = 0, int8 = 0, int4 = 0, bits = 0;
    std::uint64_t latency = 1, further = 0, step = 128, factors = 0, least = 1;
    [[nodiscard]] bool is_present() const {
        return f16 + f16_f32 + tf32 + f64 + fp8 + int8 + int4 + bits != 0;
    }
    // Nothing: the unit does not multiply such matrices.
    [[nodiscard]] std::optional<PipeTiming> timing(const ir::Matrix& matrix, std::uint64_t sub_cores) const;
    static std::span<const config::Parameter<TensorConfig>> parameters();
};

// wgmma, which four warps execute together and do not wait for (warpgroup_products.h).
struct WarpgroupConfig {
    static constexpr std::string_view kSection = "warpgroup";
    static constexpr bool kOptional = true;
    std::uint64_t f16 = 0, tf32 = 0, fp8 = 0, int8 = 0, bits = 0; // as TensorConfig
    std::uint64_t tail = 0, tail_registers = 0, registers_interval = 0, shared_bytes = 128;
    [[nodiscard]] bool is_present() const {
        return f16 + tf32 + fp8 + int8 + bits != 0;
    }
    // Of a micro-op, eight columns of the product: the latency includes the tail.
    [[nodiscard]] std::optional<PipeTiming> timing(const ir::Matrix& matrix, std::uint64_t sub_cores) const;
    static std::span<const config::Parameter<WarpgroupConfig>> parameters();
    [[nodiscard]] std::vector<std::string> problems(const config::Machine& machine) const;
};

} // namespace heddle::sm
