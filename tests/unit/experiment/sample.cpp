// A section of settings, for experiments of tests: shipped machines need sections that this program does not link.
#include <array>
#include <span>

#include "config/parameter.h"

namespace heddle::experiment {

struct LoomConfig {
    static constexpr std::string_view kSection = "loom";
    std::uint64_t shafts = 4;
    std::string weave = "plain";
    static std::span<const config::Parameter<LoomConfig>> parameters() {
        static const std::array<config::Parameter<LoomConfig>, 2> table{{
            {"shafts", &LoomConfig::shafts, "", "1..64", "shafts of the loom", ""},
            {"weave", &LoomConfig::weave, "", "plain|twill", "how threads cross", ""},
        }};
        return table;
    }
};

} // namespace heddle::experiment

HEDDLE_CONFIG_SECTION(heddle::experiment::LoomConfig, "a loom")
