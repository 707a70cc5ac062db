// @NAME@: a scheduler.
#include "config/plugin.h"
#include "sched/scheduler.h"

namespace {

using namespace heddle;

struct Config {
    static constexpr std::string_view kSection = "@TARGET@"; // keys are @TARGET@.<name>
    std::uint64_t at_least = 1;
    static std::span<const config::Parameter<Config>> parameters() {
        static const config::Parameter<Config> table[] = {
            {"at_least", &Config::at_least, "threads", "1..64", "units with fewer active threads go last", "example"},
        };
        return table;
    }
};

// The unit with the fewest active threads, the lowest unit on ties.
class @TYPE@ final : public sched::Scheduler {
public:
    @TYPE@(const sched::Share& /*share*/, const config::Machine& machine)
        : at_least_(machine.get<Config>().at_least) {}

    UnitId pick(const UnitSet& can_issue, const warp::View& view, Cycle /*now*/) override {
        UnitId best = can_issue.first();
        can_issue.for_each([&](UnitId u) {
            if (rank(view.units.threads[u]) < rank(view.units.threads[best]))
                best = u;
        });
        return best;
    }

private:
    // Low goes first.
    [[nodiscard]] std::uint64_t rank(std::uint64_t threads) const {
        return threads < at_least_ ? threads + 64 : threads;
    }

    std::uint64_t at_least_;
};

HEDDLE_SCHEDULER(@TYPE@, "@NAME@", "the unit with the fewest active threads, lowest unit on ties", "example");

} // namespace

HEDDLE_CONFIG_SECTION(Config, "the scheduler @NAME@")
HEDDLE_PLUGIN("@NAME@", "the scheduler @NAME@")
