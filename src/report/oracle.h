// The gain of reconvergence at the best points: `heddle oracle` (DWF07 3.3).
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

// A row for each kernel, the kernel with the most instructions first, or a row for each launch; a total; the limits of
// the numbers.
[[nodiscard]] std::string oracle_table(const OracleResult&, bool by_launch = false);
// In the layout of schema/oracle.schema.json.
[[nodiscard]] std::string oracle_json(const OracleResult&);

// Machine, status and error of a text in that layout. Throws UserError when the text has another layout.
[[nodiscard]] Summary read_oracle_summary(std::string_view json_text);

} // namespace heddle::report
