#include "batch/engine.h"

#include <algorithm>
#include <cmath>

namespace heddle::batch {

std::size_t count(const Tasks& tasks, TaskState::Kind kind) {
    return static_cast<std::size_t>(
        std::count_if(tasks.begin(), tasks.end(), [kind](const auto& task) { return task.second.kind == kind; }));
}

std::uint64_t rounded_up(double value) {
    return value > 0 ? static_cast<std::uint64_t>(std::ceil(std::min(value, 1e9))) : 0;
}

Engines& engines() {
    static Engines registry("engine");
    return registry;
}

} // namespace heddle::batch
