// Functions of a kernel that call each other in circles, and what their calls have to keep.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "ir/program.h"

namespace heddle::native {

class CallCycles {
public:
    // The program outlives this object.
    CallCycles(const ir::Program& program, const ir::Kernel& kernel);

    // The functions of the cycle that a function is in, ascending; none where it is in no cycle.
    [[nodiscard]] std::vector<std::uint32_t> of(std::uint32_t function) const;
    [[nodiscard]] bool any() const;

private:
    [[nodiscard]] bool reaches(std::uint32_t from, std::uint32_t to) const;

    std::map<std::uint32_t, std::vector<std::uint32_t>> callees_, reached_; // by function, ascending
};

// By call of a function, the places of the frame whose values the function still needs behind the call, ascending.
[[nodiscard]] std::map<Pc, std::vector<ir::Place>> live_behind_calls(const ir::Program& program,
                                                                     const ir::Function& function);

} // namespace heddle::native
