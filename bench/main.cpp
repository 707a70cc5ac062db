// heddle-bench: simulated warp instructions a second, for each workload, beside the bare loop of the same build.

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
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

// Each table's machine, and what runs on it.
struct Machine {
    std::string name;     // of the table
    std::string file;     // its machine
    std::string settings; // of it, as `heddle run` takes them
    std::vector<Case> cases;
};

const std::vector<Machine> kMachines = {
    {"lwm11",
     "lwm11",
     "",
     {{"blackscholes", "blackscholes"}, {"matmul", "matmul"}, {"blackjack", "blackjack"}, {"bfs", "bfs"}}},
    {"gtx480",
     "gtx480",
     "",
     {{"blackscholes", "blackscholes --threads 15360"},
      {"matmul", "matmul --suite dwf"},
      {"bfs", "bfs --suite pro"},
      {"vector add", "micro-stream"},
      {"random reads", "micro-random"}}},
    // As many SMs and slices as a large GPU of today has, each as the GTX 480's.
    {"gtx480-144",
     "gtx480",
     "-s gpu.sms=144 -s llc.slices=96 -s llc.size=6MiB -s dram.channels=48",
     {{"matmul", "matmul --suite dwf --size 512"}}},
};

struct Run {
    Summary summary;
    double transactions; // requests of SMs to memory
};

Run run_case(const fs::path& bin, const Machine& machine, std::uint64_t host_threads, const Case& c) {
    const fs::path result = fs::temp_directory_path() / fmt::format("heddle-bench-{}.json", ::getpid());
    const fs::path log = fs::temp_directory_path() / fmt::format("heddle-bench-{}.log", ::getpid());
    const std::string line =
        fmt::format("'{}' run -m '{}' {} --host-threads {} -o '{}' -- '{}'/{} > '{}' 2>&1", (bin / "heddle").string(),
                    machine.file, machine.settings, host_threads, result.string(),
                    (bin.parent_path() / "workloads").string(), c.command, log.string());
    const int status = std::system(line.c_str());
    std::stringstream text;
    text << std::ifstream(status == 0 ? result : log).rdbuf();
    fs::remove(result);
    fs::remove(log);
    if (status != 0)
        throw heddle::UserError(fmt::format("{} failed:\n{}", c.label, text.str()));
    const auto stats = nlohmann::json::parse(text.str()).at("stats");
    const bool network = stats.contains("request_network");
    const double sent = network ? stats["request_network"]["packets"].get<double>()
                                : stats["dram"]["reads"].get<double>() + stats["dram"]["writes"].get<double>();
    return {heddle::report::read_summary(text.str()), sent};
}

// Median of three runs: this computer does other things as well.
Run median_run(const fs::path& bin, const Machine& machine, std::uint64_t host_threads, const Case& c) {
    std::vector<Run> runs;
    for (int i = 0; i < 3; ++i)
        runs.push_back(run_case(bin, machine, host_threads, c));
    std::sort(runs.begin(), runs.end(), [](const Run& a, const Run& b) {
        return a.summary.warp_instructions_per_second < b.summary.warp_instructions_per_second;
    });
    return runs[1];
}

void run(const fs::path& bin, const Machine& machine, std::uint64_t host_threads, double bare) {
    fmt::print("machine {}\n", machine.name);
    fmt::print("{:<16}{:>14}{:>14}{:>16}{:>10}{:>16}{:>10}\n", "workload", "warp instr.", "cycles", "warp instr./s",
               "of bare", "ns a request", "peak MB");
    for (const Case& c : machine.cases) {
        const Run r = median_run(bin, machine, host_threads, c);
        const Summary& s = r.summary;
        fmt::print("{:<16}{:>14}{:>14}{:>14.2f} M{:>9.1f}%{:>16.0f}{:>10.0f}\n", c.label, s.totals.warp_instructions,
                   s.totals.cycles, s.warp_instructions_per_second / 1e6, 100 * s.warp_instructions_per_second / bare,
                   s.wall_seconds * 1e9 / r.transactions, static_cast<double>(s.peak_rss_bytes) / 1e6);
    }
    fmt::print("\n");
}

} // namespace

int main(int argc, char** argv) {
    CLI::App app{"Simulated warp instructions a second, beside the rate of a bare loop of vector operations. "
                 "'ns a request': host time of the whole run by requests of SMs to memory"};
    std::string only;
    std::vector<std::string> names;
    for (const Machine& machine : kMachines)
        names.push_back(machine.name);
    app.add_option("-m,--machine", only, "only this machine's table")->check(CLI::IsMember(names));
    std::uint64_t host_threads = 1;
    app.add_option("--host-threads", host_threads, "threads of this computer that share the SMs of a machine")
        ->check(CLI::Range(1, 1024));
    CLI11_PARSE(app, argc, argv);
    try {
        const fs::path bin = fs::read_symlink("/proc/self/exe").parent_path();
        const double bare = heddle::bench::run_bare_loop(20'000'000).rate();
        fmt::print("bare loop: {:.2f} M a second, vector operations for {}\n\n", bare / 1e6,
                   heddle::exec::vector_target());
        for (const Machine& machine : kMachines)
            if (only.empty() || machine.name == only)
                run(bin, machine, host_threads, bare);
    } catch (const std::exception& e) {
        fmt::print(stderr, "heddle-bench: {}\n", e.what());
        return 1;
    }
}
