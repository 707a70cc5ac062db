// Units in the scheduler by their PC, with the number of threads at each (DWF07 4.3).
//
// Units of a PC are in the order in which they entered, which is their age: units of dwf enter when they are made,
// units of one cycle by rising number, which is the order of the pool.
//
// A PC that finds the table full is not counted until an entry is free (assumed; DWF07 4.3 does not need the rule): its
// units wait in a list, and the PC of the oldest unit takes the entry.
#pragma once

#include <cstdint>
#include <vector>

#include "sched/unit_list.h"

namespace heddle::sched {

class PcTable {
public:
    using EntryId = unsigned;
    static constexpr EntryId kNone = ~0U;

    struct Entry {
        Pc pc = kNoPc;
        unsigned threads = 0;
        UnitLinks::List units;
        std::uint64_t number = 0; // of the entry, in the order in which PCs come into the table
    };

    PcTable(unsigned entries, unsigned units)
        : entries_(entries), used_(entries), unused_(entries), links_(units), unit_(units) {
        for (unsigned e = 0; e < entries; ++e)
            unused_.insert(static_cast<UnitId>(e));
    }

    // False when the table is full of other PCs: the unit is not counted.
    bool enter(UnitId unit, Pc pc, unsigned threads) {
        EntryId e = find(pc);
        if (e == kNone)
            e = allocate(pc);
        unit_[unit] = {e, pc, threads};
        if (e != kNone)
            count(unit);
        else
            links_.append(uncounted_, unit);
        return e != kNone;
    }
    void grow(UnitId unit, unsigned threads) {
        Unit& u = unit_[unit];
        if (u.entry != kNone)
            entries_[u.entry].threads += threads - u.threads;
        u.threads = threads;
    }
    // The unit's entry when the unit was the last of its PC: the table then drops the PC. Else kNone.
    EntryId leave(UnitId unit) {
        const EntryId e = unit_[unit].entry;
        if (e == kNone) {
            links_.remove(uncounted_, unit);
            return kNone;
        }
        entries_[e].threads -= unit_[unit].threads;
        links_.remove(entries_[e].units, unit);
        if (entries_[e].units.first != kNoUnit)
            return kNone;
        used_.erase(static_cast<UnitId>(e));
        unused_.insert(static_cast<UnitId>(e));
        entry_of_pc_[entries_[e].pc] = kNone;
        if (uncounted_.first != kNoUnit)
            admit(unit_[uncounted_.first].pc);
        return e;
    }

    // The oldest unit of an entry's PC that can issue, kNoUnit when there is none.
    [[nodiscard]] UnitId oldest(EntryId e, const UnitSet& can_issue) const {
        return links_.first_of(entries_[e].units, can_issue);
    }
    [[nodiscard]] UnitId oldest_uncounted(const UnitSet& can_issue) const {
        return links_.first_of(uncounted_, can_issue);
    }
    // The best of the entries with a unit that can issue; kNone when there is no such entry. `but`: an entry that is
    // known to have no such unit.
    template <class Better>
    [[nodiscard]] EntryId best(const UnitSet& can_issue, EntryId but, Better&& better) const {
        EntryId best = kNone;
        used_.for_each([&](EntryId e) {
            if (e != but && (best == kNone || better(entries_[e], entries_[best])) && oldest(e, can_issue) != kNoUnit)
                best = e;
        });
        return best;
    }

private:
    struct Unit {
        EntryId entry = kNone;
        Pc pc = kNoPc;
        unsigned threads = 0;
    };

    [[nodiscard]] EntryId find(Pc pc) {
        if (pc >= entry_of_pc_.size()) [[unlikely]]
            entry_of_pc_.resize(pc + std::size_t{1}, kNone);
        return entry_of_pc_[pc];
    }
    [[nodiscard]] EntryId allocate(Pc pc) {
        const UnitId e = unused_.first();
        if (e == kNoUnit)
            return kNone;
        unused_.erase(e);
        used_.insert(e);
        entries_[e] = {pc, 0, {}, allocated_++};
        entry_of_pc_[pc] = e;
        return e;
    }
    void count(UnitId unit) {
        Entry& entry = entries_[unit_[unit].entry];
        entry.threads += unit_[unit].threads;
        links_.append(entry.units, unit);
    }
    // An entry is free: the units of a PC without an entry come in.
    void admit(Pc pc) {
        const EntryId e = allocate(pc);
        for (UnitId unit = uncounted_.first; unit != kNoUnit;) {
            const UnitId next = links_.next(unit);
            if (unit_[unit].pc == pc) {
                links_.remove(uncounted_, unit);
                unit_[unit].entry = e;
                count(unit);
            }
            unit = next;
        }
    }

    std::vector<Entry> entries_;
    UnitSet used_, unused_;            // entries
    std::vector<EntryId> entry_of_pc_; // kNone: the PC has no entry
    std::uint64_t allocated_ = 0;      // entries that PCs have come into
    UnitLinks links_;
    UnitLinks::List uncounted_;
    std::vector<Unit> unit_;
};

} // namespace heddle::sched
