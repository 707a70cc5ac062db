// The warp processing unit (MAWS 3.1, 3.2, 6): in order, one instruction a cycle. Each access ends a unit's turn.
//
//   turn     a picked unit executes an instruction a cycle. Its turn ends with an access to memory, or when the unit
//            waits for instructions or for other units, or ends. The next unit executes in the following cycle: a
//            switch takes no cycles
//   access   looked up in the cycle in which it is executed. While the caches serve an earlier access, word after word
//            of a bank, it waits. The unit may be picked again when its data are there: the hit latency after the
//            look-up, or a cycle after its last line has come (assumed)
//   divide   where an access hits in part, the formation may let the threads whose data are there continue (MAWS 5)
//
// All other instructions take one cycle (MAWS 6). An access to an on-chip memory also ends a turn (assumed: the paper
// has no on-chip memory).
#pragma once

#include <string>
#include <vector>

#include "base/ring_queue.h"
#include "sm/frame/timed_core.h"
#include "sm/single_issue/single_issue.h"

namespace heddle::sm {

class Wpu final : public TimedCore {
public:
    Wpu(const config::Machine& machine, unsigned sm, exec::MemoryImage& image, const ir::Program& program,
        const TraceSink& trace);

    // The reason why the core cannot run a formation; empty when it can.
    static std::string objection(const formation::Formation& how);

    void start_block(Dim3 ctaid, std::uint64_t global_id, Cycle now) override;
    void threads_released(Cycle now) override;
    Cycle run(Cycle now, Cycle until) override;
    void catch_up(Cycle now) override;
    std::vector<std::uint64_t> block_order() const override {
        return issue_.block_order();
    }
    void add_statistics(stats::Tree& tree) override;

private:
    void simulate(Cycle& now, Cycle until);
    // The parts of one cycle, in order.
    void data_there(Cycle now);
    probe::Slot issue(Cycle now);
    void memory(Cycle now);

    [[nodiscard]] bool goes_on() const;
    bool find_unit(Cycle now);
    void execute(UnitId unit, Cycle now);
    void leave_memory(warp::Flight& flight, Cycle now);
    // Whether the formation may have a flight to divide once nothing can execute: no data are on their way from a
    // cache.
    [[nodiscard]] bool may_divide() const {
        return issue_.may_divide() && accesses_.empty() && !issue_.data_under_way();
    }
    bool divide_starved(Cycle now);

    [[nodiscard]] probe::Slot idle_cause() const {
        return issue_.idle_cause(!accesses_.empty());
    }
    Cycle skip(Cycle now, Cycle until);
    void account(probe::Slot slot, Cycle cycles = 1) {
        frame_.contexts.stats.slots[static_cast<std::size_t>(slot)] += cycles;
        frame_.contexts.stats.cycles += cycles;
        if (frame_.contexts.profile != nullptr && slot != probe::Slot::Issued) [[unlikely]]
            profile_slot(slot, cycles);
    }
    [[gnu::noinline]] void profile_slot(probe::Slot slot, Cycle cycles);
    // The instruction that a slot was empty for; kNoPc: none.
    [[nodiscard]] Pc waits_at(probe::Slot cause) const {
        if (cause == probe::Slot::Pipeline && !accesses_.empty())
            return frame_.flights[accesses_.front()].group.pc;
        return issue_.waits_at(cause);
    }
    void trace_cycle(Cycle now, probe::Slot slot);

    SingleIssue issue_;

    UnitId turn_ = kNoUnit; // the unit that has the turn
    std::uint32_t turn_generation_ = 0;
    std::string executed_; // the units that execute in this cycle, for the trace, before the access is divided

    RingQueue<warp::FlightId> accesses_; // accesses at the caches: the first is looked up
};

} // namespace heddle::sm
