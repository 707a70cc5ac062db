// The scoreboarded core (PRO I, IV; as GPGPU-Sim has the Fermi SM): several warp schedulers, each with a share of the
// units; several instructions of a unit in flight, in order of issue, as far as their registers permit.
//
//   fetch, decode   front_end.h: an instruction buffer a unit
//   issue           each scheduler picks one of its units whose next instruction is in its buffer, needs no register
//                   with a result on its way (hazards.h) and finds its pipe open. It executes (functionally: here and
//                   only here), and its next PC counts: at once, that of a control transfer scoreboard.branch cycles
//                   later, that of an atomic operation on global memory or a fence when memory has answered
//   execute         execution_units.h: operands are collected, a unit executes, a result bus carries the result
//   load/store      the same data path as in the barrel core, an instruction after the other; a line that can not be
//                   sent for holds it up. One instruction a cycle writes its registers
//
// An exit waits until nothing is on its way to the registers of its threads, and until their stores are done when it
// gives their row back.
//
// A slot that issues nothing has the cause that ends first, as far as the core can know: of the units that have an
// instruction those that wait for a pipe, else those that wait for a register, by what writes it, else what keeps
// instructions away (scoreboard_stalls.cpp).
#pragma once

#include <array>
#include <vector>

#include "base/latency_wheel.h"
#include "base/ring_queue.h"
#include "base/select.h"
#include "sm/frame/eligible_edges.h"
#include "sm/frame/timed_core.h"
#include "sm/sub_core/execution_units.h"
#include "sm/sub_core/front_end.h"
#include "sm/sub_core/scoreboard.h"

namespace heddle::sm {

class ScoreboardCore final : public TimedCore {
public:
    ScoreboardCore(const config::Machine& machine, unsigned sm, exec::MemoryImage& image, const ir::Program& program,
                   const TraceSink& trace);

    // Why it cannot run a formation; empty when it can.
    static std::string objection(const formation::Formation& how);

    void begin(const exec::Launch& launch, Cycle now) override;
    void start_block(Dim3 ctaid, std::uint64_t global_id, Cycle now) override;
    Cycle run(Cycle now, Cycle until) override;
    void catch_up(Cycle now) override;
    unsigned issue_slots() const override {
        return static_cast<unsigned>(schedulers_.size());
    }
    void add_statistics(stats::Tree& tree) override;
    std::vector<std::uint64_t> block_order() const override { // its schedulers' are the same
        return schedulers_.front().policy->block_order(view_);
    }

private:
    // What writes a register, for the causes of stalls.
    enum class Producer : std::uint8_t { Alu, Sfu, Dp, OnChip, Memory };
    static constexpr unsigned kProducers = 5;
    // What a unit's next instruction waits for, what ends first before what ends later: the pipes, then registers, by
    // what writes them.
    using State = std::uint8_t;
    static constexpr State kBlocked = kPipes; // and the producers
    static constexpr State kNoInstruction = kPipes + kProducers;
    static constexpr unsigned kStates = kNoInstruction + 1;

    // Instructions in flight at once, but those that pass; no more are issued.
    static constexpr unsigned kFlights = 512;
    static_assert(kFlights <= Writer::kFlights);
    static constexpr warp::FlightId kNoLoad = kFlights; // whose account nobody reads

    struct SchedulerUnit {
        std::unique_ptr<sched::Scheduler> policy;
        unsigned bit = 1; // of changed_
        UnitSet own;
        const UnitSet* considered = nullptr; // by the policy, if it does not look at all of them
        UnitSet can_issue;
        probe::Slot slot = probe::Slot::Empty; // cause of the last slot
        warp::FlightId waits_for = kNoLoad;    // the load on whose account it goes, if it is ScoreboardMemory
        bool at_load_store = false;            // that cause is what the load/store unit does
        UnitId issued = kNoUnit;               // in the last cycle
        std::string traced;                    // what that was, where a trace is written
    };
    struct Waiting {
        Cycle at;
        warp::FlightId flight;
    };

