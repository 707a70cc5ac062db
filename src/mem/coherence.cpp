#include "mem/coherence.h"

namespace heddle::mem {

std::span<const stats::Statistic<CoherenceStats>> CoherenceStats::statistics() {
    using S = CoherenceStats;
    static const stats::Statistic<S> table[] = {
        {"gets", &S::gets, "requests", "GetS: lines asked for to be read"},
        {"getm", &S::getm, "requests", "GetM: lines asked for to be written"},
        {"upgrades", &S::upgrades, "requests", "leave asked to write lines that were there"},
        {"exclusive_grants", &S::exclusive_grants, "requests", "GetS that nobody else had a copy of: granted state E"},
        {"invalidations", &S::invalidations, "probes", "copies that were told to go"},
        {"downgrades", &S::downgrades, "probes", "copies in E or M that were told to stay for reading only"},
        {"recalls", &S::recalls, "lines", "lines that left the last level after their copies"},
        {"atomic_recalls", &S::atomic_recalls, "requests",
         "atomic operations that copies of their line had to go for first"},
        {"acknowledgements", &S::acknowledgements, "answers", "answers to probes without data"},
        {"forwarded", &S::forwarded, "answers", "answers to probes with the data of a dirty line"},
        {"clean_evictions", &S::clean_evictions, "lines", "PutE: lines in state E that their cache put out"},
        {"write_backs", &S::write_backs, "lines", "PutM: lines in state M that their cache put out"},
        {"lost_upgrades", &S::lost_upgrades, "requests",
         "upgrades whose copy went before their turn: granted as GetM, with the data"},
        {"write_back_races", &S::write_back_races, "lines", "PutE and PutM that met a probe on its way to their cache"},
        {"early_probes", &S::early_probes, "probes",
         "probes that came to a cache while it waited for another copy of the line"},
        {"stale_probes", &S::stale_probes, "probes", "probes of a copy that its cache had put out by then"},
        {"late_upgrades", &S::late_upgrades, "requests",
         "stores that had joined a GetS, which was granted state S: they asked on with an upgrade"},
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
