#include "formation/its.h"

#include <vector>

#include "formation/warp_paths.h"

namespace heddle::formation {

namespace {

class Its final : public Formation {
public:
    explicit Its(const Shape& shape) : Formation(shape.rows), warps_(shape.rows) {}

    Needs needs() const override {
        return {.units_are_rows = true};
    }

    void launch(std::uint16_t block, std::span<const warp::Part> rows, Pc entry) override {
        for (const warp::Part& row : rows) {
            const UnitId u = row.row;
            warps_[u].paths.start(entry, row.lanes);
            warps_[u].part = row;
            units.block[u] = block;
            units.set_birth(u, births_++);
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

    void advance(const warp::Flight& flight, Cycle /*now*/) override {
        using Kind = warp::Outcome::Kind;
        const UnitId u = flight.group.unit;
        WarpPaths& paths = warps_[u].paths;
        const warp::Outcome& o = flight.outcome;
        switch (o.kind) {
        case Kind::Branch:
            paths.branch(o.taken[0], o.target);
            break;
        case Kind::Exit:
            paths.exit(o.taken[0]);
            break;
        case Kind::Barrier:
        case Kind::WarpSync:
            paths.suspend(o.taken[0]);
            break;
        default:
            if (flight.op->opcode != ir::Opcode::Bra)
                paths.next();
            else if (const auto barrier = static_cast<unsigned>(flight.op->imm); flight.op->target != kNoPc)
                paths.set(barrier);
            else
                paths.wait(barrier);
        }
        show(u);
    }

    void resume(std::uint16_t /*block*/, std::span<const warp::Part> threads) override {
        for (const warp::Part& part : threads) {
            warps_[part.row].paths.resume(part.lanes);
            show(part.row);
        }
    }

private:
    struct Warp {
        WarpPaths paths;
        warp::Part part; // the threads that run
    };

    // Updates the unit's entry of the unit table.
    void show(UnitId u) {
        Warp& w = warps_[u];
        w.part.lanes = w.paths.running();
        units.pc[u] = w.paths.pc();
        units.threads[u] = static_cast<std::uint16_t>(count_lanes(w.part.lanes));
        units.eligible.put(u, w.part.lanes != 0);
        if (w.paths.live() == 0)
            units.alive.erase(u);
    }

    std::vector<Warp> warps_;
    std::uint64_t births_ = 0;
};

} // namespace

std::unique_ptr<Formation> make_its(const Shape& shape) {
    return std::make_unique<Its>(shape);
}

} // namespace heddle::formation
