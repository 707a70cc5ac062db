// MLP-aware warp subdivision (MAWS 5): the threads of a warp that hit in the data cache may run ahead of those that
// missed. A unit is a warp-split. The warp-splits of a warp execute the same instructions, at different times.
//
//   access   some threads hit, some missed: the warp-split is divided, at once, later or not at all (maws.split).
//            Nothing is executed twice: the threads that fall behind stay at the access until their data are there.
//   merge    a warp-split that has completed an access merges with one that is ready after the same access. One that
//            waits for an access merges with one that waits for the same access. Ready and waiting warp-splits are at
//            different places, so a warp-split may pass another.
//   branch   the warp-splits of a warp wait for each other at conditional branches, calls and returns (5.3:
//            maws_meetings.h). With maws.loop_bypass they do not wait where threads only leave for the reconvergence
//            point of the stack's top.
//   order    the warp-split that is furthest behind is boosted: picked first once it can continue.
//
// On the scoreboarded core, units wait at the first instruction that needs the data, not at the access. There threads
// that hit are divided from threads that missed at the unit's present PC, if the unit is between two instructions.
// Units that would merge when an access is done merge when the last data of both are there (assumed).
//
// Counters (5.4.3): an instruction occupies the pipeline for one cycle.
//
// Assumed, because the paper is silent: warp-splits released by one barrier merge; a thread whose guard is false does
// not wait for memory, and runs ahead with the threads that hit, if there are any.

#include <vector>

#include <fmt/format.h>

#include "formation/formation.h"
#include "formation/maws_config.h"
#include "formation/maws_meetings.h"
#include "formation/maws_units.h"
#include "formation/suspended.h"
#include "formation/warp_splits.h"

namespace heddle::formation {
namespace {

class Maws final : public Formation {
public:
    Maws(const Shape& shape, const config::Machine& machine)
        : Formation(shape.rows * shape.width), config_(machine.get<MawsConfig>()), shape_(shape),
          splits_(units, shape.rows, shape.width, machine.get<StackConfig>()),
          meetings_(splits_, config_, stats_, shape.width <= kPtxWarp) {
        when_ = config_.split == "aggress"   ? When::Aggress
                : config_.split == "lazy"    ? When::Lazy
                : config_.split == "latspec" ? When::LatSpec
                                             : When::Never;
    }

    Needs needs() const override {
        return {.divides_rows = when_ != When::Never, .runs_ahead = true};
    }
    warp::UnitTraits traits() const override {
        return {.formation_word = kMissFreeCyclesLeft};
    }
    void use(const ir::Program& program) override {
        meetings_.use(program);
    }

    void launch(std::uint16_t block, std::span<const warp::Part> rows, Pc entry) override {
        for (const warp::Part& row : rows) {
            splits_.show(splits_.begin_warp(row, entry, block, static_cast<std::uint32_t>(config_.memory_latency)));
        }
    }

    std::span<const warp::Part> members(UnitId u) const override {
        return {&splits_[u].part, 1};
    }

    void form(UnitId u, const ir::MicroOp& /*op*/, const exec::Executor& /*predicates*/, warp::Group& group) override {
        WarpSplit& s = splits_[u];
        form_row(u, s.part, group);
        group.formation_words[0] = ++s.count;
        ++s.mfc;
        sum_left_ -= sum_left_ != 0 ? 1 : 0;
        std::uint32_t& left = miss_free_cycles_left(units, u);
        left -= left != 0 ? 1 : 0;
        if (SplitWarp& w = splits_.warp(s.part.row); w.splits.size() > 1)
            splits_.boost(w);
    }

    bool run_ahead(const warp::Flight& flight) override {
        ++stats_.divergent;
        if (flight.committed && !can_part(flight.group.unit, flight.hit[0], flight.group.part[0].lanes))
            return false;
        const WarpSplit& s = splits_[flight.group.unit];
        return when_ == When::Aggress || (when_ == When::LatSpec && sum_left_ + s.mfc < s.latency);
    }

