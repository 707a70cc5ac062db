// The issue units of a core. The formation writes; the core and the schedulers read.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/types.h"
#include "base/unit_set.h"

namespace heddle::warp {

// Properties of a formation's units, for schedulers that use more than the PC and the number of threads.
struct UnitTraits {
    bool die_at_issue = false;       // no unit waits for memory or belongs to a fetch group (dwf)
    bool span_blocks = false;        // a unit may hold threads of several blocks
    bool take_several_slots = false; // an instruction of a unit may take several issue slots (lwm)
    // The meaning of UnitTable::formation_word, by the name in the header of the formation; empty: not used.
    std::string_view formation_word{};
};

struct UnitTable {
    explicit UnitTable(unsigned capacity = 0)
        : alive(capacity), eligible(capacity), boosted(capacity), grown(capacity), pc(capacity, kNoPc), block(capacity),
          threads(capacity), formation_word(capacity), generation(capacity), words(alive.words()), birth_(capacity) {}

    UnitSet alive;
    UnitSet eligible; // its next PC is known and the formation permits it to be picked; the core takes it out when it
                      // fetches it
    UnitSet boosted;  // picked before all others, whatever the scheduler's order (maws fall-behinds)
    UnitSet grown;    // threads have joined it since it became eligible; the caller of Scheduler::grew() clears it
    std::vector<Pc> pc;
    std::vector<std::uint16_t> block; // resident block slot
    std::vector<std::uint16_t> threads;
    // Set by the formation for schedulers made for that formation, which read it through its header (UnitTraits).
    std::vector<std::uint32_t> formation_word;
    std::vector<std::uint32_t> generation; // how often this id has been given out
    unsigned words; // of the sets above that ever had a member; a formation that has many more ids than it commonly
                    // uses gives out low ids first, sets this to 1 at first and raises it

    // By unit: the order of creation, for ages.
    [[nodiscard]] const std::vector<std::uint64_t>& birth() const {
        return birth_;
    }
    // The unit counts as created at `when`, in the order of creation.
    void set_birth(UnitId unit, std::uint64_t when) {
        birth_[unit] = when;
        ++birth_changes_;
    }
    // A unit of a block begins, under a number that no living unit has. `when`: as for set_birth().
    void begin(UnitId unit, std::uint16_t its_block, std::uint64_t when) {
        block[unit] = its_block;
        set_birth(unit, when);
        ++generation[unit];
        alive.insert(unit);
    }
    // The number of calls of set_birth() so far.
    [[nodiscard]] std::uint64_t birth_changes() const {
        return birth_changes_;
    }
    [[nodiscard]] unsigned capacity() const {
        return static_cast<unsigned>(pc.size());
    }

private:
    std::vector<std::uint64_t> birth_;
    std::uint64_t birth_changes_ = 0;
};

} // namespace heddle::warp
