// Neighbouring loads of shared memory become one where their address is aligned.
#include <gtest/gtest.h>

#include "compiled.h"

namespace heddle::native::test {
namespace {

constexpr const char* kParameters = ".param .u64 out";
const std::string kBegin = "ld.param.u64 %d1, [out]; mov.u32 %r1, %tid.x;\n";
const std::string kEnd = "add.u32 %r9, %r2, %r3; add.u32 %r9, %r9, %r4; add.u32 %r9, %r9, %r5;\n"
                         "st.global.u32 [%d1], %r9; ret;";

std::vector<unsigned> widths(const std::string& body) {
    std::vector<unsigned> out;
    for (const Instruction& i : Compiled(kBegin + body + kEnd, kParameters).all())
        if (i.op == Op::Lds)
            out.push_back(i.mods.vector);
    std::sort(out.begin(), out.end());
    return out;
}

using Widths = std::vector<unsigned>;

TEST(MergeLoads, FourWordsOfAnAlignedAddress) {
    EXPECT_EQ(widths(".shared .align 16 .b8 s[64];\n"
                     "ld.shared.u32 %r2, [s+16]; ld.shared.u32 %r3, [s+20]; ld.shared.u32 %r4, [s+28];\n"
                     "ld.shared.u32 %r5, [s+24];\n"),
              (Widths{4}));
}

TEST(MergeLoads, TwoWordsWhereFourAreNotThereOrNotAligned) {
    EXPECT_EQ(widths(".shared .align 16 .b8 s[64];\n"
                     "ld.shared.u32 %r2, [s+8]; ld.shared.u32 %r3, [s+12]; ld.shared.u32 %r4, [s+16];\n"
                     "ld.shared.u32 %r5, [s+20];\n"),
              (Widths{2, 2}));
    EXPECT_EQ(widths(".shared .align 16 .b8 s[64];\n"
                     "ld.shared.u32 %r2, [s+4]; ld.shared.u32 %r3, [s+8]; ld.shared.u32 %r4, [s+40];\n"
                     "ld.shared.u32 %r5, [s+44];\n"),
              (Widths{1, 1, 2}));
}

TEST(MergeLoads, AnAddressOfEachThreadWhoseStepIsAMultiple) {
    const auto of = [](const std::string& address) {
        return widths(".shared .align 16 .b8 s[4096];\n" + address +
                      "ld.shared.u32 %r2, [%r7]; ld.shared.u32 %r3, [%r7+4]; ld.shared.u32 %r4, [%r7+8];\n"
                      "ld.shared.u32 %r5, [%r7+12];\n");
    };
    EXPECT_EQ(of("shl.b32 %r6, %r1, 4; mov.u32 %r8, s; add.u32 %r7, %r8, %r6;\n"), (Widths{4}));
    EXPECT_EQ(of("mul.lo.u32 %r6, %r1, 24; mov.u32 %r8, s; add.u32 %r7, %r8, %r6;\n"), (Widths{2, 2}));
    EXPECT_EQ(of("shl.b32 %r6, %r1, 2; mov.u32 %r8, s; add.u32 %r7, %r8, %r6;\n"), (Widths{1, 1, 1, 1}));
}

// clang addresses shared memory by 64 bits.
TEST(MergeLoads, AnAddressOf64Bits) {
    const auto of = [](const std::string& address) {
        return widths(".shared .align 16 .b8 s[4096];\n" + address +
                      "ld.shared.u32 %r2, [%d7]; ld.shared.u32 %r3, [%d7+4]; ld.shared.u32 %r4, [%d7+8];\n"
                      "ld.shared.u32 %r5, [%d7+12];\n");
    };
    EXPECT_EQ(of("mul.wide.u32 %d6, %r1, 16; mov.u64 %d8, s; add.s64 %d7, %d8, %d6;\n"), (Widths{4}));
    EXPECT_EQ(of("shl.b32 %r6, %r1, 3; cvt.u64.u32 %d6, %r6; mov.u64 %d8, s; add.s64 %d7, %d8, %d6;\n"),
              (Widths{2, 2}));
    EXPECT_EQ(of("mul.wide.u32 %d6, %r1, 4; mov.u64 %d8, s; add.s64 %d7, %d8, %d6;\n"), (Widths{1, 1, 1, 1}));
    EXPECT_EQ(of("mul.hi.u32 %r6, %r1, 16; cvt.u64.u32 %d6, %r6; mov.u64 %d8, s; add.s64 %d7, %d8, %d6;\n"),
              (Widths{1, 1, 1, 1}));
}

TEST(MergeLoads, NotAcrossABarrierOrAStoreThatMayBeToSharedMemory) {
    const std::string variable = ".shared .align 16 .b8 s[64];\n";
    const std::string first = "ld.shared.u32 %r2, [s]; ld.shared.u32 %r3, [s+4];\n";
    const std::string second = "ld.shared.u32 %r4, [s+8]; ld.shared.u32 %r5, [s+12];\n";
    EXPECT_EQ(widths(variable + first + "bar.sync 0;\n" + second), (Widths{2, 2}));
    EXPECT_EQ(widths(variable + first + "st.shared.u32 [s+8], %r1;\n" + second), (Widths{2, 2}));
    EXPECT_EQ(widths(variable + first + "st.u32 [%d1+8], %r1;\n" + second), (Widths{2, 2}));
    EXPECT_EQ(widths(variable + first + "st.global.u32 [%d1+8], %r1;\n" + second), (Widths{4}));
}

TEST(MergeLoads, VolatileLoadsStay) {
    EXPECT_EQ(widths(".shared .align 16 .b8 s[64];\n"
                     "ld.volatile.shared.u32 %r2, [s]; ld.volatile.shared.u32 %r3, [s+4];\n"
                     "ld.relaxed.cta.shared.u32 %r4, [s+8]; ld.relaxed.cta.shared.u32 %r5, [s+12];\n"),
              (Widths{1, 1, 1, 1}));
}

} // namespace
} // namespace heddle::native::test
