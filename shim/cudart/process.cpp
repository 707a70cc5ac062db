#include "process.h"

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <semaphore.h>
#include <thread>
#include <unistd.h>

#include <fmt/format.h>

#include "base/signals_held_back.h"
#include "state.h"

namespace heddle::cudart {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

runtime::Device* watched = nullptr;
ResultFiles files;
bool results_written = false;
sem_t interrupt_seen;
bool progress_shown = false;

template <class F>
void write_to(const std::string& path, const char* what, F&& write) {
    if (path.empty())
        return;
    std::ofstream file(path);
    write(file);
    file.close();
    if (!file)
        complain(fmt::format("{} cannot be written to {}", what, path));
}

void write_results() {
    if (watched == nullptr || results_written)
        return;
    results_written = true;
    write_to(files.result, "the results", [](std::ostream& file) { file << watched->result_json(); });
    write_to(files.timeline, "the time line", [](std::ostream& file) {
        if (const std::string losses = watched->write_timeline(file); !losses.empty())
            complain(losses);
    });
    write_to(files.thread_traces, "the threads' traces",
             [](std::ostream& file) { watched->write_thread_traces(file); });
}

constexpr std::int64_t kSameInterrupt = 500; // milliseconds

// May be called in a signal handler.
std::int64_t milliseconds() {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return std::int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1'000'000;
}

// Only sets flags. While the program is in the runtime, a running kernel stops and its launch ends the process.
// Otherwise the program is in its own code, and continues until the waiting thread has written the results. A second
// SIGINT ends the process at once, unless it follows the first immediately: a signal to the whole process group
// (timeout -s INT) reaches the program twice, because `heddle run` passes its own on.
void on_interrupt(int) {
    static std::atomic<std::int64_t> first = 0;
    const std::int64_t now = milliseconds();
    if (std::int64_t before = 0; !first.compare_exchange_strong(before, now)) {
        if (now - before >= kSameInterrupt) {
            std::signal(SIGINT, SIG_DFL);
            raise(SIGINT);
        }
        return;
    }
    runtime::Device::interrupt();
    sem_post(&interrupt_seen);
    while (threads_inside == 0)
        pause();
}

void wait_for_interrupt() {
    while (sem_wait(&interrupt_seen) != 0) {
    }
    const std::lock_guard lock(State::get().mutex);
    write_results();
    _exit(kExitInterrupted);
}

void start_interrupt_thread() {
    sem_init(&interrupt_seen, 0, 0);
    const SignalsHeldBack held;
    std::thread(wait_for_interrupt).detach();
}

} // namespace

void watch_process(runtime::Device& device, ResultFiles results) {
    watched = &device;
    files = std::move(results);
    std::atexit(write_results);
    struct sigaction now {};
    sigaction(SIGINT, nullptr, &now);
    if ((now.sa_flags & SA_SIGINFO) == 0 && now.sa_handler == SIG_DFL) {
        start_interrupt_thread();
        struct sigaction ours {};
        ours.sa_handler = on_interrupt;
        ours.sa_flags = SA_RESTART | SA_NODEFER; // the second one must come through
        sigaction(SIGINT, &ours, nullptr);
    }
}

void exit_if_stopped(runtime::Stop stop) {
    if (stop == runtime::Stop::None)
        return;
    if (stop == runtime::Stop::Interrupted) {
        complain("interrupted; the results so far are written");
        std::exit(kExitInterrupted);
    }
    complain(stop == runtime::Stop::MaxCycles ? "stopped at the limit of cycles (--max-cycles)"
                                              : "stopped at the limit of instructions (--max-instructions)");
    std::exit(kExitLimit);
}

void show_progress(Cycle cycles, std::uint64_t warp_instructions) {
    static const Clock::time_point began = Clock::now();
    static Clock::time_point shown = began;
    const Clock::time_point now = Clock::now();
    if (now - began < 2s || now - shown < 500ms)
        return;
    shown = now;
    progress_shown = true;
    const double seconds = std::chrono::duration<double>(now - began).count();
    fmt::print(stderr, "\r\033[Kheddle: {:.1f} M cycles, {:.1f} M warp instructions, {:.1f} M/s",
               static_cast<double>(cycles) * 1e-6, static_cast<double>(warp_instructions) * 1e-6,
               static_cast<double>(warp_instructions) * 1e-6 / seconds);
    std::fflush(stderr);
}

void clear_progress() {
    if (!progress_shown)
        return;
    progress_shown = false;
    std::fputs("\r\033[K", stderr);
    std::fflush(stderr);
}

} // namespace heddle::cudart
