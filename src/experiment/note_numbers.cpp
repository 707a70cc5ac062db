#include "experiment/note_numbers.h"

#include <algorithm>
#include <cmath>
#include <regex>
#include <sstream>

#include <fmt/format.h>

namespace heddle::experiment {

namespace {

constexpr const char* kBegin = "<!-- ";
constexpr const char* kEnd = " -->";

struct Reference {
    std::string figure, series, category, base_series, base_category;
    [[nodiscard]] bool is_gain() const {
        return !base_series.empty();
    }
};

// The fields between " | ".
std::vector<std::string> fields_of(const std::string& text) {
    std::vector<std::string> out;
    for (std::size_t begin = 0;;) {
        const std::size_t end = text.find(" | ", begin);
        out.push_back(text.substr(begin, end == std::string::npos ? end : end - begin));
        if (end == std::string::npos)
            return out;
        begin = end + 3;
    }
}

std::optional<Reference> reference_of(const std::string& comment) {
    const std::vector<std::string> f = fields_of(comment);
    if (f.size() == 3)
        return Reference{f[0], f[1], f[2], "", ""};
    constexpr std::string_view kOver = "over ";
    if (f.size() < 4 || f.size() > 5 || !f[3].starts_with(kOver))
        return std::nullopt;
    return Reference{f[0], f[1], f[2], f[3].substr(kOver.size()), f.size() == 5 ? f[4] : f[2]};
}

// A number as the page has it.
struct Written {
    std::string sign, digits;
    bool thousands = false;
    int decimals = 0;

    explicit Written(const std::smatch& match) : sign(match[1]), digits(match[2]) {
        thousands = digits.find(',') != std::string::npos;
        const std::size_t point = digits.find('.');
        decimals = point == std::string::npos ? 0 : static_cast<int>(digits.size() - point - 1);
    }
    [[nodiscard]] std::string of(double value) const {
        std::string out = fmt::format("{:.{}f}", std::abs(value), decimals);
        if (thousands) {
            const std::size_t point = std::min(out.find('.'), out.size());
            for (std::size_t at = point; at > 3; at -= 3)
                out.insert(at - 3, ",");
        }
        return (value < 0 ? "-" : sign == "+" ? "+" : "") + out;
    }
};

class Filler {
public:
    explicit Filler(const CellValue& value) : value_(value) {}

    std::string line(const std::string& text, std::size_t number) {
        static const std::regex kNumber(R"(([+-]?)([0-9][0-9,]*(?:\.[0-9]+)?)( %)?<!-- ([^>]*) -->)");
        std::string out;
        auto from = text.cbegin();
        for (std::sregex_iterator at(text.begin(), text.end(), kNumber), end; at != end; ++at) {
            out.append(from, (*at)[0].first);
            out += fill(*at, number);
            from = (*at)[0].second;
        }
        return out.append(from, text.cend());
    }

    NoteNumbers result;

private:
    // The number with its reference, filled in.
    std::string fill(const std::smatch& match, std::size_t line) {
        const auto reference = reference_of(match[4]);
        if (!reference) {
            result.problems.push_back(
                fmt::format("{}: '{}': a reference is FIGURE | SERIES | CATEGORY, or with ' | over SERIES' "
                            "behind it",
                            line, match[4].str()));
            return match[0];
        }
        const std::optional<double> value = value_of(*reference);
        if (!value)
            return match[0];
        const Written written(match);
        if (reference->is_gain() && (written.sign.empty() || (written.sign == "-") != (*value < 0))) {
            result.problems.push_back(
                fmt::format("{}: '{}' says {}{} %, and it is {:+.{}f} %: the sentence does not hold", line,
                            match[4].str(), written.sign, written.digits, *value, written.decimals));
            return match[0];
        }
        const std::string text = written.of(*value);
        result.changed += text != written.sign + written.digits ? 1 : 0;
        return text + match[3].str() + kBegin + match[4].str() + kEnd;
    }

    [[nodiscard]] std::optional<double> value_of(const Reference& r) const {
        const std::optional<double> value = value_(r.figure, r.series, r.category);
        if (!value || !r.is_gain())
            return value;
        const std::optional<double> base = value_(r.figure, r.base_series, r.base_category);
        if (!base || *base == 0)
            return std::nullopt;
        return 100 * (*value / *base - 1);
    }

    const CellValue& value_;
};

} // namespace

NoteNumbers fill_in_numbers(const std::string& page, const CellValue& value) {
    Filler filler(value);
    std::istringstream lines(page);
    std::size_t number = 0;
    std::string out;
    for (std::string line; std::getline(lines, line);)
        out.append(filler.line(line, ++number)).append(1, '\n');
    filler.result.text = std::move(out);
    return std::move(filler.result);
}

std::string without_references(std::string line) {
    for (std::size_t begin = line.find(kBegin); begin != std::string::npos; begin = line.find(kBegin, begin)) {
        const std::size_t end = line.find(kEnd, begin);
        if (end == std::string::npos)
            break;
        line.erase(begin, end + std::string_view(kEnd).size() - begin);
    }
    return line;
}

} // namespace heddle::experiment
