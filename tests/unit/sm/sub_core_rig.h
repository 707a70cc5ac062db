// The parts of an SM of sub-cores that find why units do not issue, over a kernel of which nothing executes by itself.
#pragma once

#include "core_rig.h"
#include "sm/sub_core/stall_account.h"

namespace heddle::sm::test {

class FirstCandidate final : public sched::Scheduler {
public:
    UnitId pick(const UnitSet& can_issue, const warp::View& /*view*/, Cycle /*now*/) override {
        return can_issue.first();
    }
    void long_wait(UnitId unit, bool waits) override {
        edges.emplace_back(unit, waits);
    }
    std::vector<std::pair<UnitId, bool>> edges;
};

struct StatesRig : FrameRig {
    static constexpr unsigned kFirstItem = 100;

    explicit StatesRig(const std::string& body, std::uint32_t threads = 4,
                       const std::vector<std::string>& settings = {}, bool loads_are_long = true)
        : FrameRig(with(kScoreboard, settings), body, threads, InFlight::kMost),
          schedulers(static_cast<unsigned>(machine.get<SubCoreConfig>().schedulers)), pipes(machine), decoded(pipes),
          issue_units(make_issue_units()), wheel(kFirstItem + frame.units.capacity()),
          states(frame, decoded, fronts, issue_units, wheel, kFirstItem, pipes.count(), loads_are_long),
          none(static_cast<WaitStates::State>(pipes.count() + 1 + kProducers)) {
        decoded.decode(kernel.lowered.program, kernel.lowered.kernel());
        states.begin();
    }

    std::vector<IssueUnit> make_issue_units() {
        fronts.emplace_back(machine.get<ICacheConfig>(), machine.get<SubCoreConfig>(), frame.units, frame.memory);
        std::vector<IssueUnit> out;
        for (unsigned s = 0; s < schedulers; ++s) {
            auto policy = std::make_unique<FirstCandidate>();
            policies.push_back(policy.get());
            const sched::Share share{.units = frame.units.capacity(), .index = s, .count = schedulers};
            out.emplace_back(std::move(policy), share, pipes.count());
        }
        return out;
    }
    // Units have become eligible, and the first instructions of each are in its buffer: it is cycle 110.
    void start() {
        states.look_at_units();
        fronts[0].fetch(0);
        frame.clock = 110;
        while (frame.memory.next() <= frame.clock)
            fronts[0].fill(frame.memory.take().id);
        for (unsigned u = 0; u < 4; ++u)
            fronts[0].fetch(frame.clock - 5);
        fronts[0].deliver(frame.clock, [&](UnitId unit) { states.fetched(unit); });
    }
    // The unit has issued its instruction, and its next PC counts: what the core's issue does.
    void go_on(UnitId unit) {
        fronts[0].take(unit);
        ++frame.units.pc[unit];
        states.evaluate(unit);
    }
    // A flight of the unit, as it is now.
    [[nodiscard]] warp::Flight flight_of(UnitId unit) const {
        warp::Flight out;
        out.group.unit = unit;
        out.generation = frame.units.generation[unit];
        return out;
    }
    // What the first of an issue unit's units waits for.
    [[nodiscard]] WaitStates::State state(unsigned issue_unit = 0) const {
        return issue_units[issue_unit].first_state(states.known(), frame.units);
    }
    [[nodiscard]] WaitStates::State reg(Producer producer) const {
        return static_cast<WaitStates::State>(pipes.count() + 1 + static_cast<unsigned>(producer));
    }
    [[nodiscard]] const Decoded& op(Pc pc) const {
        return decoded.at(pc);
    }
    [[nodiscard]] static warp::Group row(RowId r) {
        warp::Group out;
        out.unit = r;
        out.parts = 1;
        out.part[0] = {r, 0b1111};
        return out;
    }

    unsigned schedulers;
    PipeTable pipes; // sp, sfu, dp
    DecodedKernel decoded;
    std::vector<FrontEnd> fronts;
    std::vector<FirstCandidate*> policies;
    std::vector<IssueUnit> issue_units;
    LatencyWheel wheel;
    UnitStates states;
    WaitStates::State none; // no instruction
};

} // namespace heddle::sm::test
