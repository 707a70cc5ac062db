#include "experiment/note_numbers.h"

#include <algorithm>
#include <cmath>
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

// A number as the page has it, with the reference behind it: its parts, which lie one behind the other in the line.
struct Written {
    std::size_t begin = 0, end = 0; // in the line
    std::string_view sign, digits, percent, reference;
    bool thousands = false;
    int decimals = 0;

    [[nodiscard]] std::string of(double value) const {
        std::string out = fmt::format("{:.{}f}", std::abs(value), decimals);
        if (thousands) {
            const std::size_t point = std::min(out.find('.'), out.size());
            for (std::size_t at = point; at > 3; at -= 3)
                out.insert(at - 3, 1, ',');
        }
        return fmt::format("{}{}", value < 0 ? "-" : sign == "+" ? "+" : "", out);
    }
};

// Where the number begins that ends at `end`: [0-9][0-9,]*(.[0-9]+)?, as long as it can be but not before `from`. `end`
// where there is none.
std::size_t begin_of_number(std::string_view text, std::size_t from, std::size_t end) {
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    const auto is_grouped = [&](char c) { return is_digit(c) || c == ','; };
    const auto back = [&](std::size_t at, const auto& belongs) {
        while (at > from && belongs(text[at - 1]))
            --at;
        return at;
    };
    const std::size_t fraction = back(end, is_digit);
    const bool has_point = fraction != end && fraction > from && text[fraction - 1] == '.';
    const std::size_t whole_end = has_point ? fraction - 1 : end;
    std::size_t begin = back(whole_end, is_grouped);
    while (begin != whole_end && text[begin] == ',')
        ++begin;
    return begin == whole_end && has_point ? fraction : begin;
}

// The next number with a reference, at or behind `from`.
std::optional<Written> next_number(std::string_view text, std::size_t from) {
    constexpr std::string_view kPercent = " %", kOpen = kBegin, kClose = kEnd;
    std::size_t last = 0; // of a comment: it has no '>' but at its end
    for (std::size_t open = text.find(kOpen, from); open != text.npos; open = text.find(kOpen, open + 1)) {
        Written out;
        const bool percent = text.substr(from, open - from).ends_with(kPercent);
        const std::size_t number_end = percent ? open - kPercent.size() : open;
        const std::size_t number = begin_of_number(text, from, number_end);
        const bool has_sign = number > from && (text[number - 1] == '+' || text[number - 1] == '-');
        const std::size_t reference = open + kOpen.size();
        last = std::max(last, std::min(text.find('>', std::max(last, reference)), text.size()));
        if (number == number_end || !text.substr(reference, last + 1 - reference).ends_with(kClose))
            continue;
        out.begin = number - (has_sign ? 1 : 0);
        out.end = last + 1;
        out.sign = text.substr(out.begin, has_sign ? 1 : 0);
        out.digits = text.substr(number, number_end - number);
        out.percent = text.substr(number_end, open - number_end);
        out.reference = text.substr(reference, last + 1 - kClose.size() - reference);
        out.thousands = out.digits.find(',') != out.digits.npos;
        const std::size_t point = out.digits.find('.');
        out.decimals = point == out.digits.npos ? 0 : static_cast<int>(out.digits.size() - point - 1);
        return out;
    }
    return std::nullopt;
}

class Filler {
public:
    explicit Filler(const CellValue& value) : value_(value) {}

    std::string line(const std::string& text, std::size_t number) {
        std::string out;
        std::size_t from = 0;
        while (const auto written = next_number(text, from)) {
            out.append(text, from, written->begin - from);
            out += fill(text, *written, number);
            from = written->end;
        }
        return out.append(text, from);
    }

    NoteNumbers result;

private:
    // The number with its reference, filled in.
    std::string fill(const std::string& text, const Written& written, std::size_t line) {
        const std::string as_it_is = text.substr(written.begin, written.end - written.begin);
        const auto reference = reference_of(std::string(written.reference));
        if (!reference) {
            result.problems.push_back(
                fmt::format("{}: '{}': a reference is FIGURE | SERIES | CATEGORY, or with ' | over SERIES' "
                            "behind it",
                            line, written.reference));
            return as_it_is;
        }
        const std::optional<double> value = value_of(*reference);
        if (!value)
            return as_it_is;
        if (reference->is_gain() && (written.sign.empty() || (written.sign == "-") != (*value < 0))) {
            result.problems.push_back(
                fmt::format("{}: '{}' says {}{} %, and it is {:+.{}f} %: the sentence does not hold", line,
                            written.reference, written.sign, written.digits, *value, written.decimals));
            return as_it_is;
        }
        const std::string filled = written.of(*value);
        result.changed += as_it_is.starts_with(filled + std::string(written.percent) + kBegin) ? 0 : 1;
        return fmt::format("{}{}{}{}{}", filled, written.percent, kBegin, written.reference, kEnd);
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
