#include <gtest/gtest.h>

#include "ptx/syntax.h"

namespace heddle::ptx {
namespace {

TEST(Types, HaveTheSizesOfPtx) {
    EXPECT_EQ(size_of(Type::U8), 1U);
    EXPECT_EQ(size_of(Type::S16), 2U);
    EXPECT_EQ(size_of(Type::B32), 4U);
    EXPECT_EQ(size_of(Type::U64), 8U);
    EXPECT_EQ(size_of(Type::B128), 16U);
    EXPECT_EQ(size_of(Type::F16), 2U);
    EXPECT_EQ(size_of(Type::F16x2), 4U);
    EXPECT_EQ(size_of(Type::BF16), 2U);
    EXPECT_EQ(size_of(Type::BF16x2), 4U);
    EXPECT_EQ(size_of(Type::F32), 4U);
    EXPECT_EQ(size_of(Type::F64), 8U);
    EXPECT_EQ(size_of(Type::Pred), 1U);
    EXPECT_EQ(size_of(Type::None), 0U);
}

TEST(Types, NamesGoBothWays) {
    for (unsigned i = static_cast<unsigned>(Type::U8); i <= static_cast<unsigned>(Type::Pred); ++i) {
        const auto type = static_cast<Type>(i);
        EXPECT_EQ(type_named(name_of(type)), type) << name_of(type);
    }
    EXPECT_EQ(name_of(Type::U8), "u8");
    EXPECT_EQ(name_of(Type::BF16x2), "bf16x2");
    EXPECT_EQ(name_of(Type::Pred), "pred");
    EXPECT_EQ(type_named("texref"), Type::Texref);
    EXPECT_EQ(type_named("u24"), Type::None);
    EXPECT_EQ(type_named(""), Type::None);
    EXPECT_EQ(type_named("none"), Type::None);
}

TEST(Types, KnowFloatsAndSigns) {
    EXPECT_TRUE(is_float(Type::F16));
    EXPECT_TRUE(is_float(Type::F64));
    EXPECT_FALSE(is_float(Type::B32));
    EXPECT_TRUE(is_signed(Type::S8));
    EXPECT_FALSE(is_signed(Type::U8));
    EXPECT_FALSE(is_signed(Type::F32));
}

TEST(Variables, CountBytesAndAlignment) {
    Variable v;
    v.type = Type::F32;
    EXPECT_EQ(v.elements(), 1U);
    EXPECT_EQ(v.bytes(), 4U);
    EXPECT_EQ(v.alignment(), 4U);
    v.vector = 4;
    v.extents = {3, 5};
    EXPECT_EQ(v.elements(), 15U);
    EXPECT_EQ(v.bytes(), 240U);
    EXPECT_EQ(v.alignment(), 16U);
    v.align = 64;
    EXPECT_EQ(v.alignment(), 64U);
    v.extents = {0};
    EXPECT_EQ(v.elements(), 0U);
}

} // namespace
} // namespace heddle::ptx
