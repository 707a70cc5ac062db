// Stack reconvergence at immediate post-dominators (LWM11 2.3, DWF07 3.2): the baseline. A unit is a home row.

#include <vector>

#include "formation/formation.h"
#include "formation/right_of_way.h"
#include "formation/sides.h"

namespace heddle::formation {
namespace {

class Pdom final : public Formation {
public:
    Pdom(const Shape& shape, const config::Machine& machine)
        : Formation(shape.rows), shape_(shape), right_of_way_(shape.width <= kPtxWarp) {
        const auto config = machine.get<StackConfig>();
        warps_.assign(shape.rows, Warp{{}, 0, Stack(config)});
    }

    Needs needs() const override {
        return {.units_are_rows = true};
    }

    void use(const ir::Program& program) override {
        right_of_way_.use(program);
    }

    void launch(std::uint16_t block, std::span<const warp::Part> rows, Pc entry) override {
        for (const warp::Part& row : rows) {
            const UnitId u = row.row;
            Warp& w = warps_[u];
            w.part = row;
            w.stack.start(entry, row.lanes);
            w.waiting = 0;
            units.threads[u] = static_cast<std::uint16_t>(count_lanes(row.lanes));
            units.begin(u, block, births_++);
            show(u);
        }
    }

    std::span<const warp::Part> members(UnitId u) const override {
        return {&warps_[u].part, 1};
    }

    void form(UnitId u, const ir::MicroOp& /*op*/, const exec::Executor& /*predicates*/, warp::Group& group) override {
        form_row(u, warps_[u].part, group);
    }

    void advance(const warp::Flight& flight, Cycle /*now*/) override {
        using Kind = warp::Outcome::Kind;
        const UnitId u = flight.group.unit;
        Warp& w = warps_[u];
        Stack& stack = w.stack;
        if (flight.outcome.kind == Kind::Next || flight.outcome.kind == Kind::Memory) {
            units.pc[u] = ++stack.running.at.pc;
            if (w.waiting == 0 && (stack.empty() || !stack.at_join())) [[likely]] { // nothing else can have changed
                if (!stack.empty() && stack.spins(ir::stores(flight.op->kind))) [[unlikely]]
                    look_for_livelock(u);
                units.eligible.insert(u);
                return;
            }
        } else {
            take(w, flight);
        }
        look_around(u, ir::stores(flight.op->kind));
    }

    void resume(std::uint16_t /*block*/, std::span<const warp::Part> threads) override {
        for (const warp::Part& part : threads)
            warps_[part.row].waiting &= ~part.lanes;
        for (const warp::Part& part : threads) {
            Warp& w = warps_[part.row];
            if (((part.lanes | w.waiting) & w.stack.running.threads) == 0)
                continue; // other threads run, and may be in the pipeline; those that wait may give way
            meet_or_give_way(w);
            show(part.row);
        }
    }

    std::vector<cost::HardwareCost> hardware_cost() const override {
        return {{.structure = "active mask",
                 .entries = shape_.rows,
                 .bits = shape_.width,
                 .source = "LWM11 2.1",
                 .note = "a bit a lane; an entry a warp"},
                cost_of_stacks(shape_.rows, shape_.width)};
    }

private:
    using Stack = ReconvergenceStack<LaneMask>;

    // The fields that each instruction uses are in the first 64 bytes.
    struct alignas(64) Warp {
        warp::Part part;      // the running threads
        LaneMask waiting = 0; // threads at a barrier, or waiting for the rest of their warp
        Stack stack;
    };

    // Updates the unit's entry of the unit table.
    void show(UnitId u) {
        Warp& w = warps_[u];
        const LaneMask running = w.stack.running.threads;
        units.pc[u] = w.stack.running.at.pc;
        if (w.part.lanes != running) {
            w.part.lanes = running;
            units.threads[u] = static_cast<std::uint16_t>(count_lanes(running));
            if (running == 0)
                units.alive.erase(u);
        }
        units.eligible.put(u, running != 0 && (w.waiting & running) == 0);
    }

    // Threads that have come to another place may meet others, or wait for others.
    [[gnu::noinline]] void look_around(UnitId u, bool stores) {
        Warp& w = warps_[u];
        meet_or_give_way(w);
        if (w.stack.spins(stores))
            look_for_livelock(u);
        show(u);
    }
    [[gnu::noinline]] void look_for_livelock(UnitId u) {
        const Warp& w = warps_[u];
        if (!spin_watch_.repeats(w.part.row, u, w.stack.running.at.pc, {&w.part.row, 1}, w.stack.spun()))
            return;
        const Stack::Entry& top = w.stack.waiting().back();
        throw Livelock(u, w.stack.running.at.pc, top.at.pc, {w.part.row, top.threads & ~w.stack.running.threads},
                       w.stack.spun());
    }

    void meet_or_give_way(Warp& w) const {
        w.stack.reconverge(w.waiting);
        if ((w.waiting & w.stack.running.threads) != 0)
            right_of_way_.give_way(w.stack, w.waiting);
    }

    static void take(Warp& w, const warp::Flight& flight) {
        using Kind = warp::Outcome::Kind;
        const warp::Outcome& o = flight.outcome;
        auto& running = w.stack.running;
        switch (o.kind) {
        case Kind::Branch:
            if (o.taken[0] == running.threads) {
                running.at = {o.target, static_cast<std::uint16_t>(running.at.depth + o.depth_change)};
                break;
            }
            if (o.taken[0] == 0) {
                ++running.at.pc;
                break;
            }
            [[fallthrough]];
        case Kind::Indirect: {
            const Sides sides = sides_of(flight, 0, running.at.depth);
            if (sides.count == 1)
                running.at = sides.side[0].at;
            else
                w.stack.diverge(sides.all(), reconvergence_of(flight, running.at.depth));
            break;
        }
        case Kind::Exit:
            ++running.at.pc;
            w.stack.leave(o.taken[0]);
            break;
        case Kind::Barrier:
        case Kind::WarpSync:
            w.waiting |= o.taken[0];
            ++running.at.pc;
            break;
        default:
            break;
        }
    }

    const Shape shape_;
    std::vector<Warp> warps_;
    RightOfWay right_of_way_;
    std::uint64_t births_ = 0;
};

HEDDLE_FORMATION(Pdom, "pdom", "one reconvergence stack for each warp; threads meet at immediate post-dominators",
                 "LWM11 2.3, DWF07 3.2");

} // namespace
} // namespace heddle::formation
