// The hardware cost of the formation and the scheduler of a machine: `heddle cost`.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "config/parameter.h"
#include "cost/hardware_cost.h"

namespace heddle::report {

struct CostPart {
    std::string role, name;                       // "formation", "pdom"
    std::vector<cost::HardwareCost> structures{}; // of an SM; empty when no paper counts any
};

struct CostResult {
    std::string machine;
    std::map<std::string, config::Value, std::less<>> config; // Machine::values()
    std::uint64_t sms = 1;
    std::vector<CostPart> parts;
};

// A row for each structure, a total for an SM and for all SMs, and the meaning of the marks.
[[nodiscard]] std::string cost_table(const CostResult&);
// In the layout of schema/cost.schema.json.
[[nodiscard]] std::string cost_json(const CostResult&);

} // namespace heddle::report
