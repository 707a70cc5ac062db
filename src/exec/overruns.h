// Accesses outside every allocation that a GPU lets pass: its memory consists of pages of 2 MiB, and an access faults
// only where no allocation has a part of the page.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/types.h"

namespace heddle::exec {

// Those of one instruction.
struct Overrun {
    Pc pc = 0;
    Cycle first = 0;            // the cycle of the first one
    std::uint64_t accesses = 0; // of threads
    bool stores = false;
    std::string report; // of the first one
};

class Overruns {
public:
    // Counts the access of a thread. `report` makes the text of the instruction's first one.
    template <class Report>
    void add(Pc pc, Cycle now, bool stores, Report&& report) {
        const auto [at, fresh] = seen_.try_emplace(pc);
        if (fresh)
            at->second = {pc, now, 0, stores, report()};
        ++at->second.accesses;
    }
    // Those since the last call, by PC.
    [[nodiscard]] std::vector<Overrun> take() {
        std::vector<Overrun> out;
        for (auto& [pc, overrun] : seen_)
            out.push_back(std::move(overrun));
        seen_.clear();
        return out;
    }

private:
    std::map<Pc, Overrun> seen_;
};

} // namespace heddle::exec
