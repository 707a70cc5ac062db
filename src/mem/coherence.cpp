#include "mem/coherence.h"

namespace heddle::mem {

std::span<const stats::Statistic<CoherenceStats>> CoherenceStats::statistics() {
    using S = CoherenceStats;
    static const stats::Statistic<S> table[] = {
        {"gets", &S::gets, "requests", "GetS: requests for lines to read"},
        {"getm", &S::getm, "requests", "GetM: requests for lines to write"},
        {"upgrades", &S::upgrades, "requests", "requests for permission to write lines that were there"},
        {"exclusive_grants", &S::exclusive_grants, "requests", "GetS of lines without another copy: granted state E"},
        {"invalidations", &S::invalidations, "probes", "probes that made a cache give up its copy"},
        {"downgrades", &S::downgrades, "probes", "probes that made a copy in E or M readable only"},
        {"recalls", &S::recalls, "lines", "lines that left the last level after their copies"},
        {"atomic_recalls", &S::atomic_recalls, "requests",
         "atomic operations that had to wait until copies of their line were gone"},
        {"acknowledgements", &S::acknowledgements, "answers", "answers to probes without data"},
        {"forwarded", &S::forwarded, "answers", "answers to probes with the data of a dirty line"},
        {"clean_evictions", &S::clean_evictions, "lines", "PutE: lines in state E that their cache put out"},
        {"write_backs", &S::write_backs, "lines", "PutM: lines in state M that their cache put out"},
        {"lost_upgrades", &S::lost_upgrades, "requests",
         "upgrades whose copy was gone before their turn: granted as GetM, with the data"},
        {"write_back_races", &S::write_back_races, "lines", "PutE and PutM that met a probe on its way to their cache"},
        {"early_probes", &S::early_probes, "probes",
         "probes that came to a cache while it waited for another copy of the line"},
        {"stale_probes", &S::stale_probes, "probes", "probes of a copy that its cache had put out by then"},
        {"late_upgrades", &S::late_upgrades, "requests",
         "upgrades for stores that had joined a GetS, which was granted state S"},
        {"waits", &S::waits, "requests", "requests that waited for another one of the same line"},
        {"wait_cycles", &S::wait_cycles, "cycles", "core cycles that they waited, summed"},
        {"messages", &S::messages, "packets", "upgrades and their grants without data, probes, answers, PutE and PutM"},
        {"flits", &S::flits, "flits", "their flits, over both networks"},
    };
    return table;
}

std::span<const stats::Formula> CoherenceStats::formulas() {
    static const stats::Formula table[] = {
        {"mean_wait", "wait_cycles", "waits", "cycles that a request waited for another one of the same line"},
        {"mean_flits", "flits", "messages", "flits of a message"},
    };
    return table;
}

} // namespace heddle::mem

HEDDLE_STATISTICS(heddle::mem::CoherenceStats, "coherence", "MESI: directory, data caches, messages")
