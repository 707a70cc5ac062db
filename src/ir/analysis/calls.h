// The call graph: which functions reach which, and which functions never return.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ir/selection/draft.h"

namespace heddle::ir {

// By draft: no path of the function returns to its caller (or it is declared .noreturn). Drafts without a body count as
// returning. The cost is proportional to the micro-ops of all drafts, however deep functions call each other.
[[nodiscard]] std::vector<bool> find_never_returning(const std::vector<Draft>& drafts);

// By draft: its calls, or those of functions that they reach, lead back to it.
[[nodiscard]] std::vector<bool> find_recursive(const std::vector<Draft>& drafts);

// The functions that one kernel reaches.
struct Reach {
    std::vector<std::uint32_t> drafts;    // the kernel first, then in order of discovery
    std::vector<std::uint32_t> component; // parallel: number of its recursive cycle (strongly connected component);
                                          // callees have smaller numbers than callers outside the cycle
    std::uint32_t components = 0;
    // The functions of a component, as indices in `drafts`, in ascending order.
    [[nodiscard]] std::span<const std::uint32_t> members(std::uint32_t c) const {
        return std::span(by_component).subspan(component_begin[c], component_begin[c + 1] - component_begin[c]);
    }
    std::vector<std::uint32_t> by_component, component_begin;
    std::vector<bool> by_name; // parallel to drafts: calls that name their functions reach it, without pointers
    std::vector<std::uint32_t> index_of; // by draft: index in `drafts`; only valid for members
};
[[nodiscard]] Reach reach_from(std::uint32_t kernel, const std::vector<Draft>& drafts);

} // namespace heddle::ir
