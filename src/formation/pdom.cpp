// Stack reconvergence at immediate post-dominators (LWM11 2.3, DWF07 3.2): the baseline.
//
// A unit is a home row. Beside its stack it keeps what runs now: PC, reconvergence point, lanes. A divergent branch
// pushes the join entry (the reconvergence point with all lanes), then the side that runs second; reaching the
// reconvergence point pops. A reconvergence point is a PC at a call depth: else a recursive function would pop wrongly.

#include <algorithm>
#include <array>
#include <vector>

#include "formation/formation.h"
#include "formation/sides.h"

namespace heddle::formation {

struct PdomConfig {
    static constexpr std::string_view kSection = "pdom";
    std::string first = "taken";
    std::uint64_t spin_limit = 4'000'000;
    static std::span<const config::Parameter<PdomConfig>> parameters() {
        using C = PdomConfig;
        static const config::Parameter<C> table[] = {
            {"first", &C::first, "", "taken|not-taken", "side of a divergent branch that runs first",
             "LWM11 2.3 leaves it open"},
            {"spin_limit", &C::spin_limit, "instructions", "0..1000000000000",
             "livelock is reported when a warp issues this many instructions without a store while its own threads "
             "wait "
             "at a reconvergence point; 0: never",
             "assumed"},
        };
        return table;
    }
};

namespace {

struct Point {     // where threads meet again
    Pc pc = kNoPc; // kNoPc: nowhere before they exit
    std::uint16_t depth = 0;
    bool operator==(const Point&) const = default;
};

struct Entry {
    Point at;            // where its threads go on
    Point reconvergence; // and until where
    LaneMask lanes = 0;
};

class Pdom final : public Formation {
public:
    Pdom(const Shape& shape, const config::Machine& machine) : Formation(shape.rows), warps_(shape.rows) {
        const auto config = machine.get<PdomConfig>();
        taken_first_ = config.first == "taken";
        spin_limit_ = config.spin_limit;
        for (Warp& w : warps_)
            w.stack.reserve(kUsualDepth);
    }

    void launch(std::uint16_t block, std::span<const warp::Part> rows, Pc entry) override {
        for (const warp::Part& row : rows) {
            const UnitId u = row.row;
            Warp& w = warps_[u];
            w.part = row;
            w.running = {{entry, 0}, {}, row.lanes};
            w.stack.clear();
            w.waiting = 0;
            w.spun = 0;
            w.floor = 0;
            units.block[u] = block;
            units.threads[u] = static_cast<std::uint16_t>(count_lanes(row.lanes));
            units.birth[u] = births_++;
            ++units.generation[u];
            units.alive.insert(u);
            show(u);
        }
    }

    std::span<const warp::Part> members(UnitId u) const override {
        return {&warps_[u].part, 1};
    }

    void form(UnitId u, const ir::MicroOp& /*op*/, const exec::Executor& /*predicates*/, warp::Group& group) override {
        form_row(u, warps_[u].part, group);
    }

    void advance(const warp::Flight& flight) override {
        using Kind = warp::Outcome::Kind;
        const UnitId u = flight.group.unit;
        Warp& w = warps_[u];
        if (flight.outcome.kind == Kind::Next || flight.outcome.kind == Kind::Memory) {
            ++w.running.at.pc;
        } else {
            take(w, flight);
        }
        while (!w.stack.empty() && w.running.at == w.running.reconvergence)
            pop(w);
        if (w.stack.empty())
            w.floor = 0;
        else
            watch(u, w, flight);
        show(u);
    }

    void resume(std::uint16_t /*block*/, std::span<const warp::Part> threads) override {
        for (const warp::Part& part : threads) {
            warps_[part.row].waiting &= ~part.lanes;
            show(part.row);
        }
    }

private:
    static constexpr std::size_t kUsualDepth = 64;

    struct Warp {
        warp::Part part; // running lanes, as a part
        Entry running;
        LaneMask waiting = 0;     // at a barrier or for the rest of their warp
        std::uint64_t spun = 0;   // instructions without headway: see watch()
        std::size_t floor = 0;    // entries that have waited all that time
        std::vector<Entry> stack; // the top is at the back
    };

