#include <array>
#include <map>
#include <random>

#include "contract/contract.h"
#include "contract/formation_driver.h"

namespace heddle::contract {

namespace {

using formation::Driver;

constexpr unsigned kWidth = 8;
constexpr unsigned kRows = 4;

// Two blocks of two rows, the second row with six threads, and outcomes that the checks write.
struct Scene {
    explicit Scene(const std::string& policy) : d(policy, kWidth, kRows, {"lwm.size=16"}) {} // large warps: a block

    Driver d;
    std::array<LaneMask, kRows> live{};

    void launch_block(std::uint16_t block, RowId first) {
        const std::array<warp::Part, 2> rows{{{first, 0xff}, {static_cast<RowId>(first + 1), 0x3f}}};
        d.formation->launch(block, rows, 0);
        live[first] = 0xff;
        live[first + 1] = 0x3f;
    }

    // Every live thread is in at most one unit and no dead thread is in any. (Threads that a unit's stack keeps back
    // are in no unit's members.)
    void check() const {
        std::array<LaneMask, kRows> seen{};
        d.formation->units.alive.for_each([&](UnitId u) {
            unsigned threads = 0;
            for (const warp::Part& part : d.formation->members(u)) {
                expect(part.row < kRows, "a unit has threads of a row that the SM does not have");
                expect((seen[part.row] & part.lanes) == 0, "a thread is in two units");
                expect((part.lanes & ~live[part.row]) == 0, "a unit has a thread that does not exist or has exited");
                seen[part.row] |= part.lanes;
                threads += count_lanes(part.lanes);
            }
            expect(threads == d.formation->units.threads[u], "units.threads is not the number of a unit's members");
            expect(threads != 0, "a unit is alive without threads");
        });
        d.formation->units.eligible.for_each([&](UnitId u) {
            expect(d.formation->units.alive.contains(u), "a unit is eligible that is not alive");
            expect(u < d.formation->units.words * 64, "a unit lies beyond units.words, where no core looks");
        });
    }

    [[nodiscard]] std::map<std::pair<RowId, unsigned>, Pc> pcs() const {
        std::map<std::pair<RowId, unsigned>, Pc> out;
        d.formation->units.alive.for_each([&](UnitId u) {
            for (const warp::Part& part : d.formation->members(u))
                for (LaneMask m = part.lanes; m != 0; m &= m - 1)
                    out[{part.row, static_cast<unsigned>(std::countr_zero(m))}] = d.formation->units.pc[u];
        });
        return out;
    }
};

void launches_at_the_entry(const std::string& policy) {
    Scene scene(policy);
    scene.launch_block(0, 0);
    scene.launch_block(1, 2);
    scene.check();
    const auto at = scene.pcs();
    expect(at.size() == std::size_t{2} * (8 + 6), "a launched thread is in no unit");
    for (const auto& [thread, pc] : at)
        expect(pc == 0, "a launched thread is not at the entry");
}

void keeps_a_flying_unit_back(const std::string& policy) {
    Scene scene(policy);
    scene.launch_block(0, 0);
    const UnitId unit = scene.d.formation->units.eligible.first();
    scene.d.formation->units.eligible.erase(unit);
    warp::Group group;
    do
        scene.d.formation->form(unit, scene.d.plain, scene.d.executor, group);
    while (!group.last);
    expect(!scene.d.formation->units.eligible.contains(unit), "a unit is eligible while its group is executed");
}

// Each thread runs a counted loop whose trip count is the thread's number, then exits.
//   0: if (trips == 0) goto 3   1: work   2: goto 0   3: exit
class Loops {
public:
    explicit Loops(const std::string& policy) : scene_(policy) {
        scene_.launch_block(0, 0);
        scene_.launch_block(1, 2);
        for (RowId row = 0; row < kRows; ++row)
            for (unsigned lane = 0; lane < kWidth; ++lane)
                trips_[{row, lane}] = (row * kWidth + lane) * 7 % 13;
        wanted_ = trips_;
        ops_[0].kind = ir::Kind::Branch;
        ops_[0].reconvergence = 3;
        ops_[0].guard = 0; // not an unconditional jump
        ops_[2].kind = ir::Kind::Branch;
        ops_[3].kind = ir::Kind::Exit;
    }

