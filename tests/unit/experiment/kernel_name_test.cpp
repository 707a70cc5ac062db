#include <gtest/gtest.h>

#include "experiment/kernel_name.h"

namespace heddle::experiment {
namespace {

TEST(KernelName, IsThatOfTheSource) {
    EXPECT_EQ(source_name("_Z16multiply_classicPjPKjS1_i", true), "multiply_classic");
    EXPECT_EQ(source_name("_ZN12_GLOBAL__N_15scaleIfEEvPT_", false), "scale");
    EXPECT_EQ(source_name("_ZN12_GLOBAL__N_15scaleIfEEvPT_", true), "scale<float>");
    EXPECT_EQ(source_name("_Z5mergeILi64EEvPj", true), "merge<64>");
    EXPECT_EQ(source_name("plain", true), "plain");
    EXPECT_TRUE(is_kernel_called("_Z5mergeILi64EEvPj", "merge"));
    EXPECT_TRUE(is_kernel_called("_Z5mergeILi64EEvPj", "merge<64>"));
    EXPECT_FALSE(is_kernel_called("_Z5mergeILi64EEvPj", "merge<256>"));
}

} // namespace
} // namespace heddle::experiment
