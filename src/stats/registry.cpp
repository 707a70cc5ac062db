#include <set>
#include <stdexcept>

#include "stats/statistic.h"

namespace heddle::stats {

namespace {

// A function with a static table: sections register themselves before main, in any order.
std::map<std::string, SectionInfo, std::less<>>& section_table() {
    static std::map<std::string, SectionInfo, std::less<>> table;
    return table;
}

} // namespace

const std::map<std::string, SectionInfo, std::less<>>& sections() {
    return section_table();
}

void register_section(SectionInfo info) {
    std::set<std::string> names;
    for (const StatisticInfo& s : info.statistics)
        if (!names.insert(s.name).second)
            throw std::logic_error("statistic " + info.name + "." + s.name + " is declared twice");
    const std::string name = info.name;
    if (!section_table().emplace(name, std::move(info)).second)
        throw std::logic_error("two components declare the statistics of '" + name + "'");
}

} // namespace heddle::stats