    void simulate(Cycle& now, Cycle until);
    // One cycle, its parts in order.
    void back_end(Cycle now);
    void front_end(Cycle now);
    bool take_answers(Cycle now);
    void finish(warp::FlightId flight, Cycle now);
    void wake_up(UnitId unit);
    void load_store(Cycle now);
    void find_ldst_next() {
        ldst_next_ = std::max(to_load_store_.front_or_any().at, ldst_again_) | mask_if(to_load_store_.empty());
    }
    bool divide_starved(Cycle now);
    void time_passes(Cycle now);
    void look_at_units();
    void issue_all(Cycle now);
    [[gnu::noinline]] bool issue(SchedulerUnit& scheduler, Cycle now);

    // Of 64 units those of the scheduler's that may go on. Others of them may just now have made one eligible: it goes
    // on from the next cycle.
    [[nodiscard]] std::uint64_t own_units(const SchedulerUnit& scheduler, unsigned word) const {
        return scheduler.own.word(word) & known_.word(word) & units_.eligible.word(word) & units_.alive.word(word);
    }
    [[nodiscard]] std::uint64_t considered_units(const SchedulerUnit& scheduler, unsigned word) const {
        return scheduler.considered == nullptr ? ~std::uint64_t{0} : scheduler.considered->word(word);
    }
    // f(scheduler) for each. The first stands apart: whether a loop of two goes round again is a guess each time.
    template <class F>
    void for_each_scheduler(F&& f) {
        f(schedulers_.front());
        for (std::size_t s = 1; s < schedulers_.size(); ++s)
            f(schedulers_[s]);
    }
    // f(i) for each 64 units. Most machines have no more, and pay for no loop.
    template <class F>
    void for_each_word(F&& f) const {
        f(0);
        for (unsigned i = 1; i < units_.words; ++i)
            f(i);
    }
    bool find_candidates(SchedulerUnit& scheduler, Cycle now);
    [[nodiscard]] bool pipe_may_open(const SchedulerUnit& scheduler) const;
    [[gnu::noinline]] void keep_boosted(SchedulerUnit& scheduler) const;
    const warp::Flight& issue_from(UnitId unit, Cycle now);
    warp::Flight& open_flight(const Decoded& op);
    Cycle execute(const Decoded& op, RowId row, Cycle now);
    void pass(warp::Flight& flight, const Decoded& op, Cycle now);
    void send(warp::Flight& flight, const Decoded& op, Cycle now);
    void send_to_memory(warp::Flight& flight, const Decoded& op, Cycle now);
    void await_next_pcs(UnitId unit, const Decoded& op);
    [[nodiscard]] bool waits_for_memory(const warp::Flight& flight) const;
    [[nodiscard]] bool gives_row_back(const warp::Flight& flight) const;
    [[nodiscard]] Producer producer_of(const warp::Flight& flight, const Decoded& op) const;

    void let_ahead(warp::Flight& flight, Cycle at, Cycle now);
    void put_aside(warp::Flight& flight, Cycle now);
    void write_at(warp::FlightId flight, Cycle at, Cycle now);
    void come_back_all(std::vector<warp::FlightId>& flights, Cycle now);
    void come_back(warp::FlightId flight, Cycle now);
    void take_effect(warp::Flight& flight, Cycle now);
    [[gnu::noinline]] void commit_rest(warp::Flight& flight, bool straight, Cycle now);
    void release_registers(warp::FlightId flight);

