#include <bit>

#include "rig.h"

namespace heddle::exec::test {
namespace {

class Atomics : public Rig, public ::testing::WithParamInterface<Space> {
protected:
    // Executes one atomic for threads 0 and 1 on the same word, then reads it. Returns {old of 0, old of 1, memory}.
    template <class T>
    std::array<T, 3> twice(Sub sub, Type type, T before, T b0, T b1, T c0 = {}, T c1 = {}) {
        program.ops.clear();
        program.origins.clear();
        kernel().static_shared = 8;
        const Address word = image.allocate(8, "word");
        const bool wide = sizeof(T) == 8;
        const Place from[] = {wide ? rd(1) : r(1), wide ? rd(2) : r(2), wide ? rd(3) : r(3)};
        const Pc pc = emit(atomic(sub, type, GetParam(), from[0], rd(0), from[1], from[2]));
        const Pc st = emit(store(wide ? Type::U64 : Type::U32, GetParam(), rd(0), from[0]));
        const Pc ld = emit(load(wide ? Type::U64 : Type::U32, GetParam(), from[0], rd(0)));
        start(32, {32});
        for (unsigned t = 0; t < 2; ++t) {
            set64(rd(0), t, GetParam() == Space::Shared ? 0 : GetParam() == Space::Generic ? kSharedWindow : word);
            write<T>(from[0], t, before);
            write<T>(from[1], t, t == 0 ? b0 : b1);
            write<T>(from[2], t, t == 0 ? c0 : c1);
        }
        run(group(st, 0, 1));
        run(group(pc, 0, 2));
        EXPECT_TRUE(access.atomic);
        EXPECT_FALSE(access.store);
        EXPECT_EQ(access.count, 2);
        EXPECT_EQ(access.shared, GetParam() == Space::Global ? 0U : 3U);
        std::array<T, 3> seen{read<T>(from[0], 0), read<T>(from[0], 1), T{}};
        run(group(ld, 0, 1));
        seen[2] = read<T>(from[0], 0);
        return seen;
    }
    template <class T>
    void write(Place at, unsigned t, T v) {
        if constexpr (sizeof(T) == 8)
            set64(at, t, std::bit_cast<std::uint64_t>(v));
        else
            set(at, t, std::bit_cast<std::uint32_t>(v));
    }
    template <class T>
    T read(Place at, unsigned t) {
        if constexpr (sizeof(T) == 8)
            return std::bit_cast<T>(get64(at, t));
        else
            return std::bit_cast<T>(get(at, t));
    }
};
INSTANTIATE_TEST_SUITE_P(Spaces, Atomics, ::testing::Values(Space::Global, Space::Shared, Space::Generic));

template <class T>
std::array<T, 3> is(T a, T b, T c) {
    return {a, b, c};
}

TEST_P(Atomics, Add) {
    EXPECT_EQ(twice<std::uint32_t>(Sub::AtomAdd, Type::U32, 0xfffffffeU, 3, 5), is(0xfffffffeU, 1U, 6U));
    EXPECT_EQ(twice<std::int32_t>(Sub::AtomAdd, Type::S32, 4, -5, -6), is(4, -1, -7));
    EXPECT_EQ(twice<std::uint64_t>(Sub::AtomAdd, Type::U64, ~0ULL, 2, 3), is<std::uint64_t>(~0ULL, 1, 4));
    EXPECT_EQ(twice<float>(Sub::AtomAdd, Type::F32, 1.5F, 0.25F, -3.0F), is(1.5F, 1.75F, -1.25F));
    EXPECT_EQ(twice<double>(Sub::AtomAdd, Type::F64, 1.0, 0x1p-52, 1.0), is(1.0, 1.0 + 0x1p-52, 2.0)); // ties to even
}

TEST_P(Atomics, FloatAddFlushesSubnormalsInGlobalMemoryOnly) {
    const float tiny = std::bit_cast<float>(0x00000010U);
    const auto seen = twice<float>(Sub::AtomAdd, Type::F32, tiny, tiny, tiny);
    EXPECT_EQ(std::bit_cast<std::uint32_t>(seen[2]), GetParam() == Space::Global ? 0U : 0x30U);
    const double small = std::bit_cast<double>(std::uint64_t{16});
    EXPECT_EQ(std::bit_cast<std::uint64_t>(twice<double>(Sub::AtomAdd, Type::F64, small, small, small)[2]), 48U);
}

TEST_P(Atomics, IncAndDecWrap) {
    EXPECT_EQ(twice<std::uint32_t>(Sub::AtomInc, Type::U32, 4, 5, 5), is(4U, 5U, 0U));
    EXPECT_EQ(twice<std::uint32_t>(Sub::AtomInc, Type::U32, 9, 5, 5), is(9U, 0U, 1U));
    EXPECT_EQ(twice<std::uint32_t>(Sub::AtomDec, Type::U32, 1, 5, 5), is(1U, 0U, 5U));
    EXPECT_EQ(twice<std::uint32_t>(Sub::AtomDec, Type::U32, 9, 5, 5), is(9U, 5U, 4U));
}

TEST_P(Atomics, MinAndMaxHeedTheSign) {
    EXPECT_EQ(twice<std::int32_t>(Sub::AtomMin, Type::S32, 1, -1, 0), is(1, -1, -1));
    EXPECT_EQ(twice<std::uint32_t>(Sub::AtomMin, Type::U32, 1, 0xffffffffU, 0), is(1U, 1U, 0U));
    EXPECT_EQ(twice<std::int64_t>(Sub::AtomMax, Type::S64, -5, -7, 2), is<std::int64_t>(-5, -5, 2));
    EXPECT_EQ(twice<std::uint64_t>(Sub::AtomMax, Type::U64, 5, ~0ULL, 2), is<std::uint64_t>(5, ~0ULL, ~0ULL));
}

TEST_P(Atomics, BitsExchangeAndCompare) {
    EXPECT_EQ(twice<std::uint32_t>(Sub::AtomAnd, Type::B32, 0xff, 0x3c, 0x0f), is(0xffU, 0x3cU, 0x0cU));
    EXPECT_EQ(twice<std::uint32_t>(Sub::AtomOr, Type::B32, 1, 2, 8), is(1U, 3U, 11U));
    EXPECT_EQ(twice<std::uint64_t>(Sub::AtomXor, Type::B64, 1, 3, ~0ULL), is<std::uint64_t>(1, 2, ~2ULL));
    EXPECT_EQ(twice<std::uint64_t>(Sub::AtomExch, Type::B64, 1, 2, 3), is<std::uint64_t>(1, 2, 3));
    EXPECT_EQ(twice<std::uint32_t>(Sub::AtomCas, Type::B32, 7, 7, 7, 8, 9), is(7U, 8U, 8U));
    EXPECT_EQ(twice<std::uint64_t>(Sub::AtomCas, Type::B64, 7, 7, 8, 8, 9), is<std::uint64_t>(7, 8, 9));
}

TEST_F(Rig, ReductionsWriteNoRegister) {
    const Address word = image.allocate(4, "word");
    const Pc pc = emit(atomic(Sub::AtomAdd, Type::U32, Space::Global, kNowhere, constant64(word), constant32(2)));
    start(32, {32});
    run(pc);
    EXPECT_EQ(memory<std::uint32_t>(word), 64U);
    EXPECT_EQ(outcome.kind, Outcome::Kind::Memory);
}

} // namespace
} // namespace heddle::exec::test
