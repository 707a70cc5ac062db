#include "check_process.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <unistd.h>

#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "base/source.h"

namespace heddle::cli {

namespace {

constexpr unsigned kWaiting = 12; // times as many seconds of the clock stop a policy that waits

void limit(__rlimit_resource resource, rlim_t soft, rlim_t hard) {
    const rlimit value{soft, hard};
    (void)setrlimit(resource, &value);
}

// What a child writes into its pipe at its end; a policy that calls exit() writes nothing.
constexpr char kKept = '+', kBroken = '-'; // behind kBroken: how

[[noreturn]] void run_and_exit(const std::function<void()>& check, unsigned seconds, int pipe) {
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    limit(RLIMIT_CORE, 0, 0);
#ifndef HEDDLE_SANITIZED // which reserves far more
    constexpr rlim_t kBytes = rlim_t{4} << 30;
    limit(RLIMIT_AS, kBytes, kBytes);
#endif
    limit(RLIMIT_CPU, seconds, seconds + 1); // SIGXCPU, then SIGKILL
    (void)alarm(kWaiting * seconds);
    std::string text{kKept};
    try {
        check();
    } catch (const std::exception& e) {
        text = kBroken + std::string(e.what());
    } catch (...) {
        text = kBroken + std::string("it has thrown an object that is no std::exception");
    }
    std::fflush(stdout); // what the policy has printed
    const bool written = write(pipe, text.data(), text.size()) == static_cast<ssize_t>(text.size());
    _exit(written ? 0 : 1);
}

std::string read_all(int pipe) {
    std::string out;
    std::array<char, 4096> part;
    for (;;) {
        const ssize_t n = read(pipe, part.data(), part.size());
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return out;
        out.append(part.data(), static_cast<std::size_t>(n));
    }
}

std::string ending(int status, unsigned seconds) {
    if (!WIFSIGNALED(status))
        return fmt::format("it has ended the process, with exit status {}", WEXITSTATUS(status));
    const int signal = WTERMSIG(status);
    if (signal == SIGXCPU)
        return fmt::format("it does not end: stopped after {} s of processor time", seconds);
    if (signal == SIGALRM)
        return fmt::format("it does not end: stopped after {} s", kWaiting * seconds);
    return fmt::format("it has crashed: signal {} ({})", signal, strsignal(signal));
}

} // namespace

std::optional<std::string> run_in_process(const std::function<void()>& check, unsigned seconds) {
    std::array<int, 2> ends;
    if (pipe(ends.data()) != 0)
        throw UserError(fmt::format("cannot make a pipe: {}", std::strerror(errno)));
    std::fflush(stdout); // else the child would print it again
    const pid_t child = fork();
    if (child < 0)
        throw UserError(fmt::format("cannot start a process: {}", std::strerror(errno)));
    if (child == 0) {
        close(ends[0]);
        run_and_exit(check, seconds, ends[1]);
    }
    close(ends[1]);
    const std::string text = read_all(ends[0]);
    close(ends[0]);
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (text.empty())
        return ending(status, seconds);
    return text[0] == kKept ? std::nullopt : std::optional(text.substr(1));
}

} // namespace heddle::cli
