#include "process.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <poll.h>
#include <thread>
#include <unistd.h>

#include <fmt/format.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>

#include "base/signals_held_back.h"
#include "state.h"

namespace heddle::cudart {
namespace {

constexpr std::array kInterrupts{SIGINT, SIGTERM, SIGHUP};

runtime::Device* watched = nullptr;
Results* results = nullptr;
pid_t own_process = 0;
int interrupt_seen = -1;             // an eventfd, which a signal handler may write
std::atomic<int> interrupted_by = 0; // the first signal
runtime::ProgressLine progress;
bool totals_told = false;

void write_results() {
    if (const std::string totals = watched->overrun_totals(); results->is_mine() && !totals.empty() && !totals_told) {
        totals_told = true;
        complain(totals);
    }
    if (results->is_mine())
        watched->finish_checks();
    results->write(*watched);
}

void write_at_exit() {
    const Inside not_paused; // by a signal that comes now
    write_results();
}

// As the signal would have ended it: a shell or `make` that has started the process sees that it was interrupted.
[[noreturn]] void end_by(int signal) {
    std::signal(signal, SIG_DFL);
    sigset_t one;
    sigemptyset(&one);
    sigaddset(&one, signal);
    pthread_sigmask(SIG_UNBLOCK, &one, nullptr);
    raise(signal);
    _exit(128 + signal); // the first process of a container ignores the signal
}

constexpr std::int64_t kSameInterrupt = 500; // milliseconds

// May be called in a signal handler.
std::int64_t milliseconds() {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return std::int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1'000'000;
}

// Only sets flags. While the program is in the runtime, a running kernel stops and its launch ends the process.
// Otherwise the program is in its own code, and continues until the waiting thread has written the results. A SIGINT
// after the first signal ends the process at once, unless it follows immediately: a signal to the whole process group
// (timeout -s INT) reaches the program twice, because `heddle run` passes its own on, to the processes of a script as a
// queued signal. Further SIGTERMs have no effect: a batch system repeats them, and ends the process with SIGKILL when
// its patience is over.
void on_interrupt(int signal, siginfo_t* info, void*) {
    static std::atomic<std::int64_t> first = 0;
    const int error = errno;
    const std::int64_t now = milliseconds();
    const bool forked = getpid() != own_process; // a child without the waiting thread
    if (std::int64_t before = 0; forked || !first.compare_exchange_strong(before, now)) {
        if (forked || (signal == SIGINT && info->si_code != SI_QUEUE && now - before >= kSameInterrupt)) {
            std::signal(signal, SIG_DFL);
            raise(signal);
        }
        errno = error;
        return;
    }
    interrupted_by = signal;
    runtime::Device::interrupt();
    constexpr std::uint64_t kOne = 1;
    (void)!write(interrupt_seen, &kOne, sizeof kOne);
    while (threads_inside == 0)
        pause();
    errno = error;
}

void write_results_and_end() {
    const std::lock_guard lock(State::get().mutex);
    write_results();
    end_by(interrupted_by);
}

// Waits for an interrupt, and for the end of `heddle` (a pidfd; -1: none).
void watch(int heddle) {
    std::array<pollfd, 2> watched_files{pollfd{interrupt_seen, POLLIN, 0}, pollfd{heddle, POLLIN, 0}};
    for (;;) {
        (void)poll(watched_files.data(), watched_files.size(), -1);
        if (watched_files[1].revents != 0)
            kill(getpid(), SIGKILL);
        if (watched_files[0].revents != 0)
            write_results_and_end();
    }
}

void handle_interrupts() {
    for (const int signal : kInterrupts) {
        struct sigaction now {};
        sigaction(signal, nullptr, &now);
        if ((now.sa_flags & SA_SIGINFO) != 0 || now.sa_handler != SIG_DFL)
            continue;
        struct sigaction ours {};
        ours.sa_sigaction = on_interrupt;
        ours.sa_flags = SA_SIGINFO | SA_RESTART | SA_NODEFER; // the second one must come through
        sigaction(signal, &ours, nullptr);
    }
}

} // namespace

void end_with(pid_t heddle) {
    own_process = getpid();
    interrupt_seen = eventfd(0, EFD_CLOEXEC);
    int file = -1;
    if (heddle != 0) {
        file = static_cast<int>(syscall(SYS_pidfd_open, heddle, 0)); // the header of glibc 2.36 is C only
        if (file < 0 && errno == ESRCH)
            throw UserError(
                fmt::format("process {} (HEDDLE_PROCESS), which this program is to end with, has ended", heddle));
    }
    const SignalsHeldBack held;
    std::thread(watch, file).detach();
}

void watch_process(runtime::Device& device, Results& its_results) {
    results = &its_results;
    watched = &device;
    std::atexit(write_at_exit);
    handle_interrupts();
}

void exit_if_stopped(runtime::Stop stop) {
    if (stop == runtime::Stop::None)
        return;
    if (stop == runtime::Stop::Interrupted) {
        complain("interrupted; the results so far are written");
        write_results();
        std::fflush(nullptr);
        end_by(interrupted_by != 0 ? interrupted_by.load() : SIGINT);
    }
    complain(stop == runtime::Stop::MaxCycles ? "stopped at the limit of cycles (--max-cycles)"
                                              : "stopped at the limit of instructions (--max-instructions)");
    std::exit(kExitLimit);
}

void show_progress(const runtime::Progress& now) {
    progress.show(now);
}

void clear_progress() {
    progress.clear();
}

} // namespace heddle::cudart
