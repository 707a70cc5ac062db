// Dynamic warp formation (DWF07 4): threads that leave the pipeline are grouped by their next PC, whatever warp they
// were in. There is no stack and no reconvergence point.
//
// A unit is an entry of the warp pool. It is made when threads come to a PC at which no warp has room for them. Other
// threads join it there until it is fetched. It ends when it is formed: then only the flight holds its threads, and
// advance() returns them to the scheduler. Threads come to the scheduler at launch, from the last stage, and from a
// barrier. Threads that wait are in no unit (barriers, warp synchronisation and exits count threads: assumed).
//
// The core puts the whole warp aside after a partial miss, until its last line has come (assumed). With dwf.miss =
// thread, the threads whose data are there return to the scheduler without the others.
//
// Post-dominators passed, for dpdpri (DWF07 4.3): a counter for each thread. The counter of a warp is the largest of
// its threads', plus one when the warp is at the post-dominator of a branch. Its threads take the value at issue
// (assumed), so all threads of a flight have one value, which is kept once for each flight.

#include <array>
#include <bit>
#include <vector>

#include "formation/dwf_tables.h"
#include "formation/dwf_units.h"
#include "formation/formation.h"
#include "formation/pc_warp_lut.h"
#include "formation/waiting_threads.h"
#include "formation/warp_pool.h"

namespace heddle::formation {
namespace {

using warp::Part;

class Dwf final : public Formation {
public:
    Dwf(const Shape& shape, const config::Machine& machine) : Dwf(shape, machine.get<DwfConfig>()) {}

    Needs needs() const override {
        return {.extra_stages = static_cast<std::uint8_t>(config_.extra_stages),
                .register_cycles = static_cast<std::uint8_t>(lanes_ == Lanes::Conflict ? shape_.width : 1),
                .divides_rows = true,
                .runs_ahead = config_.miss == "thread",
                .swizzles = config_.swizzle};
    }
    warp::UnitTraits traits() const override {
        return {.die_at_issue = true, .span_blocks = true, .formation_word = kPostdominatorsPassed};
    }
    // DWF07 4.2: each thread may be the only one on its path.
    std::vector<std::string> problems() const override {
        const unsigned threads = shape_.rows * shape_.width;
        if (units.capacity() >= threads)
            return {};
        return {"dwf.pool = " + std::to_string(units.capacity()) +
                " is less than core.threads = " + std::to_string(threads) + ": each thread may need a warp of its own"};
    }

    void launch(std::uint16_t block, std::span<const Part> rows, Pc entry) override {
        for (const Part& row : rows) {
            block_of_row_[row.row] = block;
            waiting_.clear(row.row);
            chosen_[0] = row;
            insert(entry, {{chosen_.data(), 1}, with(0, row.lanes), count_lanes(row.lanes)}, 0);
        }
    }

    std::span<const Part> members(UnitId u) const override {
        if (pool_.is_joined(u))
            pool_.unite_rows(u);
        return pool_.parts(u);
    }

    void form(UnitId u, const ir::MicroOp& op, const exec::Executor& /*predicates*/, warp::Group& group) override {
        const std::span<const Part> parts = members(u);
        group.unit = u;
        group.pc = units.pc[u];
        group.parts = static_cast<std::uint16_t>(parts.size());
        group.threads = units.threads[u];
        group.index = 0;
        group.extra_threads = 0;
        group.last = true;
        group.formation_words = {postdominators_passed(units, u) + (op.meets ? 1 : 0), made_[u].lanes};
        copy_parts(parts.data(), group.parts, group.part.data());
        group.register_cycles = lanes_ == Lanes::Conflict ? most_of_a_lane(parts) : std::uint8_t{1};
        stats_.full_warps += group.threads == shape_.width ? 1 : 0;
        release(u);
    }

    bool run_ahead(const warp::Flight& /*flight*/) override {
        return true;
    }
    void divided(warp::Flight& ahead, warp::Flight& behind) override {
        for (warp::Group* group : {&ahead.group, &behind.group})
            group->formation_words[kLanes] = request({group->part.data(), group->parts});
    }

