// Thread block compaction (a comparison in LWM11 5; the mechanism as described in its reference [6]).
//
// Each compaction block has one reconvergence stack. Its warps synchronise at every conditional branch: when the last
// warp has executed the branch, the masks of both sides are known. If all threads agree, the warps stay as they are.
// Else the stack is pushed as in pdom, and the threads of its new top are compacted into warps: from each home lane the
// first row, one warp a cycle. A warp that reaches the reconvergence point waits for the others. Then the entry below
// is restored, also by compaction, which gives the static warps again when its mask is full. Other instructions do not
// synchronise.

#include <vector>

#include <fmt/format.h>

#include "base/ring_queue.h"
#include "formation/right_of_way.h"
#include "formation/row_stack.h"
#include "formation/tbc_config.h"

namespace heddle::formation {
namespace {

class Tbc final : public Formation {
public:
    Tbc(const Shape& shape, const config::Machine& machine)
        : Formation(shape.rows), shape_(shape), config_(machine.get<TbcConfig>()),
          contexts_(shape.rows, Context(machine.get<StackConfig>())), warps_(shape.rows),
          unit_of_(shape.rows * shape.width, kNoUnit), first_row_of_(shape.rows) {
        if (config_.block % shape.width == 0)
            rows_ = static_cast<unsigned>(config_.block / shape.width);
    }

    Needs needs() const override {
        return {.divides_rows = true};
    }

    std::vector<std::string> problems() const override {
        if (config_.block % shape_.width != 0)
            return {fmt::format("tbc.block = {} is not a multiple of core.width = {}", config_.block, shape_.width)};
        if (rows_ > RowMasks::kMaxRows)
            return {fmt::format("tbc.block = {} is more than {} rows of core.width = {}", config_.block,
                                RowMasks::kMaxRows, shape_.width)};
        return {};
    }

    std::string refusal(unsigned threads) const override {
        const unsigned rows = (threads + shape_.width - 1) / shape_.width;
        if (rows_ != 0 || rows <= RowMasks::kMaxRows)
            return {};
        return fmt::format("a block of {} threads has more than {} rows of {} lanes: give compaction blocks a size "
                           "(tbc.block)",
                           threads, RowMasks::kMaxRows, shape_.width);
    }

    void use(const ir::Program& program) override {
        right_of_way_.use(program);
    }

    void launch(std::uint16_t block, std::span<const warp::Part> rows, Pc entry) override {
        const std::size_t size = rows_ == 0 ? rows.size() : rows_;
        for (std::size_t first = 0; first < rows.size(); first += size)
            start(block, rows.subspan(first, std::min(size, rows.size() - first)), entry);
    }

    std::span<const warp::Part> members(UnitId u) const override {
        return {warps_[u].part.data(), warps_[u].parts};
    }

    void form(UnitId u, const ir::MicroOp& /*op*/, const exec::Executor& /*predicates*/, warp::Group& group) override {
        const Warp& w = warps_[u];
        form_row(u, w.part[0], group);
        group.parts = w.parts;
        std::copy_n(w.part.begin(), w.parts, group.part.begin());
    }

    void advance(const warp::Flight& flight, Cycle now) override {
        using Kind = warp::Outcome::Kind;
        const UnitId u = flight.group.unit;
        const warp::Outcome& o = flight.outcome;
        Warp& w = warps_[u];
        now_ = now;
        watch(u, flight);
        switch (o.kind) {
        case Kind::Branch:
            if (flight.op->guard != ir::kNowhere)
                return arrive_at_branch(u, flight);
            w.at = {o.target, static_cast<std::uint16_t>(w.at.depth + o.depth_change)};
            break;
        case Kind::Indirect:
            return arrive_at_branch(u, flight);
        case Kind::Exit:
            ++w.at.pc;
            if (leave(u, o))
                return;
            break;
        case Kind::Barrier:
        case Kind::WarpSync:
            ++w.at.pc;
            wait(u, flight);
            return;
        default:
            ++w.at.pc;
            break;
        }
        show(u);
    }

    void resume(std::uint16_t /*block*/, std::span<const warp::Part> threads) override {
        for (const warp::Part& part : threads) {
            Context& c = contexts_[first_row_of_[part.row]];
            c.waits[static_cast<unsigned>(part.row - c.first_row)] &= ~part.lanes;
        }
        for (const warp::Part& part : threads)
            for (LaneMask left = part.lanes; left != 0; left &= left - 1) {
                const UnitId u = unit_of_[index(part.row, static_cast<unsigned>(std::countr_zero(left)))];
                if (u != kNoUnit && --warps_[u].waiting == 0)
                    show(u);
            }
        for (const warp::Part& part : threads)
            give_way_if_blocked(contexts_[first_row_of_[part.row]]);
    }

