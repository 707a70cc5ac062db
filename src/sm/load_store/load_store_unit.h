// The load/store unit: accesses to memory in the order of their arrival, over the L1 data cache, shared and private
// memory, the constant cache and the texture cache; and the flights that wait for lines (LWM11 2.2, Table 1).
//
// An access takes a port slot for each line that it touches, one a cycle. In a banked data cache and in on-chip
// memories it takes a cycle for each word of the bank with the most words. A flight with a missing line is put aside
// until all its lines have come. Misses of one line merge. A line that cannot be requested is tried again, the oldest
// first, when an answer of memory may have freed the missing resource. In a unit that holds (scoreboarded core) such an
// access stays in the unit instead, and blocks the accesses behind it.
//
// Parts: AddressUnit finds the work of an access, DataCache and ReadOnlyCache look its lines up, StoreTable counts the
// stores on their way. BundleStage serves bundles of threads (mimd), Divergence finds the threads that hit (maws).
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "base/ring_queue.h"
#include "base/slot_array.h"
#include "sm/load_store/access_profile.h"
#include "sm/load_store/address_unit.h"
#include "sm/load_store/data_cache.h"
#include "sm/load_store/data_stats.h"
#include "sm/load_store/divergence.h"
#include "sm/load_store/read_only_cache.h"
#include "sm/load_store/shared_array.h"
#include "sm/load_store/store_table.h"
#include "sm/load_store/tma_unit.h"

namespace heddle::sm {

class LoadStoreUnit {
    friend class BundleStage; // serves the accesses of bundles with the unit's parts

public:
    enum class Step : std::uint8_t {
        Done, // this cycle is the access's last in the unit
        Line, // the access stays: further lines, or the write port is taken
        Bank, // the access stays: further words of a bank
        Held, // the access stays, in a unit that holds, because of refusal(); may continue when answer() returns true
    };

    // `sm`: the SM's number. `holds`: an access whose line cannot be requested stays in the unit.
    LoadStoreUnit(const config::Machine& machine, unsigned sm, MemoryPort& memory, SlotArray<warp::Flight>& flights,
                  bool holds = false);

    // From now on fills flight.hit of flights that are put aside: the threads whose data are there.
    void watch_divergence(const formation::Formation& formation, const ViewsConfig& views, unsigned width);
    // The divergent accesses over time; null without watch_divergence().
    [[nodiscard]] const probe::MissIntervals* miss_intervals() const {
        return divergence_ ? &divergence_->intervals() : nullptr;
    }
    // From now on counts in a profile what accesses do, by instruction.
    void count_in(probe::SmProfile& profile, const config::Machine& machine) {
        profile_.emplace(profile, machine);
    }
    // The unit of another SM of the device, which begins each launch before this one.
    void share_with(const LoadStoreUnit& first) {
        array_ = first.array_;
        leads_ = false;
    }
    // A launch begins.
    void begin(const exec::Launch& launch) {
        if (array_ != nullptr)
            share_array(launch);
        if (tma_)
            tma_->begin_kernel();
        if (profile_) [[unlikely]]
            profile_->begin();
    }
    // The registers of a flight have been written, or the flight has none.
    void written(warp::FlightId flight, Cycle now) {
        if (profile_) [[unlikely]]
            profile_->written(flight, now);
    }
    // A flight that was put aside has been divided: the data of `ahead` are there, `behind` still waits.
    void divide(const warp::Flight& ahead, const warp::Flight& behind);

    // Prepares the access of a flight before it comes to the unit.
    void prepare(const warp::Flight& flight, const exec::Access& access);
    // Whether the flight is a fence of device or system scope, or one that takes its time, and some thread executes it.
    [[nodiscard]] static bool is_fence(const warp::Flight& flight) {
        return flight.op->kind == ir::Kind::Fence && flight.outcome.executed != 0 &&
               (!flight.op->has(ir::kBlockScope) || flight.op->has(ir::kReachesL2));
    }
    // Whether the flight drops the lines of the data cache, behind an acquire of native code (CCTL.IVALL).
    [[nodiscard]] static bool is_acquire(const warp::Flight& flight) {
        return ir::drops_lines(*flight.op) && flight.outcome.executed != 0;
    }
    void prepare_acquire(const warp::Flight& flight);
    // Prepares a fence: the flight will wait for the stores that its threads have sent.
    void prepare_fence(const warp::Flight& flight);
    // Makes a flight that does not go through the unit wait for the stores of its threads. True when it waits.
    bool wait_for_stores(warp::Flight& flight);
    // One cycle of the flight in the unit. After Done, the flight is put aside when flight.lines_left is not 0, else
    // its data are there latency() cycles later.
    [[gnu::flatten]] Step step(warp::FlightId id, Cycle now);

