// Large warps (LWM11 3.1, LWM10 3.1): K rows of threads with one PC, one active mask of K x N bits and one divergence
// stack. After fetch, one sub-warp a cycle is packed, in parallel with decode: from each column (home lane) the first
// row whose bit is still set. Threads keep their home lanes and rows.
//
// An instruction is committed (stack and PC are updated, so that the large warp can be fetched again) when all its
// sub-warps have completed; with lwm.refetch, in some cases when the first has. Then a thread is interlocked while its
// last sub-warp has not completed: it is not packed before.

#include <algorithm>
#include <cassert>
#include <vector>

#include <fmt/format.h>

#include "formation/lwm_config.h"
#include "formation/right_of_way.h"
#include "formation/row_stack.h"

namespace heddle::formation {
namespace {

class Lwm final : public Formation {
public:
    Lwm(const Shape& shape, const config::Machine& machine)
        : Formation(shape.rows), shape_(shape), config_(machine.get<LwmConfig>()), all_lanes_(first_lanes(shape.width)),
          early_(config_.refetch == "first-subwarp"), keeps_residues_(early_ && config_.miss == "subwarp"),
          completes_misses_(config_.miss == "warp"), right_of_way_(config_.size <= kPtxWarp) {
        if (!problems().empty())
            return;
        rows_ = static_cast<unsigned>(config_.size / shape.width);
        warps_.assign(shape.rows, LargeWarp(rows_, machine.get<StackConfig>()));
    }

    warp::UnitTraits traits() const override {
        return {.take_several_slots = true};
    }

    std::vector<std::string> problems() const override {
        const std::uint64_t threads = std::uint64_t{shape_.rows} * shape_.width;
        if (config_.size % shape_.width != 0)
            return {fmt::format("lwm.size = {} is not a multiple of core.width = {}", config_.size, shape_.width)};
        if (config_.size > threads)
            return {fmt::format("lwm.size = {} is more than core.threads = {}", config_.size, threads)};
        if (config_.size / shape_.width > RowMasks::kMaxRows)
            return {fmt::format("lwm.size = {} is more than {} rows of core.width = {}", config_.size,
                                RowMasks::kMaxRows, shape_.width)};
        return {};
    }

    void use(const ir::Program& program) override {
        right_of_way_.use(program);
    }

    // A large warp lies in one block, because threads of several blocks must not wait for each other. So the last large
    // warp of a block has the remaining rows, and that of a small block has the rows of the block (assumed).
    //
    // Large warps are numbered in the order of their rows, like warps: so neighbours form fetch groups, and large warps
    // of one row take turns like warps. (Blocks that are resident together have one size.)
    void launch(std::uint16_t block, std::span<const warp::Part> rows, Pc entry) override {
        auto unit = static_cast<UnitId>(rows.front().row / rows.size() * ((rows.size() + rows_ - 1) / rows_));
        for (std::size_t first = 0; first < rows.size(); first += rows_)
            start(unit++, block, rows.subspan(first, std::min<std::size_t>(rows_, rows.size() - first)), entry);
    }

    std::span<const warp::Part> members(UnitId u) const override {
        const LargeWarp& w = warps_[u];
        members_.clear();
        for (unsigned r = 0; r < rows_; ++r)
            if (const LaneMask lanes = w.stack.running.threads[r]; lanes != 0)
                members_.push_back({static_cast<RowId>(w.first_row + r), lanes});
        return members_;
    }

    void form(UnitId u, const ir::MicroOp& op, const exec::Executor& predicates, warp::Group& group) override {
        LargeWarp& w = warps_[u];
        w.offered = false;
        w.released = false;
        if (!w.packing)
            begin_instruction(u, w, op, predicates);
        group.unit = u;
        group.pc = units.pc[u];
        group.register_cycles = 1;
        group.extra_threads = 0;
        const bool by_rows = config_.memory_rows && accesses_global(op);
        if (by_rows)
            pack_row(w, group);
        else
            pack_columns(w, group);
        if (group.parts == 0 && !w.pending.any())
            form_empty_group(w, group);
        if (group.parts != 0)
            count(w, op, group);
        group.last = !w.pending.any();
        if (group.last) {
            w.packing = false;
            commit_if_complete(u);
        } else if (keeps_residues_ && w.pending.intersects(w.aside) && !packable(w, by_rows)) {
            group.last = true; // the other threads follow when their data are back
            w.released = true;
            ++stats_.residues;
        }
    }

    void put_aside(const warp::Flight& flight, Cycle /*now*/) override {
        if (flight.committed)
            return; // its threads have continued; the core protects its registers
        LargeWarp& w = warps_[flight.group.unit];
        for_each_part(w, flight.group, [&](unsigned row, LaneMask lanes) { w.aside[row] |= lanes; });
        offer(flight.group.unit);
    }

