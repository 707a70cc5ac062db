#include "runtime/progress_line.h"

#include <cstdio>
#include <unistd.h>

#include <fmt/format.h>
#include <sys/ioctl.h>

#include "report/kernels.h"
#include "report/table.h"

namespace heddle::runtime {

namespace {

using namespace std::chrono_literals;

constexpr auto kFirst = 2s; // shorter runs show none
constexpr auto kRefresh = 500ms;
constexpr std::size_t kName = 32; // characters of a kernel's name
constexpr const char* kClear = "\r\033[K";

// The characters of a line on the terminal.
std::size_t columns() {
    constexpr std::size_t kUsual = 80;
    winsize size{};
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col != 0 ? size.ws_col : kUsual;
}

} // namespace

std::string progress_text(const Progress& progress, double seconds) {
    std::string out = report::short_name(std::string(progress.kernel), kName) + ": ";
    if (progress.cycles != 0)
        out += fmt::format("{} cycles, ", report::scaled(static_cast<double>(progress.cycles)));
    out += fmt::format("{} warp instructions/s",
                       report::scaled(static_cast<double>(progress.warp_instructions) / seconds));
    if (progress.blocks > 1)
        out +=
            fmt::format(", {} of {} blocks", report::grouped(progress.ended_blocks), report::grouped(progress.blocks));
    if (progress.ended_blocks != 0) {
        const double done = static_cast<double>(progress.ended_blocks) / static_cast<double>(progress.blocks);
        out += fmt::format(", about {} left", report::rough_time(progress.launch_seconds * (1 - done) / done));
    }
    return out;
}

void ProgressLine::show(const Progress& progress) {
    const Clock::time_point now = Clock::now();
    if (!began_)
        began_ = now;
    if (now - *began_ < kFirst || (shown_ && now - *shown_ < kRefresh))
        return;
    shown_ = now;
    const std::string text = progress_text(progress, std::chrono::duration<double>(now - *began_).count());
    fmt::print(stderr, "{}{}", kClear, text.substr(0, columns() - 1));
    std::fflush(stderr);
}

void ProgressLine::clear() {
    if (!shown_)
        return;
    shown_.reset();
    std::fputs(kClear, stderr);
    std::fflush(stderr);
}

} // namespace heddle::runtime