    void advance(const warp::Flight& flight, Cycle /*now*/) override {
        using Kind = warp::Outcome::Kind;
        const warp::Outcome& o = flight.outcome;
        const std::span<const Part> parts(flight.group.part.data(), flight.group.parts);
        const Threads all{parts, flight.group.formation_words[kLanes], flight.group.threads};
        const Pc next = flight.group.pc + 1;
        const auto passed = static_cast<std::uint32_t>(flight.group.formation_words[kPassed]);
        switch (o.kind) {
        case Kind::Next:
        case Kind::Memory:
            insert(next, all, passed);
            break;
        case Kind::Branch:
            if (o.executed == flight.group.threads)
                return insert(o.target, all, passed);
            if (o.executed == 0)
                return insert(next, all, passed);
            part_ways(all, o);
            insert(o.target, taken_, passed);
            insert(next, stayed_, passed);
            break;
        case Kind::Indirect:
            spread(flight, passed);
            break;
        case Kind::Barrier:
        case Kind::WarpSync:
            for (unsigned p = 0; p < parts.size(); ++p)
                if (o.taken[p] != 0)
                    waiting_.wait({parts[p].row, o.taken[p]}, {next, passed});
            [[fallthrough]];
        case Kind::Exit:
            part_ways(all, o);
            insert(next, stayed_, passed);
            break;
        }
    }

    void resume(std::uint16_t /*block*/, std::span<const Part> threads) override {
        for (const Part& part : threads) {
            WaitingThreads::Next next;
            if (!waiting_.go_on_alike(part, next)) [[unlikely]] {
                resume_each(part);
                continue;
            }
            chosen_[0] = part;
            insert(next.pc, threads_of({chosen_.data(), 1}), next.passed);
        }
    }

    std::string trace() const override {
        return "pool:" + std::to_string(pool_.in_use());
    }
    void add_statistics(stats::Tree& tree) override {
        tree.add_one_of("dwf", stats_);
    }
    std::vector<cost::HardwareCost> hardware_cost() const override {
        return dwf_hardware_cost(config_, shape_.width, shape_.rows * shape_.width, units.capacity());
    }

private:
    enum class Lanes : std::uint8_t { Aware, Ideal, Conflict };

    // A group's words: post-dominators that its threads have passed; the lanes of all parts or, where threads may take
    // any lane, the first lanes.
    enum Word : std::uint8_t { kPassed, kLanes };

    // Threads that fit in one warp, one part for each row. The parts are in one of the arrays of kMaxParts.
    struct Threads {
        std::span<const Part> parts;
        // REQ: the lanes that the threads need, one a thread; where threads may take any lane, the first lanes.
        LaneMask requested = 0;
        unsigned count = 0;
    };
    struct Made {           // what is known of a warp
        LaneMask lanes = 0; // OCC: the lanes taken; its LUT entry may belong to another warp
        unsigned entry = 0; // index of the LUT entry that it was made for
    };
    struct Coming { // a thread on its way to the scheduler
        RowId row;
        LaneMask lane;
        WaitingThreads::Next next;
    };

    Dwf(const Shape& shape, const DwfConfig& config)
        : Formation(config.pool != 0 ? static_cast<unsigned>(config.pool) : shape.rows * shape.width), shape_(shape),
          config_(config), lanes_(config.lanes == "aware"   ? Lanes::Aware
                                  : config.lanes == "ideal" ? Lanes::Ideal
                                                            : Lanes::Conflict),
          all_lanes_(first_lanes(shape.width)),
          lut_(lanes_ == Lanes::Ideal ? 0 : static_cast<unsigned>(config.lut_entries),
               static_cast<unsigned>(config.lut_ways)),
          pool_(units.capacity(), shape.width, shape.rows), made_(units.capacity()), dropped_(units.capacity()),
          block_of_row_(shape.rows), waiting_(shape.rows, shape.width) {
        units.words = 1;
    }

