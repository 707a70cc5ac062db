// The special registers of a block's threads that depend on the index of a thread alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/types.h"
#include "ir/micro_op.h"

namespace heddle::exec {

// The threads of a block lie in its rows in linear order. So the values of a row are neighbours in a table over the
// threads of a block. All blocks of a launch share the table.
class ThreadTable {
public:
    enum Column : unsigned { kTidX, kTidY, kTidZ, kLane, kWarp, kMaskEq, kMaskLe, kMaskLt, kMaskGe, kMaskGt, kColumns };

    // The column of a register; empty when the register has one value for all threads of a block.
    [[nodiscard]] static std::optional<Column> column_of(ir::SpecialRegister which);

    // Fills the table for blocks of this shape.
    void fill(Dim3 block);

    // The values of threads first_thread, first_thread + 1, ... (linear index in the block). kMaxWidth values are
    // readable; values of threads that do not exist are 0.
    [[nodiscard]] const std::uint32_t* values(Column column, std::uint32_t first_thread) const {
        return &values_[column * length_ + first_thread];
    }

private:
    std::vector<std::uint32_t> values_; // column by column
    std::size_t length_ = 0;            // of a column
};

} // namespace heddle::exec
