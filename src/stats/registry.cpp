#include <algorithm>
#include <set>

#include "base/registration.h"
#include "stats/statistic.h"

namespace heddle::stats {

namespace {

// A function with a static table: sections register themselves before main, in any order.
std::map<std::string, SectionInfo, std::less<>>& section_table() {
    static std::map<std::string, SectionInfo, std::less<>> table;
    return table;
}

} // namespace

std::vector<std::string_view> terms_of(std::string_view sum) {
    std::vector<std::string_view> out;
    while (!sum.empty()) {
        const std::size_t plus = std::min(sum.find('+'), sum.size());
        std::string_view term = sum.substr(0, plus);
        while (term.starts_with(' '))
            term.remove_prefix(1);
        while (term.ends_with(' '))
            term.remove_suffix(1);
        out.push_back(term);
        sum.remove_prefix(std::min(plus + 1, sum.size()));
    }
    return out;
}

std::string_view kind_of(const Formula& f) {
    const std::vector<std::string_view> below = terms_of(f.denominator);
    for (const std::string_view term : terms_of(f.numerator))
        if (std::find(below.begin(), below.end(), term) == below.end())
            return "ratio";
    return "share";
}

std::string formula_text(const Formula& f) {
    const auto sum = [](std::string_view text) {
        std::string out;
        const std::vector<std::string_view> terms = terms_of(text);
        for (const std::string_view term : terms)
            out += (out.empty() ? std::string() : std::string(" + ")) + std::string(term);
        return terms.size() == 1 ? out : "(" + out + ")";
    };
    return sum(f.numerator) + " / " + sum(f.denominator);
}

const std::map<std::string, SectionInfo, std::less<>>& sections() {
    return section_table();
}

void register_section(SectionInfo info) {
    std::set<std::string> names;
    for (const StatisticInfo& s : info.statistics)
        if (!names.insert(s.name).second)
            return refuse_registration("statistic " + info.name + "." + s.name + " is declared twice");
    const std::string name = info.name;
    if (!section_table().emplace(name, std::move(info)).second)
        refuse_registration("two components declare the statistics of '" + name + "'");
}

} // namespace heddle::stats