    // The threads of `lanes` that have room beside `occupied`: in their home lanes, or as many as there is room for.
    [[nodiscard]] LaneMask fitting(LaneMask occupied, LaneMask lanes) const {
        if (lanes_ == Lanes::Aware)
            return lanes & ~occupied;
        LaneMask out = lanes;
        for (unsigned room = shape_.width - count_lanes(occupied), n = count_lanes(lanes); n > room; --n)
            out &= ~std::bit_floor(out);
        return out;
    }
    // OCC after these threads have joined. Where threads may take any lane, it has as many lanes as are taken.
    [[nodiscard]] LaneMask with(LaneMask occupied, LaneMask lanes) const {
        return lanes_ == Lanes::Aware ? occupied | lanes : first_lanes(count_lanes(occupied) + count_lanes(lanes));
    }
    // The number of threads that have room, of threads that fit in one warp.
    [[nodiscard]] unsigned count_fitting(LaneMask occupied, LaneMask requested) const {
        if (lanes_ == Lanes::Aware)
            return count_lanes(requested & ~occupied);
        return std::min(count_lanes(requested), shape_.width - count_lanes(occupied));
    }
    [[nodiscard]] LaneMask request(std::span<const Part> parts) const {
        LaneMask lanes = 0;
        for (const Part& part : parts)
            lanes = with(lanes, part.lanes);
        return lanes;
    }
    [[nodiscard]] Threads threads_of(std::span<const Part> parts) const {
        const LaneMask requested = request(parts);
        return {parts, requested, count_lanes(requested)};
    }
    // `count` threads with the home lanes `homes`, which only matter where threads keep to them.
    [[nodiscard]] Threads threads_of(std::span<const Part> parts, LaneMask homes, unsigned count) const {
        return {parts, lanes_ == Lanes::Aware ? homes : first_lanes(count), count};
    }
    [[nodiscard]] static std::uint8_t most_of_a_lane(std::span<const Part> parts) {
        std::array<std::uint8_t, kMaxWidth> threads{};
        for (const Part& part : parts)
            for (LaneMask left = part.lanes; left != 0; left &= left - 1)
                ++threads[static_cast<unsigned>(std::countr_zero(left))];
        return *std::max_element(threads.begin(), threads.end());
    }

    // Inserts threads with next PC `pc` (DWF07 4.2). Threads with room in the warp of the PC's LUT entry join it. The
    // other threads form a new warp, which the entry names from then on; the older warp stays in the pool.
    void insert(Pc pc, const Threads& threads, std::uint32_t passed) {
        if (threads.count == 0)
            return;
        PcWarpLut::Entry* entry = lut_.find(pc);
        if (entry == nullptr) [[unlikely]] {
            entry = &evict_for(pc, threads.requested);
        } else if (!PcWarpLut::is_live(*entry, units.eligible)) {
            stats_.lost_issued += count_fitting(entry->occupied, threads.requested);
        } else if (entry->occupied != all_lanes_) {
            if (lanes_ != Lanes::Aware || (threads.requested & ~entry->occupied) != 0)
                return join_and_start(*entry, pc, threads, passed);
            stats_.conflicts += std::min<unsigned>(threads.count, shape_.width - units.threads[entry->warp]);
        }
        start(*entry, pc, threads, passed);
    }
    // The rare cases are kept out of insert(), which is called for every instruction.
    [[gnu::noinline]] PcWarpLut::Entry& evict_for(Pc pc, LaneMask requested) {
        count_dropped(pc, requested);
        PcWarpLut::Entry& victim = lut_.victim(pc, units.eligible);
        drop(victim);
        return victim;
    }
    [[gnu::noinline]] void join_and_start(PcWarpLut::Entry& entry, Pc pc, const Threads& threads,
                                          std::uint32_t passed) {
        const Threads rest = join(entry, threads, passed);
        if (rest.count != 0)
            start(entry, pc, rest, passed);
        else
            lut_.touch(entry);
    }

