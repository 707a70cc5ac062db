// What the back end knows of a chip.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "native/instruction.h"

namespace heddle::native {

// From a result of the uniform path to an instruction of it: 4 to 6 were measured (arXiv 2503.20481), two models in
// code have 4.
inline constexpr unsigned kUniformToUniform = 4;

// How an instruction reads a register: a guard decides at issue whether it executes.
enum class Use : std::uint8_t { Source, Guard };

struct Target {
    std::string_view name; // "sm_70"
    std::string_view chip;
    // Cycles from issue to the issue of an instruction of the same pipe that reads the result, of comparisons to one
    // whose guard it is: what stall counts keep for fixed rows; the variable ones are what the scheduler expects.
    std::array<std::uint8_t, static_cast<std::size_t>(Latency::kCount)> latency{};
    // The fewest cycles from a result of fixed latency to an instruction that reads it: on the special or
    // double-precision pipe, and on the one of memory.
    std::uint8_t to_special = 0, to_memory = 0;
    bool shared_fp64 = false;        // one unit for the sub-cores: the latency of double precision varies
    bool uniform_path = false;       // Turing and later
    std::uint32_t parameters = 0;    // offset of the kernel's parameters in constant bank 0
    std::uint32_t registers = 65536; // of an SM, 32 bits
    std::uint32_t threads = 2048;    // of an SM
    std::uint32_t blocks = 32;       // of an SM
    bool barrier_stalls = false;     // BAR as branches
    bool packs_halves = false;       // F2FP: Ampere and later
    bool converts_on_alu = false;    // I2FP: GA10x and later
    bool reduces = false;            // REDUX: Ampere and later
    // LDC reads the stack pointer, and EXIT waits for its line (assumed: what is loaded has to be there); else MOV
    // reads it and waits itself.
    bool loads_stack_pointer = false;

    [[nodiscard]] unsigned of(Latency row) const {
        return latency[static_cast<std::size_t>(row)];
    }
    // Cycles between the issue of an instruction and that of one that reads its result, a register of `file`.
    [[nodiscard]] unsigned between(Op producer, Op consumer, File file, Use use) const;
    // Cycles after which the result of an instruction is written: one behind another is written later.
    [[nodiscard]] unsigned written(Op producer, File file) const;
    // The fewest cycles from the issue of an instruction to that of the next one of its warp.
    [[nodiscard]] unsigned least_stall(Op) const;
    [[nodiscard]] bool is_variable(Op op) const {
        const Latency row = info(op).latency;
        return row >= kFirstVariable || (row == Latency::Fp64 && shared_fp64);
    }
};

[[nodiscard]] std::span<const Target> targets();
// Null when there is no such target.
[[nodiscard]] const Target* find_target(std::string_view name);

inline constexpr unsigned kLanes = 32;          // of a warp
inline constexpr unsigned kSubCores = 4;        // of an SM, each with a fourth of the registers
inline constexpr unsigned kMostRegisters = 255; // of a thread
inline constexpr unsigned kRegisterUnit = 8;    // registers of a thread are given to warps in units of these
// Of a thread's, two that no instruction names (the highest register of a kernel that ptxas compiles for Volta and
// later is three less than the number of registers that it reports), and R1, which its code keeps for the stack.
inline constexpr unsigned kUnnamedRegisters = 2;
inline constexpr unsigned kStackRegister = 1;
inline constexpr unsigned kStackOffset = 0x28;  // in constant bank 0: the end of a thread's local memory
inline constexpr unsigned kMostUniform = 63;    // of a warp
inline constexpr unsigned kMostPredicates = 7;  // P0 to P6, and UP0 to UP6
inline constexpr unsigned kLongestFixed = 16;   // cycles: no result of fixed latency takes as many
inline constexpr unsigned kCyclesToCountUp = 2; // a counter is up two cycles after the issue that sets it

} // namespace heddle::native
