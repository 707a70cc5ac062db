#include "sm/sub_core/constant_cache.h"

#include <fmt/format.h>

#include "sm/frame/code_address.h"

namespace heddle::sm {

using mem::Cache;

bool ConstantCache::has(UnitId unit, Address constant, Pc pc, Cycle now) {
    const Address address = kConstantBase + constant;
    if (cache_.hits_again(address))
        return true;
    if (served_.contains(unit)) {
        served_.erase(unit);
        if (awaited_[unit] == address)
            return true;
    }
    const mem::CacheAccess access{.address = address, .pc = pc, .requester = unit, .kind = mem::AccessKind::Load};
    const Cache::Answer answer = cache_.look_up(access, unit);
    if (answer.result == Cache::Result::Hit)
        return true;
    if (answer.result == Cache::Result::Miss)
        l1_.request(first_ + answer.miss, l1_.line_of(address), pc, now);
    awaited_[unit] = address;
    if (answer.result != Cache::Result::Miss && answer.result != Cache::Result::Merged)
        refused_.insert(unit);
    return false;
}

std::vector<std::string> ConstantCacheConfig::problems(const config::Machine& machine) const {
    if (size == 0)
        return {};
    std::vector<std::string> out = shape_problems(kSection);
    const auto l1 = machine.get<InstructionL1Config>();
    if (l1.size == 0)
        out.emplace_back("ccache_l0.size needs icache_l1.size: constants come from that cache");
    if (l1.line < line)
        out.push_back(fmt::format("ccache_l0.line = {} is above icache_l1.line = {}", line, l1.line));
    if (mshrs == 0)
        out.emplace_back("ccache_l0.size needs a number of ccache_l0.mshrs: each has a place on the way to icache_l1");
    if (prefetch != "none")
        out.emplace_back("ccache_l0.size needs ccache_l0.prefetch = 'none'");
    return out;
}

std::span<const config::Parameter<ConstantCacheConfig>> ConstantCacheConfig::parameters() {
    using C = ConstantCacheConfig;
    static const auto table = [] {
        auto out = mem::cache_parameters<C>("0|64..1048576");
        out.push_back({"hold", &C::hold, "cycles", "0..64",
                       "cycles in which a sub-core issues nothing when the warp that issued last misses a constant",
                       "Huerta et al., MICRO 2025: 4"});
        return out;
    }();
    return table;
}

} // namespace heddle::sm

HEDDLE_CONFIG_SECTION(heddle::sm::ConstantCacheConfig,
                      "constant cache of a sub-core, for operands of native instructions; without one they are there")
