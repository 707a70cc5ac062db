// Formations with the settings that change what they do, and how a program is run under them.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "generator.h"
#include "runtime/device.h"

namespace heddle::properties {

// A formation and settings of its own.
struct Variant {
    std::string formation;
    std::vector<std::string> settings = {};
    bool home_lanes = true; // its groups have one thread a home lane at most
};

// In letters, digits and underscores.
[[nodiscard]] std::string test_name(const Variant& variant);
void PrintTo(const Variant& variant, std::ostream* out);

// Those of all registered formations. One that is not listed here goes with its defaults.
[[nodiscard]] std::vector<Variant> variants();

// Machines and launches: Table 1's width and two narrower ones, and blocks that fill rows or do not.
struct Setting {
    std::string machine;
    std::vector<std::string> settings;
    Shape shape;
};
[[nodiscard]] const std::vector<Setting>& all_settings();
// The same with the scoreboarded core, one scheduler or several.
[[nodiscard]] const std::vector<Setting>& scoreboard_settings();

// What a run leaves, beside the cycles that it takes.
struct Outcome {
    Cycle cycles = 0;
    std::uint64_t thread_instructions = 0;
    std::vector<std::uint32_t> cells, spread, counters;
    nlohmann::json result; // RESULT.json
    std::string refused;   // why the machine or the launch is refused; then nothing else is set
};
[[nodiscard]] Outcome run_on(const std::string& machine, const std::vector<std::string>& settings,
                             const Program& program);

// `settings` with the variant chosen, behind the formation that checks it where `checked` is set.
[[nodiscard]] std::vector<std::string> with(std::vector<std::string> settings, const Variant& variant, bool checked);

// How many random programs a test tries: `usual`, times HEDDLE_PROPERTY_FACTOR in the environment.
[[nodiscard]] std::uint64_t programs(std::uint64_t usual);
// The number of the first, HEDDLE_PROPERTY_SEED in the environment, 1 when it is not set.
[[nodiscard]] std::uint64_t first_seed();

} // namespace heddle::properties
