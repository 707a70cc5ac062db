#include "batch/task_script.h"

#include <fmt/format.h>

#include "batch/command.h"

namespace heddle::batch {

// The ranges are a here-document: the script needs no other file than the plan.
std::string task_script(const TaskScript& task, const Profile& profile) {
    std::string out = fmt::format(R"(#!/bin/sh
# Makes the runs of one task: sh task.sh NUMBER, from 1 to {0}. Runs that have results are passed over.
task=${{1:?which task? sh task.sh NUMBER, from 1 to {0}}}
range=$(sed -n "${{task}}p" <<'RANGES'
)",
                                  task.ranges.size());
    for (const experiment::LineRange& range : task.ranges)
        out += fmt::format("{}-{}\n", range.first, range.last);
    out += "RANGES\n)\n";
    for (const std::string& line : profile.setup)
        out += line + "\n";
    return out + fmt::format("exec {} work {} --range \"${{range:?there is no such task}}\" --results {} --jobs 1\n",
                             quoted(task.heddle), quoted(task.plan), quoted(task.results));
}

} // namespace heddle::batch