    // Adds the threads that have room to the entry's warp. Returns the other threads.
    Threads join(PcWarpLut::Entry& entry, const Threads& threads, std::uint32_t passed) {
        const UnitId u = entry.warp;
        const LaneMask before = entry.occupied;
        const unsigned were = units.threads[u];
        PartList joining = pool_.joining(u), rest(rest_.data());
        if (lanes_ == Lanes::Aware) {
            for (const Part& part : threads.parts) {
                joining.add(part.row, part.lanes & ~before);
                rest.add(part.row, part.lanes & before);
            }
            entry.occupied = before | threads.requested;
        } else {
            for (const Part& part : threads.parts) {
                const LaneMask lanes = fitting(entry.occupied, part.lanes);
                joining.add(part.row, lanes);
                rest.add(part.row, part.lanes & ~lanes);
                entry.occupied = with(entry.occupied, lanes);
            }
        }
        pool_.joined(u, joining);
        const unsigned joined = count_lanes(entry.occupied & ~before), all = were + joined;
        const unsigned left = threads.count - joined;
        made_[u].lanes = entry.occupied;
        units.threads[u] = static_cast<std::uint16_t>(all);
        postdominators_passed(units, u) = std::max(postdominators_passed(units, u), passed);
        units.grown.insert(u);
        stats_.threads += joined;
        stats_.merged += joined;
        stats_.conflicts += std::min(left, shape_.width - all);
        return threads_of(rest.parts(), threads.requested & before, left);
    }

    void start(PcWarpLut::Entry& entry, Pc pc, const Threads& what, std::uint32_t passed) {
        const UnitId u = pool_.allocate(what.parts);
        lut_.touch(entry);
        entry.pc = pc;
        entry.warp = u;
        entry.occupied = what.requested;
        made_[u] = {what.requested, lut_.index_of(entry)};
        units.pc[u] = pc;
        units.threads[u] = static_cast<std::uint16_t>(what.count);
        postdominators_passed(units, u) = passed;
        units.begin(u, block_of_row_[what.parts[0].row], births_++);
        units.eligible.insert(u);
        units.words = std::max(units.words, u / 64U + 1);
        stats_.threads += what.count;
        ++stats_.warps;
        ++stats_.pool[std::min<std::size_t>(std::bit_width(pool_.in_use() - 1), stats_.pool.size() - 1)];
    }

    // The unit's entry of the pool is free again, and its LUT entry no longer names it (assumed: else threads would
    // join the next warp with that number).
    void release(UnitId u) {
        lut_.issued(u, made_[u].entry);
        dropped_.erase(u);
        units.alive.erase(u);
        pool_.release(u);
    }

    // The LUT gives the entry to another PC: the entry's warp stays in the pool, but no more threads join it.
    void drop(const PcWarpLut::Entry& entry) {
        if (!PcWarpLut::is_live(entry, units.eligible) || entry.occupied == all_lanes_)
            return;
        ++stats_.evictions;
        dropped_.insert(entry.warp);
        if (entry.pc >= dropped_at_.size())
            dropped_at_.resize(entry.pc + std::size_t{1});
        dropped_at_[entry.pc] = {entry.warp, entry.occupied};
    }

    // Counts what is lost by an eviction: threads that come to the PC of a warp that the LUT has dropped.
    void count_dropped(Pc pc, LaneMask requested) {
        if (pc >= dropped_at_.size())
            return;
        const auto& [warp, occupied] = dropped_at_[pc];
        if (warp != kNoUnit && dropped_.contains(warp) && units.pc[warp] == pc && units.eligible.contains(warp))
            stats_.lost_evicted += count_fitting(occupied, requested);
    }

