#include "batch/division.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace heddle::batch {

namespace {

constexpr double kTasksOfProcessor = 4; // so that processors end at about the same time
constexpr double kLeastSeconds = 20;    // of a task: to start one takes up to a second

} // namespace

std::vector<Task> divide(std::span<const experiment::Cost> runs, double target_seconds) {
    std::vector<std::size_t> order(runs.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return runs[a].seconds > runs[b].seconds; });
    std::vector<Task> out;
    std::map<int, std::size_t> open; // the task that gets the next run, by class of memory
    for (const std::size_t run : order) {
        const int memory = std::ilogb(runs[run].megabytes);
        auto at = open.find(memory);
        if (at == open.end() || out[at->second].seconds + runs[run].seconds > target_seconds) {
            at = open.insert_or_assign(memory, out.size()).first;
            out.emplace_back();
        }
        Task& task = out[at->second];
        task.runs.push_back(run);
        task.seconds += runs[run].seconds;
        task.megabytes = std::max(task.megabytes, runs[run].megabytes);
    }
    return out;
}

double target_seconds(std::span<const experiment::Cost> runs, std::size_t processors, double most) {
    double sum = 0;
    for (const experiment::Cost& run : runs)
        sum += run.seconds;
    const double share = sum / (kTasksOfProcessor * static_cast<double>(std::max<std::size_t>(1, processors)));
    return std::min(most, std::max(kLeastSeconds, share));
}

} // namespace heddle::batch
