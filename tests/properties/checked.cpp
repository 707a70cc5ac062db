#include "checked.h"

#include <bit>

#include <fmt/format.h>

#include "formation/formation.h"

namespace heddle::properties {

using formation::Formation;
using warp::Flight;
using warp::Part;

std::span<const config::Parameter<CheckedConfig>> CheckedConfig::parameters() {
    using C = CheckedConfig;
    static const config::Parameter<C> table[] = {
        {"formation", &C::formation, "", "formation", "the formation that is checked", "tests"},
        {"home_lanes", &C::home_lanes, "", "", "its groups have one thread a home lane at most", "tests"},
    };
    return table;
}

std::vector<Issued>& issued_parts() {
    static std::vector<Issued> parts;
    return parts;
}

namespace {

class Checked final : public Formation {
public:
    Checked(const formation::Shape& shape, const config::Machine& machine)
        : Checked(shape, machine.get<CheckedConfig>(), machine) {}

    Needs needs() const override {
        return inner_->needs();
    }
    warp::UnitTraits traits() const override {
        return inner_->traits();
    }
    std::vector<std::string> problems() const override {
        return inner_->problems();
    }
    std::string refusal(unsigned threads) const override {
        return inner_->refusal(threads);
    }
    void add_statistics(stats::Tree& tree) override {
        inner_->add_statistics(tree);
    }
    std::span<const Part> members(UnitId unit) const override {
        return inner_->members(unit);
    }

    void launch(std::uint16_t block, std::span<const Part> rows, Pc entry) override {
        for (const Part& part : rows) {
            Row& row = rows_[part.row];
            demand(row.live == 0, "row {} gets a block while threads {:x} of another live", part.row, row.live);
            row = {.live = part.lanes};
            row.pc.fill(entry);
        }
        call([&] { inner_->launch(block, rows, entry); });
    }

    void form(UnitId unit, const ir::MicroOp& op, const exec::Executor& predicates, warp::Group& group) override {
        const auto before = inner_->members(unit);
        held_.assign(before.begin(), before.end());
        const Pc pc = units.pc[unit];
        call([&] { inner_->form(unit, op, predicates, group); });
        if (group.parts == 0)
            return;
        demand(group.pc == pc && group.unit == unit, "unit {} at {} gives a group of unit {} at {}", unit, pc,
               group.unit, group.pc);
        demand(group.threads <= width_, "{} threads in {} lanes", group.threads, width_);
        check_lanes(group);
        if (group.threads == 0)
            check_nobody(pc, predicates);
        for (unsigned p = 0; p < group.parts; ++p) {
            issued_parts().push_back({pc, group.part[p]});
            pass_over(group.part[p], pc, predicates);
            depart(group.part[p], pc);
        }
        if (group.extra_threads != 0)
            jump_with(group, op, predicates);
    }

    void use(const ir::Program& program) override {
        inner_->use(program);
    }
    void put_aside(const Flight& flight, Cycle now) override {
        call([&] { inner_->put_aside(flight, now); });
    }
    void returned(const Flight& flight, Cycle now) override {
        call([&] { inner_->returned(flight, now); });
    }

    void advance(const Flight& flight, Cycle now) override {
        std::size_t thread = 0;
        for (unsigned p = 0; p < flight.group.parts; ++p)
            arrive(flight, p, thread);
        call([&] { inner_->advance(flight, now); });
    }

    std::uint64_t order_of(const warp::Group& group) const override {
        return inner_->order_of(group);
    }
    bool run_ahead(const Flight& flight) override {
        bool answer = false;
        call([&] { answer = inner_->run_ahead(flight); });
        return answer;
    }
    void divided(Flight& ahead, Flight& behind) override {
        call([&] { inner_->divided(ahead, behind); });
    }
    warp::FlightId starved() override {
        warp::FlightId answer = warp::kNoFlight;
        call([&] { answer = inner_->starved(); });
        return answer;
    }

    void resume(std::uint16_t block, std::span<const Part> threads) override {
        for (const Part& part : threads) {
            Row& row = rows_[part.row];
            demand((part.lanes & ~row.waiting) == 0, "threads {:x} of row {} are resumed, {:x} wait", part.lanes,
                   part.row, row.waiting);
            row.waiting &= ~part.lanes;
        }
        call([&] { inner_->resume(block, threads); });
    }

