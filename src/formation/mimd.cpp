// No SIMD constraint (DWF07 Figures 1, 12): a core of the same peak IPC where each lane issues, in every cycle, any
// ready thread at any PC. This is the upper bound of what warp formation can gain.

#include <bit>
#include <vector>

#include "formation/formation.h"

namespace heddle::formation {
namespace {

// A unit is a thread. Its number is that of the thread's home, row * width + lane: adjacent numbers are neighbours, and
// a scheduler that picks by number issues whole warps as long as nothing diverges.
class Mimd final : public Formation {
public:
    Mimd(const Shape& shape, const config::Machine& /*machine*/)
        : Formation(shape.rows * shape.width), width_(shape.width) {
        for (unsigned u = 0; u < units.capacity(); ++u)
            home_.push_back({static_cast<RowId>(u / width_), LaneMask{1} << (u % width_)});
    }

    // DWF07 does not say how N lanes with different PCs are fed. An ideal fetch keeps the result an upper bound
    // (assumed).
    Needs needs() const override {
        return {.issue_slots = static_cast<std::uint8_t>(width_), .ideal_fetch = true, .divides_rows = true};
    }

    void launch(std::uint16_t block, std::span<const warp::Part> rows, Pc entry) override {
        for (const warp::Part& row : rows)
            for_each_unit(row, [&](UnitId u) {
                units.pc[u] = entry;
                units.threads[u] = 1;
                units.begin(u, block, births_++);
                units.eligible.insert(u);
            });
    }

    std::span<const warp::Part> members(UnitId u) const override {
        return {&home_[u], 1};
    }

    void form(UnitId u, const ir::MicroOp& /*op*/, const exec::Executor& /*predicates*/, warp::Group& group) override {
        form_row(u, home_[u], group);
    }

    void advance(const warp::Flight& flight, Cycle /*now*/) override {
        using Kind = warp::Outcome::Kind;
        const UnitId u = flight.group.unit;
        const warp::Outcome& o = flight.outcome;
        const bool taken = o.kind != Kind::Next && o.kind != Kind::Memory && o.taken[0] != 0;
        if (taken && o.kind == Kind::Exit) {
            units.alive.erase(u);
            return;
        }
        if (taken && o.kind == Kind::Branch)
            units.pc[u] = o.target;
        else if (taken && o.kind == Kind::Indirect)
            units.pc[u] = o.each[0];
        else
            ++units.pc[u];
        const bool waits = taken && (o.kind == Kind::Barrier || o.kind == Kind::WarpSync);
        units.eligible.put(u, !waits);
    }

    void resume(std::uint16_t /*block*/, std::span<const warp::Part> threads) override {
        for (const warp::Part& part : threads)
            for_each_unit(part, [&](UnitId u) { units.eligible.insert(u); });
    }

private:
    template <class F>
    void for_each_unit(const warp::Part& part, F&& f) const {
        for (LaneMask left = part.lanes; left != 0; left &= left - 1)
            f(static_cast<UnitId>(part.row * width_ + static_cast<unsigned>(std::countr_zero(left))));
    }

    unsigned width_;
    std::vector<warp::Part> home_; // by unit: its thread
    std::uint64_t births_ = 0;
};

HEDDLE_FORMATION(Mimd, "mimd", "each thread is a unit; every lane issues any ready thread at any PC in every cycle",
                 "DWF07 Figures 1, 12");

} // namespace
} // namespace heddle::formation
