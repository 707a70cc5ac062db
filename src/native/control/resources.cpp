#include "native/control/resources.h"

namespace heddle::native {

namespace {

constexpr std::array<std::uint32_t, 4> kBegin = {0, 256, 264, 328}; // by File

} // namespace

File file_of(std::uint32_t resource) {
    std::size_t file = kBegin.size() - 1;
    while (resource < kBegin.at(file))
        --file;
    return static_cast<File>(file);
}

std::uint32_t resource_of(const Operand& operand, unsigned i) {
    return kBegin.at(static_cast<std::size_t>(operand.file)) + operand.number + i;
}

} // namespace heddle::native
