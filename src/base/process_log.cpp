#include "base/process_log.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <fcntl.h>
#include <unistd.h>

#include <fmt/format.h>
#include <sys/file.h>

#include "base/host_limits.h"
#include "base/source.h"

namespace heddle {

namespace {

// A record: its kind, the number of the process, a space, the text, this.
constexpr char kEnd = '\0';

} // namespace

std::vector<ProcessRecord> read_process_records(std::string_view log) {
    std::vector<ProcessRecord> out;
    for (std::size_t end = log.find(kEnd); end != std::string_view::npos; end = log.find(kEnd)) {
        const std::string_view line = log.substr(0, end);
        log.remove_prefix(end + 1);
        const std::size_t space = std::min(line.find(' '), line.size());
        ProcessRecord record;
        if (space < 2 || space == line.size() ||
            std::from_chars(line.data() + 1, line.data() + space, record.process).ptr != line.data() + space)
            continue;
        record.kind = static_cast<ProcessRecord::Kind>(line.front());
        record.text = line.substr(space + 1);
        out.push_back(std::move(record));
    }
    return out;
}

ProcessLog::ProcessLog(const std::string& path)
    : path_(path), file_(open(path.c_str(), O_RDWR | O_APPEND | O_CLOEXEC)) {
    if (file_ < 0)
        throw UserError(fmt::format("{}: cannot be written: {}", path, write_error(errno)));
}

ProcessLog::~ProcessLog() {
    close(file_);
}

void ProcessLog::lock() {
    while (flock(file_, LOCK_EX) != 0 && errno == EINTR) {
    }
}

void ProcessLog::unlock() {
    (void)flock(file_, LOCK_UN);
}

void ProcessLog::add(ProcessRecord::Kind kind, std::string_view text) {
    const SizeLimitIsAnError held;
    const std::string line = fmt::format("{}{} {}{}", static_cast<char>(kind), getpid(), text, kEnd);
    errno = 0;
    if (write(file_, line.data(), line.size()) != static_cast<ssize_t>(line.size()))
        throw UserError(fmt::format("{}: cannot be written: {}", path_, write_error(errno)));
}

std::size_t ProcessLog::count(ProcessRecord::Kind kind) const {
    std::string log;
    std::array<char, 4096> part;
    for (ssize_t got = 0; (got = pread(file_, part.data(), part.size(), static_cast<off_t>(log.size()))) > 0;)
        log.append(part.data(), static_cast<std::size_t>(got));
    const std::vector<ProcessRecord> records = read_process_records(log);
    return static_cast<std::size_t>(
        std::count_if(records.begin(), records.end(), [&](const ProcessRecord& r) { return r.kind == kind; }));
}

} // namespace heddle
