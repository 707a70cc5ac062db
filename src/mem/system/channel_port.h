// The port of a slice to its DRAM channel, or to its channels: requests with the channel's addresses and clock, and the
// dirty lines that the slice has evicted and that wait for room in the channel. They go first: a line is fetched only
// when none waits. There is room when every channel of the slice has room.
#pragma once

#include <algorithm>
#include <bit>
#include <cassert>
#include <utility>
#include <vector>

#include "base/clock_ratio.h"
#include "base/ring_queue.h"
#include "mem/cache/tags.h"
#include "mem/dram/channel.h"
#include "mem/system/interleave.h"
#include "mem/system/transaction.h"

namespace heddle::mem {

class ChannelPort {
public:
    // The channel's id of a request is the number of its slice and, in the lowest bits, the slice's id.
    static constexpr unsigned kIdBits = kTransactionBits;
    static constexpr std::uint32_t kNoWaiter = (1U << kIdBits) - 1; // id of a request that no transaction waits for

    // `line`, `sector`: bytes; `sector` 0: lines are moved as a whole. `clock`: the channel's beside the core's.
    // `channels`: of the slice, in order. Addresses are those within the slice.
    ChannelPort(unsigned slice, std::uint64_t line, const Interleave& interleave, const ClockRatio& clock,
                std::vector<DramChannel*> channels, std::uint64_t sector = 0)
        : slice_(slice), line_(line), sector_(sector), interleave_(interleave), clock_(clock),
          channels_(std::move(channels)), channel_(*channels_.front()) {
        assert(channels_.size() == interleave_.channels_of_slice());
    }

    [[nodiscard]] unsigned slice() const {
        return slice_;
    }
    [[nodiscard]] const Interleave& interleave() const {
        return interleave_;
    }
    [[nodiscard]] bool accepts() const {
        return channel_.accepts() && (channels_.size() == 1 || others_accept());
    }
    // Whether the channel takes the fetch of a line.
    [[nodiscard]] bool can_fetch() const {
        return evicted_.empty() && accepts();
    }
    // Whether dirty lines wait for the channel.
    [[nodiscard]] bool has_evicted() const {
        return !evicted_.empty();
    }
    // Passes a request to the channel, which accepts() it.
    void push(std::uint32_t id, Address address, std::uint64_t bytes, DramUse use, unsigned operations, Cycle now);
    // Fetches the line of an address, or some of its sectors.
    void fetch(std::uint32_t id, Address address, Cycle now, SectorMask sectors = 0) {
        const Part part = part_of(address & ~(line_ - 1), sectors);
        push(id, part.address, part.bytes, DramUse::Read, 1, now);
    }
    // A line has left the cache. A dirty line waits until write_back().
    void evict(const Victim& victim) {
        if (victim.dirty)
            evicted_.push(part_of(victim.address, victim.sectors));
    }
    // Writes evicted lines as far as the channel accepts them.
    void write_back(Cycle now) {
        while (!evicted_.empty() && accepts()) {
            const Part part = evicted_.pop();
            push(kNoWaiter, part.address, part.bytes, DramUse::Write, 1, now);
        }
    }

private:
    struct Part { // of a line
        Address address = 0;
        std::uint64_t bytes = 0;
    };
    // Some sectors of a line, as if they were side by side; no sectors: the whole line.
    [[nodiscard]] Part part_of(Address line, SectorMask sectors) const {
        if (sectors == 0)
            return {line, line_};
        return {line + static_cast<unsigned>(std::countr_zero(sectors)) * sector_,
                static_cast<unsigned>(std::popcount(sectors)) * sector_};
    }

    [[nodiscard]] bool others_accept() const {
        return std::all_of(channels_.begin() + 1, channels_.end(), [](const DramChannel* c) { return c->accepts(); });
    }

    unsigned slice_;
    std::uint64_t line_, sector_;
    Interleave interleave_;
    ClockRatio clock_;
    std::vector<DramChannel*> channels_;
    DramChannel& channel_;    // the first one
    RingQueue<Part> evicted_; // of dirty lines
};

} // namespace heddle::mem
