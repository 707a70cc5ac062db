#include "temporary_file.h"

#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>
#include <sys/stat.h>

#include "base/host_limits.h"
#include "base/source.h"
#include "child.h"

namespace heddle::cli {

namespace {

std::string temporary_folder() {
    const char* const named = std::getenv("TMPDIR");
    return named == nullptr || *named == '\0' ? "/tmp" : named;
}

int open_in(const std::string& folder) {
    if (const int file = open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600); file >= 0)
        return file;
    std::string name = folder + "/heddle-XXXXXX"; // for file systems without nameless files
    const int file = mkostemp(name.data(), O_CLOEXEC);
    if (file >= 0)
        unlink(name.c_str());
    return file;
}

// Whether a page can be written: not on a full disk, nor with a low limit on the size of files.
bool has_room(int file) {
    constexpr std::size_t kProbe = 4096;
    const SizeLimitIsAnError held;
    return pwrite(file, std::string(kProbe, ' ').data(), kProbe, 0) == static_cast<ssize_t>(kProbe) &&
           ftruncate(file, 0) == 0;
}

} // namespace

TemporaryFile::TemporaryFile() {
    const std::string folder = temporary_folder();
    errno = 0;
    file_ = open_in(folder);
    if (file_ >= 0 && has_room(file_))
        return;
    const std::string reason = write_error(errno != 0 ? errno : EFBIG); // a write that a limit cut has no error
    if (file_ >= 0)
        close(file_);
    throw UserError(
        fmt::format("no temporary file can be written in {}: {} (TMPDIR names another folder)", folder, reason));
}

TemporaryFile::~TemporaryFile() {
    if (file_ >= 0)
        close(file_);
}

TemporaryFile::TemporaryFile(TemporaryFile&& other) noexcept : file_(std::exchange(other.file_, -1)) {}

TemporaryFile& TemporaryFile::operator=(TemporaryFile&& other) noexcept {
    std::swap(file_, other.file_);
    return *this;
}

std::string TemporaryFile::path() const {
    return fmt::format("/proc/{}/fd/{}", getpid(), file_);
}

bool TemporaryFile::empty() const {
    struct stat info {};
    return fstat(file_, &info) != 0 || info.st_size == 0;
}

std::string TemporaryFile::content() const {
    return read_file(path());
}

} // namespace heddle::cli
