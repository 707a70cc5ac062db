#include "runtime/stopped_launch.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/readable_name.h"
#include "exec/program_text.h"

namespace heddle::runtime {

namespace {

constexpr std::size_t kMostLines = 8;

struct Line {
    std::string text;
    std::uint64_t threads = 0;
};

// The places by falling numbers of threads. An instruction of several micro-ops is one place.
std::vector<Line> lines_of(const ir::Program& program, const sm::ThreadsByPlace& threads) {
    std::vector<Line> lines;
    for (const auto& [pc, count] : threads) {
        std::string text = fmt::format("{}  {}", exec::place_text(program, pc), exec::instruction_text(program, pc));
        const auto known = std::find_if(lines.begin(), lines.end(), [&](const Line& l) { return l.text == text; });
        if (known != lines.end())
            known->threads += count;
        else
            lines.push_back({std::move(text), count});
    }
    std::stable_sort(lines.begin(), lines.end(), [](const Line& a, const Line& b) { return a.threads > b.threads; });
    return lines;
}

} // namespace

std::string stopped_launch(const ir::Program& program, const ir::Kernel& kernel, const sm::ThreadsByPlace& threads) {
    const std::vector<Line> lines = lines_of(program, threads);
    std::string out = fmt::format("kernel '{}' was stopped{}", readable_name(kernel.name),
                                  lines.empty() ? "" : "; its threads stand at");
    const std::size_t shown = std::min(lines.size(), kMostLines);
    const std::size_t width = lines.empty() ? 0 : std::to_string(lines.front().threads).size();
    for (std::size_t i = 0; i < shown; ++i)
        out += fmt::format("\n  {:>{}}  {}", lines[i].threads, width, lines[i].text);
    std::uint64_t others = 0;
    for (std::size_t i = shown; i < lines.size(); ++i)
        others += lines[i].threads;
    if (others != 0)
        out += fmt::format("\n  {:>{}}  at {} more places", others, width, lines.size() - shown);
    return out;
}

} // namespace heddle::runtime
