// What an executor knows of a home row.
#pragma once

#include <cstdint>

#include "base/types.h"

namespace heddle::exec {

struct RowState {
    LaneMask live = 0;
    std::uint32_t first_thread = 0; // linear index in the block
    std::uint16_t slot = 0;
    std::uint16_t first_row = 0; // of the block
    bool swizzled = false;       // thread t of the row has lane t ^ 1
};

} // namespace heddle::exec
