// What experiments have beside them: DEVIATIONS.md and published.csv.
#include "experiment/note_numbers.h"
#include "experiment/published.h"
#include "target.h"

using namespace heddle;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto file = fuzz::file_of("notes", data, size);
    fuzz::read_or_refuse([&] { (void)experiment::read_notes(file); });
    fuzz::read_or_refuse([&] {
        for (const experiment::Published& row : experiment::read_published(file))
            (void)experiment::published_number(row.value);
    });
    fuzz::read_or_refuse([&] {
        const auto value = [](const std::string&, const std::string& series, const std::string&) {
            return series.empty() ? std::nullopt : std::optional(series.front() - 100.25);
        };
        (void)experiment::fill_in_numbers(fuzz::text_of(data, size), value);
    });
    return 0;
}