    void evaluate(UnitId unit);
    void evaluate_fetched(UnitId unit);
    void evaluate_registers(UnitId unit);
    [[nodiscard]] Scoreboard::Block blocker_of(UnitId unit, Pc pc);
    [[nodiscard, gnu::noinline]] Scoreboard::Block blocker_of_parts(UnitId unit, const std::uint64_t* needs);
    [[gnu::noinline]] void wait_for_register(UnitId unit, Scoreboard::Block block);
    void wake_at(UnitId unit, Cycle at);
    void evaluate_waiting(RowId row, warp::FlightId f);
    // A unit that waits for a register goes on waiting for it when others are written: between its instructions nobody
    // else writes registers of its row, unless rows are divided. Whether the wait is a long one is another matter where
    // that shows only when a load has missed.
    [[nodiscard]] bool waits_for_another(UnitId unit, warp::FlightId f) const {
        return !divides_rows_ && loads_are_long_ && standing_[unit].blocker.flight() != f;
    }
    [[nodiscard]] bool waits_for_register(UnitId unit) const {
        return standing_[unit].state >= kBlocked && standing_[unit].state != kNoInstruction;
    }
    void evaluate_row(RowId row);
    // A unit's number that is free now may soon be another's.
    void forget_the_dead() {
        for_each_word([&](unsigned i) {
            const std::uint64_t left = known_.word(i) & units_.eligible.word(i) & units_.alive.word(i);
            if (left != known_.word(i))
                changed_ = all_schedulers_;
            known_.word(i) = left;
        });
    }
    // Its scheduler has to look at it again.
    void mark(UnitId unit) {
        changed_ |= 1U << standing_[unit].scheduler;
    }
    void place(UnitId unit, State state) {
        Standing& standing = standing_[unit];
        changed_ |= static_cast<unsigned>(standing.state != state) << standing.scheduler;
        auto& in = states_[unit / 64].in;
        const std::uint64_t bit = std::uint64_t{1} << (unit % 64);
        in[standing.state] &= ~bit;
        standing.state = state;
        in[state] |= bit;
    }
    void set_long_wait(UnitId unit, bool waits) {
        if (long_wait_.contains(unit) != waits)
            tell_long_wait(unit, waits);
    }
    void tell_long_wait(UnitId unit, bool waits);
    [[nodiscard]] bool is_long(Writer writer) const;
    void tell_block_events(Cycle now);
    void find_wake();

    // Whether the units see nothing of what the back end has done: the front end would do nothing either.
    [[nodiscard]] bool is_quiet(Cycle now) const {
        return now < quiet_until_ && changed_ == 0 && now < policies_wake_ && !trace_;
    }
    [[nodiscard]] Cycle next_event(Cycle now) {
        return std::max(now, std::min(memory_.next(), own_event(now)));
    }
    [[nodiscard]] Cycle own_event(Cycle now);
    [[nodiscard]] Cycle next_of_units(Cycle now) const;
    Cycle pass_over_answers(Cycle next, Cycle until);
    Cycle skip(Cycle now, Cycle until);
    void pass_idly(Cycle now);
    Cycle next_ = 0;        // next_event() as the last skip() has found it; 0 when something has happened since
    Cycle quiet_until_ = 0; // next_of_units() likewise, while nothing changes that it has looked at

    // Causes of slots: scoreboard_stalls.cpp.
    void find_cause(SchedulerUnit& scheduler) const;
    [[nodiscard]] warp::FlightId load_waited_for(const SchedulerUnit& scheduler) const;
    [[nodiscard]] probe::Slot load_store_cause() const;
    // What the load/store unit does may be another cause than in the last cycle.
    void look_at_load_store(SchedulerUnit& scheduler) const {
        const auto cause = static_cast<std::uint64_t>(causes_[static_cast<unsigned>(Pipe::LdSt)]);
        scheduler.slot = static_cast<probe::Slot>(
            select(scheduler.at_load_store, cause, static_cast<std::uint64_t>(scheduler.slot)));
    }
    [[nodiscard]] probe::Slot idle_cause(const SchedulerUnit& scheduler) const;
    void account_stall(SchedulerUnit& scheduler, Cycle cycles) {
        contexts_.stats.slots[static_cast<std::size_t>(scheduler.slot)] += cycles;
        in_flight_[scheduler.waits_for].memory_stalls += cycles;
    }
    void attribute(warp::FlightId flight);

    // The unit waits for its stores, a fence or an atomic operation.
    void drain(UnitId unit) {
        mark(unit);
        drains_.insert(unit);
        record_memory_wait(unit, true);
    }
    void stop_draining(UnitId unit) {
        drains_.erase(unit);
        record_memory_wait(unit, false);
    }

    // A unit waits for memory while its next instruction needs what a long operation writes, or while it drains.
    void record_memory_wait(UnitId unit, bool waits) {
        if (timeline_ == nullptr) [[likely]]
            return;
        if (waits)
            timeline_->units.waits(unit, probe::Activity::Memory, clock_);
        else
            timeline_->units.goes_on(unit, probe::Activity::Memory, clock_);
    }

