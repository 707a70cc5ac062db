// Limits that the host sets, as the reasons of errors.
#pragma once

#include <string>

namespace heddle {

// Why a write failed, from its errno: "No space left on device". Says what to do where a limit of the process is the
// reason.
[[nodiscard]] std::string write_error(int error);

// Why there is no memory: the limit on the address space (ulimit -v), or none left.
[[nodiscard]] std::string memory_error();

// While it lives, a write of this thread beyond the limit on the size of files (ulimit -f) is an error of the write. It
// would end the process otherwise.
class SizeLimitIsAnError {
public:
    SizeLimitIsAnError();
    ~SizeLimitIsAnError();
    SizeLimitIsAnError(const SizeLimitIsAnError&) = delete;
    SizeLimitIsAnError& operator=(const SizeLimitIsAnError&) = delete;

private:
    bool was_blocked_ = false;
};

} // namespace heddle
