#include "beside.h"

#include <fmt/format.h>

#include "base/source.h"

namespace heddle::bench {

namespace {

std::vector<std::string> words_of(std::vector<std::string> out, const std::vector<std::string>& settings) {
    for (const std::string& setting : settings)
        out.insert(out.end(), {"-s", setting});
    return out;
}

void run_pair(const Runner& runner, const Pair& pair, unsigned runs) {
    const std::vector<std::string> words = words_of(pair.machine, pair.settings);
    const std::vector<std::string> beside = words_of(pair.machine, pair.beside);
    std::vector<Run> first, second;
    for (unsigned i = 0; i < runs; ++i) { // in turn: the rate of this computer changes from minute to minute
        first.push_back(runner.run(words, pair.workload));
        second.push_back(runner.run(beside, pair.workload));
    }
    const Run a = median(std::move(first)), b = median(std::move(second));
    fmt::print("{:<34}{:>14}{:>14}{:>14.2f} M{:>14.2f} M{:>9.1f}%\n", pair.label, a.summary.totals.cycles,
               b.summary.totals.cycles, a.rate() / 1e6, b.rate() / 1e6, 100 * a.rate() / b.rate());
    std::fflush(stdout);
}

} // namespace

std::vector<Pair> pairs_of_policies() {
    return {
        {"scheduler gto, blackscholes",
         {"-m", "lwm11"},
         "blackscholes",
         {"core.scheduler=plugin-gto"},
         {"core.scheduler=gto"}},
        {"formation pdom, blackjack",
         {"-m", "lwm11"},
         "blackjack",
         {"core.formation=plugin-pdom"},
         {"core.formation=pdom"}},
        {"replacement srrip, bfs",
         {"-m", "gtx480"},
         "bfs --suite pro",
         {"dcache.replacement=plugin-srrip"},
         {"dcache.replacement=srrip"}},
        {"prefetcher stride, vector add",
         {"-m", "gtx480"},
         "micro-stream",
         {"dcache.prefetch=plugin-stride"},
         {"dcache.prefetch=stride"}},
    };
}

void run_beside(const Runner& runner, const std::vector<Pair>& pairs, unsigned runs) {
    fmt::print("{:<34}{:>14}{:>14}{:>16}{:>16}{:>10}\n", "", "cycles", "beside", "warp instr./s", "beside", "rate");
    for (const Pair& pair : pairs)
        run_pair(runner, pair, runs);
}

} // namespace heddle::bench
