// The warp-splits of an SM and the warps that they belong to (MAWS 5.4): the warp-split tables.
//
// A warp-split is an issue unit. One that was merged into another while memory kept some of its threads, or ended
// before all that it had sent for was there, leaves its number behind, reserved until the last of its flights is back:
// flights name units.
#pragma once

#include <algorithm>
#include <vector>

#include "formation/reconvergence_stack.h"
#include "warp/unit_table.h"

namespace heddle::formation {

struct WarpSplit {
    warp::Part part;
    Point at = kNoPoint;       // of an access while its data are on their way, else of what comes next
    std::uint64_t count = 0;   // instructions executed: order of the warp-splits of a warp (5.4)
    std::uint32_t mfc = 0;     // miss-free cycles since its last miss (5.4.3)
    std::uint32_t latency = 0; // of its last miss
    std::uint16_t waits = 0;   // flights that it waits for, also of those that were merged into it
    std::uint16_t lags = 0;    // the same of flights with which it does not wait (flight.committed)
    bool parked = false;       // before a branch, for the rest of its warp
};

// A warp: its stack and its warp-splits, oldest first.
struct SplitWarp {
    using Stack = ReconvergenceStack<LaneMask>;
    Stack stack;          // `running` holds the active threads, whichever warp-split they are in
    LaneMask waiting = 0; // at a barrier or for the rest of their PTX warp
    std::vector<UnitId> splits;
    std::uint64_t furthest = 0; // count of the foremost that the row ever had: a new warp counts on from there
    std::uint64_t birth = 0;
};

class WarpSplits {
public:
    WarpSplits(warp::UnitTable& units, unsigned rows, unsigned width, const StackConfig& stack);

    [[nodiscard]] SplitWarp& warp_of(UnitId unit) {
        return warps_[splits_[unit].part.row];
    }
    [[nodiscard]] SplitWarp& warp(RowId row) {
        return warps_[row];
    }
    [[nodiscard]] const SplitWarp& warp(RowId row) const {
        return warps_[row];
    }
    [[nodiscard]] WarpSplit& operator[](UnitId unit) {
        return splits_[unit];
    }
    [[nodiscard]] const WarpSplit& operator[](UnitId unit) const {
        return splits_[unit];
    }
    [[nodiscard]] unsigned count() const { // of the SM
        return units_.alive.count();
    }

    // The threads of a row begin to live, in one warp-split: the row's number, if it is free.
    UnitId begin_warp(const warp::Part& row, Pc entry, std::uint16_t block, std::uint32_t latency);
    // It becomes the only one of its warp, of all threads that run now; it keeps its counters.
    void restart(UnitId unit);
    // A new warp-split, which is younger than all others.
    UnitId create(const WarpSplit& split, std::uint16_t block);
    // It has no threads any more.
    void end(UnitId unit);
    // The threads of `from` join `into`, and with them the flights that they wait for.
    void merge(UnitId from, UnitId into);

    // Whose threads those of a flight are that names `unit`.
    [[nodiscard]] UnitId holder(UnitId unit) const {
        return joined_[unit] == kNoUnit ? unit : joined_[unit];
    }
    // A flight of `unit` has left to wait for memory; `committed`: without the unit.
    void flight_left(UnitId unit, bool committed = false) {
        ++flights_[unit];
        ++(committed ? splits_[unit].lags : splits_[unit].waits);
    }
    [[nodiscard]] bool has_flights(UnitId unit) const {
        return flights_[unit] != 0;
    }
    // A flight that names `unit` is back; its holder, which may have ended. A number that was only reserved may be free
    // now.
    UnitId flight_returned(UnitId unit, bool committed = false);

    // The unit's row of the unit table: its PC and threads; `show`: and whether it can go on.
    void describe(UnitId unit) {
        const WarpSplit& s = splits_[unit];
        units_.pc[unit] = s.at.pc;
        units_.threads[unit] = static_cast<std::uint16_t>(count_lanes(s.part.lanes));
    }
    void show(UnitId unit) {
        describe(unit);
        const WarpSplit& s = splits_[unit];
        units_.eligible.put(unit, s.waits == 0 && !s.parked && (s.part.lanes & warp_of(unit).waiting) == 0);
    }

    // The one that is furthest behind goes first (5.4); a warp that is whole takes its turn. `boost`: of a warp that is
    // not.
    void boost(const SplitWarp& w);
    void rank(const SplitWarp& w) {
        if (w.splits.size() > 1)
            boost(w);
        else if (!w.splits.empty())
            units_.boosted.erase(w.splits.front());
    }

private:
    UnitId place(UnitId unit, const WarpSplit& split, std::uint16_t block, std::uint64_t birth);
    // Whose threads are with those of `from` is with those of `to`, or, without a number, with nobody.
    void redirect(UnitId from, UnitId to);
    // From its warp; its number stays reserved while flights name it.
    void remove(UnitId unit);
    void release(UnitId unit);

    warp::UnitTable& units_;
    std::vector<WarpSplit> splits_;
    std::vector<SplitWarp> warps_;
    std::vector<std::uint16_t> flights_; // by number, that wait for memory and name it
    std::vector<UnitId> joined_;         // by reserved number: where its threads are, if they are in a warp-split
    UnitSet reserved_;                   // numbers that have one
    UnitSet free_;
    std::uint64_t births_ = 0;
};

} // namespace heddle::formation