    void advance(const warp::Flight& flight, Cycle /*now*/) override {
        const UnitId u = flight.group.unit;
        LargeWarp& w = warps_[u];
        for_each_part(w, flight.group, [&](unsigned row, LaneMask lanes) {
            w.flying[row] &= ~lanes;
            w.aside[row] &= ~lanes;
        });
        --w.outstanding;
        w.first_done |= flight.group.index == 0; // an earlier instruction has no flight with this index left
        collect(w, flight);
        if (!commit_if_complete(u))
            offer(u);
    }

    void resume(std::uint16_t /*block*/, std::span<const warp::Part> threads) override {
        for (const warp::Part& part : threads) {
            LargeWarp& w = warps_[unit_of_row_[part.row]];
            w.waiting[static_cast<unsigned>(part.row - w.first_row)] &= ~part.lanes;
        }
        for (const warp::Part& part : threads) {
            const UnitId u = unit_of_row_[part.row];
            LargeWarp& w = warps_[u];
            const RowMasks& running = w.stack.running.threads;
            if ((running[static_cast<unsigned>(part.row - w.first_row)] & part.lanes) == 0 &&
                !running.intersects(w.waiting))
                continue; // other threads run, and may be in the pipeline; those that wait may give way
            if (w.committed && meet_or_give_way(w)) {
                units.threads[u] = static_cast<std::uint16_t>(w.stack.running.threads.count());
                show(u);
            }
            offer(u);
        }
    }

    // The threads of each large warp that are left to pack.
    std::string trace() const override {
        std::string out;
        units.alive.for_each([&](UnitId u) {
            if (const unsigned left = warps_[u].pending.count(); warps_[u].packing && left != 0)
                out += fmt::format("{}left:u{}/{}", out.empty() ? "" : " ", u, left);
        });
        return out;
    }

    void add_statistics(stats::Tree& tree) override {
        tree.add_one_of("lwm", stats_);
    }

    // LWM11 3.4: 224 bytes for 256 of 1024 threads; LWM10 3.3: 96 bytes, without interlock.
    std::vector<cost::HardwareCost> hardware_cost() const override {
        const std::uint64_t threads = std::uint64_t{shape_.rows} * shape_.width;
        std::vector<cost::HardwareCost> out = {
            {"active mask copy", 1, config_.size, "LWM11 3.4, LWM10 3.3", "bits not yet packed", 0},
            {"temporary active masks", 2, config_.size, "LWM11 3.4, LWM10 3.3",
             "the two sides of a branch until its last sub-warp has completed", 0},
        };
        if (early_)
            out.push_back({"interlock", threads, 1, "LWM11 3.4", "packed into a sub-warp that has not completed", 0});
        if (keeps_residues_ && threads > config_.size)
            out.push_back({"masks of residues", threads / config_.size - 1, config_.size, "assumed",
                           "bits not yet packed of large warps that wait for memory (lwm.miss = subwarp)", 0});
        return out;
    }

private:
    struct LargeWarp {
        LargeWarp(unsigned rows, const StackConfig& stack_config)
            : stack(stack_config), pending(rows), flying(rows), aside(rows), waiting(rows), gone(rows) {}

        RowId first_row = 0;
        RowStack stack;
        RowMasks pending; // threads of the instruction in decode that have not been packed
        RowMasks flying;  // threads in a sub-warp that has not completed
        RowMasks aside;   // of `flying`, threads that wait for memory
        RowMasks waiting; // threads at a barrier, or waiting for the rest of their PTX warp
        unsigned outstanding = 0;
        std::uint16_t formed = 0; // sub-warps of the instruction
        bool packing = false;
        bool first_done = false; // the first sub-warp has completed
        bool needs_all = false;  // the instruction is only complete with its last sub-warp
        bool committed = true;   // the instruction no longer blocks the large warp
        bool released = false;   // packed in part: the rest follows when data are back
        bool offered = false;    // made eligible since it was last fetched
        bool store = false;
        // The outcomes of the sub-warps, until the last has completed.
        CollectedSides sides;
        RowMasks gone;
    };

    void start(UnitId u, std::uint16_t block, std::span<const warp::Part> rows, Pc entry) {
        assert(!units.alive.contains(u));
        LargeWarp& w = warps_[u];
        w.first_row = rows.front().row;
        RowMasks threads(rows_);
        for (std::size_t r = 0; r < rows.size(); ++r) {
            threads[static_cast<unsigned>(r)] = rows[r].lanes;
            unit_of_row_[rows[r].row] = u;
        }
        w.stack.start(entry, threads);
        w.waiting.clear();
        w.committed = true;
        w.offered = false;
        units.threads[u] = static_cast<std::uint16_t>(threads.count());
        units.begin(u, block, births_++);
        show(u);
    }

