#include "progress.h"

#include <cstdio>
#include <unistd.h>

#include <fmt/format.h>

#include "report/table.h"

namespace heddle::cli {

namespace {

constexpr std::size_t kBar = 24;
constexpr const char* kClear = "\r\033[K";

} // namespace

Progress::Progress(std::size_t runs) : runs_(runs), terminal_(isatty(STDERR_FILENO) != 0) {}

Progress::~Progress() {
    if (terminal_)
        fmt::print(stderr, "{}", kClear);
}

void Progress::finished(const std::string& label, bool failed, double seconds) {
    ++done_;
    failed_ += failed ? 1 : 0;
    if (!terminal_)
        fmt::print(stderr, "{} of {}: {}: {}\n", done_, runs_, label,
                   failed ? std::string("failed") : fmt::format("{:.1f} s", seconds));
}

void Progress::show(std::size_t running, const std::optional<double>& left) const {
    if (!terminal_)
        return;
    const std::size_t full = runs_ == 0 ? kBar : done_ * kBar / runs_;
    fmt::print(stderr, "{}[{:#<{}}{:.<{}}] {} of {} runs, {} running{}{}", kClear, "", full, "", kBar - full, done_,
               runs_, running, failed_ == 0 ? std::string() : fmt::format(", {} failed", failed_),
               left ? fmt::format(", about {} left", report::rough_time(*left)) : std::string());
    std::fflush(stderr);
}

} // namespace heddle::cli