    void tick(Cycle now) override {
        call([&] { inner_->tick(now); });
    }

private:
    struct Row {
        LaneMask live = 0;
        LaneMask flying = 0;  // in a group between form() and advance()
        LaneMask waiting = 0; // at a barrier or for their warp
        LaneMask jumps = 0;   // those in flight for which the jump at jump_from, which comes next, is done already
        std::array<Pc, kMaxWidth> pc{};
        std::array<Pc, kMaxWidth> jump_from{}, jump_to{};
    };

    Checked(const formation::Shape& shape, const CheckedConfig& config, const config::Machine& machine)
        : Checked(shape, config, formation::formations().make(config.formation, shape, machine)) {}
    Checked(const formation::Shape& shape, const CheckedConfig& config, std::unique_ptr<Formation> inner)
        : Formation(inner->units.capacity()), width_(shape.width), home_lanes_(config.home_lanes),
          inner_(std::move(inner)), rows_(shape.rows), seen_(shape.rows) {
        pull();
    }

    template <class... Args>
    static void demand(bool holds, fmt::format_string<Args...> what, Args&&... args) {
        if (!holds)
            throw Violation(fmt::format(what, std::forward<Args>(args)...));
    }

    // The inner formation sees what the core did to the table, and the core what the formation did.
    template <class Call>
    void call(Call&& made) {
        inner_->units.eligible = units.eligible;
        inner_->units.grown = units.grown;
        inner_->stall = stall;
        made();
        pull();
        check_units();
    }
    void pull() {
        units = inner_->units;
        wake = inner_->wake;
        stall = inner_->stall;
    }

    void check_units() {
        std::fill(seen_.begin(), seen_.end(), LaneMask{0});
        units.alive.for_each([&](UnitId u) {
            unsigned threads = 0;
            for (const Part& part : inner_->members(u)) {
                demand((seen_[part.row] & part.lanes) == 0, "threads {:x} of row {} are in two units",
                       seen_[part.row] & part.lanes, part.row);
                // What a large warp's instruction came to counts when its last group has come.
                demand(!units.eligible.contains(u) || (part.lanes & ~rows_[part.row].live) == 0,
                       "unit {} holds threads of row {} that are gone", u, part.row);
                seen_[part.row] |= part.lanes;
                threads += count_lanes(part.lanes);
            }
            demand(threads != 0 && threads == units.threads[u], "unit {} says {} threads and has {}", u,
                   units.threads[u], threads);
        });
        units.eligible.for_each(
            [&](UnitId u) { demand(units.alive.contains(u), "unit {} is eligible, not alive", u); });
    }

    void check_lanes(const warp::Group& group) {
        LaneMask taken = 0;
        unsigned threads = 0;
        for (unsigned p = 0; p < group.parts; ++p) {
            const LaneMask lanes = group.part[p].lanes;
            demand(lanes != 0 || group.threads == 0, "a group of unit {} has a part of no thread", group.unit);
            demand(!home_lanes_ || (taken & lanes) == 0, "a group of unit {} has two threads in lanes {:x}", group.unit,
                   taken & lanes);
            taken |= lanes;
            threads += count_lanes(lanes);
        }
        demand(threads == group.threads, "a group of {} threads says {}", threads, group.threads);
    }

    void depart(const Part& part, Pc pc, bool flies = true) {
        Row& row = rows_[part.row];
        demand((part.lanes & ~row.live) == 0, "threads of row {} that are gone execute at {}", part.row, pc);
        demand((part.lanes & row.flying) == 0, "threads {:x} of row {} execute at {} while they are in flight",
               part.lanes & row.flying, part.row, pc);
        demand((part.lanes & row.waiting) == 0, "threads {:x} of row {} execute at {} while they wait",
               part.lanes & row.waiting, part.row, pc);
        for (LaneMask left = part.lanes; left != 0; left &= left - 1) {
            const auto lane = static_cast<unsigned>(std::countr_zero(left));
            demand(row.pc[lane] == pc, "lane {} of row {} executes at {} and stands at {}", lane, part.row, pc,
                   row.pc[lane]);
        }
        row.flying |= flies ? part.lanes : 0;
    }

