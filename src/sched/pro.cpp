#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "sched/known_units.h"
#include "sched/pro_blocks.h"
#include "sched/scheduler.h"

namespace heddle::sched {

struct ProConfig {
    static constexpr std::string_view kSection = "pro";
    std::uint64_t threshold = 1000;
    bool barrier = true;
    bool finish = true;
    static std::span<const config::Parameter<ProConfig>> parameters() {
        using C = ProConfig;
        static const config::Parameter<C> table[] = {
            {"threshold", &C::threshold, "cycles", "1..4294967296",
             "cycles between two sorts, by progress, of the blocks that wait for none of their warps",
             "PRO III.C.1: 1000"},
            {"barrier", &C::barrier, "", "",
             "a block with warps at a barrier goes before blocks without; false: it keeps its place",
             "PRO III.C.3; IV for off"},
            {"finish", &C::finish, "", "",
             "while the grid has blocks left to assign, a block with finished warps goes before all others; false: it "
             "keeps its place",
             "PRO III.C.2"},
        };
        return table;
    }
};

namespace {

using State = ProBlocks::State;

// PRO, Algorithm 1: the first unit that can issue of the first block that has one.
//
// An SM has one order of blocks. Its schedulers divide the warps of each block between them (footnote 4), and each
// picks its own first ready warp in that order. All schedulers receive the same events in the same cycle, so each
// computes the same order. They learn of the end of the fast phase at their next pick (Algorithm 1 tests it when it
// schedules): a scheduler that picks later sorts by later progress, and may have another order until blocks are sorted
// again.
//
// Blocks and their warps are sorted when blocks start, change their state or end, and every THRESHOLD cycles of a
// kernel: at 1000, 2000, ... (Table IV; line 57 has "more than THRESHOLD").
//
// Warps are units. In formations that make units during a block (serial, tbc), a new unit goes behind the others of its
// block until the block's warps are sorted again, and has the progress of its number (assumed). Of equal units the one
// with the lower number goes first (assumed).
class Pro final : public Scheduler {
public:
    Pro(const Share& share, const config::Machine& machine)
        : share_(share), config_(machine.get<ProConfig>()), own_(share.own()),
          blocks_(share.block_slots, {.barrier = config_.barrier, .finish = config_.finish}), known_(share.units),
          position_(share.block_slots), first_(share.block_slots + 2) {
        units_.reserve(share.size());
        arranged_.reserve(share.size());
    }

    UnitId pick(const UnitSet& can_issue, const warp::View& view, Cycle /*now*/) override {
        follow_phase(view);
        if (update(can_issue, view))
            arrange(view);
        for (const UnitId unit : units_)
            if (can_issue.contains(unit))
                return unit;
        return kNoUnit; // not reached: the set has a member
    }

    void block_event(std::uint16_t block, BlockEvent event, const warp::View& view, Cycle now) override {
        follow_phase(view);
        bool sort = false;
        if (event == BlockEvent::Started)
            start(block, view, now);
        else if (event == BlockEvent::Finished)
            blocks_.finish(block, view);
        else
            sort = blocks_.update(block, event, view);
        arrange(view);
        if (sort)
            sort_units(block, Progress::Rising, view);
    }

    // sortTBs and sortWarps.
    void tick(const warp::View& view, Cycle now) override {
        follow_phase(view);
        wake += ((now - wake) / config_.threshold + 1) * config_.threshold;
        blocks_.sort(view);
        arrange(view);
        for (const std::uint16_t slot : blocks_.order())
            if (blocks_.state(slot) == State::NoWait || blocks_.state(slot) == State::FinishNoWait)
                sort_units(slot, blocks_.is_fast() ? Progress::Falling : Progress::Rising, view);
    }

    std::vector<std::uint64_t> block_order(const warp::View& /*view*/) const override {
        std::vector<std::uint64_t> out;
        for (const std::uint16_t slot : blocks_.order())
            out.push_back(blocks_.global_id(slot));
        return out;
    }

    std::string trace() const override {
        std::string out;
        for (const std::uint16_t slot : blocks_.order())
            out += fmt::format("{}{}", out.empty() ? "order:" : ",", blocks_.global_id(slot));
        return out;
    }

    // All schedulers of the SM have one order of blocks: the first one counts.
    void add_statistics(stats::Tree& tree) override {
        if (share_.index == 0)
            tree.add_one_of("pro", blocks_.stats);
    }

    std::string objection(const warp::UnitTraits& units) const override {
        if (units.span_blocks)
            return "it ranks blocks, and a unit may hold threads of several";
        return units.die_at_issue ? "it ranks units by their progress, and one ends when it issues" : "";
    }

