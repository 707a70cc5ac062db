// What reconvergence at the best points would save: `heddle oracle` (DWF07 3.3).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "config/parameter.h"
#include "oracle/study.h"
#include "probe/thread_traces.h"
#include "report/summary.h"

namespace heddle::report {

struct OracleResult {
    std::string machine;
    std::map<std::string, config::Value, std::less<>> config; // Machine::values()
    std::uint64_t width = 32;                                 // of a warp
    probe::ThreadTraceOptions traced;
    std::uint32_t band = oracle::kBand;
    std::string status, error; // of the run, as in RESULT.json
    std::vector<oracle::LaunchStudy> launches;
};

// A row a kernel, the one that issues most first, or a row a launch; a total; how far the numbers can be trusted.
[[nodiscard]] std::string oracle_table(const OracleResult&, bool by_launch = false);
// In the layout of schema/oracle.schema.json.
[[nodiscard]] std::string oracle_json(const OracleResult&);

// How the run ended, of such a text: machine, status and error. Throws UserError when it is none.
[[nodiscard]] Summary read_oracle_summary(std::string_view json_text);

} // namespace heddle::report
