// Native code of the kernels of a PTX text, as `heddle ptx --native` prints it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "config/parameter.h"
#include "ir/program.h"
#include "native/compile.h"

namespace heddle::runtime {

struct NativeConfig {
    static constexpr std::string_view kSection = "native";
    static constexpr bool kOptional = true;
    std::uint64_t inline_limit = native::Settings{}.in_place;
    static std::span<const config::Parameter<NativeConfig>> parameters();
};

// `entry`: one kernel, empty: all of them. `target`: "sm_70" ... Throws UserError: an unknown target or kernel, errors
// in the text, an instruction that cannot be executed or that the back end has no code for.
[[nodiscard]] std::string native_code(const std::string& file, std::string ptx, const std::string& entry,
                                      const std::string& target, const native::Settings& settings);

// Why there is no native code for a compute capability; empty: there is.
[[nodiscard]] std::string native_problem(std::uint64_t compute_capability);

// From now on the kernel executes native code for the compute capability (ten times the major number, plus the minor
// number): appends it to the program. Throws UserError as above.
void make_native(ir::Program& program, ir::Kernel& kernel, std::uint64_t compute_capability,
                 const native::Settings& settings);

// Registers of a thread in native code of the kernel, for the oldest chip with such code; 0: there is none.
[[nodiscard]] std::uint32_t registers_of_code(const ir::Program& program, const ir::Kernel& kernel);

} // namespace heddle::runtime