    // 4W + 4T + T + T bytes.
    std::vector<cost::HardwareCost> hardware_cost() const override {
        const auto registers = [](const char* structure, unsigned entries, unsigned bits, const char* note) {
            return cost::HardwareCost{structure, entries, bits, "PRO III.E", note};
        };
        return {registers("progress of warps", share_.units, 32, "threads that have issued, of each warp"),
                registers("progress of blocks", share_.block_slots, 32, "threads that have issued, of each block"),
                registers("warps that wait", share_.block_slots, 8,
                          "of each block: at a barrier (nWarpsAtBar); those that have finished (nWarpsFin) in the same "
                          "register"),
                registers("order of blocks", share_.block_slots, 8, "block slots as sorted")};
    }

private:
    enum class Progress : std::uint8_t { Rising, Falling };

    // A kernel starts its blocks by rising index: an index that is not above the last begins another kernel.
    void start(std::uint16_t block, const warp::View& view, Cycle now) {
        blocks_.start(block, view);
        if (wake == kNever || blocks_.global_id(block) <= last_started_)
            wake = now + config_.threshold;
        last_started_ = blocks_.global_id(block);
    }

    void follow_phase(const warp::View& view) {
        if (view.blocks_left == blocks_.is_fast()) [[likely]]
            return;
        blocks_.set_phase(view.blocks_left, view);
        arrange(view);
        for (const std::uint16_t slot : blocks_.order())
            if (blocks_.state(slot) == State::FinishNoWait)
                sort_units(slot, Progress::Rising, view);
    }

    // Removes units that have ended. True when there are new units, which go behind all others.
    bool update(const UnitSet& seen, const warp::View& view) {
        const std::size_t before = units_.size();
        std::size_t gone = 0;
        known_.update(
            seen, view.units,
            [&](UnitId unit) {
                units_.erase(std::find(units_.begin(), units_.end(), unit));
                ++gone;
            },
            [&](UnitId unit) { units_.push_back(unit); });
        return units_.size() + gone != before;
    }

    // Sorts the units by the order of their blocks, and keeps the order in a block.
    void arrange(const warp::View& view) {
        UnitSet here = own_;
        for (unsigned i = 0; i < here.words(); ++i)
            here.word(i) &= view.units.alive.word(i);
        update(here, view);
        const std::span<const std::uint16_t> order = blocks_.order();
        std::fill(position_.begin(), position_.end(), static_cast<std::uint16_t>(order.size()));
        for (std::size_t i = 0; i < order.size(); ++i)
            position_[order[i]] = static_cast<std::uint16_t>(i);
        std::fill(first_.begin(), first_.end(), 0);
        for (const UnitId unit : units_)
            ++first_[position_of(unit, view) + 1U];
        for (std::size_t i = 1; i < first_.size(); ++i)
            first_[i] = static_cast<std::uint16_t>(first_[i] + first_[i - 1]);
        arranged_.resize(units_.size());
        for (const UnitId unit : units_)
            arranged_[first_[position_of(unit, view)]++] = unit;
        units_.swap(arranged_);
    }
    [[nodiscard]] std::uint16_t position_of(UnitId unit, const warp::View& view) const {
        return position_[view.units.block[unit]];
    }

    // sortWarps: insertion sort of a block's units, after arrange().
    void sort_units(std::uint16_t block, Progress progress, const warp::View& view) {
        const auto precedes = [&](UnitId a, UnitId b) {
            const std::uint64_t x = view.progress[a], y = view.progress[b];
            return x != y ? (x < y) == (progress == Progress::Rising) : a < b;
        };
        const std::uint16_t at = position_[block];
        const std::size_t begin = at == 0 ? 0 : first_[at - 1U];
        const std::size_t end = first_[at];
        for (std::size_t i = begin + 1; i < end; ++i)
            for (std::size_t j = i; j != begin && precedes(units_[j], units_[j - 1]); --j)
                std::swap(units_[j], units_[j - 1]);
    }

    const Share share_;
    const ProConfig config_;
    const UnitSet own_;
    ProBlocks blocks_;
    std::uint64_t last_started_ = 0; // index of a block
    KnownUnits known_;
    std::vector<UnitId> units_, arranged_;
    std::vector<std::uint16_t> position_; // of a block in the order, by slot
    std::vector<std::uint16_t> first_;    // after arrange(): where the units of the next block of the order begin
};

HEDDLE_SCHEDULER(
    Pro, "pro",
    "units ordered by the progress of their block, then their own; blocks that wait for their last warps first",
    "PRO III");

} // namespace
} // namespace heddle::sched

HEDDLE_CONFIG_SECTION(heddle::sched::ProConfig, "the progress-aware scheduler")
