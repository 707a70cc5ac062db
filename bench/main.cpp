// heddle-bench: simulated warp instructions a second, for each workload, beside the bare loop of the same build.

#include <filesystem>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "bare_loop.h"
#include "beside.h"
#include "exec/vector_ops.h"
#include "measure.h"

namespace {

namespace fs = std::filesystem;
using heddle::bench::Run;
using heddle::bench::Runner;
using heddle::report::Summary;

struct Case {
    std::string label;
    std::string command; // below the workloads' folder
};

// Each table's machine, and what runs on it.
struct Machine {
    std::string name;               // of the table
    std::vector<std::string> words; // the machine, as `heddle run` takes it
    std::vector<Case> cases;
};

const std::vector<Machine> kMachines = {
    {"lwm11",
     {"-m", "lwm11"},
     {{"blackscholes", "blackscholes"}, {"matmul", "matmul"}, {"blackjack", "blackjack"}, {"bfs", "bfs"}}},
    {"gtx480",
     {"-m", "gtx480"},
     {{"blackscholes", "blackscholes --threads 15360"},
      {"matmul", "matmul --suite dwf"},
      {"bfs", "bfs --suite pro"},
      {"vector add", "micro-stream"},
      {"random reads", "micro-random"}}},
    // As many SMs and slices as a large GPU of today has, each as the GTX 480's.
    {"gtx480-144",
     {"-m", "gtx480", "-s", "gpu.sms=144", "-s", "llc.slices=96", "-s", "llc.size=6MiB", "-s", "dram.channels=48"},
     {{"matmul", "matmul --suite dwf --size 512"}}},
    {"v100", {"-m", "v100"}, {{"matmul", "matmul --suite dwf --size 512"}, {"bfs", "bfs --suite pro"}}},
    {"h100", {"-m", "h100"}, {{"matmul", "matmul --suite dwf --size 512"}, {"bfs", "bfs --suite pro"}}},
};

// Median of three runs: this computer does other things as well.
Run median_run(const Runner& runner, const Machine& machine, const Case& c) {
    std::vector<Run> runs;
    for (int i = 0; i < 3; ++i)
        runs.push_back(runner.run(machine.words, c.command));
    return heddle::bench::median(std::move(runs));
}

void run(const Runner& runner, const Machine& machine, double bare) {
    fmt::print("machine {}\n", machine.name);
    fmt::print("{:<16}{:>14}{:>14}{:>16}{:>10}{:>16}{:>10}\n", "workload", "warp instr.", "cycles", "warp instr./s",
               "of bare", "ns a request", "peak MB");
    for (const Case& c : machine.cases) {
        const Run r = median_run(runner, machine, c);
        const Summary& s = r.summary;
        fmt::print("{:<16}{:>14}{:>14}{:>14.2f} M{:>9.1f}%{:>16.0f}{:>10.0f}\n", c.label, s.totals.warp_instructions,
                   s.totals.cycles, r.rate() / 1e6, 100 * r.rate() / bare, s.wall_seconds * 1e9 / r.transactions,
                   static_cast<double>(s.peak_rss_bytes) / 1e6);
    }
    fmt::print("\n");
}

// What a command line says.
struct Options {
    std::string machine;
    std::uint64_t host_threads = 1;
    std::vector<std::string> plugins, settings, beside;
    bool policies = false;
    unsigned runs = 9;
};

void add_options(CLI::App& app, Options& options) {
    std::vector<std::string> names;
    for (const Machine& machine : kMachines)
        names.push_back(machine.name);
    app.add_option("-m,--machine", options.machine, "only this machine's table")->check(CLI::IsMember(names));
    app.add_option("--host-threads", options.host_threads, "threads of this computer that share the SMs of a machine")
        ->check(CLI::Range(1, 1024));
    app.add_option("--plugin", options.plugins, "plug-in for all runs; may be repeated")
        ->type_name("FILE.so")
        ->allow_extra_args(false);
    app.add_option("-s,--set", options.settings, "setting of all machines; may be repeated")
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false);
    CLI::Option* beside =
        app.add_option("--beside", options.beside,
                       "setting of a second machine, beside that of --set: runs of both in turn; may be repeated")
            ->type_name("KEY=VALUE")
            ->allow_extra_args(false);
    app.add_flag("--policies", options.policies,
                 "policies of a plug-in (bin/policies.so) and the same policies within heddle, runs of both in turn")
        ->excludes(beside);
    app.add_option("--runs", options.runs, "with --beside and --policies: runs of each")
        ->check(CLI::Range(1, 1000))
        ->capture_default_str();
}

std::vector<std::string> words_of(const Options& options, const std::vector<std::string>& settings) {
    std::vector<std::string> out{"--host-threads", fmt::format("{}", options.host_threads)};
    for (const std::string& plugin : options.plugins)
        out.insert(out.end(), {"--plugin", plugin});
    for (const std::string& setting : settings)
        out.insert(out.end(), {"-s", setting});
    return out;
}

void run(const Options& options) {
    const auto each = [&](auto&& use) {
        for (const Machine& machine : kMachines)
            if (options.machine.empty() || machine.name == options.machine)
                use(machine);
    };
    if (options.policies) {
        Options with = options;
        with.plugins.push_back((fs::read_symlink("/proc/self/exe").parent_path() / "policies.so").string());
        return run_beside(Runner(words_of(with, options.settings)), heddle::bench::pairs_of_policies(), options.runs);
    }
    if (!options.beside.empty()) {
        std::vector<heddle::bench::Pair> pairs;
        each([&](const Machine& machine) {
            for (const Case& c : machine.cases)
                pairs.push_back(
                    {machine.name + ", " + c.label, machine.words, c.command, options.settings, options.beside});
        });
        return run_beside(Runner(words_of(options, {})), pairs, options.runs);
    }
    const double bare = heddle::bench::run_bare_loop(20'000'000).rate();
    fmt::print("bare loop: {:.2f} M a second, vector operations for {}\n\n", bare / 1e6, heddle::exec::vector_target());
    const Runner runner(words_of(options, options.settings));
    each([&](const Machine& machine) { run(runner, machine, bare); });
}

} // namespace

int main(int argc, char** argv) {
    CLI::App app{"Simulated warp instructions a second, beside the rate of a bare loop of vector operations. "
                 "'ns a request': host time of the whole run by requests of SMs to memory"};
    Options options;
    add_options(app, options);
    CLI11_PARSE(app, argc, argv);
    try {
        run(options);
    } catch (const std::exception& e) {
        fmt::print(stderr, "heddle-bench: {}\n", e.what());
        return 1;
    }
}
