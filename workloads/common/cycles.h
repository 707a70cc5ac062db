// Cycles of a part of a kernel, by the core's clock.
#pragma once

#include <algorithm>
#include <vector>

namespace workload {

/// When one thread entered and left the measured part.
struct Span {
    long long begin;
    long long end;
};

/// From the first thread in to the last one out. All threads must run on one core: the clocks of two cores need not
/// agree.
inline long long total_cycles(const std::vector<Span>& spans) {
    long long begin = spans.front().begin;
    long long end = spans.front().end;
    for (const Span& span : spans) {
        begin = std::min(begin, span.begin);
        end = std::max(end, span.end);
    }
    return end - begin;
}

} // namespace workload
