// Integer arithmetic against 128-bit arithmetic of one lane.
#include "vector_harness.h"

namespace heddle::exec::test {

namespace {

__extension__ using Wide = __int128;

constexpr Type kIntegers[] = {Type::U16, Type::S16, Type::U32, Type::S32, Type::U64, Type::S64};

unsigned bits_of(Type type) {
    return 8 * ptx::size_of(type);
}

// The value that a register of this type holds.
Wide value(Type type, std::uint64_t bits) {
    const unsigned width = bits_of(type);
    const std::uint64_t low = width == 64 ? bits : bits & ((std::uint64_t{1} << width) - 1);
    const bool negative = ptx::is_signed(type) && (low >> (width - 1) & 1) != 0;
    return negative ? Wide{low} - (Wide{1} << width) : Wide{low};
}

Wide least(Type type) {
    return ptx::is_signed(type) ? -(Wide{1} << (bits_of(type) - 1)) : Wide{0};
}

std::uint64_t bits(Wide value) {
    return static_cast<std::uint64_t>(value);
}

Wide clamp32(Wide v) {
    return v > 0x7fffffff ? 0x7fffffff : v < -Wide{0x80000000} ? -Wide{0x80000000} : v;
}

// The upper half of a product of two `width`-bit numbers.
Wide high(Wide product, unsigned width) {
    return product >> width;
}

// Bits 64 to 127 of an unsigned product, which a signed 128-bit number cannot hold.
std::uint64_t high_u64(std::uint64_t a, std::uint64_t b) {
    const std::uint64_t a0 = a & 0xffffffff;
    const std::uint64_t a1 = a >> 32;
    const std::uint64_t b0 = b & 0xffffffff;
    const std::uint64_t b1 = b >> 32;
    const std::uint64_t middle = a1 * b0 + (a0 * b0 >> 32);
    return a1 * b1 + (middle >> 32) + ((a0 * b1 + (middle & 0xffffffff)) >> 32);
}

std::uint64_t high_of(Type t, std::uint64_t a, std::uint64_t b) {
    return t == Type::U64 ? high_u64(a, b) : bits(high(value(t, a) * value(t, b), bits_of(t)));
}

std::uint64_t low_product(std::uint64_t a, std::uint64_t b) {
    return a * b;
}

using Values = const std::vector<std::uint64_t>&;

} // namespace

TEST(VectorInt, SumsAndDifferencesWrap) {
    for (const Type t : kIntegers) {
        check(make(Opcode::Add, t), {t, t}, bits_of(t), [](Values v) { return v[0] + v[1]; });
        check(make(Opcode::Sub, t), {t, t}, bits_of(t), [](Values v) { return v[0] - v[1]; });
        check(make(Opcode::Neg, t), {t}, bits_of(t), [](Values v) { return 0 - v[0]; });
    }
}

TEST(VectorInt, SaturatingSumsClamp) {
    const Type t = Type::S32;
    check(make(Opcode::Add, t, Sub::None, Rounding::None, ir::kSaturate), {t, t}, 32,
          [=](Values v) { return bits(clamp32(value(t, v[0]) + value(t, v[1]))); });
    check(make(Opcode::Sub, t, Sub::None, Rounding::None, ir::kSaturate), {t, t}, 32,
          [=](Values v) { return bits(clamp32(value(t, v[0]) - value(t, v[1]))); });
}

TEST(VectorInt, Products) {
    for (const Type t : kIntegers) {
        const unsigned n = bits_of(t);
        check(make(Opcode::Mul, t, Sub::Lo), {t, t}, n, [](Values v) { return low_product(v[0], v[1]); });
        check(make(Opcode::Mul, t, Sub::Hi), {t, t}, n, [=](Values v) { return high_of(t, v[0], v[1]); });
        check(make(Opcode::Mad, t, Sub::Lo), {t, t, t}, n, [](Values v) { return low_product(v[0], v[1]) + v[2]; });
        check(make(Opcode::Mad, t, Sub::Hi), {t, t, t}, n, [=](Values v) { return high_of(t, v[0], v[1]) + v[2]; });
        if (n == 64) {
            EXPECT_EQ(select_vector_op(make(Opcode::Mul, t, Sub::Wide)), nullptr);
            continue;
        }
        const Type wide = n == 16 ? Type::U32 : Type::U64;
        check(make(Opcode::Mul, t, Sub::Wide), {t, t}, 2 * n,
              [=](Values v) { return bits(value(t, v[0]) * value(t, v[1])); });
        check(make(Opcode::Mad, t, Sub::Wide), {t, t, wide}, 2 * n,
              [=](Values v) { return bits(value(t, v[0]) * value(t, v[1])) + v[2]; });
    }
    const Type t = Type::S32;
    check(make(Opcode::Mad, t, Sub::Hi, Rounding::None, ir::kSaturate), {t, t, t}, 32,
          [=](Values v) { return bits(clamp32(high(value(t, v[0]) * value(t, v[1]), 32) + value(t, v[2]))); });
}

TEST(VectorInt, ProductsOf24Bits) {
    for (const Type t : {Type::U32, Type::S32}) {
        const auto value24 = [=](std::uint64_t x) {
            const Wide low = x & 0xffffff;
            return t == Type::S32 && low >= 0x800000 ? low - 0x1000000 : low;
        };
        for (const Sub sub : {Sub::Lo, Sub::Hi}) {
            const auto product = [=](Values v) {
                const Wide p = value24(v[0]) * value24(v[1]);
                return bits(sub == Sub::Lo ? p : p >> 16);
            };
            check(make(Opcode::Mul24, t, sub), {t, t}, 32, product);
            check(make(Opcode::Mad24, t, sub), {t, t, t}, 32, [=](Values v) { return product(v) + v[2]; });
        }
    }
    const Type t = Type::S32;
    check(make(Opcode::Mad24, t, Sub::Hi, Rounding::None, ir::kSaturate), {t, t, t}, 32, [=](Values v) {
        const auto value24 = [](std::uint64_t x) { return Wide{static_cast<std::int32_t>(x << 8) >> 8}; };
        const auto product = static_cast<std::int32_t>((value24(v[0]) * value24(v[1])) >> 16);
        return bits(clamp32(Wide{product} + value(t, v[2])));
    });
}

TEST(VectorInt, QuotientsAndRemainders) {
    for (const Type t : kIntegers) {
        check(
            make(Opcode::Div, t), {t, t}, bits_of(t),
            [=](Values v) {
                const Wide b = value(t, v[1]);
                return b == 0 ? ~std::uint64_t{0} : bits(value(t, v[0]) / b);
            },
            200);
        check(
            make(Opcode::Rem, t), {t, t}, bits_of(t),
            [=](Values v) {
                const Wide b = value(t, v[1]);
                return b == 0 ? ~std::uint64_t{0} : bits(value(t, v[0]) % b);
            },
            200);
    }
}

TEST(VectorInt, QuotientsNextToIntegers) { // where a rounded quotient would be one too many
    for (const Type t : {Type::U32, Type::S32}) {
        std::mt19937_64 random(7);
        for (int round = 0; round < 300; ++round) {
            std::vector<std::vector<std::uint64_t>> cases;
            for (int i = 0; i < 32; ++i) {
                const std::uint64_t b = (random() >> (32 + random() % 32)) | 1;
                const std::uint64_t q = (0xffffffff / b) >> (random() % 8);
                cases.push_back({(q * b + random() % 3 - 1) & 0xffffffff, b});
            }
            ASSERT_NO_FATAL_FAILURE(check_cases(make(Opcode::Div, t), {t, t}, 32, cases,
                                                [=](Values v) { return bits(value(t, v[0]) / value(t, v[1])); }));
        }
    }
}

// Two numbers of 16 bits in a word, each by itself.
TEST(VectorInt, Pairs) {
    using Half = std::function<Wide(Wide, Wide)>;
    const auto check_pairs = [](Opcode opcode, Type t, unsigned flags, const Half& half) {
        const Type single = t == Type::S16x2 ? Type::S16 : Type::U16;
        check(make(opcode, t, Sub::None, Rounding::None, flags), {t, t}, 32, [=](Values v) {
            const auto part = [&](unsigned shift) {
                return bits(half(value(single, v[0] >> shift), value(single, v[1] >> shift))) & 0xffff;
            };
            return part(0) | part(16) << 16;
        });
    };
    for (const Type t : {Type::U16x2, Type::S16x2}) {
        check_pairs(Opcode::Add, t, 0, [](Wide a, Wide b) { return a + b; });
        check_pairs(Opcode::Min, t, 0, [](Wide a, Wide b) { return std::min(a, b); });
        check_pairs(Opcode::Max, t, 0, [](Wide a, Wide b) { return std::max(a, b); });
    }
    check_pairs(Opcode::Min, Type::S16x2, ir::kRelu, [](Wide a, Wide b) { return std::max(std::min(a, b), Wide{0}); });
    check_pairs(Opcode::Max, Type::S16x2, ir::kRelu, [](Wide a, Wide b) { return std::max(std::max(a, b), Wide{0}); });
}

TEST(VectorInt, ExtremesThatAreNotNegative) {
    for (const bool maximum : {false, true})
        check(make(maximum ? Opcode::Max : Opcode::Min, Type::S32, Sub::None, Rounding::None, ir::kRelu),
              {Type::S32, Type::S32}, 32, [=](Values v) {
                  const Wide a = value(Type::S32, v[0]), b = value(Type::S32, v[1]);
                  return bits(std::max(maximum ? std::max(a, b) : std::min(a, b), Wide{0}));
              });
}

TEST(VectorInt, MagnitudesAndExtremes) {
    for (const Type t : kIntegers) {
        const unsigned n = bits_of(t);
        check(make(Opcode::Abs, t), {t}, n, [=](Values v) {
            const Wide a = value(t, v[0]);
            return bits(a < 0 ? -a : a); // of the least number: itself
        });
        check(make(Opcode::Min, t), {t, t}, n,
              [=](Values v) { return bits(std::min(value(t, v[0]), value(t, v[1]))); });
        check(make(Opcode::Max, t), {t, t}, n,
              [=](Values v) { return bits(std::max(value(t, v[0]), value(t, v[1]))); });
        check(make(Opcode::Sad, t), {t, t, t}, n, [=](Values v) {
            const Wide difference = value(t, v[0]) - value(t, v[1]);
            return v[2] + bits(difference < 0 ? -difference : difference);
        });
    }
    check_cases(make(Opcode::Div, Type::S32), {Type::S32, Type::S32}, 32, {{0x80000000, 0xffffffff}},
                [](Values) { return bits(least(Type::S32)); });
    check_cases(make(Opcode::Rem, Type::S64), {Type::S64, Type::S64}, 64, {{bits(least(Type::S64)), ~std::uint64_t{0}}},
                [](Values) { return std::uint64_t{0}; });
}

} // namespace heddle::exec::test