    // The fall-behind threads keep the table entry, and the flights that wait (5.4.1).
    void divided(warp::Flight& ahead, warp::Flight& behind) override {
        const UnitId u = splits_.holder(behind.group.unit);
        SplitWarp& w = splits_.warp_of(u);
        ++stats_.splits;
        ++stats_.splits_of_warp[w.splits.size()];
        ++stats_.splits_of_sm[std::min<std::size_t>(splits_.count(), stats_.splits_of_sm.size() - 1)];
        stats_.present += splits_.count();
        WarpSplit ran = splits_[u];
        ran.part.lanes &= ahead.group.part[0].lanes;
        splits_[u].part.lanes &= ~ran.part.lanes;
        ran.waits = ran.lags = 0;
        if (!config_.inherit_mfc)
            ran.mfc = 0;
        const UnitId v = splits_.create(ran, units.block[u]);
        miss_free_cycles_left(units, v) = miss_free_cycles_left(units, u);
        ahead.group.unit = v;
        splits_.describe(u);
        splits_.describe(v);
        if (behind.committed)
            units.eligible.insert(v);
        splits_.boost(w);
    }

    void put_aside(const warp::Flight& flight, Cycle now) override {
        const UnitId u = flight.group.unit;
        if (flight.committed &&
            (ir::stores(flight.op->kind) || !units.alive.contains(u) || units.generation[u] != flight.generation))
            return; // no unit waits for a store, or for a load of a unit that has ended
        splits_.flight_left(u, flight.committed);
        suspended_.put(flight, now);
        if (when_ == When::Lazy && warp::hits_in_part(flight))
            suspended_.remember(flight);
        if (flight.committed)
            return;
        SplitWarp& w = splits_.warp_of(u);
        for (const UnitId other : w.splits)
            if (other != u && splits_[other].waits != 0 && splits_[other].at == splits_[u].at) {
                ++stats_.merges_waiting;
                splits_.merge(u, other);
                splits_.describe(other);
                return splits_.boost(w);
            }
    }

    // Instructions that the warp-split has executed (5.4).
    std::uint64_t order_of(const warp::Group& group) const override {
        return group.formation_words[0];
    }

    warp::FlightId starved() override {
        return suspended_.oldest([&](const Suspended::Divisible& d) {
            return !d.committed || (units.generation[d.unit] == d.generation && can_part(d.unit, d.hit, d.lanes));
        });
    }

    void advance(const warp::Flight& flight, Cycle now) override {
        UnitId u = flight.group.unit;
        if (splits_.has_flights(u) && suspended_.holds(flight.id)) {
            u = splits_.flight_returned(u, false);
            count_return(u, flight, now);
            if (splits_[u].waits != 0)
                return;
        }
        SplitWarp& w = splits_.warp_of(u);
        w.furthest = std::max(w.furthest, splits_[u].count);
        const bool goes_on = flight.outcome.kind == warp::Outcome::Kind::Memory ? pass_access(w, u, flight)
                                                                                : meetings_.take(w, u, flight);
        if (goes_on)
            meetings_.arrive(w, u);
        meetings_.end_of_flight(w, flight, spin_watch_);
    }

    void returned(const warp::Flight& flight, Cycle now) override {
        if (!flight.committed)
            return;
        UnitId u = flight.group.unit;
        if (splits_.has_flights(u) && suspended_.holds(flight.id)) {
            u = splits_.flight_returned(u, true);
            if (units.alive.contains(u))
                count_return(u, flight, now);
            else
                static_cast<void>(suspended_.take(flight.id, now));
        } else if (units.generation[u] != flight.generation) {
            return;
        }
        if (units.alive.contains(u) && units.eligible.contains(u) && splits_[u].lags == 0) {
            SplitWarp& w = splits_.warp_of(u);
            if (joins_ready(w, u))
                splits_.rank(w);
        }
    }

    void resume(std::uint16_t /*block*/, std::span<const warp::Part> threads) override {
        meetings_.release(threads);
    }