    // The compactor makes a warp a cycle, for one compaction block after the other (assumed: one compactor an SM).
    void tick(Cycle now) override {
        now_ = now;
        Context& c = contexts_[compacting_.front()];
        const UnitId u = make_warp(c);
        if (!c.left.any())
            compacting_.pop();
        show(u); // it may be the last warp to reach the reconvergence point
        give_way_if_blocked(c);
        wake = compacting_.empty() ? kNever : now + 1;
    }

    // The number of warps that wait for their block, at a branch or a reconvergence point.
    std::string trace() const override {
        unsigned waiting = 0;
        units.alive.for_each([&](UnitId u) { waiting += warps_[u].arrived ? 1 : 0; });
        return waiting == 0 ? "" : fmt::format("arrived:{}", waiting);
    }

    void add_statistics(stats::Tree& tree) override {
        tree.add_one_of("tbc", stats_);
    }

private:
    struct Context { // a compaction block, kept at its first row
        explicit Context(const StackConfig& config) : stack(config) {}

        RowId first_row = 0;
        std::uint16_t block = 0;
        RowStack stack;
        RowMasks waits;       // threads at a barrier, or waiting for the rest of their PTX warp
        RowMasks left;        // threads of the top that are in no warp yet
        unsigned warps = 0;   // warps of the top that have not ended
        unsigned made = 0;    // warps made of the top
        unsigned waiting = 0; // of `warps`, those at the branch or the reconvergence point
        Cycle first_arrival = 0;
        CollectedSides sides; // of the branch, as far as warps have executed it
    };

    struct Warp {
        RowId context = 0;
        Point at = kNoPoint;
        std::uint16_t parts = 0;
        std::uint16_t waiting = 0; // threads of the warp in the block's `waits`
        bool arrived = false;      // at the branch or the reconvergence point
        Cycle arrival = 0;
        std::array<warp::Part, kMaxParts> part;
    };

    [[nodiscard]] std::size_t index(RowId row, unsigned lane) const {
        return std::size_t{row} * shape_.width + lane;
    }
    [[nodiscard]] Context& context_of(UnitId u) {
        return contexts_[warps_[u].context];
    }

    void start(std::uint16_t block, std::span<const warp::Part> rows, Pc entry) {
        Context& c = contexts_[rows.front().row];
        RowMasks threads(static_cast<unsigned>(rows.size()));
        for (unsigned r = 0; r < rows.size(); ++r) {
            threads[r] = rows[r].lanes;
            first_row_of_[rows[r].row] = rows.front().row;
        }
        c.waits = RowMasks(threads.rows());
        c.first_row = rows.front().row;
        c.block = block;
        c.stack.start(entry, threads);
        c.left = threads;
        c.made = c.warps = c.waiting = 0;
        c.sides.clear();
        while (c.left.any()) // the static warps
            show(add_warp(c));
    }

    // From each home lane the first row whose thread is left.
    UnitId add_warp(Context& c) {
        const auto u = static_cast<UnitId>(c.first_row + c.made);
        Warp& w = warps_[u];
        ++c.made;
        ++c.warps;
        w.context = c.first_row;
        w.at = c.stack.running.at;
        w.parts = 0;
        w.waiting = 0;
        w.arrived = false;
        LaneMask free = first_lanes(shape_.width);
        unsigned threads = 0;
        for (unsigned r = 0; r < c.left.rows() && free != 0; ++r) {
            const LaneMask lanes = c.left[r] & free;
            if (lanes == 0)
                continue;
            c.left[r] &= ~lanes;
            free &= ~lanes;
            threads += count_lanes(lanes);
            w.waiting = static_cast<std::uint16_t>(w.waiting + count_lanes(lanes & c.waits[r]));
            const auto row = static_cast<RowId>(c.first_row + r);
            w.part[w.parts++] = {row, lanes};
            for (LaneMask m = lanes; m != 0; m &= m - 1)
                unit_of_[index(row, static_cast<unsigned>(std::countr_zero(m)))] = u;
        }
        units.threads[u] = static_cast<std::uint16_t>(threads);
        units.begin(u, c.block, births_++);
        return u;
    }

    UnitId make_warp(Context& c) {
        const UnitId u = add_warp(c);
        ++stats_.warps;
        stats_.threads += units.threads[u];
        stats_.lanes += shape_.width;
        return u;
    }

