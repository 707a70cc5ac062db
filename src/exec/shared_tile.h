// Where the elements of a factor of wgmma lie in shared memory, by its descriptor.
#pragma once

#include <cstdint>

#include "base/types.h"
#include "exec/swizzle.h"

namespace heddle::exec {

// A factor in lines of 16-byte units. The lines run along k, or along the rows of A or the columns of B (transposed).
class SharedTile {
public:
    static constexpr unsigned kUnit = 16; // bytes

    // `along_k`: lines run along k.
    SharedTile(std::uint64_t descriptor, bool along_k);

    // The address of a unit in shared memory.
    [[nodiscard]] Address address(unsigned line, unsigned unit) const;

private:
    Address start_;
    // Within a line: units of a group lie side by side, groups `group_stride_` apart.
    std::uint32_t units_in_group_, group_stride_;
    // Eight lines are `line_stride_` apart each, and such sets of lines `set_stride_`.
    std::uint32_t line_stride_, set_stride_;
    Swizzle swizzle_;
    std::uint32_t pattern_; // begin of the swizzle's pattern, modulo 1024
};

} // namespace heddle::exec
