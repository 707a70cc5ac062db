// heddle-bench: simulated warp instructions a second, for each workload, beside the bare loop of the same build.

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <sys/wait.h>

#include "bare_loop.h"
#include "base/source.h"
#include "exec/vector_ops.h"
#include "report/summary.h"

namespace {

namespace fs = std::filesystem;
using heddle::report::Summary;

struct Case {
    std::string label;
    std::string command; // below the workloads' folder
};

const std::vector<Case> kCases = {
    {"blackscholes", "blackscholes"},
    {"matmul", "matmul"},
    {"blackjack", "blackjack"},
    {"bfs", "bfs"},
};

Summary run_case(const fs::path& bin, const std::string& machine, const Case& c) {
    const fs::path result = fs::temp_directory_path() / fmt::format("heddle-bench-{}.json", ::getpid());
    const fs::path log = fs::temp_directory_path() / fmt::format("heddle-bench-{}.log", ::getpid());
    const std::string line =
        fmt::format("'{}' run -m '{}' -o '{}' -- '{}'/{} > '{}' 2>&1", (bin / "heddle").string(), machine,
                    result.string(), (bin.parent_path() / "workloads").string(), c.command, log.string());
    const int status = std::system(line.c_str());
    std::stringstream text;
    text << std::ifstream(status == 0 ? result : log).rdbuf();
    fs::remove(result);
    fs::remove(log);
    if (status != 0)
        throw heddle::UserError(fmt::format("{} failed:\n{}", c.label, text.str()));
    return heddle::report::read_summary(text.str());
}

// Median of three runs: this computer does other things as well.
Summary median_run(const fs::path& bin, const std::string& machine, const Case& c) {
    std::vector<Summary> runs;
    for (int i = 0; i < 3; ++i)
        runs.push_back(run_case(bin, machine, c));
    std::sort(runs.begin(), runs.end(), [](const Summary& a, const Summary& b) {
        return a.warp_instructions_per_second < b.warp_instructions_per_second;
    });
    return runs[1];
}

void run(const std::string& machine) {
    const fs::path bin = fs::read_symlink("/proc/self/exe").parent_path();
    const double bare = heddle::bench::run_bare_loop(20'000'000).rate();
    fmt::print("machine {}, vector operations for {}\n\n", machine, heddle::exec::vector_target());
    fmt::print("{:<16}{:>16}{:>14}{:>16}{:>12}{:>12}\n", "workload", "warp instr.", "cycles", "warp instr./s",
               "of bare", "peak MB");
    for (const Case& c : kCases) {
        const Summary s = median_run(bin, machine, c);
        fmt::print("{:<16}{:>16}{:>14}{:>14.2f} M{:>11.1f}%{:>12.0f}\n", c.label, s.totals.warp_instructions,
                   s.totals.cycles, s.warp_instructions_per_second / 1e6, 100 * s.warp_instructions_per_second / bare,
                   static_cast<double>(s.peak_rss_bytes) / 1e6);
    }
    fmt::print("{:<16}{:>16}{:>14}{:>14.2f} M\n", "bare loop", 20'000'000, "", bare / 1e6);
}

} // namespace

int main(int argc, char** argv) {
    CLI::App app{"Simulated warp instructions a second, beside the rate of a bare loop of vector operations"};
    std::string machine = "lwm11";
    app.add_option("-m,--machine", machine, "machine to simulate");
    CLI11_PARSE(app, argc, argv);
    try {
        run(machine);
    } catch (const std::exception& e) {
        fmt::print(stderr, "heddle-bench: {}\n", e.what());
        return 1;
    }
}
