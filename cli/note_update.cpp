#include "note_update.h"

#include <algorithm>
#include <optional>

#include "base/output_file.h"
#include "child.h"
#include "experiment/note_numbers.h"

namespace heddle::cli {

namespace {

std::optional<double> value_in(const std::vector<report::Figure>& figures, const std::string& id,
                               const std::string& series, const std::string& category) {
    for (const report::Figure& figure : figures) {
        if (figure.id != id)
            continue;
        const auto at = std::find(figure.categories.begin(), figure.categories.end(), category);
        const auto of = std::find_if(figure.series.begin(), figure.series.end(),
                                     [&](const report::Series& s) { return s.name == series; });
        const auto index = static_cast<std::size_t>(at - figure.categories.begin());
        if (at != figure.categories.end() && of != figure.series.end() && index < of->values.size())
            return of->values[index];
    }
    return std::nullopt;
}

} // namespace

NoteUpdate hold_notes_against(const std::vector<report::Figure>& figures, const std::filesystem::path& page,
                              bool write) {
    const experiment::NoteNumbers numbers = experiment::fill_in_numbers(
        read_file(page), [&](const std::string& figure, const std::string& series, const std::string& category) {
            return value_in(figures, figure, series, category);
        });
    if (write && numbers.changed != 0)
        write_file(page.string(), numbers.text);
    NoteUpdate out{numbers.changed, {}};
    for (const std::string& problem : numbers.problems)
        out.problems.push_back(page.string() + ":" + problem);
    return out;
}

} // namespace heddle::cli
