// Divergence without reconvergence (DWF07 3.1): a unit splits into one unit for each distinct next PC, and splits never
// merge. Each unit is scheduled separately.

#include <algorithm>
#include <vector>

#include "formation/formation.h"
#include "formation/sides.h"

namespace heddle::formation {
namespace {

class Serial final : public Formation {
public:
    Serial(const Shape& shape, const config::Machine& /*machine*/)
        : Formation(shape.rows * shape.width), splits_(shape.rows * shape.width), released_(shape.rows) {
        for (unsigned u = units.capacity(); u-- > 0;)
            free_.push_back(static_cast<UnitId>(u));
        units.words = 1; // more when there are more units
    }

    Needs needs() const override {
        return {.divides_rows = true};
    }

    void launch(std::uint16_t block, std::span<const warp::Part> rows, Pc entry) override {
        for (const warp::Part& row : rows)
            show(make(block, row, {{entry, 0}, row.lanes}));
    }

    std::span<const warp::Part> members(UnitId u) const override {
        return {&splits_[u].part, 1};
    }

    void form(UnitId u, const ir::MicroOp& /*op*/, const exec::Executor& /*predicates*/, warp::Group& group) override {
        form_row(u, splits_[u].part, group);
    }

    void advance(const warp::Flight& flight, Cycle /*now*/) override {
        using Kind = warp::Outcome::Kind;
        const UnitId u = flight.group.unit;
        Split& s = splits_[u];
        switch (flight.outcome.kind) {
        case Kind::Next:
        case Kind::Memory:
            ++s.pc;
            break;
        case Kind::Branch:
        case Kind::Indirect:
            divide(u, sides_of(flight, 0, s.depth));
            break;
        case Kind::Exit:
            s.part.lanes &= ~flight.outcome.taken[0];
            ++s.pc;
            break;
        case Kind::Barrier:
        case Kind::WarpSync: {
            // Threads that wait become a unit of their own when others continue.
            const LaneMask waits = flight.outcome.taken[0];
            if (waits == 0) {
                ++s.pc;
                break;
            }
            s.waiting = waits;
            divide(u, parted({s.pc + 1, s.depth}, waits, s.part.lanes & ~waits));
            break;
        }
        }
        show(u);
    }

    // Released threads may come one by one: units are updated once for all of them.
    void resume(std::uint16_t /*block*/, std::span<const warp::Part> threads) override {
        for (const warp::Part& part : threads)
            released_[part.row] |= part.lanes;
        units.alive.for_each([&](UnitId u) {
            Split& s = splits_[u];
            const LaneMask released = s.waiting & released_[s.part.row];
            if (released == 0)
                return;
            s.waiting ^= released;
            if (s.waiting != 0) // for others than the released ones did
                divide(u, parted({s.pc, s.depth}, s.waiting, released));
            show(u);
        });
        for (const warp::Part& part : threads)
            released_[part.row] = 0;
    }

private:
    struct Split {
        warp::Part part;
        Pc pc = kNoPc;
        std::uint16_t depth = 0;
        LaneMask waiting = 0;
    };

    UnitId make(std::uint16_t block, warp::Part row, const Side& side) {
        const UnitId u = free_.back();
        free_.pop_back();
        splits_[u] = {{row.row, side.threads}, side.at.pc, side.at.depth, 0};
        units.begin(u, block, births_++);
        units.words = std::max(units.words, u / 64U + 1);
        return u;
    }

    // Threads at one place, of which some continue while the others wait.
    static Sides parted(Point at, LaneMask waiting, LaneMask others) {
        Sides sides;
        sides.side[0] = {at, waiting};
        sides.side[1] = {at, others};
        sides.count = others != 0 ? 2 : 1;
        return sides;
    }
    // The first side stays in the unit, the others become new units.
    void divide(UnitId u, const Sides& sides) {
        for (unsigned i = 1; i < sides.count; ++i)
            show(make(units.block[u], splits_[u].part, sides.side[i]));
        splits_[u].part.lanes = sides.side[0].threads;
        splits_[u].pc = sides.side[0].at.pc;
        splits_[u].depth = sides.side[0].at.depth;
    }

    void show(UnitId u) {
        const Split& s = splits_[u];
        units.pc[u] = s.pc;
        units.threads[u] = static_cast<std::uint16_t>(count_lanes(s.part.lanes));
        units.eligible.put(u, s.part.lanes != 0 && s.waiting == 0);
        if (s.part.lanes == 0) {
            units.alive.erase(u);
            free_.push_back(u);
        }
    }

    std::vector<Split> splits_;
    std::vector<UnitId> free_;
    std::vector<LaneMask> released_; // by row: released threads, during resume()
    std::uint64_t births_ = 0;
};

HEDDLE_FORMATION(Serial, "serial", "a divergent unit splits into one unit for each distinct next PC; units never merge",
                 "DWF07 3.1");

} // namespace
} // namespace heddle::formation
