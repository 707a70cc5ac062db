#include "sched/guard.h"

#include <utility>

#include <fmt/format.h>

#include "exec/policy_fault.h"

namespace heddle::sched {
namespace {

class Guard final : public Scheduler {
public:
    Guard(std::unique_ptr<Scheduler> scheduler, std::string who, unsigned units)
        : scheduler_(std::move(scheduler)), who_(std::move(who)), units_(units) {
        wake = scheduler_->wake;
    }

    UnitId pick(const UnitSet& can_issue, const warp::View& view, Cycle now) override {
        const UnitId unit = scheduler_->pick(can_issue, view, now);
        if (unit != kNoUnit && (unit >= units_ || !can_issue.contains(unit))) [[unlikely]]
            refuse(unit, can_issue, now);
        return unit;
    }
    const UnitSet* considered() const override {
        const UnitSet* units = scheduler_->considered();
        if (units != nullptr && units->words() < UnitSet(units_).words())
            exec::policy_fault(who_,
                               fmt::format("considered() answers a set with room for {} units", 64 * units->words()),
                               fmt::format("a set of Share::units, which are {}, or null", units_));
        return units;
    }
    std::string objection(const warp::UnitTraits& units) const override {
        return scheduler_->objection(units);
    }

    bool keeps_lists() const override {
        return scheduler_->keeps_lists();
    }
    void entered(UnitId unit, Pc pc, unsigned threads) override {
        scheduler_->entered(unit, pc, threads);
    }
    void grew(UnitId unit, unsigned threads) override {
        scheduler_->grew(unit, threads);
    }
    void left(UnitId unit) override {
        scheduler_->left(unit);
    }
    void long_wait(UnitId unit, bool waits) override {
        scheduler_->long_wait(unit, waits);
    }
    void block_event(std::uint16_t block, BlockEvent event, const warp::View& view, Cycle now) override {
        scheduler_->block_event(block, event, view, now);
        wake = scheduler_->wake;
    }
    void tick(const warp::View& view, Cycle now) override {
        scheduler_->tick(view, now);
        wake = scheduler_->wake;
    }

    std::vector<std::uint64_t> block_order(const warp::View& view) const override {
        return scheduler_->block_order(view);
    }
    std::string trace() const override {
        return scheduler_->trace();
    }
    void add_statistics(stats::Tree& tree) override {
        scheduler_->add_statistics(tree);
    }
    std::vector<cost::HardwareCost> hardware_cost() const override {
        return scheduler_->hardware_cost();
    }

private:
    [[noreturn, gnu::cold, gnu::noinline]] void refuse(UnitId unit, const UnitSet& can_issue, Cycle now) const {
        std::vector<unsigned> offered;
        can_issue.for_each([&](UnitId each) { offered.push_back(each); });
        exec::policy_fault(who_, fmt::format("pick() answers unit {} in cycle {}", unit, now),
                           fmt::format("a unit of can_issue, {}, or kNoUnit", exec::number_list(offered)));
    }

    std::unique_ptr<Scheduler> scheduler_;
    std::string who_;
    unsigned units_; // of the core: ids below
};

} // namespace

std::unique_ptr<Scheduler> guard(std::unique_ptr<Scheduler> scheduler, std::string who, const Share& share,
                                 const config::Machine& /*machine*/) {
    return std::make_unique<Guard>(std::move(scheduler), std::move(who), share.units);
}

} // namespace heddle::sched
