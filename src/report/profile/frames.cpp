#include "report/profile/frames.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "report/kernels.h"

namespace heddle::report {

std::string without_folders(const std::string& name) {
    const std::size_t slash = name.rfind('/');
    return slash == std::string::npos || slash + 1 == name.size() ? name : name.substr(slash + 1);
}

SourceLine line_of(const ProfiledInstruction& instruction) {
    return instruction.lines.empty() ? instruction.ptx : instruction.lines.front();
}

std::vector<std::string> short_file_names(const Profile& profile) {
    std::map<std::string, int> uses;
    for (const ProfiledFile& file : profile.files)
        ++uses[without_folders(file.name)];
    std::vector<std::string> out;
    for (const ProfiledFile& file : profile.files) {
        const std::string name = without_folders(file.name);
        out.push_back(uses[name] == 1 ? name : file.name);
    }
    return out;
}

std::string place_name(const std::vector<std::string>& file_names, SourceLine line) {
    return fmt::format("{}:{}", file_names[line.file], line.line);
}

std::string trimmed(const std::string& text) {
    const std::size_t begin = text.find_first_not_of(" \t");
    return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(" \t") + 1 - begin);
}

std::vector<Frame> frames_of(const std::vector<std::string>& file_names, const ProfiledInstruction& instruction) {
    const std::vector<SourceLine>& lines = instruction.lines;
    if (lines.size() < 2)
        return {{readable_name(instruction.function), line_of(instruction)}};
    std::vector<Frame> out{{readable_name(instruction.function), lines.back()}};
    for (std::size_t i = lines.size() - 1; i-- > 0;) {
        const bool named = i < instruction.inlined.size() && !instruction.inlined[i].empty();
        out.push_back({named ? readable_name(instruction.inlined[i])
                             : fmt::format("(inlined at {})", place_name(file_names, lines[i + 1])),
                       lines[i]});
    }
    return out;
}

} // namespace heddle::report
