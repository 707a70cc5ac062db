#include "base/output_file.h"

#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <unistd.h>
#include <utility>

#include <ext/stdio_filebuf.h>
#include <fmt/format.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include "base/host_limits.h"
#include "base/source.h"

namespace heddle {

namespace {

namespace fs = std::filesystem;

constexpr mode_t kMode = 0666; // less the umask
constexpr std::size_t kBuffer = std::size_t{1} << 16;

[[noreturn]] void fail(const std::string& path, int error) {
    throw UserError(fmt::format("{}: cannot be written: {}", path, write_error(error)));
}

fs::path folder_of(const fs::path& path) {
    return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

bool is_under_proc(const fs::path& folder) {
    struct statfs info {};
    return statfs(folder.c_str(), &info) == 0 && info.f_type == PROC_SUPER_MAGIC;
}

// What a path names behind its links.
struct Target {
    fs::path path;
    bool direct = false; // written directly
};

Target target_of(fs::path path) {
    struct stat info {};
    const bool special = stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode);
    constexpr int kMostLinks = 40; // as the kernel follows
    for (int links = 0; links < kMostLinks; ++links) {
        const fs::path folder = folder_of(path);
        if (is_under_proc(folder)) // a link there is an open file, which may have no name
            return {path, true};
        std::error_code error;
        const fs::path next = fs::read_symlink(path, error);
        if (error)
            break;
        path = next.is_absolute() ? next : folder / next;
    }
    return {path, special};
}

// An open file of this process (/dev/stdout) is written where its last output ends, also when it is a regular file.
int open_direct(const fs::path& path) {
    std::error_code error;
    int number = 0;
    const std::string name = path.filename().string();
    const char* const end = name.data() + name.size();
    if (fs::equivalent(folder_of(path), "/proc/self/fd", error) && std::from_chars(name.data(), end, number).ptr == end)
        return fcntl(number, F_DUPFD_CLOEXEC, 0);
    return open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, kMode);
}

// In a folder like /tmp only its owner replaces a file.
bool is_protected(const fs::path& folder, uid_t owner) {
    struct stat info {};
    const uid_t own = geteuid();
    return stat(folder.c_str(), &info) == 0 && (info.st_mode & S_ISVTX) != 0 && own != 0 && own != owner &&
           own != info.st_uid;
}

// An open file that gets its name last.
class OutputFile {
public:
    explicit OutputFile(const std::string& path) : path_(path), target_(target_of(path)) {
        file_ = target_.direct ? open_direct(target_.path) : open_aside();
        if (file_ < 0)
            fail(path_, errno);
    }
    ~OutputFile() {
        if (!aside_.empty())
            unlink(aside_.c_str());
        if (file_ >= 0)
            close(file_);
    }
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    void write(const std::function<void(std::ostream&)>& content) {
        const SizeLimitIsAnError held;
        const int copy = fcntl(file_, F_DUPFD_CLOEXEC, 0); // the buffer closes it
        __gnu_cxx::stdio_filebuf<char> buffer(copy, std::ios::out | std::ios::binary, kBuffer);
        std::ostream stream(&buffer);
        errno = 0;
        content(stream);
        stream.flush();
        if (!stream)
            fail(path_, errno);
    }

    void commit() {
        if (!target_.direct && aside_.empty())
            name_aside();
        const int file = std::exchange(file_, -1);
        if (close(file) != 0) // a file of the network may report a full disk here
            fail(path_, errno);
        if (target_.direct)
            return;
        if (rename(aside_.c_str(), target_.path.c_str()) != 0)
            fail(path_, errno);
        aside_.clear();
    }

private:
    // Calls `make` with names until one is free.
    template <class F>
    int with_free_name(F&& make) {
        static std::atomic<unsigned> number = 0;
        for (;;) {
            const fs::path name = folder_of(target_.path) / fmt::format(".heddle-{}-{}", getpid(), ++number);
            const int result = make(name.c_str());
            if (result >= 0)
                aside_ = name;
            if (result >= 0 || errno != EEXIST)
                return result;
        }
    }

    // Without a name at first, where the file system can do that: then nothing is left of a killed process.
    int open_aside() {
        if (const int file = open(folder_of(target_.path).c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, kMode); file >= 0)
            return file;
        return with_free_name(
            [](const char* name) { return open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kMode); });
    }

    void name_aside() {
        const std::string open_file = fmt::format("/proc/self/fd/{}", file_);
        if (with_free_name([&](const char* name) {
                return linkat(AT_FDCWD, open_file.c_str(), AT_FDCWD, name, AT_SYMLINK_FOLLOW);
            }) != 0)
            fail(path_, errno);
    }

    std::string path_;
    Target target_;
    fs::path aside_; // name until the end; empty: none
    int file_ = -1;
};

} // namespace

bool is_written_directly(const std::string& path) {
    return target_of(path).direct;
}

void write_file(const std::string& path, const std::function<void(std::ostream&)>& content) {
    OutputFile file(path);
    file.write(content);
    file.commit();
}

void write_file(const std::string& path, std::string_view content) {
    write_file(path,
               [&](std::ostream& out) { out.write(content.data(), static_cast<std::streamsize>(content.size())); });
}

void check_writable(const std::string& path) {
    struct stat info {};
    const bool there = stat(path.c_str(), &info) == 0;
    if (!there && errno != ENOENT)
        fail(path, errno);
    if (there && S_ISDIR(info.st_mode))
        fail(path, EISDIR);
    const Target target = target_of(path);
    if (target.direct) { // a write would arrive
        if (access(path.c_str(), W_OK) != 0)
            fail(path, errno);
        return;
    }
    if (there && is_protected(folder_of(target.path), info.st_uid))
        fail(path, EPERM);
    constexpr std::size_t kProbe = 4096; // a full disk has no room for so many bytes
    OutputFile(path).write([](std::ostream& out) { out << std::string(kProbe, ' '); });
}

} // namespace heddle
