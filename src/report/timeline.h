// The timelines of a run: as a file for a trace viewer, and as data in RESULT.json.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "report/result.h"

namespace heddle::report {

// The trace event format that ui.perfetto.dev and chrome://tracing open (docs/timeline.md). A cycle is a microsecond.
void write_trace_events(std::ostream&, const RunResult&);

// `timeline` of RESULT.json.
[[nodiscard]] std::string timeline_lines(const RunResult&);

// Global ids of a sample's resident blocks, the block whose units go first at the front; empty where blocks have no
// order.
[[nodiscard]] std::vector<std::uint64_t> block_order(const probe::Timeline&, const probe::Sample&);

// The number of events that were left out, in a sentence for the user; empty when no event was left out.
[[nodiscard]] std::string timeline_losses(const RunResult&);

} // namespace heddle::report
