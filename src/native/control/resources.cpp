#include "native/control/resources.h"

namespace heddle::native {

std::uint32_t resource_of(const Operand& operand, unsigned i) {
    constexpr std::array<std::uint32_t, 4> kBegin = {0, 256, 264, 328};
    return kBegin.at(static_cast<std::size_t>(operand.file)) + operand.number + i;
}

} // namespace heddle::native
