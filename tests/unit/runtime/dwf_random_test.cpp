// Random kernels under dynamic warp formation: memory has the contents of a flat memory, whatever threads share warps.

#include "random_run.h"

namespace heddle::runtime {
namespace {

std::vector<std::string> dwf(std::vector<std::string> settings) {
    settings.insert(settings.begin(), "core.formation=dwf");
    return settings;
}

TEST(DwfRandom, EveryScheduler) {
    std::uint64_t seed = 100;
    for (const char* const scheduler : {"dmaj", "dmin", "dtime", "dpdpri", "dpc", "rr", "gto"})
        for (const char* const machine : {"lwm11", "dwf07"})
            check(machine, dwf({"core.scheduler=" + std::string(scheduler)}), ++seed, 40, 24, 32);
}

TEST(DwfRandom, EveryKindOfLanesWithBlocksOfOddSizes) {
    std::uint64_t seed = 200;
    for (const char* const lanes : {"aware", "ideal", "conflict"})
        for (const char* const swizzle : {"false", "true"})
            for (const unsigned block : {3U, 17U, 45U, 64U})
                check("lwm11",
                      dwf({"core.scheduler=dmaj", "dwf.lanes=" + std::string(lanes),
                           "dwf.swizzle=" + std::string(swizzle)}),
                      ++seed, 40, 40, block);
}

TEST(DwfRandom, TinyTablesAndNarrowAndWideWarps) {
    std::uint64_t seed = 300;
    for (const char* const width : {"1", "4", "16", "64"})
        check("lwm11",
              dwf({"core.scheduler=dmaj", "core.width=" + std::string(width), "dwf.lut_entries=1", "dwf.lut_ways=1",
                   "dmaj.entries=1"}),
              ++seed, 40, 24, 48);
}

} // namespace
} // namespace heddle::runtime
