// What the programs of `heddle validate` have in common: a line of output for each measurement.
#pragma once

#include <cstdio>
#include <vector>

#include "common/device.h"

namespace validation {

/// One line: the benchmark, its value, its unit. `heddle validate` reads these lines.
inline void report(const char* benchmark, double value, const char* unit) {
    std::printf("%s %.4f %s\n", benchmark, value, unit);
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