    // Whether the outcome of the instruction is not known before all threads have executed it.
    static bool is_control(const ir::MicroOp& op) {
        switch (op.kind) {
        case ir::Kind::Branch:
            return op.guard != ir::kNowhere;
        case ir::Kind::Call:
        case ir::Kind::Return:
        case ir::Kind::Indirect:
        case ir::Kind::Exit:
        case ir::Kind::Barrier:
        case ir::Kind::WarpSync:
            return true;
        default:
            return false;
        }
    }
    static bool accesses_memory(const ir::MicroOp& op) {
        return op.kind == ir::Kind::Load || op.kind == ir::Kind::Store || op.kind == ir::Kind::Atomic ||
               op.kind == ir::Kind::Texture || op.kind == ir::Kind::Surface;
    }
    static bool may_miss(const ir::MicroOp& op) {
        return accesses_memory(op) && op.space != ir::Space::Param && op.space != ir::Space::Shared;
    }
    static bool accesses_global(const ir::MicroOp& op) {
        return accesses_memory(op) && (op.space == ir::Space::Global || op.space == ir::Space::Generic);
    }
    bool is_single_jump(const ir::MicroOp& op) const {
        return config_.jump_once && op.kind == ir::Kind::Branch && op.guard == ir::kNowhere;
    }

    void begin_instruction(UnitId u, LargeWarp& w, const ir::MicroOp& op, const exec::Executor& predicates) {
        w.pending = w.stack.running.threads;
        const bool computes = op.kind == ir::Kind::Alu || op.kind == ir::Kind::Special || accesses_memory(op);
        if (config_.pack_predicate && op.guard != ir::kNowhere && computes)
            for (unsigned r = 0; r < rows_; ++r)
                if (w.pending[r] != 0)
                    w.pending[r] = predicates.guard(units.pc[u], static_cast<RowId>(w.first_row + r), w.pending[r]);
        w.packing = true;
        w.committed = false;
        w.first_done = false;
        w.formed = 0;
        w.needs_all = !early_ || is_control(op) || (completes_misses_ && may_miss(op));
        w.store = ir::stores(op.kind);
        w.sides.clear();
        w.gone.clear();
        ++stats_.instructions;
        stats_.fewest += is_single_jump(op) ? 1 : (w.pending.count() + shape_.width - 1) / shape_.width;
    }

    // From each column, the first row whose thread is left and not interlocked (LWM11 3.1, "Sub-warp Creation").
    void pack_columns(LargeWarp& w, warp::Group& group) const {
        group.parts = 0;
        group.threads = 0;
        LaneMask free = all_lanes_;
        for (unsigned r = 0; r < rows_ && free != 0; ++r) {
            const LaneMask lanes = w.pending[r] & ~w.flying[r] & free;
            if (lanes == 0)
                continue;
            free &= ~lanes;
            take(w, r, lanes, group);
        }
    }

    // The first row without an interlocked thread.
    void pack_row(LargeWarp& w, warp::Group& group) const {
        group.parts = 0;
        group.threads = 0;
        for (unsigned r = 0; r < rows_; ++r)
            if (w.pending[r] != 0 && (w.pending[r] & w.flying[r]) == 0)
                return take(w, r, w.pending[r], group);
    }

    static void take(LargeWarp& w, unsigned row, LaneMask lanes, warp::Group& group) {
        w.pending[row] &= ~lanes;
        w.flying[row] |= lanes;
        group.part[group.parts++] = {static_cast<RowId>(w.first_row + row), lanes};
        group.threads = static_cast<std::uint16_t>(group.threads + count_lanes(lanes));
    }

    // The guards of all threads are false: the instruction is an empty sub-warp.
    static void form_empty_group(LargeWarp& w, warp::Group& group) {
        group.part[0] = {w.first_row, 0};
        group.parts = 1;
    }

    [[nodiscard]] bool packable(const LargeWarp& w, bool by_rows) const {
        for (unsigned r = 0; r < rows_; ++r)
            if (by_rows ? w.pending[r] != 0 && (w.pending[r] & w.flying[r]) == 0 : (w.pending[r] & ~w.flying[r]) != 0)
                return true;
        return false;
    }

    void count(LargeWarp& w, const ir::MicroOp& op, warp::Group& group) {
        group.index = w.formed++;
        ++w.outstanding;
        ++stats_.sub_warps;
        stats_.threads += group.threads;
        stats_.lanes += shape_.width;
        if (is_single_jump(op)) {
            const unsigned rest = w.pending.count();
            group.extra_threads = static_cast<std::uint16_t>(rest);
            ++stats_.jumps;
            stats_.jump_sub_warps_saved += w.pending.most_in_a_column();
            w.pending.clear();
        }
    }

