#include "report/source_html.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "probe/slot.h"
#include "report/html.h"
#include "report/profile/frames.h"
#include "report/table.h"

namespace heddle::report {

namespace {

using Json = nlohmann::ordered_json;

constexpr double kOpen = 0.1;             // files with this share of the slots are unfolded
constexpr std::size_t kMostHidden = 4000; // lines that the page keeps of a gap

std::string cell(std::string_view text, std::string_view kind = "") {
    return kind.empty() ? fmt::format("<td>{}</td>", html::text(text))
                        : fmt::format("<td class=\"{}\">{}</td>", kind, html::text(text));
}

std::string heading(std::string_view text, std::string_view meaning = "", std::string_view kind = "") {
    std::string attributes;
    if (!kind.empty())
        attributes += fmt::format(" class=\"{}\"", kind);
    if (!meaning.empty())
        attributes += fmt::format(" title=\"{}\"", html::text(meaning));
    return fmt::format("<th scope=\"col\"{}>{}</th>", attributes, html::text(text));
}

// "waits for DRAM (sb_dram)".
std::string cause_name(const std::string& code) {
    const std::string_view words = probe::words_of(code);
    return words == code ? code : fmt::format("{} ({})", words, code);
}

class SourceWriter {
public:
    SourceWriter(const SourceListing& listing, const std::string& anchor) : listing_(listing), anchor_(anchor) {
        for (const ListedFile& file : listing.files)
            for (const ListedLine& line : file.lines)
                if (line.row)
                    texts_[*line.row] = line.text;
        for (std::size_t c = 0; c < listing.columns.size(); ++c)
            if (listing.columns[c].name == "cost")
                cost_ = c;
        for (const ListedRow& row : listing.rows)
            for (const auto& run : row.runs)
                if (run)
                    most_ = std::max(most_, run->values[cost_].value_or(0));
    }

    std::string take() const {
        std::string out = fmt::format("<div class=\"source\" id=\"{}\">\n", anchor_);
        if (!listing_.hottest.empty())
            out += hottest_table();
        out += causes_table();
        out += "<p class=\"chosen\"></p>\n"; // for the choice of a column
        for (std::size_t f = 0; f < listing_.files.size(); ++f)
            out += file_html(f);
        if (listing_.files_left_out != 0)
            out += fmt::format("<p class=\"remark\">{} more files with smaller shares are not shown; `heddle profile` "
                               "lists their lines.</p>\n",
                               listing_.files_left_out);
        return out + "</div>\n";
    }

private:
    [[nodiscard]] bool two() const {
        return listing_.runs.size() == 2;
    }

    std::string link(std::size_t row, std::string_view column = "") const {
        return fmt::format("<a href=\"#{}-row-{}\"{}>{}</a>", anchor_, row,
                           column.empty() ? "" : fmt::format(" data-column=\"{}\"", html::text(column)),
                           html::text(listing_.rows[row].place));
    }

    std::string cost(const std::optional<ListedCosts>& run) const {
        return run ? listing_.columns[cost_].text(run->values[cost_]) : "";
    }

    std::string heat_cell(const std::optional<ListedCosts>& run) const {
        if (!run)
            return "<td class=\"heat\"></td>";
        const double value = run->values[cost_].value_or(0);
        return fmt::format("<td class=\"heat\" style=\"--heat:{:.3f}\">{}</td>", most_ == 0 ? 0 : value / most_,
                           cost(run));
    }

    std::string run_headings(std::string_view what) const {
        std::string out;
        for (const std::string& run : listing_.runs)
            out += heading(two() ? fmt::format("{}, {}", what, run) : std::string(what), "", "number");
        return out;
    }

    std::string hottest_table() const {
        std::string out = "<div class=\"scroll\"><table class=\"lines hottest\">\n<caption>Lines that cost most" +
                          std::string(two() ? ", by the second run" : "") + "</caption>\n<thead><tr>" +
                          run_headings("cost %") + heading("line") + heading("source") + heading("most slots") +
                          "</tr></thead>\n<tbody>\n";
        for (const std::size_t row : listing_.hottest) {
            out += "<tr>";
            for (const auto& run : listing_.rows[row].runs)
                out += heat_cell(run);
            const auto& last = listing_.rows[row].runs.back();
            out += fmt::format("<th scope=\"row\">{}</th>{}{}</tr>\n", link(row), cell(trimmed(texts_.at(row)), "code"),
                               cell(last ? last->cause : "", "most"));
        }
        return out + "</tbody></table></div>\n";
    }

