#include <algorithm>
#include <array>

#include <gtest/gtest.h>

#include "formation/warp_pool.h"

namespace heddle::formation {
namespace {

using warp::Part;

// In the form for copy_parts(): an array of a multiple of four.
std::array<Part, 4> list(std::initializer_list<Part> parts) {
    std::array<Part, 4> out{};
    std::copy(parts.begin(), parts.end(), out.begin());
    return out;
}

void expect_parts(const WarpPool& pool, UnitId u, std::initializer_list<Part> expected) {
    const std::span<const Part> parts = pool.parts(u);
    ASSERT_EQ(parts.size(), expected.size());
    for (std::size_t p = 0; p < parts.size(); ++p) {
        EXPECT_EQ(parts[p].row, expected.begin()[p].row) << p;
        EXPECT_EQ(parts[p].lanes, expected.begin()[p].lanes) << p;
    }
}

TEST(PartList, LeavesOutPartsWithoutLanes) {
    std::array<Part, 4> to{};
    PartList parts(to.data());
    parts.add(1, 0);
    parts.add(2, 0b1);
    parts.add(3, 0);
    parts.add(4, 0b10);
    parts.add(5, 0);
    ASSERT_EQ(parts.parts().size(), 2U);
    EXPECT_EQ(parts.parts()[0].row, 2);
    EXPECT_EQ(parts.parts()[1].row, 4);
}

TEST(WarpPool, UnitesPartsOfARowInTheOrderInWhichTheirFirstThreadsCame) {
    WarpPool pool(2, 4, 8);
    const std::array<Part, 4> first = list({{5, 0b0001}, {3, 0b0010}});
    const UnitId u = pool.allocate({first.data(), 2});
    EXPECT_FALSE(pool.is_joined(u));
    PartList joining = pool.joining(u);
    joining.add(3, 0b0100);
    joining.add(7, 0);
    joining.add(5, 0b1000);
    pool.joined(u, joining);
    ASSERT_TRUE(pool.is_joined(u));
    pool.unite_rows(u);
    EXPECT_FALSE(pool.is_joined(u));
    expect_parts(pool, u, {{5, 0b1001}, {3, 0b0110}});
    // Nothing of it is left for the next one.
    pool.release(u);
    const std::array<Part, 4> next = list({{5, 0b0010}});
    const UnitId v = pool.allocate({next.data(), 1});
    PartList more = pool.joining(v);
    more.add(3, 0b0001);
    pool.joined(v, more);
    pool.unite_rows(v);
    expect_parts(pool, v, {{5, 0b0010}, {3, 0b0001}});
}

} // namespace
} // namespace heddle::formation
