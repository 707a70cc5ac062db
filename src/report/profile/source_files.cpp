#include "report/profile/source_files.h"

#include <algorithm>
#include <sstream>

#include "report/profile/frames.h"

namespace heddle::report {

std::vector<std::pair<std::uint32_t, std::uint32_t>> ProfiledSource::shown(std::uint32_t around) const {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> out;
    const auto end = static_cast<std::uint32_t>(lines.size());
    for (const auto& [line, row] : rows) {
        const std::uint32_t first = line > around ? line - around : 1;
        const std::uint32_t last = std::max(line, std::min(end, line + around));
        if (!out.empty() && first <= out.back().second + 1)
            out.back().second = std::max(out.back().second, last);
        else
            out.emplace_back(first, last);
    }
    return out;
}

std::vector<ProfiledSource> profiled_sources(const Profile& profile, const ProfileRows& lines) {
    std::map<std::uint32_t, ProfiledSource> files;
    for (std::size_t i = 0; i < lines.rows.size(); ++i) {
        const SourceLine line = line_of(*lines.rows[i].instruction);
        ProfiledSource& file = files[line.file];
        file.file = line.file;
        file.rows[line.line] = i;
        file.slots += lines.rows[i].slots();
    }
    std::vector<ProfiledSource> out;
    for (auto& [index, file] : files) {
        if (profile.files[index].text)
            file.lines = lines_of(*profile.files[index].text);
        out.push_back(std::move(file));
    }
    std::stable_sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.slots > b.slots; });
    return out;
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> out;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line); out.push_back(std::move(line)))
        if (line.ends_with('\r'))
            line.pop_back();
    return out;
}

} // namespace heddle::report
