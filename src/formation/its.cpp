// Warps of native code: paths with a PC of their own, which meet at convergence barriers (formation/warp_paths.h).
// BSSY, BSYNC and YIELD are micro-ops Bra of kind Nop (native/execute/expand.h).
#include <utility>
#include <vector>

#include "formation/formation.h"
#include "formation/sides.h"
#include "formation/warp_paths.h"
#include "ir/convergence.h"

namespace heddle::formation {

namespace {

struct ItsConfig {
    static constexpr std::string_view kSection = "its";
    static constexpr bool kOptional = true;
    std::string first = "not-taken";
    std::string next = "latest";
    std::uint64_t rounds = 64;

    [[nodiscard]] PathOrder order() const {
        return {first == "taken", next == "earliest", rounds};
    }
    static std::span<const config::Parameter<ItsConfig>> parameters();
};

class Its final : public Formation {
public:
    Its(const Shape& shape, const config::Machine& machine) : Formation(shape.rows) {
        warps_.assign(shape.rows, {{}, WarpPaths(machine.get<ItsConfig>().order())});
        resumed_.assign(shape.rows, 0);
    }

    Needs needs() const override {
        return {.units_are_rows = true, .convergence_barriers = true};
    }

    void launch(std::uint16_t block, std::span<const warp::Part> rows, Pc entry) override {
        for (const warp::Part& row : rows) {
            const UnitId u = row.row;
            warps_[u].paths.start(entry, row.lanes);
            warps_[u].part = row;
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
        WarpPaths& paths = warps_[u].paths;
        const warp::Outcome& o = flight.outcome;
        switch (o.kind) {
        case Kind::Branch:
            paths.branch(o.taken[0], o.target);
            break;
        case Kind::Indirect:
            go_on(flight, paths);
            break;
        case Kind::Exit:
            paths.exit(o.taken[0]);
            break;
        case Kind::Barrier:
            paths.suspend(o.taken[0]);
            break;
        case Kind::WarpSync:
            paths.meet(o.taken[0]);
            break;
        default:
            if (flight.op->opcode != ir::Opcode::Bra)
                paths.next();
            else if (flight.op->imm == ir::convergence::kYield)
                paths.yield();
            else if (const auto barrier = static_cast<unsigned>(flight.op->imm); flight.op->target != kNoPc)
                paths.set(barrier);
            else
                paths.wait(barrier);
        }
        show(u);
    }

    // The threads of a warp that have waited together go on together, also where they came one after the other.
    void resume(std::uint16_t /*block*/, std::span<const warp::Part> threads) override {
        for (const warp::Part& part : threads)
            resumed_[part.row] |= part.lanes;
        for (const warp::Part& part : threads)
            if (const LaneMask lanes = std::exchange(resumed_[part.row], 0); lanes != 0) {
                warps_[part.row].paths.resume(lanes);
                show(part.row);
            }
    }

private:
    static void go_on(const warp::Flight& flight, WarpPaths& paths) {
        const Sides sides = sides_of(flight, 0, 0);
        std::vector<WarpPaths::Path> to;
        for (const Side& side : sides.all())
            to.push_back({side.at.pc, side.threads});
        paths.go_on(to);
    }

    struct alignas(64) Warp { // what each instruction needs lies in one line of the host's caches
        warp::Part part;      // the threads that run; while none runs, all
        WarpPaths paths;
    };

    // Updates the unit's entry of the unit table. Where no thread runs, it shows all threads, at the PC of the last
    // one.
    void show(UnitId u) {
        Warp& w = warps_[u];
        const bool runs = w.paths.running() != 0;
        w.part.lanes = runs ? w.paths.running() : w.paths.live();
        if (runs)
            units.pc[u] = w.paths.pc();
        units.threads[u] = static_cast<std::uint16_t>(count_lanes(w.part.lanes));
        units.eligible.put(u, runs);
        if (w.paths.live() == 0)
            units.alive.erase(u);
    }

    std::vector<Warp> warps_;
    std::vector<LaneMask> resumed_; // by row; none between calls of resume()
    std::uint64_t births_ = 0;
};

std::span<const config::Parameter<ItsConfig>> ItsConfig::parameters() {
    using C = ItsConfig;
    static const config::Parameter<C> table[] = {
        {"first", &C::first, "", "not-taken|taken", "the side of a branch that goes on first", "assumed"},
        {"next", &C::next, "", "latest|earliest",
         "of the paths of a warp that can run, the one that goes on when the running one waits or exits: that which "
         "became ready last, or first",
         "Abaie Shoushtary et al., arXiv 2407.02944: latest"},
        {"rounds", &C::rounds, "branches", "0..1000000",
         "backward branches after which a path leaves the warp to another that can run; 0: it never does, and a spin "
         "lock between threads of a warp does not end",
         "assumed"},
    };
    return table;
}

HEDDLE_FORMATION(Its, "its",
                 "threads of a warp on paths with a PC each, which meet at the convergence barriers of native code",
                 "Volta and later; Abaie Shoushtary et al., arXiv 2407.02944");

} // namespace
} // namespace heddle::formation

HEDDLE_CONFIG_SECTION(heddle::formation::ItsConfig,
                      "convergence barriers and paths of a warp (core.formation = \"its\")")
