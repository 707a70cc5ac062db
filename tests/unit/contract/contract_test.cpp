// Every policy of heddle, and those of the documentation's examples, by the checks of its contract.
#include <gtest/gtest.h>

#include "contract/contract.h"
#include "formation/formation.h"
#include "mem/cache/prefetcher.h"
#include "mem/cache/replacement.h"
#include "sched/scheduler.h"

namespace heddle::contract {
namespace {

struct Case {
    std::string kind, policy;
    std::span<const Check> checks;
};
void PrintTo(const Case& tested, std::ostream* out) {
    *out << tested.kind << " " << tested.policy;
}

std::vector<Case> all() {
    std::vector<Case> out;
    const auto add = [&](const std::string& kind, const std::vector<std::string>& names,
                         std::span<const Check> checks) {
        for (const std::string& name : names)
            out.push_back({kind, name, checks});
    };
    add("scheduler", sched::schedulers().names(), scheduler_checks());
    add("formation", formation::formations().names(), formation_checks());
    add("replacement", mem::replacements().names(), replacement_checks());
    add("prefetcher", mem::prefetchers().names(), prefetcher_checks());
    return out;
}

class Contract : public testing::TestWithParam<Case> {};

TEST_P(Contract, IsKept) {
    for (const Check& check : GetParam().checks) {
        SCOPED_TRACE(check.promise);
        EXPECT_NO_THROW(check.run(GetParam().policy));
    }
}

INSTANTIATE_TEST_SUITE_P(All, Contract, testing::ValuesIn(all()), [](const auto& info) {
    std::string name = info.param.kind + "_" + info.param.policy;
    for (char& c : name)
        c = c == '-' ? '_' : c;
    return name;
});

// Policies that do not keep to their contracts are found.
class Stubborn final : public sched::Scheduler {
public:
    Stubborn(const sched::Share&, const config::Machine&) {}
    UnitId pick(const UnitSet&, const warp::View&, Cycle) override {
        return 0;
    }
};
class Outsider final : public mem::Replacement {
public:
    explicit Outsider(const mem::ReplacementShape& shape) : ways_(shape.ways) {}
    unsigned victim(unsigned, mem::WayMask, const mem::CacheAccess&) override {
        return ways_;
    }

private:
    unsigned ways_;
};

TEST(BrokenContract, ASchedulerThatPicksWhatCannotIssue) {
    sched::schedulers().add<Stubborn>("stubborn", "always unit 0", "test");
    EXPECT_THROW(scheduler_checks()[0].run("stubborn"), Broken);
}

TEST(BrokenContract, AReplacementThatNamesAWayBeyondTheSet) {
    mem::replacements().add<Outsider>("outsider", "no way", "test");
    EXPECT_THROW(replacement_checks()[1].run("outsider"), Broken);
}

} // namespace
} // namespace heddle::contract
