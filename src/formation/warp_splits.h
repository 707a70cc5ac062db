// The warp-splits of an SM and the warps that they belong to (MAWS 5.4): the warp-split tables.
//
// A warp-split is an issue unit. Flights name units. So the number of a warp-split stays reserved, until its last
// flight is back, when it merges into another or ends while flights of it wait for memory.
#pragma once

#include <algorithm>
#include <vector>

#include "formation/reconvergence_stack.h"
#include "warp/unit_table.h"

namespace heddle::formation {

struct WarpSplit {
    warp::Part part;
    Point at = kNoPoint;       // PC of an access while its data are on their way, else of the next instruction
    std::uint64_t count = 0;   // instructions executed: order of the warp-splits of a warp (5.4)
    std::uint32_t mfc = 0;     // miss-free cycles since its last miss (5.4.3)
    std::uint32_t latency = 0; // latency of its last miss
    std::uint16_t waits = 0;   // flights that it waits for, also of warp-splits that merged into it
    std::uint16_t lags = 0;    // flights without a wait (flight.committed), also of merged warp-splits
    bool parked = false;       // waits before a branch for the rest of its warp
};

// A warp: its stack and its warp-splits, oldest first.
struct SplitWarp {
    using Stack = ReconvergenceStack<LaneMask>;
    Stack stack;          // `running` holds the active threads of all warp-splits
    LaneMask waiting = 0; // threads at a barrier, or waiting for the rest of their PTX warp
    std::vector<UnitId> splits;
    std::uint64_t furthest = 0; // the largest count that the row ever had: a new warp counts on from it
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
    [[nodiscard]] unsigned count() const { // warp-splits of the SM
        return units_.alive.count();
    }

    // Starts the threads of a row, in one warp-split. Its number is the row's number, if that is free.
    UnitId begin_warp(const warp::Part& row, Pc entry, std::uint16_t block, std::uint32_t latency);
    // The unit becomes the only warp-split of its warp, with all running threads. It keeps its counters.
    void restart(UnitId unit);
    // Makes a warp-split, which is younger than all others.
    UnitId create(const WarpSplit& split, std::uint16_t block);
    // Ends a warp-split without threads.
    void end(UnitId unit);
    // Moves the threads of `from` to `into`, with the flights that they wait for.
    void merge(UnitId from, UnitId into);

    // The warp-split that has the threads of flights that name `unit`.
    [[nodiscard]] UnitId holder(UnitId unit) const {
        return joined_[unit] == kNoUnit ? unit : joined_[unit];
    }
    // A flight of `unit` waits for memory from now on. `committed`: the unit does not wait.
    void flight_left(UnitId unit, bool committed = false) {
        ++flights_[unit];
        ++(committed ? splits_[unit].lags : splits_[unit].waits);
    }
    [[nodiscard]] bool has_flights(UnitId unit) const {
        return flights_[unit] != 0;
    }
    // A flight that names `unit` is back. Returns its holder, which may have ended. The number of `unit` may become
    // free.
    UnitId flight_returned(UnitId unit, bool committed = false);

    // Updates the unit's entry of the unit table: PC and threads; `show`: also whether it can continue.
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

    // The warp-split that is furthest behind goes first (5.4); a warp that is not divided has no priority. boost() is
    // for a divided warp.
    void boost(const SplitWarp& w);
    void rank(const SplitWarp& w) {
        if (w.splits.size() > 1)
            boost(w);
        else if (!w.splits.empty())
            units_.boosted.erase(w.splits.front());
    }

private:
    UnitId place(UnitId unit, const WarpSplit& split, std::uint16_t block, std::uint64_t birth);
    // Threads of flights that name `from` belong to `to` from now on; without a unit `to`, to no warp-split.
    void redirect(UnitId from, UnitId to);
    // Removes a warp-split from its warp. Its number stays reserved while flights name it.
    void remove(UnitId unit);
    void release(UnitId unit);

    warp::UnitTable& units_;
    std::vector<WarpSplit> splits_;
    std::vector<SplitWarp> warps_;
    std::vector<std::uint16_t> flights_; // by number: flights that wait for memory and name it
    std::vector<UnitId> joined_;         // by reserved number: the warp-split with its threads, if there is one
    UnitSet reserved_;                   // reserved numbers with a warp-split in joined_
    UnitSet free_;
    std::uint64_t births_ = 0;
};

} // namespace heddle::formation
