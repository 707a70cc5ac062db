#include "batch/engine.h"

#include <algorithm>

namespace heddle::batch {

std::size_t count(const Tasks& tasks, TaskState::Kind kind) {
    return static_cast<std::size_t>(
        std::count_if(tasks.begin(), tasks.end(), [kind](const auto& task) { return task.second.kind == kind; }));
}

Engines& engines() {
    static Engines registry("engine");
    return registry;
}

} // namespace heddle::batch