    // The running threads have changed: the compactor forms their warps.
    void compact(Context& c) {
        for (unsigned i = 0; i < c.made; ++i) {
            units.alive.erase(static_cast<UnitId>(c.first_row + i));
            units.eligible.erase(static_cast<UnitId>(c.first_row + i));
        }
        c.made = c.warps = c.waiting = 0;
        if (none(c.stack.running.threads))
            return; // all threads have exited
        c.left = c.stack.running.threads;
        compacting_.push(c.first_row);
        wake = 0; // from the next cycle on
    }

    // Updates the warp's entry of the unit table.
    void show(UnitId u) {
        Warp& w = warps_[u];
        Context& c = context_of(u);
        units.pc[u] = w.at.pc;
        const bool may_go = w.waiting == 0;
        units.eligible.put(u, may_go);
        if (may_go && !c.stack.empty() && w.at == c.stack.running.reconvergence)
            arrive(u, c);
    }

    void wait(UnitId u, const warp::Flight& flight) {
        Context& c = context_of(u);
        unsigned threads = 0;
        for (unsigned p = 0; p < flight.group.parts; ++p) {
            c.waits[static_cast<unsigned>(flight.group.part[p].row - c.first_row)] |= flight.outcome.taken[p];
            threads += count_lanes(flight.outcome.taken[p]);
        }
        warps_[u].waiting = static_cast<std::uint16_t>(threads);
        show(u);
        if (threads != 0)
            give_way_if_blocked(c);
    }

    // Whether some warps of the top wait, while the others have come to the branch or the reconvergence point.
    [[nodiscard]] bool is_blocked(const Context& c) {
        bool blocked = overlap(c.stack.running.threads, c.waits);
        for_each_warp(c, [&](UnitId u) { blocked &= warps_[u].waiting != 0 || warps_[u].arrived; });
        return blocked;
    }

    // A blocked block may need other threads first. Each place at which threads wait gets an entry; threads that have
    // executed the branch continue without them.
    void give_way_if_blocked(Context& c) {
        if (c.stack.empty() || c.left.any() || !is_blocked(c))
            return;
        RowMasks arrived(c.waits.rows());
        std::vector<SideOf<RowMasks>> places;
        for_each_warp(c, [&](UnitId u) {
            const Warp& w = warps_[u];
            RowMasks& threads = w.arrived ? arrived : threads_at(w.at, places, c.waits.rows());
            for (unsigned p = 0; p < w.parts; ++p)
                threads[static_cast<unsigned>(w.part[p].row - c.first_row)] |= w.part[p].lanes;
        });
        RowStack parted = c.stack;
        RowMasks kept = c.waits;
        const bool at_branch = !c.sides.empty();
        if (at_branch) {
            parted.running.threads = arrived;
            take_branch(c, parted);
        } else {
            kept |= arrived; // they wait in the entry below
        }
        for (std::size_t i = 0; i < places.size(); ++i) {
            if (at_branch || i != 0)
                parted.put_off_running();
            parted.running = {places[i].at, c.stack.running.reconvergence, places[i].threads};
        }
        if (!right_of_way_.give_way(parted, kept))
            return;
        forget_units(c, c.stack.running.threads);
        stats_.branches += at_branch ? 1 : 0;
        stats_.divergent += c.sides.all().size() > 1 ? 1 : 0;
        c.sides.clear();
        c.stack = parted;
        compact(c);
    }
    static RowMasks& threads_at(Point at, std::vector<SideOf<RowMasks>>& places, unsigned rows) {
        for (SideOf<RowMasks>& place : places)
            if (place.at == at)
                return place.threads;
        return places.emplace_back(SideOf<RowMasks>{at, RowMasks(rows)}).threads;
    }
    // The threads are no longer in a warp of the top.
    void forget_units(const Context& c, const RowMasks& threads) {
        for (unsigned r = 0; r < threads.rows(); ++r)
            for (LaneMask m = threads[r]; m != 0; m &= m - 1)
                unit_of_[index(static_cast<RowId>(c.first_row + r), static_cast<unsigned>(std::countr_zero(m)))] =
                    kNoUnit;
    }

    void arrive(UnitId u, Context& c) {
        Warp& w = warps_[u];
        units.eligible.erase(u);
        w.arrived = true;
        w.arrival = now_;
        if (c.waiting++ == 0)
            c.first_arrival = now_;
        decide_if_complete(c);
        give_way_if_blocked(c);
    }

