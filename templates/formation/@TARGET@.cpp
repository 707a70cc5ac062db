// @NAME@: a formation.
#include <algorithm>
#include <array>
#include <bit>
#include <vector>

#include "config/plugin.h"
#include "formation/formation.h"

namespace {

using namespace heddle;
using namespace heddle::formation;

class @TYPE@ final : public Formation {
public:
    @TYPE@(const Shape& shape, const config::Machine& /*machine*/) : Formation(shape.rows), warps_(shape.rows) {}

    // A unit is a home row: a block's threads come with the rows they live in.
    void launch(std::uint16_t block, std::span<const warp::Part> rows, Pc entry) override {
        for (const warp::Part& row : rows) {
            const UnitId u = row.row;
            Warp& w = warps_[u];
            w.next.fill(entry);
            w.live = row.lanes;
            w.waiting = 0;
            w.running.row = row.row;
            units.begin(u, block, births_++);
            choose(u);
        }
    }

    std::span<const warp::Part> members(UnitId u) const override {
        return {&warps_[u].running, 1};
    }

    void form(UnitId u, const ir::MicroOp& /*op*/, const exec::Executor& /*predicates*/, warp::Group& group) override {
        form_row(u, warps_[u].running, group); // one group: all its threads
    }

    // What the instruction came to counts now.
    void advance(const warp::Flight& flight, Cycle /*now*/) override {
        using Kind = warp::Outcome::Kind;
        const UnitId u = flight.group.unit;
        const warp::Outcome& o = flight.outcome;
        Warp& w = warps_[u];
        std::size_t thread = 0; // of the group, for `each`
        for (LaneMask left = w.running.lanes; left != 0; left &= left - 1, ++thread) {
            const auto lane = static_cast<unsigned>(std::countr_zero(left));
            const bool taken = (o.taken[0] >> lane & 1) != 0;
            const bool jumps = taken && (o.kind == Kind::Branch || o.kind == Kind::Indirect);
            w.next[lane] = !jumps ? flight.group.pc + 1 : o.kind == Kind::Branch ? o.target : o.each[thread];
        }
        if (o.kind == Kind::Exit)
            w.live &= ~o.taken[0];
        if (o.kind == Kind::Barrier || o.kind == Kind::WarpSync)
            w.waiting |= o.taken[0];
        choose(u);
    }

    // Threads that waited at a barrier, or for the rest of their warp, may go on.
    void resume(std::uint16_t /*block*/, std::span<const warp::Part> threads) override {
        for (const warp::Part& part : threads) {
            warps_[part.row].waiting &= ~part.lanes;
            if (warps_[part.row].blocked) // else others of the warp are on their way, and advance() will choose
                choose(part.row);
        }
    }

private:
    struct Warp {
        warp::Part running;               // the threads at the lowest PC
        std::array<Pc, kMaxWidth> next{}; // by lane
        LaneMask live = 0;
        LaneMask waiting = 0;
        bool blocked = false; // all its threads wait
    };

    // Makes the unit's table row say what the warp does next.
    void choose(UnitId u) {
        Warp& w = warps_[u];
        const LaneMask ready = w.live & ~w.waiting;
        w.blocked = ready == 0;
        Pc lowest = kNoPc;
        w.running.lanes = 0;
        for (LaneMask left = w.blocked ? w.live : ready; left != 0; left &= left - 1) {
            const Pc pc = w.next[static_cast<unsigned>(std::countr_zero(left))];
            if (pc < lowest)
                w.running.lanes = 0;
            lowest = std::min(lowest, pc);
            if (pc == lowest)
                w.running.lanes |= left & (~left + 1);
        }
        units.pc[u] = lowest;
        units.threads[u] = static_cast<std::uint16_t>(count_lanes(w.running.lanes));
        units.eligible.put(u, !w.blocked);
        units.alive.put(u, w.live != 0);
    }

    std::vector<Warp> warps_;
    std::uint64_t births_ = 0;
};

HEDDLE_FORMATION(@TYPE@, "@NAME@", "a warp runs its threads with the lowest PC; no stack", "example");

} // namespace

HEDDLE_PLUGIN("@NAME@", "the formation @NAME@")