    // A group without threads passes an instruction whose guard is false for all threads.
    void check_nobody(Pc pc, const exec::Executor& predicates) {
        for (const Part& part : held_)
            demand(predicates.guard(pc, part.row, part.lanes) == 0, "nobody executes at {}, though some would", pc);
    }

    // A large warp may leave threads whose guard is false out of its groups: they come by the instruction nevertheless.
    void pass_over(const Part& part, Pc pc, const exec::Executor& predicates) {
        Row& row = rows_[part.row];
        for (LaneMask left = part.lanes & ~row.flying; left != 0; left &= left - 1) {
            const auto lane = static_cast<unsigned>(std::countr_zero(left));
            while (row.pc[lane] < pc && predicates.guard(row.pc[lane], part.row, left & (~left + 1)) == 0)
                ++row.pc[lane];
        }
    }

    // Further threads that the group's slot retires a jump for: the others of its unit. Those that are in flight still
    // must come to the jump.
    void jump_with(const warp::Group& group, const ir::MicroOp& op, const exec::Executor& predicates) {
        unsigned threads = 0;
        for (Part part : held_) {
            for (unsigned p = 0; p < group.parts; ++p)
                if (group.part[p].row == part.row)
                    part.lanes &= ~group.part[p].lanes;
            threads += count_lanes(part.lanes);
            pass_over(part, group.pc, predicates);
            Row& row = rows_[part.row];
            demand((part.lanes & row.jumps) == 0, "threads of row {} jump twice in one flight", part.row);
            depart({part.row, part.lanes & ~row.flying}, group.pc, false);
            for (LaneMask left = part.lanes; left != 0; left &= left - 1) {
                const auto lane = static_cast<unsigned>(std::countr_zero(left));
                (row.flying >> lane & 1 ? row.jump_to : row.pc)[lane] = op.target;
                row.jump_from[lane] = group.pc;
            }
            row.jumps |= part.lanes & row.flying;
        }
        demand(threads == group.extra_threads, "a jump of unit {} retires {} further threads, it has {}", group.unit,
               group.extra_threads, threads);
    }

    // Where the threads of part `p` go; `thread` counts those of the group.
    void arrive(const Flight& flight, unsigned p, std::size_t& thread) {
        using Kind = warp::Outcome::Kind;
        const warp::Outcome& o = flight.outcome;
        const Part& part = flight.group.part[p];
        Row& row = rows_[part.row];
        demand((part.lanes & ~row.flying) == 0, "threads of row {} land twice at {}", part.row, flight.group.pc);
        row.flying &= ~part.lanes;
        const bool jumps = o.kind == Kind::Branch || o.kind == Kind::Indirect;
        for (LaneMask left = part.lanes; left != 0; left &= left - 1, ++thread) {
            const auto lane = static_cast<unsigned>(std::countr_zero(left));
            if (!jumps || (o.taken[p] >> lane & 1) == 0)
                ++row.pc[lane];
            else
                row.pc[lane] = o.kind == Kind::Branch ? o.target : o.each[thread];
            if ((row.jumps >> lane & 1) != 0) {
                demand(row.pc[lane] == row.jump_from[lane], "lane {} of row {} has jumped at {} and comes to {}", lane,
                       part.row, row.jump_from[lane], row.pc[lane]);
                row.pc[lane] = row.jump_to[lane];
            }
        }
        row.jumps &= ~part.lanes;
        if (o.kind == Kind::Exit)
            row.live &= ~o.taken[p];
        else if (o.kind == Kind::Barrier || o.kind == Kind::WarpSync)
            row.waiting |= o.taken[p];
    }

    unsigned width_;
    bool home_lanes_;
    std::unique_ptr<Formation> inner_;
    std::vector<Row> rows_;
    std::vector<LaneMask> seen_; // by row, threads in units
    std::vector<Part> held_;     // by the unit that forms a group
};

HEDDLE_FORMATION(Checked, "checked", "another formation, held to its contract", "tests");

} // namespace
} // namespace heddle::properties

HEDDLE_CONFIG_SECTION(heddle::properties::CheckedConfig, "the formation that checks another")
