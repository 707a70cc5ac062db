// Policies that do not keep to their contracts, or fail in other ways.
#include <cstdlib>
#include <memory>
#include <stdexcept>

#include "config/plugin.h"
#include "formation/formation.h"
#include "sched/scheduler.h"
using namespace heddle;
struct Base : sched::Scheduler {
    Base(const sched::Share&, const config::Machine&) {}
};
struct Endless final : Base {
    using Base::Base;
    UnitId pick(const UnitSet&, const warp::View&, Cycle) override {
        for (volatile unsigned n = 0;; ++n) {
        }
    }
};
struct Null final : Base {
    using Base::Base;
    UnitId pick(const UnitSet&, const warp::View&, Cycle) override {
        return *nothing;
    }
    const volatile UnitId* nothing = nullptr;
};
struct Outside final : Base {
    using Base::Base;
    UnitId pick(const UnitSet&, const warp::View&, Cycle) override {
        return 60000;
    }
};
struct Quits final : Base {
    using Base::Base;
    UnitId pick(const UnitSet&, const warp::View&, Cycle) override {
        std::exit(0);
    }
};
struct Throws final : sched::Scheduler {
    Throws(const sched::Share&, const config::Machine&) {
        throw std::runtime_error("no room for the table");
    }
    UnitId pick(const UnitSet& can_issue, const warp::View&, Cycle) override {
        return can_issue.first();
    }
};
HEDDLE_SCHEDULER(Endless, "endless", "test", "test");
HEDDLE_SCHEDULER(Null, "null", "test", "test");
HEDDLE_SCHEDULER(Outside, "outside", "test", "test");
HEDDLE_SCHEDULER(Quits, "quits", "test", "test");
HEDDLE_SCHEDULER(Throws, "throws", "test", "test");
const bool none = (formation::formations().add({"none", "test", "test",
                                                [](const formation::Shape&, const config::Machine&)
                                                    -> std::unique_ptr<formation::Formation> { return nullptr; }}),
                   true);

HEDDLE_PLUGIN("broken", "test")
