#include "native/control/resources.h"

namespace heddle::native {

namespace {

constexpr std::array<std::uint32_t, 4> kBegin = {0, 256, 264, 328}; // by File

} // namespace

bool is_uniform(std::uint32_t resource) {
    return resource >= kBegin[2] && resource < kBegin[3];
}

std::uint32_t resource_of(const Operand& operand, unsigned i) {
    return kBegin.at(static_cast<std::size_t>(operand.file)) + operand.number + i;
}

} // namespace heddle::native
