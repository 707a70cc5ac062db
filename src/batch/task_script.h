// task.sh of a job: a portable shell script that makes the runs of one task.
#pragma once

#include <string>
#include <vector>

#include "batch/profile.h"
#include "experiment/plan_file.h"

namespace heddle::batch {

struct TaskScript {
    std::string heddle;                        // path of the executable
    std::string plan, results;                 // a file, a folder
    std::vector<experiment::LineRange> ranges; // of the plan, by task
};
[[nodiscard]] std::string task_script(const TaskScript&, const Profile&);

} // namespace heddle::batch
