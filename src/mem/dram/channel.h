// The contract of a memory channel, between the network and the banks.
//
// The owner keeps this order in every cycle of the channel's clock, and never goes back in time:
//   1. when now >= wake: catch_up(now); then take what is due of `done`
//   2. push(), as often as accepts()
// A request takes part in decisions from the next cycle on, so results do not depend on the order of push() and
// catch_up() of one cycle. Room in the queue comes only in catch_up(): once accepts() is false it stays false until the
// next catch_up(), and no owner polls it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>

#include "base/ring_queue.h"
#include "base/types.h"
#include "mem/dram/config.h"
#include "mem/dram/dram.h"

namespace heddle::mem {

struct DramRequest {
    std::uint32_t id;    // the owner's; comes back in Done
    Address address;     // byte of the channel, from 0 without gaps
    std::uint32_t bytes; // at least 1, within one row
    DramUse use;
    unsigned operations = 1; // most atomic operations on one word of an Atomic; the memory does one a cycle
    bool silent = false;     // a write whose completion is of no interest: it comes back in no Done
};

class DramChannel {
public:
    struct Done {
        Cycle at;
        std::uint32_t id;
        DramUse use;
    };

    DramChannel() = default;
    virtual ~DramChannel() = default;
    DramChannel(const DramChannel&) = delete;
    DramChannel& operator=(const DramChannel&) = delete;

    // Whether its queue has room.
    [[nodiscard]] virtual bool accepts() const = 0;
    virtual void push(const DramRequest& request, Cycle now) = 0;
    // Does all its work up to cycle `now`.
    virtual void catch_up(Cycle now) = 0;
    [[nodiscard]] virtual DramStats& stats() = 0;

    // The next cycle in which there is work; kept by the channel. What it does then may complete a request `lookahead`
    // cycles later at the earliest.
    Cycle wake = kNever;
    Cycle lookahead = 0;
    // Completions that are known, in order of time, for the owner to take when they are due: a read when its last byte
    // is there, a write when its last byte is at the bank, an atomic when its last operation is done and the old values
    // are there.
    RingQueue<Done> done;
    [[nodiscard]] Cycle done_at() const { // of the first
        return done.empty() ? kNever : done.front().at;
    }
    // A bound for an owner that does not wait for room: nothing is done before it.
    [[nodiscard]] Cycle may_be_done_at() const {
        return std::min(done_at(), wake == kNever ? kNever : wake + lookahead);
    }
};

// The channel that dram.model names, for a config without problems(). Its clock is the core's for "simple", the
// command clock (dram.clock_mhz) for "timed"; the owner converts.
[[nodiscard]] std::unique_ptr<DramChannel> make_dram_channel(const DramConfig& config);

} // namespace heddle::mem