    // Parts threads into those that take a branch, and those that do not.
    void part_ways(const Threads& all, const warp::Outcome& o) {
        PartList taken(taken_parts_.data()), stayed(stayed_parts_.data());
        LaneMask lanes = 0;
        for (unsigned p = 0; p < all.parts.size(); ++p) {
            const Part& part = all.parts[p];
            taken.add(part.row, o.taken[p]);
            stayed.add(part.row, part.lanes & ~o.taken[p]);
            lanes |= o.taken[p];
        }
        if (lanes_ != Lanes::Aware)
            lanes = request(taken.parts());
        const unsigned count = count_lanes(lanes), rest = all.count - count;
        taken_ = {taken.parts(), lanes, count};
        stayed_ = threads_of(stayed.parts(), all.requested & ~lanes, rest);
    }

    // An indirect jump or a return. The update registers take two PCs a cycle (DWF07 4.2, footnote 4).
    void spread(const warp::Flight& flight, std::uint32_t passed) {
        const warp::Outcome& o = flight.outcome;
        unsigned n = 0;
        for (unsigned p = 0; p < flight.group.parts; ++p) {
            const Part& part = flight.group.part[p];
            for (LaneMask left = part.lanes; left != 0; left &= left - 1, ++n) {
                const LaneMask lane = left & (~left + 1);
                const Pc pc = (lane & o.taken[p]) != 0 ? o.each[n] : flight.group.pc + 1;
                coming_[n] = {part.row, lane, {pc, passed}};
            }
        }
        const unsigned cycles = (insert_each(n) + 1) / 2;
        stall += cycles - 1;
        stats_.stall_cycles += cycles - 1;
    }

    // Threads of a row that may continue at several PCs.
    void resume_each(const Part& part) {
        unsigned n = 0;
        for (LaneMask left = part.lanes; left != 0; left &= left - 1)
            coming_[n++] = {part.row, left & (~left + 1), waiting_.first_goes_on(part.row, left)};
        insert_each(n);
    }

    // Inserts the first `n` threads of coming_, in which threads of a row are adjacent: one next PC after the other, in
    // the order of their first threads. Returns the number of PCs.
    unsigned insert_each(unsigned n) {
        unsigned pcs = 0;
        for (std::uint64_t left = first_lanes(n); left != 0; ++pcs) {
            const Pc pc = coming_[static_cast<unsigned>(std::countr_zero(left))].next.pc;
            unsigned parts = 0;
            std::uint32_t passed = 0;
            for (std::uint64_t look = left; look != 0; look &= look - 1) {
                const auto i = static_cast<unsigned>(std::countr_zero(look));
                const Coming& thread = coming_[i];
                if (thread.next.pc != pc)
                    continue;
                left &= ~(std::uint64_t{1} << i);
                passed = std::max(passed, thread.next.passed);
                if (parts != 0 && chosen_[parts - 1].row == thread.row)
                    chosen_[parts - 1].lanes |= thread.lane;
                else
                    chosen_[parts++] = {thread.row, thread.lane};
            }
            insert(pc, threads_of({chosen_.data(), parts}), passed);
        }
        return pcs;
    }

    const Shape shape_;
    const DwfConfig config_;
    const Lanes lanes_;
    const LaneMask all_lanes_;
    PcWarpLut lut_;
    mutable WarpPool pool_;  // the parts of a warp are sorted when they are read
    std::vector<Made> made_; // by unit
    struct Dropped {
        UnitId warp = kNoUnit;
        LaneMask occupied = 0;
    };
    UnitSet dropped_;                 // warps with room whose LUT entries were evicted: for statistics
    std::vector<Dropped> dropped_at_; // by PC: the last dropped warp at that PC
    std::vector<std::uint16_t> block_of_row_;
    WaitingThreads waiting_;
    // Storage of threads on their way. The lists of parts have a spare place.
    std::array<Part, kMaxParts> chosen_;
    std::array<Part, kMaxParts + 4> taken_parts_, stayed_parts_, rest_;
    Threads taken_, stayed_;
    std::array<Coming, kMaxWidth> coming_;
    std::uint64_t births_ = 0;
    DwfStats stats_;
};

HEDDLE_FORMATION(Dwf, "dwf",
                 "dynamic warp formation: threads of several warps with one PC form new warps at each instruction",
                 "DWF07 4");

} // namespace
} // namespace heddle::formation
