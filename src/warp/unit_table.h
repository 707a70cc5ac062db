// The issue units of a core. The formation writes; the core and the schedulers read.
#pragma once

#include <vector>

#include "base/types.h"
#include "base/unit_set.h"

namespace heddle::warp {

struct UnitTable {
    explicit UnitTable(unsigned capacity = 0)
        : alive(capacity), eligible(capacity), boosted(capacity), pc(capacity, kNoPc), block(capacity),
          threads(capacity), birth(capacity), hint(capacity), generation(capacity) {}

    UnitSet alive;
    UnitSet eligible; // its next PC is known and the formation permits it to be picked
    UnitSet boosted;  // picked before all others, whatever the scheduler's order (maws fall-behinds)
    std::vector<Pc> pc;
    std::vector<std::uint16_t> block; // resident block slot
    std::vector<std::uint16_t> threads;
    std::vector<std::uint64_t> birth;      // order of creation, for ages
    std::vector<std::uint32_t> hint;       // post-dominators passed (dwf), miss-free cycles left (maws)
    std::vector<std::uint32_t> generation; // counts the lives of this id

    [[nodiscard]] unsigned capacity() const {
        return static_cast<unsigned>(pc.size());
    }
};

} // namespace heddle::warp
