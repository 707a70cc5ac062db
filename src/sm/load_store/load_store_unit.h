// The memory stage of the barrel core (LWM11 2.2, Table 1): data and constant cache, private and shared memory, and
// the flights that wait for lines.
//
// An access takes a port slot for each line it touches, a cycle each; in a banked data cache and in on-chip memories a
// cycle for each word of their busiest bank. A flight with a missing line is put aside until all its lines are in.
// Misses of one line merge. A line that cannot even be sent for waits its turn: it tries again, the oldest first, when
// an answer of memory may have given it what it lacks. Or, where the path holds (scoreboarded core), the instruction
// stays in the memory stage, and what is behind it waits with it.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "base/ring_queue.h"
#include "exec/executor.h"
#include "mem/cache/coherent.h"
#include "sm/frame/core_config.h"
#include "sm/frame/memory_port.h"
#include "sm/load_store/bundle.h"
#include "sm/load_store/divergence.h"
#include "sm/load_store/store_table.h"
#include "stats/statistic.h"
#include "warp/flight.h"

namespace heddle::sm {

struct DataStats {
    std::uint64_t loads = 0; // instructions with an access to global memory
    std::uint64_t stores = 0;
    std::uint64_t atomics = 0;
    std::uint64_t fences = 0;
    std::uint64_t lines = 0; // line look-ups
    std::uint64_t stores_sent = 0;
    std::uint64_t port_conflicts = 0;
    std::uint64_t bank_conflicts = 0;
    std::uint64_t put_aside = 0;
    std::uint64_t wait_cycles = 0;
    std::uint64_t shared_accesses = 0;
    std::uint64_t shared_cycles = 0;
    std::uint64_t private_accesses = 0;
    std::uint64_t private_cycles = 0;
    std::uint64_t spilled_accesses = 0;
    stats::Histogram transactions = stats::Histogram(kMaxWidth + 1); // instructions by lines they touched
    static std::span<const stats::Statistic<DataStats>> statistics();
    static std::span<const stats::Formula> formulas();
};

class LoadStoreUnit {
public:
    enum class Step : std::uint8_t {
        Done, // this cycle is its last in the memory stage
        Line, // it stays: further lines, or the write port is taken
        Bank, // it stays: further words of a bank
        Held, // it stays, in a path that holds: see refusal(); worth another try when answer() says so
    };
    enum class Refusal : std::uint8_t {
        None,
        SetReserved,
        MshrFull,
        MshrMergeFull,
        PortFull
    }; // why a line could not be sent for

    // `sm`: its number; threads' spilled local memory lies at addresses of its own.
    LoadStoreUnit(const config::Machine& machine, unsigned sm, MemoryPort& memory, std::span<warp::Flight> flights,
                  bool holds = false);

    // From now on says in flight.hit which threads of a flight that is put aside have their data.
    void watch_divergence(const ViewsConfig& views);
    // The misses that it has seen by it, over time; null where nobody watches.
    [[nodiscard]] const probe::MissIntervals* miss_intervals() const {
        return divergence_ ? &divergence_->intervals() : nullptr;
    }
    // A flight that was put aside has been divided: `ahead` has its data, `behind` waits on.
    void divide(const warp::Flight& ahead, const warp::Flight& behind);

    // Works out what the access of a flight has to do when it comes to the memory stage.
    void prepare(const warp::Flight& flight, const exec::Access& access);
    // A fence that has to do with memory: of device or system scope, and some thread executes it.
    [[nodiscard]] static bool is_fence(const warp::Flight& flight) {
        return flight.op->kind == ir::Kind::Fence && !flight.op->has(ir::kBlockScope) && flight.outcome.executed != 0;
    }
    // The same for such a fence: it waits for the stores that its threads have sent (contract: device or system scope).
    void prepare_fence(const warp::Flight& flight);
    // The same at once, for a flight that does not go through the memory stage: true when it waits.
    bool wait_for_stores(warp::Flight& flight);
    // One cycle of the flight in the memory stage. After Done the flight is put aside when flight.lines_left is not 0,
    // else its data are there latency() cycles later.
    [[gnu::flatten]] Step step(warp::FlightId id, Cycle now);

