#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "report/kernels.h"
#include "report/profile/exports.h"
#include "report/profile/frames.h"

namespace heddle::report {

namespace {

// ';' and line ends part frames and stacks.
std::string frame_name(std::string name) {
    std::replace_if(
        name.begin(), name.end(), [](char c) { return c == ';' || c == '\n' || c == '\r'; }, ':');
    return name;
}

std::string stack_of(const std::vector<std::string>& files, const ProfiledKernel& kernel,
                     const ProfiledInstruction& instruction) {
    std::string out = frame_name(readable_name(kernel.name));
    for (const Frame& frame : frames_of(files, instruction))
        if (frame.function != readable_name(kernel.name))
            out.append(";").append(frame_name(frame.function));
    return out.append(";").append(frame_name(place_name(files, line_of(instruction))));
}

} // namespace

std::string collapsed_stacks(const Profile& profile) {
    const std::vector<std::string> files = short_file_names(profile);
    std::map<std::string, std::uint64_t> stacks;
    for (const ProfiledKernel& kernel : profile.kernels) {
        for (const ProfiledInstruction& instruction : kernel.instructions) {
            const std::string stack = stack_of(files, kernel, instruction);
            stacks[stack + ";issued"] += instruction.counters[static_cast<std::size_t>(probe::Counter::Executions)];
            for (const ProfiledStall& stall : instruction.stalls)
                stacks[stack + ";" + frame_name(stall.cause)] += stall.slots;
        }
        for (const auto& [cause, slots] : kernel.elsewhere)
            stacks[frame_name(readable_name(kernel.name)) + ";(no instruction);" + frame_name(cause)] += slots;
    }
    std::string out;
    for (const auto& [stack, slots] : stacks)
        if (slots != 0)
            out += fmt::format("{} {}\n", stack, slots);
    return out;
}

} // namespace heddle::report
