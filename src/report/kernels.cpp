#include "report/kernels.h"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <string_view>

#include "base/readable_name.h"

namespace heddle::report {

std::string short_name(const std::string& name, std::size_t most) {
    std::string full = readable_name(name);
    if (full.size() <= most)
        return full;
    const auto of_identifier = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    std::string out;
    for (std::size_t i = 0; i < full.size(); ++i) {
        if (full.compare(i, 2, "::") != 0 || out.empty() || !of_identifier(out.back())) {
            out += full[i];
            continue;
        }
        while (!out.empty() && of_identifier(out.back()))
            out.pop_back();
        ++i;
    }
    constexpr std::string_view kCut = "...";
    return out.size() <= most ? out : out.substr(0, most - kCut.size()).append(kCut);
}

std::uint64_t launches(const Summary& run) {
    return std::accumulate(run.kernels.begin(), run.kernels.end(), std::uint64_t{0},
                           [](std::uint64_t sum, const KernelSummary& kernel) { return sum + kernel.launches; });
}

std::vector<const KernelSummary*> longest_first(const std::vector<KernelSummary>& kernels) {
    std::vector<const KernelSummary*> order;
    for (const KernelSummary& kernel : kernels)
        order.push_back(&kernel);
    std::stable_sort(order.begin(), order.end(), [](const KernelSummary* a, const KernelSummary* b) {
        return std::pair(a->counts.cycles, a->counts.warp_instructions) >
               std::pair(b->counts.cycles, b->counts.warp_instructions);
    });
    return order;
}

} // namespace heddle::report
