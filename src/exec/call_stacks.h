// The return addresses of threads in called functions, and the registers that recursive calls save.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/types.h"

namespace heddle::exec {

struct ReturnAddress {
    Pc pc;
    std::uint32_t call; // index in Program::calls
};

struct CallStack {
    std::vector<ReturnAddress> frames;
    std::vector<std::byte> saved; // registers and memory saved by recursive calls
};

// The call stacks of an SM's threads, by home row and home lane. A kernel without calls has none.
class CallStacks {
public:
    // Empty stacks for a launch: rows of `width` threads; 0 rows: the kernel has no calls.
    void begin(unsigned rows, unsigned width) {
        stacks_.clear();
        stacks_.resize(std::size_t{rows} * width);
        width_ = width;
    }
    [[nodiscard]] bool empty() const {
        return stacks_.empty();
    }
    // Must not be called when there are no stacks.
    [[nodiscard]] CallStack& of(RowId row, unsigned lane) {
        return stacks_[std::size_t{row} * width_ + lane];
    }
    [[nodiscard]] const CallStack& of(RowId row, unsigned lane) const {
        return stacks_[std::size_t{row} * width_ + lane];
    }
    // Empties the stacks of rows first_row, first_row + 1, ..., where there are stacks.
    void clear(RowId first_row, std::uint32_t rows) {
        for (std::size_t i = 0; !empty() && i < std::size_t{rows} * width_; ++i) {
            CallStack& s = stacks_[std::size_t{first_row} * width_ + i];
            s.frames.clear();
            s.saved.clear();
        }
    }

private:
    std::vector<CallStack> stacks_;
    std::size_t width_ = 0;
};

} // namespace heddle::exec