    std::string causes_table() const {
        std::string out = "<div class=\"scroll\"><table class=\"lines causes\">\n<caption>Why issue slots stayed "
                          "empty, and the lines with most of them</caption>\n<thead><tr>" +
                          run_headings("slots %") + heading("cause") + heading("lines") + "</tr></thead>\n<tbody>\n";
        double most = 0;
        for (const ListedCause& cause : listing_.causes)
            for (const double share : cause.shares)
                most = std::max(most, share);
        for (const ListedCause& cause : listing_.causes) {
            if (std::all_of(cause.shares.begin(), cause.shares.end(), [](double share) { return share < 0.0005; }))
                continue;
            out += "<tr>";
            for (const double share : cause.shares)
                out += fmt::format("<td class=\"heat\" style=\"--heat:{:.3f}\">{:.1f}</td>", share / most, 100 * share);
            std::string lines;
            for (const auto& [row, share] : cause.rows)
                lines += fmt::format("{}{} {:.1f}", lines.empty() ? "" : ", ", link(row, cause.code), 100 * share);
            out +=
                fmt::format("<th scope=\"row\">{}</th><td>{}</td></tr>\n", html::text(cause_name(cause.code)), lines);
        }
        return out + "</tbody></table></div>\n";
    }

    std::string file_headings() const {
        const ProfileColumn& chosen = listing_.columns[cost_];
        std::string out;
        for (const std::string& run : listing_.runs)
            out += heading(two() ? fmt::format("{}, {}", chosen.heading, run) : chosen.heading, chosen.meaning,
                           "number heat");
        if (two())
            out += heading("difference", "", "number") + heading("line, " + listing_.runs[0], "", "number") +
                   heading("line, " + listing_.runs[1], "", "number") + "<td></td>";
        else
            out += heading("line", "", "number");
        out += heading("source");
        if (two())
            return out + heading("most slots, " + listing_.runs[0], "", "beside") +
                   heading("most slots, " + listing_.runs[1], "", "beside");
        for (const std::size_t c : listing_.beside)
            out += heading(listing_.columns[c].heading, listing_.columns[c].meaning, "number beside");
        return out + heading("most slots", "the largest part of the line's slots", "beside");
    }

    std::string difference(const ListedRow& row) const {
        if (!two())
            return "";
        const auto value = [&](std::size_t run) {
            return row.runs[run] ? row.runs[run]->values[cost_].value_or(0) : 0.0;
        };
        const double change = value(1) - value(0);
        return fmt::format("<td class=\"difference\">{}{}</td>", change > 0 ? "+" : "",
                           listing_.columns[cost_].text(change));
    }

    std::string numbers(const ListedLine& line) const {
        std::string out;
        for (const std::uint32_t number : line.numbers)
            out += fmt::format("<th scope=\"row\">{}</th>", number == 0 ? "" : std::to_string(number));
        if (two())
            out += cell(line.numbers[0] == 0 ? "+" : line.numbers[1] == 0 ? "−" : "", "mark");
        return out;
    }

    std::string line_html(const ListedLine& line) const {
        const std::string kind = !two()                 ? ""
                                 : line.numbers[0] == 0 ? " class=\"new\""
                                 : line.numbers[1] == 0 ? " class=\"gone\""
                                                        : "";
        if (!line.row) {
            const std::string empty =
                two() ? "<td class=\"heat\"></td><td class=\"heat\"></td><td></td>" : "<td class=\"heat\"></td>";
            return fmt::format("<tr{}>{}{}{}</tr>\n", kind, empty, numbers(line), cell(line.text, "code"));
        }
        const ListedRow& row = listing_.rows[*line.row];
        std::string out = fmt::format("<tr id=\"{}-row-{}\" data-row=\"{}\"{}>", anchor_, *line.row, *line.row, kind);
        for (const auto& run : row.runs)
            out += heat_cell(run);
        out += difference(row) + numbers(line) + cell(line.text, "code");
        if (!two())
            for (const std::size_t c : listing_.beside)
                out += cell(listing_.columns[c].text(row.runs[0]->values[c]), "number beside");
        for (const auto& run : row.runs)
            out += cell(run ? run->cause : "", "most beside");
        return out + "</tr>\n";
    }

    std::string gap_html(const ListedFile& file, std::size_t begin, std::size_t end) const {
        const auto named = [&](std::size_t line) {
            const auto& numbers = file.lines[line].numbers;
            return numbers.back() != 0 ? numbers.back() : numbers.front();
        };
        const std::string what = end - begin == 1 ? fmt::format("line {}", named(begin))
                                                  : fmt::format("lines {} to {}", named(begin), named(end - 1));
        return fmt::format("<tr class=\"gap\" data-from=\"{}\"><td colspan=\"{}\">{}</td></tr>\n", begin,
                           two() ? 9 : 4 + listing_.beside.size(),
                           end - begin > kMostHidden ? what + ": not in this page" : what);
    }

