// What PTX has and heddle does not execute: it is parsed, and a launch of its kernel is refused.
#pragma once

#include <string_view>

namespace heddle::ir {

struct Refusal {
    std::string_view name;   // of an instruction or a modifier
    std::string_view reason; // what would have to be simulated
};

// The reason for an instruction, "opcode.modifier.modifier"; empty when no table has one.
[[nodiscard]] std::string_view reason_of_refusal(std::string_view instruction);

} // namespace heddle::ir
