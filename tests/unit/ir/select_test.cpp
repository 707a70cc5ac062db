#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "ir/cache_operator.h"
#include "lowered.h"

namespace heddle::ir {
namespace {

using test::lower_body;
using test::Lowered;

struct Spelling {
    std::string_view text;
    Opcode opcode;
    Type type;
    Sub sub = Sub::None;
    unsigned flags = 0;
    Rounding rounding = Rounding::None;
};

class Decoded : public ::testing::TestWithParam<Spelling> {};

TEST_P(Decoded, GivesOneMicroOp) {
    const Spelling& s = GetParam();
    const Lowered l = lower_body(s.text, ".param .u64 a", ".shared .align 8 .b8 sh[64];\n");
    ASSERT_EQ(l.errors, "");
    const Kernel& k = l.kernel();
    EXPECT_TRUE(k.not_executable.empty());
    EXPECT_EQ(k.end - k.begin, 2U); // and the exit at its end
    const MicroOp& op = l.op(k.begin);
    EXPECT_EQ(info(op.opcode).name, info(s.opcode).name);
    EXPECT_EQ(op.kind, info(s.opcode).kind);
    EXPECT_EQ(op.work, info(s.opcode).work);
    EXPECT_EQ(op.type, s.type);
    EXPECT_EQ(op.sub, s.sub);
    EXPECT_EQ(op.flags, s.flags);
    EXPECT_EQ(op.rounding, s.rounding);
}

INSTANTIATE_TEST_SUITE_P(
    Arithmetic, Decoded,
    ::testing::Values(Spelling{"add.s32 %r1, %r2, -3;", Opcode::Add, Type::S32},
                      Spelling{"add.sat.s32 %r1, %r2, %r3;", Opcode::Add, Type::S32, Sub::None, kSaturate},
                      Spelling{"add.f32 %f1, %f2, 0f3F800000;", Opcode::Add, Type::F32, Sub::None, 0, Rounding::Rn},
                      Spelling{"add.rz.ftz.sat.f32 %f1, %f2, 1.0;", Opcode::Add, Type::F32, Sub::None, kFtz | kSaturate,
                               Rounding::Rz},
                      Spelling{"sub.rp.f64 %g1, %g2, %g3;", Opcode::Sub, Type::F64, Sub::None, 0, Rounding::Rp},
                      Spelling{"mul.lo.s32 %r1, %r2, %r3;", Opcode::Mul, Type::S32, Sub::Lo},
                      Spelling{"mul.wide.u16 %r1, %h2, %h3;", Opcode::Mul, Type::U16, Sub::Wide},
                      Spelling{"mad.wide.s32 %d1, %r2, %r3, %d4;", Opcode::Mad, Type::S32, Sub::Wide},
                      Spelling{"mad.hi.sat.s32 %r1, %r2, %r3, %r4;", Opcode::Mad, Type::S32, Sub::Hi, kSaturate},
                      Spelling{"mad.rn.f32 %f1, %f2, %f3, %f4;", Opcode::Mad, Type::F32, Sub::None, 0, Rounding::Rn},
                      Spelling{"fma.rn.ftz.f32 %f1, %f2, %f3, %f4;", Opcode::Fma, Type::F32, Sub::None, kFtz,
                               Rounding::Rn},
                      Spelling{"mul24.hi.u32 %r1, %r2, %r3;", Opcode::Mul24, Type::U32, Sub::Hi},
                      Spelling{"div.full.f32 %f1, %f2, %f3;", Opcode::Div, Type::F32, Sub::None, kFull},
                      Spelling{"div.approx.ftz.f32 %f1, %f2, %f3;", Opcode::Div, Type::F32, Sub::None, kApprox | kFtz},
                      Spelling{"div.rn.f64 %g1, %g2, %g3;", Opcode::Div, Type::F64, Sub::None, 0, Rounding::Rn},
                      Spelling{"rem.u64 %d1, %d2, 10;", Opcode::Rem, Type::U64},
                      Spelling{"min.NaN.xorsign.abs.f32 %f1, %f2, %f3;", Opcode::Min, Type::F32, Sub::None,
                               kNanResult | kXorSign | kMagnitudes},
                      Spelling{"sad.u16 %h1, %h2, %h3, %h4;", Opcode::Sad, Type::U16},
                      Spelling{"copysign.f64 %g1, %g2, %g3;", Opcode::Copysign, Type::F64},
                      Spelling{"testp.subnormal.f32 %p1, %f2;", Opcode::Testp, Type::F32, Sub::TestSubnormal},
                      Spelling{"rcp.approx.ftz.f64 %g1, %g2;", Opcode::Rcp, Type::F64, Sub::None, kApprox | kFtz},
                      Spelling{"sqrt.rn.f32 %f1, %f2;", Opcode::Sqrt, Type::F32, Sub::None, 0, Rounding::Rn},
                      Spelling{"ex2.approx.ftz.f32 %f1, %f2;", Opcode::Ex2, Type::F32, Sub::None, kApprox | kFtz}));

INSTANTIATE_TEST_SUITE_P(
    Bits, Decoded,
    ::testing::Values(Spelling{"and.pred %p1, %p2, %p3;", Opcode::And, Type::Pred},
                      Spelling{"not.b16 %h1, %h2;", Opcode::Not, Type::B16},
                      Spelling{"shl.b64 %d1, %d2, %r3;", Opcode::Shl, Type::B64},
                      Spelling{"shr.s16 %h1, %h2, 3;", Opcode::Shr, Type::S16},
                      Spelling{"shf.l.wrap.b32 %r1, %r2, %r3, 5;", Opcode::Shf, Type::B32, Sub::ShfLeft},
                      Spelling{"shf.r.clamp.b32 %r1, %r2, %r3, %r4;", Opcode::Shf, Type::B32, Sub::ShfRight, kClamp},
                      Spelling{"lop3.b32 %r1, %r2, %r3, %r4, 0x96;", Opcode::Lop3, Type::B32},
                      Spelling{"bfe.s64 %d1, %d2, %r3, 4;", Opcode::Bfe, Type::S64},
                      Spelling{"bfi.b64 %d1, %d2, %d3, 4, %r5;", Opcode::Bfi, Type::B64},
                      Spelling{"bfind.shiftamt.u64 %r1, %d2;", Opcode::Bfind, Type::U64, Sub::None, kShiftAmount},
                      Spelling{"popc.b64 %r1, %d2;", Opcode::Popc, Type::B64},
                      Spelling{"prmt.b32 %r1, %r2, %r3, 0x5410;", Opcode::Prmt, Type::B32, Sub::PrmtIndex},
                      Spelling{"prmt.b32.rc16 %r1, %r2, %r3, %r4;", Opcode::Prmt, Type::B32, Sub::PrmtRc16}));

INSTANTIATE_TEST_SUITE_P(
    CompareAndMove, Decoded,
    ::testing::Values(
        Spelling{"setp.lt.s32 %p1, %r1, 4;", Opcode::Setp, Type::S32, Sub::Lt},
        Spelling{"setp.hs.u64 %p1, %d1, %d2;", Opcode::Setp, Type::U64, Sub::Ge},
        Spelling{"setp.geu.ftz.f32 %p1, %f1, %f2;", Opcode::Setp, Type::F32, Sub::Geu, kFtz},
        Spelling{"setp.eq.and.b16 %p1|%p2, %h1, %h2, !%p3;", Opcode::Setp, Type::B16, Sub::Eq, kCombineNegated},
        Spelling{"set.ne.u32.f64 %r1, %g1, %g2;", Opcode::Set, Type::U32, Sub::Ne},
        Spelling{"set.lo.xor.f32.u16 %f1, %h1, %h2, %p1;", Opcode::Set, Type::F32, Sub::Lt},
        Spelling{"selp.f64 %g1, %g2, 0d3FF0000000000000, %p1;", Opcode::Selp, Type::F64},
        Spelling{"slct.ftz.u64.f32 %d1, %d2, %d3, %f1;", Opcode::Slct, Type::U64, Sub::None, kFtz},
        Spelling{"mov.pred %p1, !%p2;", Opcode::Mov, Type::Pred, Sub::None, kSourceNegated},
        Spelling{"mov.b32 %f1, %r1;", Opcode::Mov, Type::B32},
        Spelling{"mov.u32 %r1, WARP_SZ;", Opcode::Mov, Type::U32},
        Spelling{"mov.u64 %d1, sh+8;", Opcode::Mov, Type::U64}, Spelling{"mov.u64 %d1, a;", Opcode::Mov, Type::U64},
        Spelling{"mov.u64 %d1, %clock64;", Opcode::MovSpecial, Type::U64},
        Spelling{"mov.b32 %r1, %lanemask_lt;", Opcode::MovSpecial, Type::U32},
        Spelling{"mov.b64 %d1, {%r1, %r2};", Opcode::Pack, Type::B64},
        Spelling{"mov.b64 {%h1, _, %h2, %h3}, %d1;", Opcode::Unpack, Type::B64},
        Spelling{"cvt.rn.f32.u32 %f1, %r1;", Opcode::Cvt, Type::F32, Sub::None, 0, Rounding::Rn},
        Spelling{"cvt.rzi.ftz.sat.s8.f32 %r1, %f1;", Opcode::Cvt, Type::S8, Sub::None, kFtz | kSaturate, Rounding::Rzi},
        Spelling{"cvt.rpi.f64.f64 %g1, %g2;", Opcode::Cvt, Type::F64, Sub::None, 0, Rounding::Rpi},
        Spelling{"cvt.sat.u16.s64 %h1, %d1;", Opcode::Cvt, Type::U16, Sub::None, kSaturate},
        Spelling{"cvta.to.global.u64 %d1, %d2;", Opcode::Cvta, Type::U64, Sub::None, kToSpace},
        Spelling{"cvta.shared.u64 %d1, sh;", Opcode::Cvta, Type::U64},
        Spelling{"isspacep.local %p1, %d1;", Opcode::Isspacep, Type::U64}));

INSTANTIATE_TEST_SUITE_P(
    Memory, Decoded,
    ::testing::Values(
        Spelling{"ld.global.nc.L1::no_allocate.L2::128B.v4.f32 {%f1, %f2, %f3, %f4}, [%d1+16];", Opcode::Ld, Type::F32,
                 Sub::None, kUncached},
        Spelling{"ld.volatile.global.u8 %h1, [%d1];", Opcode::Ld, Type::U8, Sub::None, kVolatile},
        Spelling{"ld.acquire.gpu.global.b64 %d1, [%d2];", Opcode::Ld, Type::B64, Sub::None, kStrong | kAcquire},
        Spelling{"ld.relaxed.sys.global.L2::cache_hint.u32 %r1, [%d2], %d3;", Opcode::Ld, Type::U32, Sub::None,
                 kStrong},
        Spelling{"ld.global.cv.s16 %r1, [%d2+-8];", Opcode::Ld, Type::S16, Sub::None, kUncached},
        Spelling{"ld.shared::cta.u32 %r1, [%r2];", Opcode::Ld, Type::U32},
        Spelling{"ldu.global.v2.u32 {%r1, _}, [%d2];", Opcode::Ldu, Type::U32},
        Spelling{"st.release.gpu.global.u32 [%d1], 5;", Opcode::St, Type::U32, Sub::None, kStrong | kRelease},
        Spelling{"st.global.wt.v2.b64 [%d1], {%d2, 7};", Opcode::St, Type::B64},
        Spelling{"atom.global.add.f32 %f1, [%d1], 1.0;", Opcode::Atom, Type::F32, Sub::AtomAdd},
        Spelling{"atom.relaxed.gpu.global.cas.b64 %d1, [%d2], %d3, %d4;", Opcode::Atom, Type::B64, Sub::AtomCas,
                 kStrong},
        Spelling{"atom.global.cta.max.s64 %d1, [%d2], %d3;", Opcode::Atom, Type::S64, Sub::AtomMax, kBlockScope},
        Spelling{"atom.shared.inc.u32 _, [sh], 7;", Opcode::Atom, Type::U32, Sub::AtomInc},
        Spelling{"red.release.sys.global.or.b32 [%d1], %r1;", Opcode::Red, Type::B32, Sub::AtomOr, kStrong | kRelease},
        Spelling{"membar.gl;", Opcode::Membar, Type::None},
        Spelling{"fence.acq_rel.gpu;", Opcode::Fence, Type::None, Sub::None, kStrong | kAcquire | kRelease},
        Spelling{"fence.sc.sys;", Opcode::Fence, Type::None, Sub::None, kStrong | kAcquire | kRelease},
        Spelling{"prefetch.global.L2 [%d1];", Opcode::Prefetch, Type::None}));

INSTANTIATE_TEST_SUITE_P(
    Together, Decoded,
    ::testing::Values(
        Spelling{"bar.sync 0;", Opcode::Bar, Type::None, Sub::BarSync},
        Spelling{"bar.arrive 1, 64;", Opcode::Bar, Type::None, Sub::BarArrive},
        Spelling{"barrier.sync.aligned %r1, %r2;", Opcode::Barrier, Type::None, Sub::BarSync, kAligned},
        Spelling{"barrier.cta.red.popc.aligned.u32 %r1, 0, !%p1;", Opcode::Barrier, Type::U32, Sub::BarRedPopc,
                 kSourceNegated | kBlockScope | kAligned},
        Spelling{"bar.red.and.pred %p1, 0, 32, %p2;", Opcode::Bar, Type::Pred, Sub::BarRedAnd},
        Spelling{"bar.warp.sync 0xffffffff;", Opcode::WarpBarrier, Type::None, Sub::None, kHasMask},
        Spelling{"shfl.sync.bfly.b32 %r1|%p1, %f2, 16, 31, -1;", Opcode::Shfl, Type::B32, Sub::ShflBfly, kHasMask},
        Spelling{"shfl.up.b32 %r1, %r2, %r3, 0;", Opcode::Shfl, Type::B32, Sub::ShflUp},
        Spelling{"vote.sync.ballot.b32 %r1, %p1, %r2;", Opcode::Vote, Type::B32, Sub::VoteBallot, kHasMask},
        Spelling{"vote.sync.uni.pred %p1, !%p2, -1;", Opcode::Vote, Type::Pred, Sub::VoteUni,
                 kHasMask | kSourceNegated},
        Spelling{"vote.ballot.b32 %r1, 1;", Opcode::Vote, Type::B32, Sub::VoteBallot},
        Spelling{"activemask.b32 %r1;", Opcode::Activemask, Type::B32}, Spelling{"trap;", Opcode::Trap, Type::None},
        Spelling{"brkpt;", Opcode::Brkpt, Type::None}, Spelling{"nanosleep.u32 20;", Opcode::Nanosleep, Type::None},
        Spelling{"exit;", Opcode::Exit, Type::None}));

// ptxas 13.0 has MEMBAR.GPU for the first ones.
TEST(Fences, ReleasesToTheClusterTakeTheTimeOfOneOfTheGpu) {
    const auto fences = [](std::string_view instruction) {
        std::string text = test::kernel_text(instruction);
        text.replace(text.find("7.8"), 3, "8.0").replace(text.find("sm_80"), 5, "sm_90");
        const Lowered l = test::lower_text(text);
        EXPECT_EQ(l.errors, "");
        return std::count_if(l.program.ops.begin(), l.program.ops.end(), [](const MicroOp& op) {
            return op.kind == Kind::Fence && op.has(kBlockScope) && op.has(kReachesL2);
        });
    };
    EXPECT_EQ(fences("barrier.cluster.arrive;"), 1);
    EXPECT_EQ(fences("barrier.cluster.arrive.release.aligned;"), 1);
    EXPECT_EQ(fences("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r1];"), 1);
    EXPECT_EQ(fences("fence.proxy.async;"), 1);
    EXPECT_EQ(fences("barrier.cluster.arrive.relaxed;"), 0);
    EXPECT_EQ(fences("barrier.cluster.wait;"), 0);
    EXPECT_EQ(fences("mbarrier.arrive.shared::cluster.b64 _, [%r1];"), 0);
    EXPECT_EQ(fences("mbarrier.arrive.release.cta.shared::cta.b64 _, [%r1];"), 0);
    EXPECT_EQ(fences("fence.proxy.async.shared::cta;"), 0);
}

TEST(Flags, OfLoadsAndComparisonsHaveBitsOfTheirOwn) {
    const Lowered l = lower_body("ld.global.cg.u32 %r1, [%d1]; setp.eq.and.u32 %p1, %r1, %r2, !%p3; "
                                 "st.global.cg.u32 [%d1], %r1;");
    ASSERT_EQ(l.errors, "");
    const Pc b = l.kernel().begin;
    EXPECT_TRUE(is_uncached(l.op(b)));
    EXPECT_FALSE(l.op(b).has(kCombineNegated));
    EXPECT_TRUE(l.op(b + 1).has(kCombineNegated));
    EXPECT_FALSE(l.op(b + 1).has(kUncached));
    EXPECT_FALSE(is_uncached(l.op(b + 2))); // a store
}

TEST(Operands, ImmediatesTakeTheTypeOfTheOperation) {
    const Lowered l =
        lower_body("add.s16 %h1, %h2, -1; add.u64 %d1, %d2, -1; mov.f32 %f1, 0.5; mov.f64 %g1, 0f3F000000; "
                   "mov.b32 %r1, 0f40000000; and.pred %p1, %p2, 1; shl.b64 %d1, %d2, 3;");
    ASSERT_EQ(l.errors, "");
    const Pc b = l.kernel().begin;
    EXPECT_EQ(l.constant(l.op(b).src[1], 4), 0xffffU);
    EXPECT_EQ(l.constant(l.op(b + 1).src[1], 8), ~0ULL);
    EXPECT_EQ(l.constant(l.op(b + 2).src[0], 4), 0x3f000000U);
    EXPECT_EQ(l.constant(l.op(b + 3).src[0], 8), 0x3fe0'0000'0000'0000U);
    EXPECT_EQ(l.constant(l.op(b + 4).src[0], 4), 0x40000000U);
    EXPECT_EQ(l.constant(l.op(b + 5).src[1], 4), 0xffff'ffffU); // a predicate's mask
    EXPECT_EQ(l.constant(l.op(b + 6).src[1], 4), 3U);           // a shift amount is 32-bit
}

TEST(Operands, StorageOfRegistersIsSaid) {
    const Lowered l = lower_body("ld.global.u8 %d1, [%r1]; st.shared.v2.u8 [%r1], {%h1, %h2}; cvt.u64.u8 %d2, %h1; "
                                 "atom.global.add.u64 %d3, [%d1], %d2; mul.wide.u32 %d1, %r1, %r2;");
    ASSERT_EQ(l.errors, "");
    const Pc b = l.kernel().begin;
    const auto storage = [&](Pc pc) { return std::pair<int, int>(l.op(pc).dst_bytes, l.op(pc).src_bytes); };
    EXPECT_EQ(storage(b), std::pair(8, 4));     // data, base
    EXPECT_EQ(storage(b + 1), std::pair(4, 4)); // base, data
    EXPECT_EQ(storage(b + 2), std::pair(8, 4));
    EXPECT_EQ(storage(b + 3), std::pair(8, 8)); // data, base
    EXPECT_EQ(storage(b + 4), std::pair(8, 4));
}

TEST(Operands, VectorRegistersSpreadToTheirComponents) {
    const Lowered l = lower_body(".reg .v2 .f32 %v; ld.global.v2.f32 %v, [0]; add.f32 %f1, %v.x, %v.y;");
    ASSERT_EQ(l.errors, "");
    const Pc b = l.kernel().begin;
    EXPECT_EQ(l.op(b + 1).src[0], l.op(b).dst[0]);
    EXPECT_EQ(l.op(b + 1).src[1], l.op(b).dst[1]);
}

TEST(Operands, InnerDeclarationsHideOuterOnes) {
    const Lowered l = lower_body("mov.u32 %r1, 1; { .reg .u32 %r1; mov.u32 %r1, 2; st.global.u32 [0], %r1; } "
                                 "st.global.u32 [4], %r1;");
    ASSERT_EQ(l.errors, "");
    const Pc b = l.kernel().begin;
    EXPECT_EQ(l.op(b).dst[0], l.op(b + 3).src[1]);
    EXPECT_EQ(l.op(b + 1).dst[0], l.op(b + 2).src[1]);
    EXPECT_NE(l.op(b).dst[0], l.op(b + 1).dst[0]);
}

TEST(Operands, SpecialRegistersElsewhereThanInMovAreReadFirst) {
    const Lowered l = lower_body("cvt.u64.u32 %d1, %tid.x;");
    ASSERT_EQ(l.errors, "");
    const Pc b = l.kernel().begin;
    EXPECT_EQ(l.op(b).opcode, Opcode::MovSpecial);
    EXPECT_EQ(l.op(b + 1).src[0], l.op(b).dst[0]);
}

TEST(Labels, ReachTheirInstructionAndTheEnd) {
    const Lowered l = lower_body("A: bra.uni B; { A: bra A; } bra A; B:");
    ASSERT_EQ(l.errors, "");
    const Pc b = l.kernel().begin;
    EXPECT_EQ(l.op(b).target, b + 3); // behind the last instruction: the exit
    EXPECT_EQ(l.op(b + 1).target, b + 1);
    EXPECT_EQ(l.op(b + 2).target, b);
    EXPECT_EQ(l.op(b + 3).kind, Kind::Exit);
}

TEST(Domains, FollowTheType) {
    const Lowered l = lower_body("add.u32 %r1, %r2, %r3; add.f32 %f1, %f2, %f3; add.f64 %g1, %g2, %g3; "
                                 "cvt.rn.f32.f64 %f1, %g1; cvt.rn.f32.u32 %f1, %r1; set.eq.u32.f64 %r1, %g1, %g2;");
    ASSERT_EQ(l.errors, "");
    std::vector<Domain> domains;
    for (Pc pc = l.kernel().begin; pc + 1 < l.kernel().end; ++pc)
        domains.push_back(l.op(pc).domain);
    EXPECT_EQ(domains,
              (std::vector<Domain>{Domain::Int, Domain::F32, Domain::F64, Domain::F64, Domain::F32, Domain::F64}));
}

TEST(Compilers, TheirSamplesAreLowered) {
    for (const std::string_view name : {"clang14", "clang14-O0", "clang19", "nvcc13", "nvcc13-debug"}) {
        std::ifstream file(fmt::format("{}/tests/ptx/samples/{}.ptx", HEDDLE_SOURCE_DIR, name));
        ASSERT_TRUE(file) << name;
        std::stringstream text;
        text << file.rdbuf();
        const Lowered l = test::lower_text(text.str());
        EXPECT_EQ(l.errors, "") << name;
        EXPECT_FALSE(l.program.kernels.empty()) << name;
    }
}

// More than 100,000 instructions in diamonds: a quadratic pass would take minutes.
TEST(Size, ALongFunctionIsLowered) {
    std::string body = "mov.u32 %r0, %tid.x;\n";
    for (unsigned i = 0; i < 20000; ++i)
        body += fmt::format("setp.lt.u32 %p1, %r0, {0}; @%p1 bra A{0}; add.u32 %r{1}, %r0, 1; bra B{0};\n"
                            "A{0}: mul.lo.u32 %r{1}, %r0, 3; B{0}: xor.b32 %r0, %r0, %r{1};\n",
                            i, 1 + i % 19);
    body += "st.global.u32 [0], %r0;";
    const Lowered l = lower_body(body);
    ASSERT_EQ(l.errors, "");
    EXPECT_EQ(l.kernel().end - l.kernel().begin, 6U * 20000 + 3);
    EXPECT_EQ(l.kernel().registers, 2U);
    EXPECT_EQ(l.op(l.kernel().begin + 2).reconvergence, l.kernel().begin + 6);
}

} // namespace
} // namespace heddle::ir
