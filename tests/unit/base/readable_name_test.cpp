#include <gtest/gtest.h>

#include "base/readable_name.h"

namespace heddle {
namespace {

TEST(ReadableName, IsThatOfTheSource) {
    EXPECT_EQ(readable_name("_Z4scanPiS_"), "scan");
    EXPECT_EQ(readable_name("_Z5mergeILi64EEvPj"), "merge<64>");
    EXPECT_EQ(readable_name("_ZN3lib5mergeIfEEvPT_"), "lib::merge<float>");
    EXPECT_EQ(readable_name("plain"), "plain");
    EXPECT_EQ(readable_name("f"), "f"); // not the type float
}

// These had no name at all: "(anonymous" begins with a parenthesis, as parameters do.
TEST(ReadableName, IsNotEmptyInUnnamedNamespaces) {
    EXPECT_EQ(readable_name("_ZN12_GLOBAL__N_15scaleEPf"), "scale");
    EXPECT_EQ(readable_name("_ZN12_GLOBAL__N_15scaleIfEEvPT_"), "scale<float>");
    EXPECT_EQ(readable_name("_ZN3lib12_GLOBAL__N_15scaleEPf"), "lib::scale");
}

} // namespace
} // namespace heddle
