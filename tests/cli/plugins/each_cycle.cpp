// A core model that is composed of the parts of heddle's own: the threads and barriers of an SM, the instruction stream
// and the load/store unit. A unit is picked anew in every cycle. Its instruction ends in that cycle; an access ends
// when its data are there, and its unit waits for them.
#include "base/ring_queue.h"
#include "config/plugin.h"
#include "sm/frame/timed_core.h"
#include "sm/single_issue/single_issue.h"

namespace {

using namespace heddle;
using probe::Slot;

class EachCycle final : public sm::TimedCore {
public:
    EachCycle(const config::Machine& machine, unsigned sm, exec::MemoryImage& image, const ir::Program& program,
              const sm::TraceSink& trace)
        : TimedCore(machine, sm, image, program, trace, machine.get<sm::CoreConfig>().threads + 1, false),
          issue_(frame_, load_store_, machine, sm) {}

    static std::string objection(const formation::Formation& how) {
        const bool fits = !how.traits().die_at_issue && !how.traits().take_several_slots &&
                          how.needs().issue_slots == 1 && !how.needs().runs_ahead;
        return fits ? "" : "a unit issues one group, and waits for all its data";
    }

    void start_block(Dim3 ctaid, std::uint64_t global_id, Cycle now) override {
        issue_.block_started(place_block(ctaid, global_id, now), now);
    }
    void threads_released(Cycle now) override {
        issue_.pass_block_changes(now);
    }
    Cycle run(Cycle now, Cycle until) override {
        run_to(now, until, [&](Cycle stop) {
            while (now < stop && !frame_.block_ended)
                cycle(now++);
        });
        wake_ = resident_blocks() != 0 || !accesses_.empty() ? frame_.clock : issue_.next_event();
        return now;
    }
    void catch_up(Cycle now) override {
        if (now <= frame_.clock)
            return;
        account(issue_.idle_cause(!accesses_.empty()), now - frame_.clock);
        frame_.clock = now;
    }
    std::vector<std::uint64_t> block_order() const override {
        return issue_.block_order();
    }
    void add_statistics(stats::Tree& tree) override {
        issue_.add_statistics(tree);
    }

private:
    void cycle(Cycle now) {
        if (frame_.memory.next() <= now)
            issue_.answers(now);
        while (issue_.hit_due(now))
            issue_.complete_hit(now);
        while (issue_.return_due(now))
            issue_.complete_return(now);
        account(issue(now), 1);
        access(now);
    }
    Slot issue(Cycle now) {
        if (frame_.formation.stall != 0) {
            --frame_.formation.stall;
            return Slot::Tables;
        }
        issue_.tick(now);
        if (!issue_.find_candidates()) {
            if (accesses_.empty() && issue_.next_event() == kNever && frame_.stands_still())
                frame_.contexts.report_deadlock(now);
            return issue_.idle_cause(!accesses_.empty());
        }
        const UnitId unit = issue_.pick(now);
        if (unit == kNoUnit)
            return Slot::HeldBack;
        if (!issue_.fetch(unit, now))
            return Slot::FetchMiss;
        execute(unit, now);
        return Slot::Issued;
    }
    void execute(UnitId unit, Cycle now) {
        warp::Flight& flight = issue_.next_flight();
        issue_.open_flight();
        flight.generation = frame_.units.generation[unit];
        issue_.take(unit);
        frame_.formation.form(unit, frame_.contexts.program.ops[frame_.units.pc[unit]], frame_.contexts.executor,
                              flight.group);
        frame_.execute(flight, now);
        frame_.contexts.count_slot(flight.group.pc, flight.group.threads);
        if (flight.outcome.kind == warp::Outcome::Kind::Memory && frame_.access.count != 0)
            load_store_.prepare(flight, frame_.access);
        else if (sm::LoadStoreUnit::is_fence(flight))
            load_store_.prepare_fence(flight);
        else
            return issue_.complete(flight.id, now);
        accesses_.push(flight.id);
    }
    // One cycle of the first access in the load/store unit.
    void access(Cycle now) {
        if (accesses_.empty())
            return;
        warp::Flight& flight = frame_.flights[accesses_.front()];
        if (load_store_.step(flight.id, now) != sm::LoadStoreUnit::Step::Done)
            return;
        accesses_.pop();
        if (flight.lines_left == 0)
            issue_.hits(flight.id, now + load_store_.latency(flight.id));
        else
            issue_.put_aside(flight, now);
    }
    void account(Slot slot, Cycle cycles) {
        frame_.contexts.stats.slots[static_cast<std::size_t>(slot)] += cycles;
        frame_.contexts.stats.cycles += cycles;
    }

    sm::SingleIssue issue_;
    RingQueue<warp::FlightId> accesses_;
};

HEDDLE_CORE(EachCycle, "each-cycle", "another unit each cycle, without a pipeline", "test");

} // namespace

HEDDLE_PLUGIN("each-cycle", "test")
