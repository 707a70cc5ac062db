#include "runtime/conditions.h"

#include <algorithm>

namespace heddle::runtime {

bool is_condition_function(std::string_view name) {
    return name == "cudaGraphSetConditional";
}

bool needs_conditions(std::span<const ptx::Module> units) {
    return std::any_of(units.begin(), units.end(), [](const ptx::Module& unit) {
        return std::any_of(unit.functions.begin(), unit.functions.end(),
                           [](const ptx::Function& f) { return !f.has_body && is_condition_function(f.name); });
    });
}

} // namespace heddle::runtime
