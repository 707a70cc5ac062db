// The parts of a RESULT.json for pages: summary, settings, statistics and views over time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "report/profile.h"
#include "report/summary.h"

namespace heddle::report {

struct StoredSetting {
    std::string key, value, origin;
};

struct StoredBlock { // resident from `start` to before `end`
    std::uint64_t sm = 0, slot = 0, launch = 0, block = 0, start = 0, end = 0;
};

struct StoredSample {
    std::uint64_t sm = 0, cycle = 0;
    double warps = 0, requests = 0, ipc = 0;
};

struct StoredTimeline {
    std::vector<StoredBlock> blocks;
    std::vector<StoredSample> samples;
    std::uint64_t blocks_left_out = 0;
};

struct StoredRun {
    std::string file;            // as it was named
    std::string version, commit; // of the simulator that wrote it
    Summary summary;
    std::vector<StoredSetting> settings;                               // by key
    std::vector<std::pair<std::string, std::optional<double>>> values; // counters and ratios: "dcache.hit_rate"
    std::optional<StoredTimeline> timeline;
    std::optional<Profile> profile; // of a run with --profile

    // Nothing when the name is unknown or has no value.
    [[nodiscard]] std::optional<double> value(std::string_view statistic) const;
    [[nodiscard]] std::string setting(std::string_view key) const; // empty when there is no such setting
    [[nodiscard]] std::string stem() const;                        // the file's name without folder and ".json"
};

// `file` is for messages. Throws UserError with what the text is when it is not a RESULT.json of this layout.
[[nodiscard]] StoredRun read_stored_run(std::string_view text, std::string file);

} // namespace heddle::report
