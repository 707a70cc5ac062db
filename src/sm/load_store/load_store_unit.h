// The load/store unit: accesses to memory in the order in which they come to it, over the L1 data cache, shared and
// private memory, the constant and the texture cache; and the flights that wait for lines (LWM11 2.2, Table 1).
//
// An access takes a port slot for each line it touches, a cycle each; in a banked data cache and in on-chip memories a
// cycle for each word of their busiest bank. A flight with a missing line is put aside until all its lines are in.
// Misses of one line merge. A line that cannot even be sent for waits its turn: it tries again, the oldest first, when
// an answer of memory may have given it what it lacks. In a unit that holds (scoreboarded core) the access stays in the
// unit instead, and what is behind it waits with it.
//
// Parts: AddressUnit says what an access has to do, DataCache and ReadOnlyCache look its lines up, StoreTable knows
// which stores are on their way. BundleStage serves bundles of threads (mimd), Divergence says which threads hit
// (maws).
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "base/ring_queue.h"
#include "base/slot_array.h"
#include "sm/load_store/address_unit.h"
#include "sm/load_store/data_cache.h"
#include "sm/load_store/data_stats.h"
#include "sm/load_store/divergence.h"
#include "sm/load_store/read_only_cache.h"
#include "sm/load_store/store_table.h"

namespace heddle::sm {

class LoadStoreUnit {
    friend class BundleStage; // serves the accesses of a bundle in the unit's place

public:
    enum class Step : std::uint8_t {
        Done, // this cycle is its last in the unit
        Line, // it stays: further lines, or the write port is taken
        Bank, // it stays: further words of a bank
        Held, // it stays, in a unit that holds: see refusal(); worth another try when answer() says so
    };

    // `sm`: its number. `holds`: an access whose line cannot be sent for stays.
    LoadStoreUnit(const config::Machine& machine, unsigned sm, MemoryPort& memory, SlotArray<warp::Flight>& flights,
                  bool holds = false);

    // From now on says in flight.hit which threads of a flight that is put aside have their data.
    void watch_divergence(const formation::Formation& formation, const ViewsConfig& views, unsigned width);
    // The misses that it has seen by it, over time; null where nobody watches.
    [[nodiscard]] const probe::MissIntervals* miss_intervals() const {
        return divergence_ ? &divergence_->intervals() : nullptr;
    }
    // A flight that was put aside has been divided: `ahead` has its data, `behind` waits on.
    void divide(const warp::Flight& ahead, const warp::Flight& behind);

    // Works out what the access of a flight has to do when it comes to the unit.
    void prepare(const warp::Flight& flight, const exec::Access& access);
    // A fence that has to do with memory: of device or system scope, and some thread executes it.
    [[nodiscard]] static bool is_fence(const warp::Flight& flight) {
        return flight.op->kind == ir::Kind::Fence && !flight.op->has(ir::kBlockScope) && flight.outcome.executed != 0;
    }
    // A fence of the flight waits for the stores that its threads have sent.
    void prepare_fence(const warp::Flight& flight);
    // The same at once, for a flight that does not go through the unit: true when it waits.
    bool wait_for_stores(warp::Flight& flight);
    // One cycle of the flight in the unit. After Done the flight is put aside when flight.lines_left is not 0, else its
    // data are there latency() cycles later.
    [[gnu::flatten]] Step step(warp::FlightId id, Cycle now);

    [[nodiscard]] Refusal refusal() const { // of the last step that was Held
        return port_.refused().why;
    }
    [[nodiscard]] unsigned latency(warp::FlightId flight) const {
        return pending_[flight].latency;
    }
    // The longest that there is on a machine.
    [[nodiscard]] static Cycle longest_latency(const config::Machine& machine);
    // Flights that wait for nothing more since a store has got on in step(); the caller clears it.
    [[nodiscard]] std::vector<warp::FlightId>& released() {
        return released_;
    }
    // Where the data of a flight that was put aside came from, the farthest of its lines.
    [[nodiscard]] mem::Level level(warp::FlightId flight) const {
        return pending_[flight].level;
    }
    // Memory has answered at `now`. Appends flights that wait for nothing more to `ready`. True when an access that is
    // held is worth another try.
    bool answer(const mem::Reply& reply, Cycle now, std::vector<warp::FlightId>& ready);

    // The end of a kernel: empties the texture cache and, on machines that ask for it, the data cache, whose dirty
    // lines go to memory.
    void flush(Cycle now);

    void add_statistics(stats::Tree& tree);
    [[nodiscard]] DataStats& stats() {
        return stats_;
    }

private:
    // Out of line are those that several places call, and not in every cycle: with a copy of their code in each the
    // steps would not fit the host's instruction cache.
    bool step_banks(warp::Flight& flight, PendingAccess& pending, Cycle now);
    // False when the unit holds and the line could not be sent for.
    [[gnu::noinline]] bool take_line(warp::Flight& flight, PendingAccess& pending, Cycle now);
    // Looks line `index` of the flight's access up. False when it has to be tried again; else what is missing is in
    // lines_left.
    bool attempt(warp::FlightId flight, unsigned index, Cycle now);
    LookUp look_up_texel(warp::FlightId flight, unsigned index, Cycle now);

    [[nodiscard]] const mem::Cache* filled_by(const mem::Reply& reply) const;
    [[nodiscard]] bool may_go_on(const RefusedLine& line, const mem::Reply& reply) const;
    [[gnu::noinline]] void try_again(Cycle now, std::vector<warp::FlightId>& ready);
    void line_came(warp::FlightId flight, mem::Level level, std::vector<warp::FlightId>& ready);
    void performed(const PendingAccess& store, std::vector<warp::FlightId>& ready) {
        if (store.into_line)
            stores_.done(store.sent,
                         [&](std::uint32_t fence) { count_down(static_cast<warp::FlightId>(fence), ready); });
    }
    [[gnu::noinline]] void count_down(warp::FlightId flight, std::vector<warp::FlightId>& ready);

    const bool holds_;
    SlotArray<warp::Flight>& flights_;
    DataStats stats_;
    CachePort port_;
    DataCache data_;
    std::optional<ReadOnlyCache> constants_;
    std::optional<ReadOnlyCache> textures_;
    AddressUnit addresses_;
    SlotArray<PendingAccess> pending_; // by flight
    std::optional<Divergence> divergence_;
    RingQueue<RefusedLine> retries_; // lines that wait to be tried again, where the unit does not hold
    StoreTable stores_;
    std::vector<warp::FlightId> released_;
};

} // namespace heddle::sm