    // Makes the unit's table row say what the warp does next.
    void show(UnitId u) {
        Warp& w = warps_[u];
        units.pc[u] = w.running.at.pc;
        if (w.part.lanes != w.running.lanes) {
            w.part.lanes = w.running.lanes;
            units.threads[u] = static_cast<std::uint16_t>(count_lanes(w.running.lanes));
            if (w.running.lanes == 0)
                units.alive.erase(u);
        }
        units.eligible.put(u, w.running.lanes != 0 && w.waiting == 0);
    }

    void pop(Warp& w) {
        w.running = w.stack.back();
        w.stack.pop_back();
    }

    // Counts instructions while the same entries wait. A store is headway, and so is the end of a wait; the pushes and
    // pops of an if inside the loop are not.
    void watch(UnitId u, Warp& w, const warp::Flight& flight) {
        const bool headway = flight.op->kind == ir::Kind::Store || w.stack.size() < w.floor || w.floor == 0;
        if (headway) {
            w.spun = 0;
            w.floor = w.stack.size();
        } else if (++w.spun == spin_limit_) {
            const Entry& top = w.stack.back();
            throw Livelock(u, w.running.at.pc, top.at.pc, {w.part.row, top.lanes & ~w.running.lanes}, w.spun);
        }
    }

    void take(Warp& w, const warp::Flight& flight) {
        using Kind = warp::Outcome::Kind;
        const warp::Outcome& o = flight.outcome;
        switch (o.kind) {
        case Kind::Branch:
            if (o.taken[0] == w.running.lanes) {
                w.running.at = {o.target, static_cast<std::uint16_t>(w.running.at.depth + o.depth_change)};
                break;
            }
            if (o.taken[0] == 0) {
                ++w.running.at.pc;
                break;
            }
            [[fallthrough]];
        case Kind::Indirect: {
            const Sides sides = sides_of(flight, 0, w.running.at.depth);
            if (sides.count == 1)
                w.running.at = {sides.side[0].pc, sides.side[0].depth};
            else
                diverge(w, sides, reconvergence_of(flight, w.running.at.depth));
            break;
        }
        case Kind::Exit:
            leave(w, o.taken[0]);
            break;
        case Kind::Barrier:
        case Kind::WarpSync:
            w.waiting = o.taken[0];
            ++w.running.at.pc;
            break;
        default:
            break;
        }
    }

    static Point reconvergence_of(const warp::Flight& flight, std::uint16_t depth) {
        if (flight.outcome.diverges_at_return)
            return {flight.outcome.return_pc, static_cast<std::uint16_t>(depth - 1)};
        return {flight.op->reconvergence, depth};
    }

    void diverge(Warp& w, const Sides& sides, Point meet) {
        // A loop whose exit diverges again and again keeps its first join entry: the stack must not grow with the
        // trips.
        const bool joined = !w.stack.empty() && w.stack.back().at == meet && w.running.reconvergence == meet;
        if (meet.pc != kNoPc && !joined)
            w.stack.push_back({meet, w.running.reconvergence, w.running.lanes});
        const Point until = meet.pc != kNoPc ? meet : w.running.reconvergence;
        Entry first;
        for (unsigned i = 0; i < sides.count; ++i) {
            // sides_of() puts the taken side first; the last one pushed runs first.
            const Side& side = sides.side[taken_first_ ? sides.count - 1 - i : i];
            const Entry entry{{side.pc, side.depth}, until, side.lanes};
            if (entry.at == meet)
                continue; // waits in the join entry
            if (first.lanes != 0)
                w.stack.push_back(first);
            first = entry;
        }
        w.running = first;
    }

    // Threads that exit leave every entry; empty entries go.
    void leave(Warp& w, LaneMask gone) {
        for (Entry& e : w.stack)
            e.lanes &= ~gone;
        std::erase_if(w.stack, [](const Entry& e) { return e.lanes == 0; });
        w.running.lanes &= ~gone;
        ++w.running.at.pc;
        if (w.running.lanes == 0 && !w.stack.empty())
            pop(w);
    }

    std::vector<Warp> warps_;
    std::uint64_t births_ = 0;
    std::uint64_t spin_limit_ = 0;
    bool taken_first_ = true;
};

HEDDLE_FORMATION(Pdom, "pdom", "a reconvergence stack a warp, threads meet at immediate post-dominators",
                 "LWM11 2.3, DWF07 3.2");

} // namespace
} // namespace heddle::formation

HEDDLE_CONFIG_SECTION(heddle::formation::PdomConfig, "stack reconvergence (core.formation = pdom)")
