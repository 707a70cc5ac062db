// Sets of one word and of several against std::set.

#include <set>

#include <gtest/gtest.h>

#include "base/bit_mask.h"

namespace heddle {
namespace {

template <class Mask>
class BitMaskTest : public testing::Test {};
using Masks = testing::Types<BitMask<1>, BitMask<2>, BitMask<4>, BitMask<16>>;
TYPED_TEST_SUITE(BitMaskTest, Masks);

template <class Mask>
Mask mask_of(const std::set<unsigned>& members) {
    Mask out;
    for (const unsigned i : members)
        out.insert(i);
    return out;
}
template <class Mask>
std::set<unsigned> members(const Mask& mask) {
    std::set<unsigned> out;
    mask.for_each([&](unsigned i) { out.insert(i); });
    return out;
}

TYPED_TEST(BitMaskTest, HoldsWhatIsPutIn) {
    constexpr unsigned kLast = TypeParam::kSize - 1;
    TypeParam mask;
    EXPECT_TRUE(mask.empty());
    for (const unsigned i : {0U, 5U, 63U, kLast})
        mask.insert(i);
    mask.erase(5);
    mask.insert_if(true, 7);
    mask.insert_if(false, 8);
    mask.erase_if(true, 0);
    mask.erase_if(false, 63);
    EXPECT_EQ(members(mask), (std::set<unsigned>{7, 63, kLast}));
    EXPECT_EQ(mask.count(), kLast == 63 ? 2U : 3U);
    EXPECT_EQ(mask.lowest(), 7U);
    EXPECT_TRUE(mask.has_several());
    mask.drop_lowest();
    EXPECT_EQ(mask.lowest(), 63U);
    EXPECT_TRUE(mask.contains(kLast));
    EXPECT_FALSE(mask.contains(7));
    EXPECT_FALSE(TypeParam::bit(kLast).has_several());
    EXPECT_FALSE(TypeParam{}.has_several());
}

TYPED_TEST(BitMaskTest, TheFirstSoMany) {
    for (const unsigned count : {0U, 1U, 63U, 64U, 65U, 127U, 128U, 1000U})
        if (count <= TypeParam::kSize) {
            const TypeParam mask = TypeParam::first(count);
            EXPECT_EQ(mask.count(), count);
            EXPECT_TRUE(count == 0 || mask.contains(count - 1));
            EXPECT_TRUE(count == TypeParam::kSize || !mask.contains(count));
        }
}

TYPED_TEST(BitMaskTest, TheNextInCyclicOrder) {
    constexpr unsigned kLast = TypeParam::kSize - 1;
    const auto mask = mask_of<TypeParam>({3, 60, kLast - 1});
    EXPECT_EQ(mask.next(0), 3U);
    EXPECT_EQ(mask.next(3), 3U);
    EXPECT_EQ(mask.next(4), 60U);
    EXPECT_EQ(mask.next(61), kLast - 1);
    EXPECT_EQ(mask.next(kLast), 3U);
}

TYPED_TEST(BitMaskTest, Operators) {
    constexpr unsigned kLast = TypeParam::kSize - 1;
    const auto a = mask_of<TypeParam>({1, 2, kLast});
    const auto b = mask_of<TypeParam>({2, 3, kLast});
    EXPECT_EQ(members(a | b), (std::set<unsigned>{1, 2, 3, kLast}));
    EXPECT_EQ(members(a & b), (std::set<unsigned>{2, kLast}));
    EXPECT_EQ(members(a & ~b), (std::set<unsigned>{1}));
    EXPECT_EQ((~a).count(), TypeParam::kSize - 3);
}

} // namespace
} // namespace heddle
