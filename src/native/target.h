// What the back end knows of a chip.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "native/opcode.h"

namespace heddle::native {

// From a result of the uniform path to an instruction of it: spec 2.6 has 4 to 6, two models in code 4.
inline constexpr unsigned kUniformToUniform = 4;

struct Target {
    std::string_view name; // "sm_70"
    std::string_view chip;
    // Cycles from issue to the issue of an instruction that reads the result: what stall counts keep for fixed rows;
    // the variable ones are what the scheduler expects.
    std::array<std::uint8_t, static_cast<std::size_t>(Latency::kCount)> latency{};
    bool shared_fp64 = false;        // one unit for the sub-cores: the latency of double precision varies
    bool uniform_path = false;       // Turing and later
    std::uint32_t parameters = 0;    // offset of the kernel's parameters in constant bank 0
    std::uint32_t registers = 65536; // of an SM, 32 bits
    std::uint32_t threads = 2048;    // of an SM
    std::uint32_t blocks = 32;       // of an SM

    [[nodiscard]] unsigned of(Latency row) const {
        return latency[static_cast<std::size_t>(row)];
    }
    // Cycles that a consumer may issue before the latency of the row has passed: the uniform path is close to itself.
    [[nodiscard]] unsigned earlier(Op consumer) const {
        return info(consumer).pipe == Pipe::Uniform && of(Latency::UniformAlu) > kUniformToUniform
                   ? of(Latency::UniformAlu) - kUniformToUniform
                   : 0;
    }
    [[nodiscard]] bool is_variable(Op op) const {
        const Latency row = info(op).latency;
        return row >= kFirstVariable || (row == Latency::Fp64 && shared_fp64);
    }
};

[[nodiscard]] std::span<const Target> targets();
// Null when there is no such target.
[[nodiscard]] const Target* find_target(std::string_view name);

inline constexpr unsigned kMostRegisters = 255; // of a thread
// Of these, two that no instruction names (the highest register of a kernel that ptxas compiles for Volta and later is
// three less than the number of registers that it reports), and R1, which its code keeps for the stack.
inline constexpr unsigned kUnnamedRegisters = 2;
inline constexpr unsigned kStackRegister = 1;
inline constexpr unsigned kMostUniform = 63;    // of a warp
inline constexpr unsigned kMostPredicates = 7;  // P0 to P6, and UP0 to UP6
inline constexpr unsigned kCyclesToCountUp = 2; // a counter is up two cycles after the issue that sets it

} // namespace heddle::native
