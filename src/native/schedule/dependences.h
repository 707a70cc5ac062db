// What instructions of a block wait for each other.
#pragma once

#include <cstdint>
#include <vector>

#include "native/function.h"
#include "native/target.h"

namespace heddle::native {

struct Dependence {
    std::uint32_t to = 0;     // a later instruction of the block
    std::uint32_t cycles = 0; // between the issues of both
};

// By instruction of the block. Registers: reads behind writes, writes behind reads and writes. Memory: loads keep their
// order with stores that may touch the same bytes; barriers, fences, atomics and volatile accesses keep their order
// with all accesses. The last instruction of a block that ends it (BRA, EXIT) is behind all others.
[[nodiscard]] std::vector<std::vector<Dependence>> dependences(const Function& function, const Block& block,
                                                               const Target& target);

} // namespace heddle::native
