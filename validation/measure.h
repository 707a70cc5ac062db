// What the programs of `heddle validate` have in common: a line of output for each measurement.
#pragma once

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <vector>

#include "common/device.h"

namespace validation {

/// One line: the benchmark, its value, its unit. `heddle validate` reads these lines.
inline void report(const char* benchmark, double value, const char* unit) {
    std::printf("%s %.4f %s\n", benchmark, value, unit);
}

/// How many times the work of a simulated run a program measures: more where it was started with "--long", as on a GPU,
/// whose timers count half microseconds.
inline unsigned times_the_work(int count, char** words) {
    return count > 1 && std::strcmp(words[1], "--long") == 0 ? 32 : 1;
}

/// The cycles of a block from the last of its warps that read the clock to the last one that ended. Warps read the clock
/// between two barriers. A compiler may read it before the first: then each has the clock of its arrival, and the last
/// one that of all.
inline double block_cycles(const workload::DeviceArray<long long>& begins, const workload::DeviceArray<long long>& ends) {
    const auto first = begins.to_host(), last = ends.to_host();
    return static_cast<double>(*std::max_element(last.begin(), last.end()) -
                               *std::max_element(first.begin(), first.end()));
}

/// The time of what is enqueued between begin() and end(), in nanoseconds.
class Timer {
public:
    Timer() {
        CUDA_CHECK(cudaEventCreate(&begin_));
        CUDA_CHECK(cudaEventCreate(&end_));
    }
    ~Timer() {
        cudaEventDestroy(begin_);
        cudaEventDestroy(end_);
    }
    Timer(const Timer&) = delete;
    Timer& operator=(const Timer&) = delete;

    void begin() {
        CUDA_CHECK(cudaEventRecord(begin_));
    }
    double end() {
        CUDA_CHECK(cudaEventRecord(end_));
        CUDA_CHECK(cudaEventSynchronize(end_));
        float milliseconds = 0;
        CUDA_CHECK(cudaEventElapsedTime(&milliseconds, begin_, end_));
        return milliseconds * 1e6;
    }

private:
    cudaEvent_t begin_{}, end_{};
};

} // namespace validation
