#include "child.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <map>
#include <poll.h>
#include <spawn.h>
#include <unistd.h>

#include <fmt/format.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "base/source.h"

namespace heddle::cli {

namespace {

constexpr std::array kForwarded{SIGINT, SIGTERM, SIGHUP};
constexpr std::size_t kMaxChildren = 1024;

// Plain atomics: all that a signal handler may touch.
std::array<std::atomic<pid_t>, kMaxChildren> children;
std::atomic<bool> interrupt_seen;
std::array<struct sigaction, kForwarded.size()> previous;

void forward(int signal, siginfo_t* info, void*) {
    const int saved = errno;
    interrupt_seen = true;
    if (signal != SIGINT || info->si_code != SI_KERNEL) // else the terminal sent it to the children, too
        SignalForwarder::interrupt_children();
    errno = saved;
}

// This process's environment with `changes`, as KEY=VALUE.
std::vector<std::string> environment_with(const std::vector<std::pair<std::string, std::string>>& changes) {
    std::map<std::string, std::string> all;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string text = *entry;
        const std::size_t equals = text.find('=');
        if (equals != std::string::npos)
            all[text.substr(0, equals)] = text.substr(equals + 1);
    }
    for (const auto& [key, value] : changes)
        all[key] = value;
    std::vector<std::string> out;
    for (const auto& [key, value] : all)
        out.push_back(key + "=" + value);
    return out;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
    std::vector<char*> out;
    for (std::string& text : texts)
        out.push_back(text.data());
    out.push_back(nullptr);
    return out;
}

Ending ending_of(int status) {
    if (WIFSIGNALED(status))
        return {0, WTERMSIG(status)};
    return {WEXITSTATUS(status), 0};
}

} // namespace

std::string Ending::text() const {
    if (signal != 0)
        return fmt::format("was killed by signal {} ({})", signal, strsignal(signal));
    return fmt::format("ended with exit status {}", exit_status);
}

pid_t start(const ChildSpec& spec) {
    std::vector<std::string> words = spec.words;
    std::vector<std::string> environment = environment_with(spec.environment);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    if (!spec.output.empty()) {
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, spec.output.c_str(), O_WRONLY | O_CREAT | O_TRUNC,
                                         0666);
        posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
    }
    if (!spec.folder.empty())
        posix_spawn_file_actions_addchdir_np(&actions, spec.folder.c_str());
    pid_t pid = 0;
    const int error = posix_spawn(&pid, words.front().c_str(), &actions, nullptr, pointers(words).data(),
                                  pointers(environment).data());
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0)
        throw UserError(fmt::format("{}: cannot be started: {}", words.front(), std::strerror(error)));
    return pid;
}

Ending wait_for(pid_t pid) {
    int status = 0;
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            throw UserError(fmt::format("cannot wait for process {}: {}", pid, std::strerror(errno)));
    return ending_of(status);
}

std::pair<pid_t, Ending> wait_for_any() {
    int status = 0;
    pid_t pid = 0;
    while ((pid = waitpid(-1, &status, 0)) < 0)
        if (errno != EINTR)
            throw UserError(fmt::format("cannot wait for a process: {}", std::strerror(errno)));
    return {pid, ending_of(status)};
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
        if (waitpid(child, &status, WNOHANG) == child)
            return std::pair(child, ending_of(status));
    }
    return std::nullopt;
}

SignalForwarder::SignalForwarder() {
    interrupt_seen = false;
    struct sigaction action {};
    action.sa_sigaction = forward;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    sigemptyset(&action.sa_mask);
    for (std::size_t i = 0; i < kForwarded.size(); ++i)
        sigaction(kForwarded[i], &action, &previous[i]);
}

SignalForwarder::~SignalForwarder() {
    for (std::size_t i = 0; i < kForwarded.size(); ++i)
        sigaction(kForwarded[i], &previous[i], nullptr);
}

void SignalForwarder::add(pid_t child) {
    for (std::atomic<pid_t>& place : children) {
        pid_t free = 0;
        if (place.compare_exchange_strong(free, child))
            return;
    }
}

void SignalForwarder::remove(pid_t child) {
    for (std::atomic<pid_t>& place : children)
        if (place == child)
            place = 0;
}

void SignalForwarder::interrupt_children() {
    for (const std::atomic<pid_t>& child : children)
        if (const pid_t pid = child; pid > 0)
            kill(pid, SIGINT);
}

bool SignalForwarder::interrupted() {
    return interrupt_seen;
}

TemporaryFolder::TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "heddle-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr)
        throw UserError(fmt::format("{}: cannot be created: {}", name, std::strerror(errno)));
    path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored; // nothing depends on it
    std::filesystem::remove_all(path_, ignored);
}

std::string read_file(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

void write_file(const std::string& path, std::string_view content) {
    std::ofstream out(path, std::ios::binary);
    out.write(content.data(), static_cast<std::streamsize>(content.size()));
    out.close();
    if (!out)
        throw UserError(fmt::format("{}: cannot be written", path));
}

} // namespace heddle::cli
