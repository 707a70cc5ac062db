#include <gtest/gtest.h>

#include "base/select.h"

namespace heddle {
namespace {

TEST(Select, Numbers) {
    EXPECT_EQ(select(true, 1, 2), 1U);
    EXPECT_EQ(select(false, 1, 2), 2U);
    EXPECT_EQ(select(false, 0, ~std::uint64_t{0}), ~std::uint64_t{0});
}

TEST(Select, Pointers) {
    int one = 1;
    EXPECT_EQ(select<int>(true, &one, nullptr), &one);
    EXPECT_EQ(select<int>(false, &one, nullptr), nullptr);
}

} // namespace
} // namespace heddle
