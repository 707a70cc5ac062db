// The published values of the papers (experiments/published.csv), and the notes about them (DEVIATIONS.md).
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace heddle::experiment {

struct Published {
    std::string paper, figure, quantity, subject, versus, value, unit;
};

// Throws UserError: no such file, or a line that has not seven fields.
[[nodiscard]] std::vector<Published> read_published(const std::filesystem::path&);

// Paragraphs of DEVIATIONS.md: "## lwm11-8" begins the notes of a figure; inside it "### mean IPC gain, LWM 256, pdom
// rr" begins the notes of a published row: quantity, subject and versus, the last left out where the row has none.
struct Notes {
    std::map<std::string, std::vector<std::string>> figures;        // by id
    std::map<std::string, std::map<std::string, std::string>> rows; // by id, then by heading
};
// Empty when there is no such file.
[[nodiscard]] Notes read_notes(const std::filesystem::path&);
[[nodiscard]] std::string note_heading(const Published&);
// A published value as a number; nothing where it is a word, a range or a list.
[[nodiscard]] std::optional<double> published_number(const std::string& value);

} // namespace heddle::experiment
