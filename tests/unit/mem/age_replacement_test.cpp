#include <gtest/gtest.h>

#include "mem/cache/replacement.h"

namespace heddle::mem {
namespace {

// What lru and fifo say of themselves.
class AgeContract : public testing::TestWithParam<std::string> {};
TEST_P(AgeContract, SayThatTheyGoByAge) {
    const auto policy = replacements().make(GetParam(), {16, 8, 3});
    EXPECT_NE(policy->order(), Replacement::Order::Own);
    EXPECT_FALSE(policy->learns());
    EXPECT_EQ(policy->objection(), "");
}
INSTANTIATE_TEST_SUITE_P(, AgeContract, testing::Values("fifo", "lru"));

} // namespace
} // namespace heddle::mem