    std::string file_html(std::size_t at) const {
        const ListedFile& file = listing_.files[at];
        std::string shares;
        bool open = at == 0;
        for (std::size_t r = 0; r < file.shares.size(); ++r) {
            open = open || file.shares[r] >= kOpen;
            shares += fmt::format("{}{}{}", r == 0 ? "" : ", ", percent(file.shares[r]),
                                  two() ? " in " + listing_.runs[r] : "");
        }
        std::string out = fmt::format("<details class=\"file\"{}>\n<summary>{}: {} of the issue slots{}</summary>\n",
                                      open ? " open" : "", html::text(file.name), html::text(shares),
                                      file.has_text ? "" : "; its text is not in the result");
        out += fmt::format("<div class=\"listing\" tabindex=\"0\"><table class=\"lines\" "
                           "data-file=\"{}\">\n<thead><tr>{}</tr></thead>\n<tbody>\n",
                           at, file_headings());
        for (std::size_t i = 0; i < file.lines.size();) {
            if (file.lines[i].shown) {
                out += line_html(file.lines[i++]);
                continue;
            }
            const std::size_t begin = i;
            while (i < file.lines.size() && !file.lines[i].shown)
                ++i;
            out += gap_html(file, begin, i);
        }
        return out + "</tbody></table></div>\n</details>\n";
    }

    const SourceListing& listing_;
    const std::string& anchor_;
    std::map<std::size_t, std::string> texts_;
    std::size_t cost_ = 0;
    double most_ = 0;
};

Json number_json(std::optional<double> value) {
    if (!value)
        return nullptr;
    if (*value == static_cast<double>(static_cast<std::int64_t>(*value)))
        return static_cast<std::int64_t>(*value);
    return static_cast<double>(static_cast<std::int64_t>(*value * 10000 + 0.5)) / 10000; // more is never shown
}

Json costs_json(const std::optional<ListedCosts>& costs) {
    if (!costs)
        return nullptr;
    Json values = Json::array(), stalls = Json::array(), instructions = Json::array();
    for (const auto& value : costs->values)
        values.push_back(number_json(value));
    for (const ListedStall& stall : costs->stalls)
        stalls.push_back({stall.cause, stall.slots, stall.producer ? Json(*stall.producer) : Json(nullptr)});
    for (const ListedInstruction& i : costs->instructions)
        instructions.push_back({i.pc, i.text, i.executions, number_json(i.lanes), i.slots, i.cause, i.path});
    return {{"values", values}, {"stalls", stalls}, {"instructions", instructions}};
}

// The lines of each gap, by the index of its first.
Json gaps_json(const ListedFile& file) {
    Json out = Json::object();
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
        if (file.lines[i].shown)
            continue;
        const std::size_t begin = i;
        Json lines = Json::array();
        for (; i < file.lines.size() && !file.lines[i].shown; ++i)
            lines.push_back({file.lines[i].numbers, file.lines[i].text});
        if (lines.size() <= kMostHidden)
            out[std::to_string(begin)] = std::move(lines);
    }
    return out;
}

} // namespace

std::string source_html(const SourceListing& listing, const std::string& anchor) {
    return SourceWriter(listing, anchor).take();
}

Json source_json(const SourceListing& listing, const std::string& anchor) {
    Json columns = Json::array(), rows = Json::array(), files = Json::array(), words = Json::object();
    for (const ProfileColumn& c : listing.columns)
        columns.push_back({{"name", c.name},
                           {"heading", c.heading},
                           {"unit", c.unit},
                           {"meaning", c.meaning},
                           {"decimals", c.decimals},
                           {"least", c.least_first},
                           {"kind", c.is_cause()     ? "cause"
                                    : c.is_counter() ? "counter"
                                                     : "figure"}});
    for (const ListedRow& row : listing.rows) {
        Json runs = Json::array();
        for (const auto& run : row.runs)
            runs.push_back(costs_json(run));
        rows.push_back({{"place", row.place}, {"runs", runs}});
    }
    for (const ListedFile& file : listing.files)
        files.push_back(gaps_json(file));
    for (const ListedCause& cause : listing.causes)
        words[cause.code] = cause_name(cause.code);
    return {{"id", anchor},   {"runs", listing.runs}, {"columns", columns}, {"beside", listing.beside},
            {"words", words}, {"rows", rows},         {"files", files}};
}

} // namespace heddle::report
