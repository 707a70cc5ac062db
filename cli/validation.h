// What the microbenchmarks of a machine's validation measure, beside what is published of the chip.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::cli {

// A published value of a chip. Of `percent` and `units` the wider bound counts.
struct PublishedValue {
    std::string benchmark, source;
    double value = 0;
    double percent = 0; // tolerance, of the value
    double units = 0;   // tolerance, in the unit of the benchmark
    std::string fails;  // why the machine is known to be further away; empty: it is not

    [[nodiscard]] bool is_of_kernel() const { // else of a microbenchmark
        return benchmark.starts_with("kernel.");
    }
};

// A line that a microbenchmark prints: NAME VALUE UNIT.
struct Measurement {
    std::string benchmark, unit;
    double value = 0;
};

struct Comparison {
    Measurement here;
    std::optional<PublishedValue> published; // empty: nothing is published

    [[nodiscard]] bool is_within() const;
    [[nodiscard]] double percent_off() const;
    // "yes", "no", "known": outside as the file of published values says, "no longer": within although that says not;
    // empty without a published value.
    [[nodiscard]] std::string_view verdict() const;
};

// Reads a file of published values. Throws UserError with the place of what is wrong.
[[nodiscard]] std::vector<PublishedValue> read_published_values(const std::filesystem::path&);
// The file of a machine's published values, which need not be there, and its values.
[[nodiscard]] std::filesystem::path published_file_of(std::string_view machine);
[[nodiscard]] std::vector<PublishedValue> published_values_of(std::string_view machine);
// The measurements in what a program has printed.
[[nodiscard]] std::vector<Measurement> measurements_in(std::string_view output);
// In the order of the measurements. Throws UserError when a published value has none, if they are `all`.
[[nodiscard]] std::vector<Comparison> compare(const std::vector<Measurement>&, const std::vector<PublishedValue>&,
                                              bool all);

[[nodiscard]] std::string comparison_table(const std::vector<Comparison>&);
[[nodiscard]] std::string comparison_csv(const std::vector<Comparison>&);
// One line: how many values are within, and the mean of the differences.
[[nodiscard]] std::string comparison_summary(const std::vector<Comparison>&);

} // namespace heddle::cli
