// What happened on one SM over time. A core that is recorded tells it in its own words and at its own moments
// (docs/timeline.md); one that is not holds none.
//
// It is bounded: of its events a quarter each is for blocks, spans of units, memory requests and samples. Of the first
// three those that come too late are counted and left out. An SM records for itself, so that nothing depends on the
// order in which SMs are simulated.
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
};

struct SmShape {
    unsigned units, rows, slots; // issue units, home rows, blocks
};

class Timeline {
public:
    // `sms`: that share the events.
    Timeline(const TimelineOptions& options, std::uint64_t sms, const SmShape& shape)
        : units(options.events / 4 / sms, options.gap, shape.units), requests(options.events / 4 / sms),
          residency(options.events / 4 / sms, options.sample, shape.rows, shape.slots) {}

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

    UnitSpans units;
    RequestLog requests;
    Residency residency;
};

} // namespace heddle::probe
