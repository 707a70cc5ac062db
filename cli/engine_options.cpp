#include "engine_options.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <thread>
#include <unistd.h>

#include <fmt/format.h>

#include "base/suggest.h"
#include "child.h"
#include "command.h"
#include "report/table.h"

namespace heddle::cli {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

namespace {

constexpr std::chrono::seconds kSecondInterrupt = 3s; // after the first one

// Waits, or until the user interrupts.
void wait_at_most(Clock::duration time) {
    const Clock::time_point end = Clock::now() + time;
    while (Clock::now() < end && !SignalForwarder::interrupted())
        std::this_thread::sleep_for(std::min<Clock::duration>(50ms, end - Clock::now()));
}

class Watch {
public:
    explicit Watch(batch::Batch& batch) : batch_(batch), terminal_(isatty(STDERR_FILENO) != 0) {}
    ~Watch() {
        clear();
    }
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;

    // A line that changes on a terminal; elsewhere a line when the numbers have changed, at most every half minute.
    void show() {
        for (const std::string& message : batch_.take_messages()) {
            clear();
            fmt::print(stderr, "heddle: {}\n", message);
        }
        const batch::Batch::Counts counts = batch_.counts();
        std::string line = fmt::format("{} of {} runs have results, {} running, {} waiting", counts.done, counts.all,
                                       counts.running, counts.waiting);
        if (counts.failed != 0)
            line += fmt::format(", {} failed", counts.failed);
        if (counts.tasks_running != 0 && !batch_.finished())
            line += fmt::format(", about {} left",
                                report::rough_time(counts.seconds_left / static_cast<double>(counts.tasks_running)));
        if (terminal_)
            fmt::print(stderr, "\r\033[K{}", line);
        else if (line != last_ && (Clock::now() - shown_ > 30s || batch_.finished())) {
            fmt::print(stderr, "{}\n", line);
            shown_ = Clock::now();
        }
        last_ = line;
        std::fflush(stderr);
    }
    void clear() const {
        if (terminal_)
            fmt::print(stderr, "\r\033[K");
    }

private:
    batch::Batch& batch_;
    bool terminal_;
    std::string last_;
    Clock::time_point shown_;
};

// After the first interrupt: the jobs go on, unless a second one follows.
void after_interrupt(batch::Batch& batch, const Watch& watch) {
    watch.clear();
    fmt::print(stderr,
               "heddle: interrupted; the jobs go on, and the same call finds them. Ctrl-C within {} seconds "
               "cancels them\n",
               kSecondInterrupt.count());
    const SignalForwarder again;
    wait_at_most(kSecondInterrupt);
    if (!SignalForwarder::interrupted())
        return;
    batch.cancel();
    fmt::print(stderr, "heddle: the jobs are cancelled; results that have come are stored\n");
}

} // namespace

void EngineOptions::add_to(CLI::App& command) {
    command
        .add_option("--on", on,
                    fmt::format("run as jobs of an engine: {} (docs/batch.md)", comma_list(batch::engines().names())))
        ->type_name("ENGINE");
    command.add_option("--site", profile, "what the site asks of jobs: partition, modules, limits")
        ->type_name("FILE.toml");
    command.add_flag("--detach", detach, "submit the jobs and end; the same call without --detach collects");
}

void EngineOptions::check(const RunsAtATime& jobs) const {
    const std::vector<std::string> names = batch::engines().names();
    if (on.empty() && (detach || !profile.empty()))
        throw UsageError(fmt::format("{} needs --on ENGINE", detach ? "--detach" : "--site"));
    if (!on.empty() && jobs.number != 0)
        throw UsageError("-j is of runs that heddle starts itself; with --on the profile says how many ([local] jobs)");
    if (!on.empty() && !batch::engines().contains(on))
        throw UsageError(
            fmt::format("--on: there is no engine '{}'; valid: {}{}", on, comma_list(names), did_you_mean(on, names)));
}

std::optional<int> run_on_engine(const EngineOptions& options, const fs::path& dir,
                                 std::span<const experiment::Run> runs, const std::string& version,
                                 experiment::Results& to) {
    if (runs.empty())
        return std::nullopt;
    const batch::Profile profile = options.profile.empty() ? batch::Profile() : batch::read_profile(options.profile);
    batch::Batch batch(
        {fs::absolute(dir / "batch"), options.on, version, fs::read_symlink("/proc/self/exe").string(), profile}, to);
    batch.require(runs);
    std::optional<SignalForwarder> signals(std::in_place);
    Watch watch(batch);
    const auto most = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(profile.poll_seconds));
    for (Clock::duration pause = 250ms;; pause = std::min(most, pause * 3 / 2)) {
        batch.step();
        watch.show();
        if (batch.finished()) {
            batch.clean_up();
            return std::nullopt;
        }
        if (options.detach || batch.waits_for_user()) {
            watch.clear();
            fmt::print("the same call collects the results; heddle jobs {} lists the jobs\n", dir.string());
            return 0;
        }
        wait_at_most(std::min(most, pause));
        if (SignalForwarder::interrupted()) {
            const int status = SignalForwarder::exit_status();
            signals.reset();
            after_interrupt(batch, watch);
            return status;
        }
    }
}

} // namespace heddle::cli
