#include <gtest/gtest.h>

#include "report/kernels.h"

namespace heddle::report {
namespace {

TEST(Kernels, LongNamesAreShortenedForTables) {
    EXPECT_EQ(short_name("_ZN3lib5mergeIfEEvPT_"), "lib::merge<float>");
    // lib::inner::a_rather_long_name_for_a_kernel<lib::inner::policy<float, int>>(float*)
    EXPECT_EQ(short_name("_ZN3lib5inner31a_rather_long_name_for_a_kernelINS0_6policyIfiEEEEvPf"),
              "a_rather_long_name_for_a_kernel<policy<float, int> >");
    // The same with lib::inner::policy<float, int>::type, and a second such: 57 characters and the dots
    EXPECT_EQ(short_name("_ZN3lib5inner31a_rather_long_name_for_a_kernelINS0_6policyIfiE4typeES4_EEvPf"),
              "a_rather_long_name_for_a_kernel<policy<float, int>::type,...");
}

} // namespace
} // namespace heddle::report