    // Warp-splits of divided warps: "splits:u0@12[f]#5,u8@13[f0]#4+": threads, instruction count, + for boosted, w for
    // waiting, l for lagging data, p for parked.
    std::string trace() const override {
        std::string out;
        units.alive.for_each([&](UnitId u) {
            const WarpSplit& s = splits_[u];
            if (splits_.warp(s.part.row).splits.size() < 2)
                return;
            out += fmt::format("{}u{}@{}[{:x}]#{}{}{}{}{}", out.empty() ? "splits:" : ",", u, s.at.pc, s.part.lanes,
                               s.count, s.waits != 0 ? "w" : "", s.lags != 0 ? "l" : "", s.parked ? "p" : "",
                               units.boosted.contains(u) ? "+" : "");
        });
        return out;
    }

    // MAWS 5.4.1: an entry for each thread, 18 bytes each; sum-rMFC once. Then the stack of pdom.
    std::vector<cost::HardwareCost> hardware_cost() const override;

    void add_statistics(stats::Tree& tree) override {
        tree.add_one_of("maws", stats_);
    }

private:
    enum class When : std::uint8_t { Never, Aggress, Lazy, LatSpec };

    // Whether a unit that has continued after an access can be divided by its hits: it is between two instructions, not
    // at a meeting point, and has threads of both kinds.
    [[nodiscard]] bool can_part(UnitId u, LaneMask hit, LaneMask lanes) const {
        const WarpSplit& s = splits_[u];
        return units.eligible.contains(u) && (s.part.lanes & hit) != 0 && (s.part.lanes & lanes & ~hit) != 0 &&
               (!meetings_.is_meeting(s.at) || meetings_.may_pass(splits_.warp(s.part.row), s.at));
    }

    // A flight of the warp-split is back: updates the counters (5.4.3).
    void count_return(UnitId u, const warp::Flight& flight, Cycle now) {
        WarpSplit& s = splits_[u];
        s.latency = static_cast<std::uint32_t>(suspended_.take(flight.id, now));
        if (s.waits != 0 || s.lags != 0)
            return;
        sum_left_ += s.mfc;
        miss_free_cycles_left(units, u) = s.mfc;
        s.mfc = 0;
        std::uint64_t foremost = s.count;
        for (const UnitId other : splits_.warp_of(u).splits)
            foremost = std::max(foremost, splits_[other].count);
        if (foremost > s.count) {
            ++stats_.returns_behind;
            stats_.run_ahead += foremost - s.count;
        }
    }

    // The warp-split has completed its access. False when another warp-split has taken its threads.
    bool pass_access(SplitWarp& w, UnitId u, const warp::Flight& flight) {
        ++splits_[u].at.pc;
        return flight.committed || !joins_ready(w, u);
    }

    // A warp-split that is ready after the same access (5.4) takes the threads of `u`: it may already wait for its next
    // instruction from the cache, under its number.
    bool joins_ready(SplitWarp& w, UnitId u) {
        for (const UnitId other : w.splits)
            if (other != u && units.eligible.contains(other) && splits_[other].lags == 0 &&
                splits_[other].at == splits_[u].at) {
                ++stats_.merges_at_access;
                splits_.merge(u, other);
                splits_.describe(other);
                return true;
            }
        return false;
    }

    const MawsConfig config_;
    const Shape shape_;
    When when_;
    WarpSplits splits_;
    std::uint64_t sum_left_ = 0; // sum-rMFC: the miss-free cycles that are expected of all warp-splits
    Suspended suspended_;
    MawsStats stats_;
    MawsMeetings meetings_;
};

std::vector<cost::HardwareCost> Maws::hardware_cost() const {
    return {{.structure = "warp-split table",
             .entries = std::uint64_t{shape_.rows} * shape_.width,
             .bits = 18 * 8,
             .source = "MAWS 5.4.1",
             .note = "PC, instruction count, status, priority, mask, MFC, last latency; an entry a thread"},
            {.structure = "sum-rMFC counter",
             .entries = 1,
             .bits = 32,
             .source = "assumed; counter: MAWS 5.4.3",
             .note = "miss-free cycles that warp-splits are expected to have before them"},
            cost_of_stacks(shape_.rows, shape_.width)};
}

HEDDLE_FORMATION(
    Maws, "maws",
    "warp subdivision: threads that hit in the data cache may run ahead of threads of their warp that missed",
    "MAWS 5");

} // namespace
} // namespace heddle::formation
