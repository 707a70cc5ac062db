#include "native/opcode.h"

#include <array>
#include <cstddef>

namespace heddle::native {

namespace {

constexpr std::array kInfo = {
#define HEDDLE_NATIVE(name, text, pipe, latency, meaning) OpInfo{text, Pipe::pipe, Latency::latency, meaning},
#include "native/opcodes.def"
#undef HEDDLE_NATIVE
};

constexpr std::array<std::string_view, static_cast<std::size_t>(Pipe::kCount)> kPipes = {
    "int", "fma", "half", "double", "special", "memory", "tensor", "branch", "uniform"};
constexpr std::array<std::string_view, static_cast<std::size_t>(Latency::kCount)> kLatencies = {
    "none",    "alu",    "imad",   "imad_wide", "fp32",    "fp16",    "minmax", "predicate", "uniform", "fp64",
    "special", "global", "shared", "constant",  "texture", "shuffle", "store",  "tensor",    "barrier", "routine"};

} // namespace

const OpInfo& info(Op op) {
    return kInfo.at(static_cast<std::size_t>(op));
}
std::string_view name_of(Pipe pipe) {
    return kPipes.at(static_cast<std::size_t>(pipe));
}
std::string_view name_of(Latency latency) {
    return kLatencies.at(static_cast<std::size_t>(latency));
}

} // namespace heddle::native
