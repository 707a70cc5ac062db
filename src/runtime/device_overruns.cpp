// Reports of accesses outside every allocation that a GPU lets pass: one for each source line.
#include <map>
#include <utility>

#include <fmt/format.h>

#include "exec/program_text.h"
#include "runtime/device_impl.h"

namespace heddle::runtime {

namespace {

std::string number(std::uint64_t n, const char* one, const char* several) {
    return fmt::format("{} {}", n, n == 1 ? one : several);
}

} // namespace

// After each launch, however it has ended. SMs are simulated in any order, so the first access is the one of the lowest
// cycle, and of the lowest SM in that cycle.
void Device::Impl::note_overruns() {
    const std::vector<exec::Overrun> found = gpu.take_overruns();
    struct Line {
        const exec::Overrun* first;
        std::uint64_t accesses;
    };
    std::map<std::string, Line> lines;
    for (const exec::Overrun& each : found) {
        Line& line = lines.try_emplace(exec::line_text(program, each.pc), Line{&each, 0}).first->second;
        line.accesses += each.accesses;
        if (each.first < line.first->first)
            line.first = &each;
        if (each.stores)
            image.note_stray_store();
    }
    for (const auto& [name, line] : lines) {
        OverrunLine& known = overruns[name];
        if (known.launches == 0)
            warnings.push_back(fmt::format(
                "{}\n  {} of {} in this launch; the program goes on, because a GPU has memory at all addresses "
                "in the 2 MiB page of an allocation (--strict ends the launch here)",
                line.first->report, number(line.accesses, "such access", "such accesses"), name));
        known.accesses += line.accesses;
        ++known.launches;
    }
}

std::vector<std::string> Device::take_warnings() {
    return std::exchange(impl_->warnings, {});
}

std::string Device::overrun_totals() const {
    std::string out;
    for (const auto& [name, line] : impl_->overruns)
        if (line.launches > 1)
            out +=
                fmt::format("{}{}: {} outside every allocation in {}", out.empty() ? "" : "\n", name,
                            number(line.accesses, "access", "accesses"), number(line.launches, "launch", "launches"));
    return out;
}

} // namespace heddle::runtime
