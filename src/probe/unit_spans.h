// The activity of the units of an SM over time: spans in which a unit ran, and spans in which it waited (LWM10 Figure
// 7, LWM11 Figure 8).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/types.h"
#include "base/unit_set.h"
#include "probe/cycle_range.h"

namespace heddle::probe {

enum class Activity : std::uint8_t { Running, Memory, Barrier, WarpSync, Instructions };
inline constexpr std::array<const char*, 5> kActivityNames = {"running", "memory", "barrier", "warp_sync",
                                                              "instructions"};

// In the place of a block's global id, for units with threads of several blocks.
inline constexpr std::uint64_t kNoBlock = ~std::uint64_t{0};

struct UnitSpan {
    Cycle start = 0, end = 0; // cycles from `start` up to `end` - 1
    std::uint64_t block = kNoBlock;
    std::uint32_t instructions = 0; // groups that the unit issued in the span
    std::uint32_t threads = 0;      // in all of them
    Pc pc = kNoPc;                  // of the first instruction; in a wait, of the instruction that waits
    UnitId unit = 0;
    Activity activity = Activity::Running;
};

class UnitSpans {
public:
    // Keeps `limit` spans. A unit that issues again within `gap` cycles has not stopped running.
    UnitSpans(std::size_t limit, Cycle gap, unsigned units, CycleRange range = {})
        : limit_(limit), gap_(gap), range_(range),
          now_(units), waiting_{UnitSet(), UnitSet(units), UnitSet(units), UnitSet(units), UnitSet(units)} {}

    // A group of `threads` threads of the unit, of that block, executes in cycle `now`.
    void issued(UnitId unit, std::uint64_t block, Pc pc, unsigned threads, Cycle now);
    // From cycle `now` on the unit waits. A unit may wait for several flights in memory, and goes on with the last of
    // them. With several reasons, the first reason counts, then memory.
    void waits(UnitId unit, Activity why, Cycle now);
    // No effect on a unit that does not wait for this reason. A unit that issues has gone on, unless it waits for
    // memory.
    void goes_on(UnitId unit, Activity why, Cycle now);
    // The units that wait for this reason.
    [[nodiscard]] const UnitSet& waiting(Activity why) const {
        return waiting_[static_cast<std::size_t>(why)];
    }
    // Ends what is open, waits in cycle `now`.
    void end(Cycle now);

    [[nodiscard]] std::span<const UnitSpan> spans() const { // in the order in which they ended
        return spans_;
    }
    [[nodiscard]] std::uint64_t dropped() const {
        return dropped_;
    }

private:
    struct Unit {
        bool active = false; // `span` is open
        UnitSpan span;
        Cycle last = 0; // the last issue: cycle, block, instruction
        std::uint64_t block = kNoBlock;
        Pc pc = kNoPc;
        std::uint32_t aside = 0; // flights in memory
        [[nodiscard]] bool runs() const {
            return active && span.activity == Activity::Running;
        }
    };

    [[nodiscard]] UnitSet& waiting_for(Activity why) {
        return waiting_[static_cast<std::size_t>(why)];
    }
    static void begin(Unit& unit, UnitId id, Activity activity, Cycle now);
    void close(Unit& unit, Cycle end);

    std::size_t limit_;
    Cycle gap_;
    CycleRange range_;      // other spans are not kept
    std::vector<Unit> now_; // by id
    std::array<UnitSet, kActivityNames.size()> waiting_;
    std::vector<UnitSpan> spans_;
    std::uint64_t dropped_ = 0;
};

} // namespace heddle::probe
