// Sweeps of experiment files: [[sweep]] tables, each an axis of settings or points.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiment/experiment.h"
#include "experiment/fields.h"

namespace heddle::experiment {

struct Sweep {
    std::vector<Setting> values;
    bool of_settings = false; // its values are added to settings, not to points
};

class SweepReader {
public:
    SweepReader(std::filesystem::path file, Problems& problems) : file_(std::move(file)), problems_(problems) {}

    [[nodiscard]] Sweep read(const toml::table&);
    // A list of machines: a setting for each, named by the machine.
    [[nodiscard]] std::vector<Setting> read_machines(Fields&, std::string_view key);

private:
    struct SweepValue {
        std::vector<std::string> texts; // one for each key
        std::string where;
    };
    [[nodiscard]] std::vector<SweepValue> read_values(Fields&, std::size_t keys);
    void read_range(const toml::table&, std::vector<SweepValue>& to);
    void read_list(const toml::array&, std::size_t keys, std::vector<SweepValue>& to);
    void check_keys(Fields&, std::string_view key, const std::vector<std::string>& names);
    void rename(Fields&, std::vector<Setting>&);

    std::filesystem::path file_;
    Problems& problems_;
};

// Each of `left` with each of `right`, which has priority: "gtx480, 64".
[[nodiscard]] std::vector<Setting> product(const std::vector<Setting>& left, const std::vector<Setting>& right);

} // namespace heddle::experiment
