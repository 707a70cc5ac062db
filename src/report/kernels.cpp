#include "report/kernels.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <cxxabi.h>
#include <memory>
#include <numeric>
#include <string_view>
#include <utility>

namespace heddle::report {

std::string readable_name(const std::string& name) {
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> demangled(
        abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), &std::free);
    if (status != 0)
        return name;
    std::string out = demangled.get();
    static constexpr std::string_view kUnnamed = "(anonymous namespace)::"; // its parenthesis begins no parameters
    for (std::size_t at = out.find(kUnnamed); at != std::string::npos; at = out.find(kUnnamed, at))
        out.erase(at, kUnnamed.size());
    for (std::size_t i = 0, depth = 0; i < out.size(); ++i) {
        depth += out[i] == '<' ? 1 : 0;
        depth -= out[i] == '>' && depth > 0 ? 1 : 0;
        if (out[i] == '(' && depth == 0)
            out.resize(i);
    }
    if (const std::size_t space = out.find(' '); space < out.find('<')) // a template's name follows its return type
        out.erase(0, space + 1);
    return out;
}

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
