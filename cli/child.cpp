#include "child.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cassert>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <optional>
#include <poll.h>
#include <sstream>
#include <unistd.h>

#include <boost/process/args.hpp>
#include <boost/process/child.hpp>
#include <boost/process/env.hpp>
#include <boost/process/environment.hpp>
#include <boost/process/error.hpp>
#include <boost/process/exe.hpp>
#include <boost/process/extend.hpp>
#include <boost/process/io.hpp>
#include <boost/process/start_dir.hpp>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "base/host_limits.h"
#include "base/source.h"

namespace heddle::cli {

namespace {

namespace process = boost::process;

constexpr std::array kForwarded{SIGINT, SIGTERM, SIGHUP};
constexpr std::size_t kMaxChildren = 1024;

// Only atomics, because a signal handler uses them.
std::array<std::atomic<pid_t>, kMaxChildren> children;
std::atomic<int> interrupt_seen;     // the first signal; 0: none
std::atomic<bool> from_the_terminal; // which has sent it to all processes
std::array<struct sigaction, kForwarded.size()> previous;

std::optional<rlimit> files_before; // the limit of open files; nothing: it was not changed

// The signal that other processes get for one of this process.
int passed_on(int signal) {
    return signal == SIGINT ? SIGINT : SIGTERM;
}

void send_children(int signal) {
    for (const std::atomic<pid_t>& child : children)
        if (const pid_t pid = child; pid > 0)
            kill(pid, signal);
}

void forward(int signal, siginfo_t* info, void*) {
    const int saved = errno;
    const bool terminal = signal == SIGINT && info->si_code == SI_KERNEL;
    if (interrupt_seen == 0)
        from_the_terminal = terminal;
    int none = 0;
    interrupt_seen.compare_exchange_strong(none, signal);
    if (!terminal)
        send_children(passed_on(signal));
    errno = saved;
}

// The environment of this process with `changes`.
process::environment environment_with(const std::vector<std::pair<std::string, std::string>>& changes) {
    process::environment all = boost::this_process::environment();
    for (const auto& [key, value] : changes)
        all[key] = value;
    return all;
}

// Called in a child before it executes its program: the kernel kills the child when `parent` ends, however it ends. If
// the parent has ended before this call, the child has another parent already and ends itself.
void prepare_child(pid_t parent) {
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(1);
    if (files_before)
        (void)setrlimit(RLIMIT_NOFILE, &*files_before);
}

struct CloseFile {
    void operator()(std::FILE* file) const {
        (void)std::fclose(file);
    }
};

Ending ending_of(int status, const rusage& used = {}) {
    const double megabytes = static_cast<double>(used.ru_maxrss) / 1024; // of KiB
    if (WIFSIGNALED(status))
        return {0, WTERMSIG(status), megabytes};
    return {WEXITSTATUS(status), 0, megabytes};
}

} // namespace

std::string Ending::text() const {
    if (signal != 0)
        return fmt::format("was killed by signal {} ({}{})", signal, strsignal(signal),
                           signal == SIGXFSZ ? ": " + write_error(EFBIG) : "");
    return fmt::format("ended with exit status {}", exit_status);
}

pid_t start(const ChildSpec& spec) {
    assert(gettid() == getpid()); // PR_SET_PDEATHSIG: the signal comes when the thread ends that has started the child
    const auto check = [&](bool fine) {
        if (!fine)
            throw UserError(fmt::format("{}: cannot be started: {}", spec.words.front(), std::strerror(errno)));
    };
    const std::string folder = spec.folder.empty() ? "." : spec.folder;
    check(access(folder.c_str(), X_OK) == 0); // Boost.Process would start it in another folder
    std::unique_ptr<std::FILE, CloseFile> file;
    if (!spec.output.empty()) {
        file.reset(std::fopen(spec.output.c_str(), "we")); // "e": other children do not inherit it
        check(file != nullptr);
    }
    std::error_code error;
    process::child child(
        process::exe = spec.words.front(),
        process::args = std::vector<std::string>(spec.words.begin() + 1, spec.words.end()),
        environment_with(spec.environment), process::start_dir = folder,
        process::std_out > (file ? file.get() : stdout), process::std_err > (file ? file.get() : stderr), error,
        process::extend::on_exec_setup = [self = getpid()](auto&) { prepare_child(self); },
        process::extend::on_error =
            [](auto& executor, const std::error_code&) {
                if (executor.pid > 0) // the forked child could not execute the program
                    waitpid(executor.pid, nullptr, 0);
            });
    errno = error.value();
    check(!error);
    const pid_t pid = child.id();
    child.detach();
    return pid;
}

Ending wait_for(pid_t pid) {
    int status = 0;
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            throw UserError(fmt::format("cannot wait for process {}: {}", pid, std::strerror(errno)));
    return ending_of(status);
}

std::optional<std::pair<pid_t, Ending>> wait_for_any(std::span<const pid_t> children, std::chrono::milliseconds time) {
    std::vector<pollfd> watched;
    for (const pid_t child : children)
        watched.push_back(
            {static_cast<int>(syscall(SYS_pidfd_open, child, 0)), POLLIN, 0}); // the header of glibc 2.36 is C only
    (void)poll(watched.data(), watched.size(), static_cast<int>(time.count()));
    for (const pollfd& one : watched)
        close(one.fd);
    for (const pid_t child : children) {
        int status = 0;
        rusage used{};
        if (wait4(child, &status, WNOHANG, &used) == child)
            return std::pair(child, ending_of(status, used));
    }
    return std::nullopt;
}

void allow_many_files() {
    rlimit limit{};
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return;
    const rlimit most{limit.rlim_max, limit.rlim_max};
    if (setrlimit(RLIMIT_NOFILE, &most) == 0)
        files_before = limit;
}

SignalForwarder::SignalForwarder() {
    interrupt_seen = 0;
    struct sigaction action {};
    action.sa_sigaction = forward;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    sigemptyset(&action.sa_mask);
    for (std::size_t i = 0; i < kForwarded.size(); ++i) {
        sigaction(kForwarded[i], nullptr, &previous[i]);
        if (previous[i].sa_handler != SIG_IGN)
            sigaction(kForwarded[i], &action, nullptr);
    }
}

SignalForwarder::~SignalForwarder() {
    for (std::size_t i = 0; i < kForwarded.size(); ++i)
        sigaction(kForwarded[i], &previous[i], nullptr);
}

void SignalForwarder::add(pid_t child) {
    for (std::atomic<pid_t>& place : children) {
        pid_t free = 0;
        if (place.compare_exchange_strong(free, child))
            break;
    }
    if (interrupted()) // before the child could be told
        kill(child, passed_on(interrupt_seen));
}

void SignalForwarder::remove(pid_t child) {
    for (std::atomic<pid_t>& place : children)
        if (place == child)
            place = 0;
}

void SignalForwarder::interrupt_children() {
    send_children(SIGTERM);
}

bool SignalForwarder::interrupted() {
    return interrupt_seen != 0;
}

int SignalForwarder::for_descendants() {
    return interrupted() && !from_the_terminal ? passed_on(interrupt_seen) : 0;
}

bool SignalForwarder::has(pid_t child) {
    return std::find(children.begin(), children.end(), child) != children.end();
}

int SignalForwarder::exit_status() {
    return 128 + interrupt_seen;
}

std::string read_file(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream out;
    out << in.rdbuf();
    return std::move(out).str();
}

} // namespace heddle::cli
