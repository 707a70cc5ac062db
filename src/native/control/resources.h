// The registers that control bits are about, as dense numbers.
#pragma once

#include <array>
#include <cstdint>

#include "native/instruction.h"
#include "native/target.h"

namespace heddle::native {

inline constexpr std::uint32_t kResources = 256 + 8 + 64 + 8;

[[nodiscard]] std::uint32_t resource_of(const Operand& operand, unsigned i = 0);

// The file of a resource.
[[nodiscard]] File file_of(std::uint32_t resource);

// Calls visit(resource) for each register that an instruction reads or writes after allocation.
template <typename Visit>
void each_resource(const Operand& o, Visit visit) {
    if (o.kind == Operand::Kind::Register)
        for (unsigned k = 0; k < o.count; ++k)
            visit(resource_of(o, k));
}
// Calls visit(resource, use).
template <typename Visit>
void each_source(const Instruction& i, Visit visit) {
    for (const Operand& o : i.src)
        each_resource(o, [&](std::uint32_t r) { visit(r, Use::Source); });
    each_resource(i.guard, [&](std::uint32_t r) { visit(r, Use::Guard); });
}
template <typename Visit>
void each_result(const Instruction& i, Visit visit) {
    for (const Operand& o : i.dst)
        each_resource(o, visit);
}

} // namespace heddle::native