    void run() {
        std::mt19937 random(3);
        unsigned steps = 0;
        while (scene_.live != std::array<LaneMask, kRows>{}) {
            expect(++steps < 100000, "threads of counted loops do not come to their end");
            scene_.d.settle();
            scene_.check();
            std::vector<UnitId> eligible; // any of them may go next
            scene_.d.formation->units.eligible.for_each([&](UnitId u) { eligible.push_back(u); });
            expect(!eligible.empty(), "no unit is eligible although threads are left");
            execute(eligible[random() % eligible.size()]);
        }
        expect(scene_.d.formation->units.alive.empty(), "a unit is alive after the last thread has exited");
        for (const auto& [thread, n] : wanted_) {
            const bool exists = thread.first % 2 == 0 || thread.second < 6;
            expect(work_[thread] == (exists ? n : 0),
                   "a thread has executed another number of iterations than its own");
        }
    }

private:
    void execute(UnitId unit) {
        const Pc pc = scene_.d.formation->units.pc[unit];
        expect(pc < ops_.size(), "a unit is at a PC that no thread has come to");
        scene_.d.formation->units.eligible.erase(unit);
        for (bool last = false; !last;) {
            warp::Flight flight;
            scene_.d.formation->form(unit, ops_[pc], scene_.d.executor, flight.group);
            flight.op = &ops_[pc];
            last = flight.group.last;
            give_outcome(flight, pc);
            scene_.d.formation->returned(flight, 0);
            scene_.d.formation->advance(flight, 0);
        }
    }

    void give_outcome(warp::Flight& flight, Pc pc) {
        warp::Outcome& o = flight.outcome;
        o.kind = pc == 0 || pc == 2 ? warp::Outcome::Kind::Branch
                 : pc == 3          ? warp::Outcome::Kind::Exit
                                    : warp::Outcome::Kind::Next;
        o.target = pc == 0 ? 3 : 0;
        for (unsigned p = 0; p < flight.group.parts; ++p) {
            const warp::Part& part = flight.group.part[p];
            o.taken[p] = pc == 0 ? 0 : part.lanes;
            for (LaneMask m = part.lanes; m != 0; m &= m - 1) {
                const std::pair<RowId, unsigned> thread{part.row, static_cast<unsigned>(std::countr_zero(m))};
                if (pc == 0 && trips_[thread] == 0)
                    o.taken[p] |= m & (~m + 1);
                if (pc == 1) {
                    ++work_[thread];
                    --trips_[thread];
                }
            }
            o.executed += static_cast<std::uint16_t>(count_lanes(o.taken[p]));
            if (pc == 3)
                scene_.live[part.row] &= ~part.lanes;
        }
    }

    Scene scene_;
    std::map<std::pair<RowId, unsigned>, unsigned> trips_, wanted_, work_;
    std::array<ir::MicroOp, 4> ops_{};
};

void every_thread_executes_its_own(const std::string& policy) {
    Loops(policy).run();
}

void resumes_at_a_barrier(const std::string& policy) {
    Scene scene(policy);
    scene.launch_block(0, 0);
    std::vector<UnitId> all;
    scene.d.formation->units.eligible.for_each([&](UnitId u) { all.push_back(u); });
    std::vector<warp::Part> waiting;
    for (const UnitId u : all) {
        const std::span<const warp::Part> members = scene.d.formation->members(u);
        waiting.insert(waiting.end(), members.begin(), members.end());
        scene.d.barrier(u);
    }
    expect(scene.d.formation->units.eligible.empty(), "a unit is eligible whose threads wait at a barrier");
    scene.check();
    scene.d.formation->resume(0, waiting);
    scene.check();
    for (const auto& [thread, pc] : scene.pcs())
        expect(pc == 1, "a thread that waited at a barrier does not go on behind it");
    expect(!scene.d.formation->units.eligible.empty(), "no unit is eligible after the barrier");
}

constexpr Check kChecks[] = {
    {"launched threads are at the entry, each in one unit", launches_at_the_entry},
    {"a unit is not eligible while its group is executed", keeps_a_flying_unit_back},
    {"every thread executes its own instructions", every_thread_executes_its_own},
    {"threads that wait at a barrier go on when it is complete", resumes_at_a_barrier},
};

} // namespace

std::span<const Check> formation_checks() {
    return kChecks;
}

} // namespace heddle::contract