    void trace_cycle(Cycle now);
    [[nodiscard]] std::string traced(const warp::Group& group) const;
    void trace_idle(Cycle now, Cycle until);

    const ScoreboardConfig config_;
    const UnitsConfig units_config_;
    const bool divides_rows_;
    const bool units_are_rows_;
    const bool loads_are_long_;
    std::vector<SchedulerUnit> schedulers_;
    unsigned all_schedulers_ = 0; // their bits
    bool tells_edges_ = false;
    Cycle policies_wake_ = kNever; // when a policy is to be ticked next
    EligibleEdges edges_;

    FrontEnd front_;
    DecodedKernel kernel_;
    Scoreboard scoreboard_;
    ExecutionUnits execution_;
    // By pipe: the first cycle in which it takes another instruction; kNever for LD/ST: when one has left it.
    std::array<Cycle, kPipes> opens_{};
    std::vector<warp::FlightId> free_flights_;
    struct alignas(32) FlightState { // two lie in a line of the host's cache
        bool at_memory = false;      // it goes through the load/store unit
        bool commits_late = false;   // its next PCs do not count yet
        std::uint8_t writes = 0;
        std::array<RegisterNumber, 4> written{};
        Cycle aside_since = kNever;      // put aside; kNever: it was not
        std::uint64_t memory_stalls = 0; // slots that its data were waited for
    };
    std::vector<FlightState> in_flight_; // by flight, and behind them that of kNoLoad
    // An instruction that ends in its pipe leaves nothing but registers to be written at a known time: where units are
    // rows its flight is not kept.
    warp::Flight passing_; // the last one

    // Load/store unit
    RingQueue<Waiting> to_load_store_; // collecting their operands, then waiting for their turn
    std::size_t ldst_capacity_;
    Cycle ldst_again_ = 0;         // the first cycle in which the first may go on, its operands apart
    Cycle ldst_next_ = kNever;     // that with its operands; kNever: there is none
    ReservationTable ldst_writes_; // its write port
    LoadStoreUnit::Step ldst_step_ = LoadStoreUnit::Step::Done;
    std::uint16_t miss_latency_; // from a line's arrival to its data in the registers

    LatencyWheel wheel_; // flights, and behind them units
    // Units by what they wait for. Right for units that are eligible; the others' is looked at again when they are.
    struct States { // of 64 units
        std::array<std::uint64_t, kStates> in{};
    };
    std::vector<States> states_;
    // Of slots in which units that may go on wait in a state: constant but for LD/ST, which is what that unit did last.
    std::array<probe::Slot, kNoInstruction> causes_ = {
        probe::Slot::PipeSp,       probe::Slot::PipeDp,           probe::Slot::PipeSfu,
        probe::Slot::PipeLdSt,     probe::Slot::ScoreboardAlu,    probe::Slot::ScoreboardSfu,
        probe::Slot::ScoreboardDp, probe::Slot::ScoreboardOnChip, probe::Slot::ScoreboardMemory};
    struct Standing { // of a unit
        State state = kNoInstruction;
        std::uint8_t scheduler = 0;
        Writer blocker;        // where it waits for a register
        bool wakes_up = false; // is in the wheel: its register is written then
    };
    std::vector<Standing> standing_;
    std::vector<std::uint64_t> waiting_of_row_; // by row: units whose blocker writes a register of the row
    UnitSet known_;                             // looked at since they became eligible
    UnitSet transfers_; // a control transfer of theirs is on its way, or their buffer filling after it
    UnitSet drains_;    // wait for their stores, a fence or an atomic operation
    std::vector<warp::FlightId> came_back_;
    unsigned aside_ = 0;
    bool asks_ = false;   // a flight was put aside since the formation had none to divide
    bool issued_ = false; // something was issued in the last cycle
    // Schedulers, a bit each, for which something that they look at has changed since they last did: the others have
    // nothing to issue, for the same cause as before.
    unsigned changed_ = 0;
    std::size_t counted_ = 0; // schedulers whose slot of the cycle has been counted
};

} // namespace heddle::sm
