#include "sched/scheduler.h"

#include <random>

#include "contract/contract.h"

namespace heddle::contract {

namespace {

using sched::BlockEvent;
using sched::Scheduler;
using sched::Share;

constexpr unsigned kUnits = 100;
constexpr Cycle kMostEmptySlots = 10000; // that schedulers may have
constexpr unsigned kPcs = 40;            // more than the table of dmaj holds

// An SM of four blocks in the place of a core.
class Scene {
public:
    explicit Scene(const std::string& policy) : policy_(policy) {
        for (UnitId u = 0; u < kUnits; ++u) {
            units_.alive.insert(u);
            units_.eligible.insert(u);
            units_.block[u] = u / 25;
            units_.threads[u] = 32;
            units_.set_birth(u, u);
        }
        for (warp::BlockView& b : blocks_)
            b = {.resident = true, .live_threads = 25 * 32};
        program_.ops.resize(kPcs);
    }

    // Scheduler `index` of a core, notified of the blocks and of its units, at different PCs.
    [[nodiscard]] std::unique_ptr<Scheduler> make(unsigned index = 0, unsigned count = 1) {
        const Share share{.units = kUnits, .index = index, .count = count, .block_slots = 4};
        std::unique_ptr<Scheduler> scheduler = make_unguarded(sched::schedulers(), policy_, share, machine_);
        for (std::uint16_t b = 0; b < 4; ++b)
            scheduler->block_event(b, BlockEvent::Started, view_, 0);
        for (UnitId u = 0; u < kUnits; ++u)
            if (share.has(u))
                enter(*scheduler, u);
        return scheduler;
    }
    // As a core does: a unit that is picked leaves, and comes back.
    UnitId pick(Scheduler& scheduler, Cycle now) {
        UnitId unit = scheduler.pick(can_issue_, view_, now);
        for (Cycle later = 1; unit == kNoUnit && later < kMostEmptySlots; ++later) // it leaves slots empty
            unit = scheduler.pick(can_issue_, view_, now + later);
        expect(unit != kNoUnit, "pick() leaves slots empty for ever although units can issue");
        expect(unit < kUnits && can_issue_.contains(unit), "pick() names a unit that is not in can_issue");
        if (scheduler.keeps_lists()) {
            scheduler.left(unit);
            enter(scheduler, unit);
        }
        return unit;
    }
    void offer_only(UnitId unit) {
        can_issue_ = UnitSet(kUnits);
        can_issue_.insert(unit);
    }
    // A random set of the share's units that is not empty.
    void draw(std::mt19937& random, const Share& share = {.units = kUnits}) {
        can_issue_ = UnitSet(kUnits);
        do {
            for (UnitId u = 0; u < kUnits; ++u)
                if (random() % 4 == 0 && share.has(u))
                    can_issue_.insert(u);
        } while (can_issue_.empty());
    }
    // Each unit waits for memory or for a barrier, or not; the phase of the kernel changes now and then.
    void unsettle(Scheduler& scheduler, std::mt19937& random, Cycle now) {
        const auto u = static_cast<UnitId>(random() % kUnits);
        switch (random() % 4) {
        case 0:
            if (const bool waits = !long_wait_.contains(u); !can_issue_.contains(u) || !waits) {
                long_wait_.put(u, waits);
                scheduler.long_wait(u, waits);
            }
            break;
        case 1:
            at_barrier_.put(u, random() % 2 == 0);
            units_.eligible.put(u, can_issue_.contains(u) || random() % 2 == 0);
            break;
        case 2:
            progress_[u] += 32;
            blocks_[units_.block[u]].progress += 32;
            break;
        default:
            view_.blocks_left = random() % 8 == 0 ? !view_.blocks_left : view_.blocks_left;
        }
        if (scheduler.wake <= now)
            scheduler.tick(view_, now);
    }

private:
    void enter(Scheduler& scheduler, UnitId u) {
        units_.pc[u] = u % kPcs;
        if (scheduler.keeps_lists())
            scheduler.entered(u, units_.pc[u], units_.threads[u]);
    }

    std::string policy_;
    config::Machine machine_ = config::Machine::defaults({});
    warp::UnitTable units_{kUnits};
    UnitSet can_issue_{kUnits};
    UnitSet long_wait_{kUnits};
    UnitSet at_barrier_{kUnits};
    std::vector<std::uint64_t> progress_ = std::vector<std::uint64_t>(kUnits);
    std::vector<warp::BlockView> blocks_ = std::vector<warp::BlockView>(4);
    ir::Program program_;
    warp::View view_{.units = units_,
                     .long_wait = long_wait_,
                     .at_barrier = at_barrier_,
                     .progress = progress_,
                     .blocks = blocks_,
                     .blocks_left = false,
                     .program = &program_};
};

void picks_a_member(const std::string& policy) {
    Scene scene(policy);
    const auto scheduler = scene.make();
    std::mt19937 random(1);
    for (Cycle now = 0; now < 10000; ++now) {
        scene.draw(random);
        scene.pick(*scheduler, now);
    }
}

void picks_the_only_one(const std::string& policy) {
    Scene scene(policy);
    const auto scheduler = scene.make();
    for (UnitId u = 0; u < kUnits; ++u) {
        scene.offer_only(u);
        scene.pick(*scheduler, u);
    }
}

void repeats_its_picks(const std::string& policy) {
    Scene scene(policy);
    const auto first = scene.make(), second = scene.make();
    std::mt19937 random(2);
    for (Cycle now = 0; now < 5000; ++now) {
        scene.draw(random);
        expect(scene.pick(*first, now) == scene.pick(*second, now), "the same calls gave different picks");
    }
}

void picks_a_member_whatever_others_do(const std::string& policy) {
    Scene scene(policy);
    const auto scheduler = scene.make();
    std::mt19937 random(3);
    for (Cycle now = 0; now < 10000; ++now) {
        scene.draw(random);
        scene.unsettle(*scheduler, random, now);
        scene.pick(*scheduler, now);
    }
}

// Two schedulers share the units: each picks of its own, and what the other does is none of its business.
void shares_units(const std::string& policy) {
    Scene scene(policy);
    const std::unique_ptr<Scheduler> pair[] = {scene.make(0, 2), scene.make(1, 2)};
    const auto alone = scene.make(1, 2);
    std::mt19937 random(4);
    for (Cycle now = 0; now < 5000; ++now) {
        scene.draw(random, {.units = kUnits, .index = 0, .count = 2});
        scene.pick(*pair[0], now);
        scene.draw(random, {.units = kUnits, .index = 1, .count = 2});
        expect(scene.pick(*pair[1], now) == scene.pick(*alone, now),
               "picks depend on another scheduler of the core, over other units");
    }
}

constexpr Check kChecks[] = {
    {"picks a unit that can issue", picks_a_member},
    {"picks the only unit that can issue", picks_the_only_one},
    {"the same calls give the same picks", repeats_its_picks},
    {"picks a unit that can issue while units wait for memory and barriers", picks_a_member_whatever_others_do},
    {"schedulers of a core pick of their own units", shares_units},
};

} // namespace

std::span<const Check> scheduler_checks() {
    return kChecks;
}

} // namespace heddle::contract