    template <class F>
    static void for_each_part(const LargeWarp& w, const warp::Group& group, F&& f) {
        for (unsigned p = 0; p < group.parts; ++p)
            f(static_cast<unsigned>(group.part[p].row - w.first_row), group.part[p].lanes);
    }

    // Collects the outcome of a sub-warp, until the instruction is complete.
    static void collect(LargeWarp& w, const warp::Flight& flight) {
        using Kind = warp::Outcome::Kind;
        const warp::Outcome& o = flight.outcome;
        if (o.kind == Kind::Next || o.kind == Kind::Memory)
            return;
        if (!is_control(*flight.op) && flight.group.index != 0)
            return; // the first sub-warp has the target of a jump; the next instruction may be on its way
        if (o.kind == Kind::Branch || o.kind == Kind::Indirect)
            return w.sides.add(flight, w.stack.running.at.depth, w.first_row, w.pending.rows());
        // Exit, Barrier and WarpSync: threads that arrive later do not stop the others.
        RowMasks& who = o.kind == Kind::Exit ? w.gone : w.waiting;
        for (unsigned p = 0; p < flight.group.parts; ++p)
            who[static_cast<unsigned>(flight.group.part[p].row - w.first_row)] |= o.taken[p];
    }

    bool commit_if_complete(UnitId u) {
        LargeWarp& w = warps_[u];
        if (w.committed || w.packing || !(w.outstanding == 0 || (w.first_done && !w.needs_all)))
            return false;
        w.committed = true;
        if (w.outstanding != 0)
            ++stats_.early;
        if (!apply(w))
            units.threads[u] = static_cast<std::uint16_t>(w.stack.running.threads.count());
        if (w.stack.spins(w.store))
            look_for_livelock(spin_watch_, u, w.stack.running.at.pc, w.stack, w.first_row);
        show(u);
        return true;
    }

    // Updates stack and PC. True when the running threads are unchanged.
    bool apply(LargeWarp& w) const {
        const auto sides = w.sides.all();
        bool same = true;
        if (sides.size() > 1) {
            w.stack.diverge(sides, w.sides.meet());
            same = false;
        } else if (sides.size() == 1) {
            w.stack.running.at = sides.front().at; // uniform: holds for threads that formed no sub-warp too
        } else {
            ++w.stack.running.at.pc;
        }
        if (w.gone.any()) {
            w.stack.leave(w.gone);
            same = false;
        }
        return !meet_or_give_way(w) && same;
    }

    // True when the running threads change.
    bool meet_or_give_way(LargeWarp& w) const {
        const bool met = w.stack.reconverge(w.waiting);
        return (w.stack.running.threads.intersects(w.waiting) && right_of_way_.give_way(w.stack, w.waiting)) || met;
    }

    void show(UnitId u) {
        units.pc[u] = warps_[u].stack.running.at.pc;
        if (units.threads[u] == 0)
            units.alive.erase(u);
        offer(u);
    }

    // Makes a large warp eligible between instructions, and for the rest of an instruction, while no thread waits. Not
    // a warp that has been fetched already: it was offered and is no longer eligible.
    void offer(UnitId u) {
        LargeWarp& w = warps_[u];
        if (!(w.committed || w.released) || (w.offered && !units.eligible.contains(u)))
            return;
        // Of an instruction that has begun, a barrier for example, those that have executed it may wait for the rest.
        const RowMasks& next = w.released ? w.pending : w.stack.running.threads;
        w.offered = units.threads[u] != 0 && !w.waiting.intersects(next) && !w.aside.any();
        units.eligible.put(u, w.offered);
    }

    const Shape shape_;
    const LwmConfig config_;
    const LaneMask all_lanes_;
    const bool early_;
    const bool keeps_residues_;   // lwm.miss = subwarp
    const bool completes_misses_; // lwm.miss = warp
    RightOfWay right_of_way_;
    unsigned rows_ = 1;
    std::vector<LargeWarp> warps_;
    std::vector<UnitId> unit_of_row_ = std::vector<UnitId>(shape_.rows, kNoUnit);
    mutable std::vector<warp::Part> members_;
    std::uint64_t births_ = 0;
    LwmStats stats_;
};

HEDDLE_FORMATION(Lwm, "lwm",
                 "large warps: several rows of threads share a stack; sub-warps are packed from their active threads",
                 "LWM11 3.1, LWM10 3.1");

} // namespace
} // namespace heddle::formation
