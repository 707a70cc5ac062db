#include "experiment/claims.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>
#include <xxhash.h>

#include <fmt/format.h>

#include "base/source.h"

namespace heddle::experiment {

Claims::Claims(const std::filesystem::path& file)
    : descriptor_(open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
    if (descriptor_ < 0)
        throw UserError(fmt::format("{}: {}", file.string(), std::strerror(errno)));
}

Claims::~Claims() {
    close(descriptor_);
}

// The byte has the key's hash as its place; no byte is ever written. Two keys on one place would only wait for each
// other.
int Claims::lock(const std::string& key, short kind) const {
    struct flock range {};
    range.l_type = kind;
    range.l_whence = SEEK_SET;
    range.l_start = static_cast<off_t>(XXH3_64bits(key.data(), key.size()) >> 2U);
    range.l_len = 1;
    return fcntl(descriptor_, F_OFD_SETLK, &range) == 0 ? 0 : errno;
}

Claims::Answer Claims::claim(const std::string& key) {
    const int error = lock(key, F_WRLCK);
    if (error == 0)
        return Answer::held;
    return error == EAGAIN || error == EACCES ? Answer::elsewhere : Answer::no_locks;
}

void Claims::release(const std::string& key) {
    (void)lock(key, F_UNLCK);
}

} // namespace heddle::experiment
