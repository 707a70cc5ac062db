#include "sample.h"

namespace heddle::config::test {

std::span<const Parameter<SampleConfig>> SampleConfig::parameters() {
    using C = SampleConfig;
    static const Parameter<C> table[] = {
        {"size", &C::size, "bytes", "0|1KiB..1GiB", "capacity", "Table 1"},
        {"ways", &C::ways, "ways", "1..64", "associativity", "Table 1"},
        {"line", &C::line, "bytes", "power of two 32..1024", "line size", "assumed"},
        {"clock", &C::clock, "GHz", "0.1..5", "clock", ""},
        {"merge", &C::merge, "", "", "whether misses to a line merge", ""},
        {"policy", &C::policy, "", "lru|fifo|random", "replacement", ""},
        {"order", &C::order, "", "sample order", "a registered name", ""},
    };
    return table;
}

std::vector<std::string> SampleConfig::problems() const {
    if (size < ways * line)
        return {"cache.size is below one set: cache.ways * cache.line"};
    return {};
}

std::span<const Parameter<ExtraConfig>> ExtraConfig::parameters() {
    using C = ExtraConfig;
    static const Parameter<C> table[] = {
        {"depth", &C::depth, "", "1..9", "depth", ""},
        {"width", &C::width, "", "1..9", "width", ""},
    };
    return table;
}

namespace {
[[maybe_unused]] const bool registered = [] {
    register_choices("sample order", [] { return std::vector<std::string>{"plain", "reversed"}; });
    return true;
}();
} // namespace

} // namespace heddle::config::test

HEDDLE_CONFIG_SECTION(heddle::config::test::SampleConfig, "a sample cache")
HEDDLE_CONFIG_SECTION(heddle::config::test::ExtraConfig, "a section that few machines have")
