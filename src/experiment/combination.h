// A combination of an experiment's program, setting and point: its machine, and whether conditions leave it out.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "config/machine_variants.h"
#include "experiment/experiment.h"

namespace heddle::experiment {

[[nodiscard]] const std::string& machine_of(const Setting&, const Setting& point);
// KEY=VALUE of the setting, then of the point.
[[nodiscard]] std::vector<std::string> settings_of(const Setting&, const Setting& point);
// The options of the program without its seed: its own, then those of the setting and the point.
[[nodiscard]] std::vector<std::string> arguments_of(const Program&, const Setting&, const Setting& point);

// "lwm11" of a shipped machine; "mine" of a file .../mine.toml.
[[nodiscard]] std::string machine_name(const std::string& machine);
// The names that conditions may use.
[[nodiscard]] Condition::Names names_for_conditions(const Experiment&);

// Whether all conditions hold. `machine` is that of the setting and the point; of experiments without programs,
// `program` is not used.
[[nodiscard]] bool is_included(const Experiment&, std::size_t program, std::size_t setting, std::size_t point,
                               const config::Machine&);

// Machines by file, each file read once.
class Machines {
public:
    [[nodiscard]] config::MachineVariants& of(const std::string& machine) {
        return machines_.try_emplace(machine, machine).first->second;
    }

private:
    std::map<std::string, config::MachineVariants> machines_;
};

} // namespace heddle::experiment
