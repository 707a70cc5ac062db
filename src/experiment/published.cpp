#include "experiment/published.h"

#include <charconv>
#include <fstream>

#include <fmt/format.h>

#include "base/source.h"
#include "experiment/note_numbers.h"

namespace heddle::experiment {

namespace {

// The fields of a line in the format of RFC 4180, one record a line.
std::vector<std::string> csv_fields(const std::string& line) {
    std::vector<std::string> out(1);
    bool quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char c = line[i];
        if (quoted && c == '"' && i + 1 < line.size() && line[i + 1] == '"')
            out.back() += line[++i];
        else if (c == '"')
            quoted = !quoted;
        else if (c == ',' && !quoted)
            out.emplace_back();
        else if (c != '\r')
            out.back() += c;
    }
    return out;
}

} // namespace

std::vector<Published> read_published(const std::filesystem::path& path) {
    std::ifstream in(path);
    if (!in)
        throw UserError(fmt::format("{}: cannot be read", path.string()));
    std::vector<Published> out;
    std::string line;
    for (std::size_t number = 1; std::getline(in, line); ++number) {
        const std::vector<std::string> f = csv_fields(line);
        if (f.size() != 7)
            throw UserError(
                fmt::format("{}:{}: {} fields, not the seven of paper,figure,quantity,subject,versus,value,unit",
                            path.string(), number, f.size()));
        if (number > 1)
            out.push_back({f[0], f[1], f[2], f[3], f[4], f[5], f[6]});
    }
    return out;
}

Notes read_notes(const std::filesystem::path& path) {
    std::ifstream in(path);
    Notes out;
    std::string figure, paragraph;
    std::vector<std::string> rows; // rows of the following paragraphs: adjacent headings
    bool rows_have_text = false;
    const auto end_paragraph = [&] {
        if (!paragraph.empty() && !rows.empty()) {
            for (const std::string& row : rows) {
                std::string& note = out.rows[figure][row];
                note += (note.empty() ? "" : " ") + paragraph;
            }
            rows_have_text = true;
        } else if (!paragraph.empty() && !figure.empty()) {
            out.figures[figure].push_back(paragraph);
        }
        paragraph.clear();
    };
    for (std::string line; std::getline(in, line);) {
        line = without_references(std::move(line));
        line.erase(line.find_last_not_of(" \r") + 1);
        const bool heading = line.starts_with('#');
        if (line.empty() || heading)
            end_paragraph();
        if (line.starts_with("### ")) {
            if (rows_have_text)
                rows.clear();
            rows_have_text = false;
            rows.push_back(line.substr(4));
        } else if (heading) {
            figure = line.starts_with("## ") ? line.substr(3) : "";
            rows.clear();
        } else if (!line.empty()) {
            paragraph += (paragraph.empty() ? "" : " ") + line;
        }
    }
    end_paragraph();
    return out;
}

std::string note_heading(const Published& row) {
    std::string out = row.quantity + ", " + row.subject;
    return row.versus.empty() ? out : out + ", " + row.versus;
}

std::optional<double> published_number(const std::string& text) {
    double out = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
    if (error != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return out;
}

} // namespace heddle::experiment