    [[nodiscard]] Refusal refusal() const { // valid after a step with result Held
        return port_.refused().why;
    }
    [[nodiscard]] unsigned latency(warp::FlightId flight) const {
        return pending_[flight].latency;
    }
    // The longest latency() on a machine.
    [[nodiscard]] static Cycle longest_latency(const config::Machine& machine);
    // The unit of bulk copies; null: there is none.
    [[nodiscard]] TmaUnit* tma() {
        return tma_ ? &*tma_ : nullptr;
    }
    // Flights that wait for nothing more because of a store in step(). The caller clears the list.
    [[nodiscard]] std::vector<warp::FlightId>& released() {
        return released_;
    }
    // The level that the data of a flight that was put aside came from: the farthest of its lines.
    [[nodiscard]] mem::Level level(warp::FlightId flight) const {
        return pending_[flight].level;
    }
    // Memory has answered at `now`. Appends flights that wait for nothing more to `ready`. True when an access that is
    // held may continue.
    bool answer(const mem::Reply& reply, Cycle now, std::vector<warp::FlightId>& ready);

    // At the end of a kernel: empties the texture cache and, on machines that do so, the data cache, whose dirty lines
    // are written to memory.
    void flush(Cycle now);

    void add_statistics(stats::Tree& tree);
    [[nodiscard]] DataStats& stats() {
        return stats_;
    }

private:
    // Functions that several places call, but not in every cycle, are out of line: with a copy in each place the steps
    // would not fit the host's instruction cache.
    [[gnu::noinline]] Step give_to_tma(warp::Flight& flight, PendingAccess& pending);
    bool step_banks(warp::Flight& flight, PendingAccess& pending, Cycle now);
    // False when the unit holds and the line could not be requested.
    [[gnu::noinline]] bool take_line(warp::Flight& flight, PendingAccess& pending, Cycle now);
    // Looks line `index` of the flight's access up, and counts a missing line in lines_left. False when the look-up has
    // to be repeated.
    bool attempt(warp::FlightId flight, unsigned index, Cycle now);
    LookUp look_up_texel(warp::FlightId flight, unsigned index, Cycle now);

    [[nodiscard]] const mem::Cache* filled_by(const mem::Reply& reply) const;
    [[nodiscard]] bool may_go_on(const RefusedLine& line, const mem::Reply& reply) const;
    [[gnu::noinline]] void try_again(Cycle now, std::vector<warp::FlightId>& ready);
    void line_came(warp::FlightId flight, mem::Level level, bool is_data, std::vector<warp::FlightId>& ready);
    void performed(const PendingAccess& store, std::vector<warp::FlightId>& ready) {
        if (store.into_line)
            stores_.done(store.sent,
                         [&](std::uint32_t fence) { count_down(static_cast<warp::FlightId>(fence), ready); });
    }
    [[gnu::noinline]] void count_down(warp::FlightId flight, std::vector<warp::FlightId>& ready);

    // Divides the array of shared memory and the data cache as a launch needs it.
    void share_array(const exec::Launch& launch);

    const bool holds_;
    SlotArray<warp::Flight>& flights_;
    DataStats stats_;
    CachePort port_;
    DataCache data_;
    std::optional<ReadOnlyCache> constants_;
    std::optional<ReadOnlyCache> textures_;
    std::optional<TmaUnit> tma_;
    AddressUnit addresses_;
    SlotArray<PendingAccess> pending_; // by flight
    std::optional<Divergence> divergence_;
    std::optional<AccessProfile> profile_; // empty: nothing is counted by instruction
    RingQueue<RefusedLine> retries_;       // lines to try again, where the unit does not hold
    StoreTable stores_;
    std::vector<warp::FlightId> released_;
    std::shared_ptr<SharedArray> array_; // of shared memory and the data cache; null: each has one of its own
    bool leads_ = true;                  // no other SM has divided the array for a launch before this one
};

} // namespace heddle::sm