    void arrive_at_branch(UnitId u, const warp::Flight& flight) {
        Context& c = context_of(u);
        c.sides.add(flight, warps_[u].at.depth, c.first_row, c.stack.running.threads.rows());
        arrive(u, c);
    }

    // Decides the branch, or reconverges, when the last warp has come.
    void decide_if_complete(Context& c) {
        if (c.waiting != c.warps || c.left.any())
            return;
        const bool at_branch = !c.sides.empty();
        count_waits(c, at_branch);
        c.waiting = 0;
        auto& running = c.stack.running;
        if (!at_branch) {
            running.at = running.reconvergence;
            ++stats_.reconvergences;
            c.stack.reconverge(c.waits);
            return compact(c);
        }
        ++stats_.branches;
        const bool uniform = take_branch(c, c.stack);
        stats_.divergent += uniform ? 0 : 1;
        c.sides.clear();
        if (c.stack.reconverge(c.waits) || !uniform)
            return compact(c);
        for_each_warp(c, [&](UnitId u) {
            warps_[u].arrived = false;
            warps_[u].at = running.at;
            show(u);
        });
    }

    // The running threads of a stack have executed the branch. True when all of them went one way.
    static bool take_branch(Context& c, RowStack& stack) {
        const auto sides = c.sides.all();
        const bool uniform = sides.size() == 1;
        if (uniform)
            stack.running.at = sides.front().at;
        else
            stack.diverge(sides, c.sides.meet());
        return uniform;
    }

    void count_waits(const Context& c, bool at_branch) {
        std::uint64_t cycles = 0;
        for_each_warp(c, [&](UnitId u) { cycles += now_ - warps_[u].arrival; });
        (at_branch ? stats_.warp_wait_cycles : stats_.reconvergence_wait_cycles) += cycles;
        if (at_branch)
            stats_.block_wait_cycles += now_ - c.first_arrival;
    }

    template <class F>
    void for_each_warp(const Context& c, F&& f) {
        for (unsigned i = 0; i < c.made; ++i)
            if (const auto u = static_cast<UnitId>(c.first_row + i); units.alive.contains(u))
                f(u);
    }

    // Threads of a warp exit. True when the warp does not continue.
    bool leave(UnitId u, const warp::Outcome& o) {
        Context& c = context_of(u);
        Warp& w = warps_[u];
        RowMasks gone(c.stack.running.threads.rows());
        unsigned kept = 0, threads = 0;
        for (unsigned p = 0; p < w.parts; ++p) {
            gone[static_cast<unsigned>(w.part[p].row - c.first_row)] = o.taken[p];
            const LaneMask stay = w.part[p].lanes & ~o.taken[p];
            threads += count_lanes(stay);
            if (stay != 0)
                w.part[kept++] = {w.part[p].row, stay};
        }
        w.parts = static_cast<std::uint16_t>(kept);
        units.threads[u] = static_cast<std::uint16_t>(threads);
        if (kept == 0) {
            units.alive.erase(u);
            units.eligible.erase(u);
            --c.warps;
        }
        if (c.stack.leave(gone) || none(c.stack.running.threads)) {
            c.stack.reconverge(c.waits);
            compact(c);
        } else if (kept == 0) {
            decide_if_complete(c);
            give_way_if_blocked(c);
        }
        return kept == 0;
    }

    void watch(UnitId u, const warp::Flight& flight) {
        RowStack& stack = context_of(u).stack;
        if (stack.spins(ir::stores(flight.op->kind)))
            look_for_livelock(spin_watch_, u, warps_[u].at.pc, stack, warps_[u].context);
    }

    const Shape shape_;
    const TbcConfig config_;
    RightOfWay right_of_way_{false};
    unsigned rows_ = 0;             // rows of a compaction block; 0: those of the thread block
    std::vector<Context> contexts_; // by first row of the compaction block
    std::vector<Warp> warps_;
    std::vector<UnitId> unit_of_;     // by row * width + lane; kNoUnit: the thread has given way
    std::vector<RowId> first_row_of_; // by row: the first row of its compaction block
    RingQueue<RowId> compacting_;     // first rows of compaction blocks
    Cycle now_ = 0;                   // cycle of the last advance() or tick()
    std::uint64_t births_ = 0;
    TbcStats stats_;
};

HEDDLE_FORMATION(Tbc, "tbc",
                 "thread block compaction: one stack for each block, whose warps synchronise at branches and are "
                 "compacted when they diverge",
                 "LWM11 5, its reference [6]");

} // namespace
} // namespace heddle::formation
