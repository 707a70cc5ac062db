#include "base/host_limits.h"

#include <cerrno>
#include <csignal>
#include <cstring>

#include <fmt/format.h>
#include <sys/resource.h>

namespace heddle {

namespace {

sigset_t size_signal() {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGXFSZ);
    return set;
}

} // namespace

std::string write_error(int error) {
    if (error == 0)
        return "the write failed";
    rlimit limit{};
    if (error == EFBIG && getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        return fmt::format("the limit on the size of files is {} bytes; raise it with `ulimit -f`", limit.rlim_cur);
    return std::strerror(error);
}

std::string memory_error() {
    rlimit limit{};
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        return fmt::format("the limit on address space is {} bytes; raise it with `ulimit -v`", limit.rlim_cur);
    return "this computer has no more";
}

SizeLimitIsAnError::SizeLimitIsAnError() {
    const sigset_t set = size_signal();
    sigset_t before;
    pthread_sigmask(SIG_BLOCK, &set, &before);
    was_blocked_ = sigismember(&before, SIGXFSZ) == 1;
}

SizeLimitIsAnError::~SizeLimitIsAnError() {
    if (was_blocked_)
        return;
    const int error = errno;
    const sigset_t set = size_signal();
    const timespec no_time{};
    while (sigtimedwait(&set, nullptr, &no_time) > 0) { // the signal of a write that failed
    }
    pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
    errno = error;
}

} // namespace heddle
