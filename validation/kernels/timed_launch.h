// What the published kernels of `heddle validate --kernels` have in common: the cycles of a launch.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "../measure.h"

namespace validation {

__global__ void empty_kernel() {}

/// What launches take, in cycles of the SMs' clock or in nanoseconds, without what an empty kernel takes: profilers count from the first block.
class TimedLaunch {
public:
    TimedLaunch() {
        time([] { empty_kernel<<<1, 32>>>(); }); // code and runtime are there
        empty_ = time([] { empty_kernel<<<1, 32>>>(); });
    }
    template <class Launch>
    double cycles(Launch&& launch) {
        const double mhz = workload::device_attribute(cudaDevAttrClockRate) / 1e3;
        return nanoseconds(launch) * mhz / 1e3;
    }
    template <class Launch>
    double nanoseconds(Launch&& launch) {
        return time(launch) - empty_;
    }

private:
    template <class Launch>
    double time(Launch&& launch) {
        timer_.begin();
        launch();
        return timer_.end();
    }
    Timer timer_;
    double empty_ = 0;
};

/// Ends the program when a result differs from that of the host by more than `tolerance` of it.
inline void expect_near(const char* what, std::size_t at, double here, double host, double tolerance) {
    if (std::abs(here - host) <= tolerance * std::max(1.0, std::abs(host)))
        return;
    std::fprintf(stderr, "%s: element %zu is %g, and %g by the host\n", what, at, here, host);
    std::exit(EXIT_FAILURE);
}

} // namespace validation