    // The same for a bundle. Each of its flights is prepared (before prepare_fence(), if it is a fence), whether it
    // accesses memory or not; `block`: the slot of the thread's block.
    void prepare_thread(const warp::Flight& flight, const exec::Access& access, unsigned block);
    Step step_bundle(warp::FlightId first, Cycle now);

    [[nodiscard]] Refusal refusal() const { // of the last step that was Held
        return refused_last_.why;
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
    enum class Write : std::uint8_t { Back, Through, Evict };
    static Write write_of(const std::string& name);

    struct alignas(64) PendingAccess { // its head and the first lines lie in one line of the host's cache
        std::uint16_t lines = 0;
        std::uint16_t data_lines = 0; // of them, those of the data cache
        std::uint16_t next = 0;       // of `line`
        std::uint8_t per_cycle = 1;
        std::uint16_t bank_cycles = 0;
        std::uint16_t latency = 1;
        std::uint8_t operations = 1; // atomics: most on one word
        bool store = false;
        bool atomic = false;
        bool fence = false;
        bool texels = false;                // through a texture or surface object: its lines are in texture_lines_
        bool left = false;                  // the memory stage
        mem::Level level = mem::Level::Llc; // of its lines that missed, the farthest that has answered
        StoreId sent = kNoStore;
        bool into_line = false; // a store into a line, which is open in the store table until it has the line
        warp::FlightId rider = warp::kNoFlight;     // of a bundle, the next thread on the same line: it waits as long
        std::array<Address, kMaxWidth> line;        // line numbers: of the data cache, then of the constant cache
        std::array<std::uint16_t, kMaxWidth> bytes; // that a store or atomic carries, by line; not set for loads
        ThreadAccess thread;                        // in a bundle

        void start(const exec::Access& access) {
            lines = data_lines = next = 0;
            per_cycle = 1;
            bank_cycles = 0;
            latency = 1;
            operations = 1;
            store = access.store;
            atomic = access.atomic;
            fence = texels = left = into_line = false;
            level = mem::Level::Llc;
            sent = kNoStore;
            rider = warp::kNoFlight;
        }
    };
    struct Refused { // an access to a line that could not be sent for, and what it waits for
        Refusal why = Refusal::None;
        const mem::Cache* cache = nullptr;
        Address address = 0;
        warp::FlightId flight = warp::kNoFlight;
        std::uint16_t index = 0; // of the pending's lines
    };

    // What serves a thread of an access.
    enum class Served : std::uint8_t { Shared, Constant, Private, Spilled, Cached };
    [[nodiscard]] Served served(const exec::Access& access, unsigned entry) const;
    void find_lanes(warp::FlightId flight, const PendingAccess& pending, const exec::Access& access);
    void prepare_mixed(PendingAccess& pending, const exec::Access& access);
    void prepare_shared(PendingAccess& pending, std::span<const Address> offsets, const exec::Access& access);
    void prepare_lines(PendingAccess& pending, std::span<const Address> addresses, const exec::Access& access);
    void prepare_constants(PendingAccess& pending, std::span<const Address> addresses);
    void prepare_texels(PendingAccess& pending, warp::FlightId flight, const exec::Access& access);
    bool attempt_other(warp::FlightId flight, unsigned index, Cycle now);
    [[nodiscard]] Address spill_address(const exec::Access& access, unsigned entry) const;
    [[nodiscard]] Write policy_of(Address address) const;

    void open_bundle(warp::FlightId first);
    void merge_line(warp::FlightId flight);
    void prepare_line(warp::FlightId head);
    void count_bundle(unsigned data_cycles, unsigned shared_cycles, unsigned private_cycles);
    void close_bundle(warp::FlightId first);

    // Out of line are those that several places call, and not in every cycle: with a copy of their code in each the
    // steps would not fit the host's instruction cache.
    bool step_banks(warp::Flight& flight, PendingAccess& pending, Cycle now);
    // False when the path holds and the line could not be sent for.
    [[gnu::noinline]] bool take_line(warp::Flight& flight, PendingAccess& pending, Cycle now);
    // Line `index` of the flight's pending. False when it has to be tried again; else what is missing is in lines_left.
    bool attempt(warp::FlightId flight, unsigned index, Cycle now);
    [[gnu::noinline]] bool attempt_store(warp::FlightId flight, unsigned index, Write policy, Cycle now);
    bool look_up_data(warp::FlightId flight, Address address, bool store, Cycle now) {
        if (!coherent_)
            return look_up(cache_, mem::Requester::Data, flight, address, store, now);
        const mem::LineId line = cache_.find(address);
        return cache_.does(line, store) || ask_for_line(line, flight, address, store, now);
    }
    [[gnu::noinline]] bool look_up(mem::Cache& cache, mem::Requester requester, warp::FlightId flight, Address address,
                                   bool store, Cycle now);
    [[gnu::noinline]] bool request_atomic(warp::FlightId flight, unsigned index, Cycle now);
    void send_store(warp::FlightId flight, unsigned index, Cycle now);
    void write_back(const mem::Victim& victim, Cycle now);
    bool port_full(mem::Cache& cache, Address address);
    bool refused(const mem::Cache& cache, Address address, mem::Cache::Result why);
    [[nodiscard]] bool may_go_on(const Refused& access, const mem::Reply& reply) const;

    // data_coherence.cpp:
    [[gnu::noinline]] bool ask_for_line(mem::LineId line, warp::FlightId flight, Address address, bool store,
                                        Cycle now);
    void tell_of(const mem::Victim& victim, Cycle now);
    [[gnu::noinline]] void answer_probe(const mem::Reply& probe, Cycle now);
    [[gnu::noinline]] void take_grant(const mem::Reply& grant, Cycle now, std::vector<warp::FlightId>& ready);

    [[gnu::noinline]] void try_again(Cycle now, std::vector<warp::FlightId>& ready);
    void line_came(warp::FlightId flight, mem::Level level, std::vector<warp::FlightId>& ready);
    void performed(const PendingAccess& store, std::vector<warp::FlightId>& ready) {
        if (store.into_line)
            stores_.done(store.sent,
                         [&](std::uint32_t fence) { count_down(static_cast<warp::FlightId>(fence), ready); });
    }
    [[gnu::noinline]] void count_down(warp::FlightId flight, std::vector<warp::FlightId>& ready);

    MemoryPort& memory_;
    std::span<warp::Flight> flights_;
    const DCacheConfig config_;
    const bool holds_;
    const bool coherent_; // llc.coherence = "mesi"
    const Write write_;
    const Write write_local_;
    mem::CoherentCache cache_; // used as any cache where it is not coherent
    std::optional<mem::Cache> constants_;
    std::optional<mem::Cache> textures_;
    std::uint64_t private_bytes_;
    std::uint64_t threads_;
    Address spill_base_;
    unsigned width_;
    unsigned shared_banks_;
    std::uint16_t shared_latency_;
    Address shared_window_; // room for a block's; each begins at the first bank
    std::uint16_t constant_latency_ = 1;
    std::uint16_t texture_latency_ = 1;
    Cycle fill_cycle_ = kNever;                       // in which a fill holds the write port
    std::vector<PendingAccess> pending_;              // by flight
    std::vector<std::vector<Address>> texture_lines_; // by flight: line numbers, which may be more than a pending holds
    Bundle bundle_;
    std::optional<Divergence> divergence_;
    Refused refused_last_; // by attempt()
    RingQueue<Refused> refused_;
    StoreTable stores_;
    std::vector<warp::FlightId> released_;
    DataStats stats_;
};

} // namespace heddle::sm
