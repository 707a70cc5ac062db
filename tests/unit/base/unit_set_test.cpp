#include <set>

#include <gtest/gtest.h>

#include "base/unit_set.h"

namespace heddle {
namespace {

// The first member behind `u`, else the first of all, as a sorted set has it.
UnitId next_of(const std::set<UnitId>& members, UnitId u) {
    if (members.empty())
        return kNoUnit;
    const auto next = members.upper_bound(u);
    return next != members.end() ? *next : *members.begin();
}

TEST(UnitSet, GoesRoundInASetOfAnySize) {
    for (const unsigned units : {48U, 64U, 130U}) {
        const auto last = static_cast<UnitId>(units - 1);
        for (const std::set<UnitId>& members :
             {std::set<UnitId>{}, {UnitId{0}}, {last}, {UnitId{3}, UnitId{7}, UnitId{40}}, {UnitId{0}, last}}) {
            UnitSet set(units);
            for (const UnitId u : members)
                set.insert(u);
            for (UnitId u = 0; u < units; ++u)
                EXPECT_EQ(set.next_after(u), next_of(members, u)) << units << " units, after " << u;
        }
    }
}

// Before any unit had its turn, the first unit is next.
TEST(UnitSet, BehindTheLastNumberComesTheFirst) {
    UnitSet set(48);
    set.insert(0);
    set.insert(47);
    EXPECT_EQ(set.next_after(UnitSet::kCapacity - 1), 0);
}

} // namespace
} // namespace heddle
