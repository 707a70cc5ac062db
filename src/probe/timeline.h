// The events of one SM over time (docs/timeline.md). A recorded core reports its events here; other cores have no
// timeline.
//
// The number of events is bounded: a quarter each is for blocks, spans of units, memory requests and samples. Blocks,
// spans and requests beyond their quarter are counted and left out. Each SM has a timeline of its own, so recording
// does not depend on the order in which SMs are simulated.
#pragma once

#include "probe/request_log.h"
#include "probe/residency.h"
#include "probe/unit_spans.h"

namespace heddle::probe {

struct TimelineOptions {
    static constexpr std::uint64_t kFewestEvents = 1000;
    std::uint64_t events = 200'000; // of all SMs
    Cycle sample = 1000;            // cycles from sample to sample
    Cycle gap = 64;                 // see UnitSpans
    CycleRange range = {};          // events of other cycles are not kept
};

struct SmShape {
    unsigned units, rows, slots; // issue units, home rows, blocks
};

class Timeline {
public:
    // `sms`: the number of SMs that share the events.
    Timeline(const TimelineOptions& options, std::uint64_t sms, const SmShape& shape)
        : range(options.range), units(options.events / 4 / sms, options.gap, shape.units, range),
          requests(options.events / 4 / sms, range),
          residency(options.events / 4 / sms, options.sample, shape.rows, shape.slots, range) {}

    // `block_order`: as Residency::sample().
    void sample(Cycle clock, std::span<const std::uint64_t> block_order) {
        residency.sample(clock, block_order, requests.open());
    }
    // A launch has ended, or was stopped, before cycle `now`.
    void end_launch(Cycle now, std::span<const std::uint64_t> block_order) {
        residency.end_launch(now, block_order, requests.open());
        units.end(now);
        requests.end(now);
    }

    const CycleRange range;
    UnitSpans units;
    RequestLog requests;
    Residency residency;
};

} // namespace heddle::probe
