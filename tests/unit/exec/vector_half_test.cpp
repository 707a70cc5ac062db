// Arithmetic and comparisons of f16, bf16 and pairs of them against exact arithmetic rounded once.
#include <cmath>

#include "vector_exact.h"
#include "vector_harness.h"

namespace heddle::exec::test {

namespace {

using Values = const std::vector<std::uint64_t>&;
using Operation = std::function<std::uint64_t(Values)>; // of one number, bits beyond the 16 cleared

constexpr std::uint64_t kNan = 0x7fff;

Format format(Type type) {
    return type == Type::F16 || type == Type::F16x2 ? kF16 : kBF16;
}

Type pair_of(Type type) {
    return type == Type::F16 ? Type::F16x2 : Type::BF16x2;
}

std::uint64_t one(Format f) {
    return static_cast<std::uint64_t>(f.bias()) << f.mantissa;
}

std::vector<std::uint64_t> halves(Values values, unsigned shift) {
    std::vector<std::uint64_t> half;
    for (const std::uint64_t v : values) {
        half.push_back(v >> shift & 0xffff);
    }
    return half;
}

// `op` on single numbers, and on pairs, whose halves are independent.
void check_both(MicroOp op, unsigned sources, const Operation& operation, unsigned rows) {
    const Type single = op.type;
    check(
        op, std::vector<Type>(sources, single), 16, [&](Values v) { return operation(halves(v, 0)); }, rows);
    op.type = pair_of(single);
    check(
        op, std::vector<Type>(sources, op.type), 32,
        [&](Values v) { return operation(halves(v, 0)) | operation(halves(v, 16)) << 16; }, rows);
}

std::uint64_t finish(Format f, unsigned flags, const Result& result) {
    const bool sat = (flags & ir::kSaturate) != 0;
    if (!result) {
        return sat ? 0 : kNan;
    }
    const std::uint64_t value = (flags & ir::kFtz) != 0 ? flushed(f, *result) : *result;
    return !sat ? value : (value & f.sign()) != 0 ? 0 : std::min(value, one(f));
}

using Exactly = std::function<Result(Format, Values)>;

void check_rounded(Opcode opcode, unsigned sources, const Exactly& exactly, unsigned rows = 60) {
    for (const Type type : {Type::F16, Type::BF16}) {
        for (const unsigned flags :
             std::initializer_list<unsigned>{0, ir::kFtz, ir::kSaturate, ir::kFtz | ir::kSaturate}) {
            if (flags != 0 && type == Type::BF16) {
                continue; // PTX has no such forms
            }
            const Format f = format(type);
            check_both(
                make(opcode, type, Sub::None, Rounding::Rn, flags), sources,
                [&](Values raw) {
                    std::vector<std::uint64_t> v = raw;
                    for (auto& bits : v) {
                        bits = (flags & ir::kFtz) != 0 ? flushed(f, bits) : bits;
                    }
                    return finish(f, flags, exactly(f, v));
                },
                rows);
        }
    }
}

Result sum(Format f, Values v) {
    return add(f, v[0], v[1], Rounding::Rn);
}

Result difference(Format f, Values v) {
    return add(f, v[0], v[1] ^ f.sign(), Rounding::Rn);
}

Result product(Format f, Values v) {
    return multiply(f, v[0], v[1], Rounding::Rn);
}

Result fused(Format f, Values v) {
    return multiply_add(f, v[0], v[1], v[2], Rounding::Rn);
}

} // namespace

TEST(VectorHalf, Sums) {
    check_rounded(Opcode::Add, 2, sum);
}

TEST(VectorHalf, Differences) {
    check_rounded(Opcode::Sub, 2, difference);
}

TEST(VectorHalf, Products) {
    check_rounded(Opcode::Mul, 2, product);
}

TEST(VectorHalf, FusedMultiplyAdds) {
    check_rounded(Opcode::Fma, 3, fused);
}

// .relu: a negative result, and -0, is +0.
TEST(VectorHalf, FusedMultiplyAddsThatAreNotNegative) {
    for (const Type type : {Type::F16, Type::BF16})
        for (const unsigned flags : std::initializer_list<unsigned>{0, ir::kFtz}) {
            if (flags != 0 && type == Type::BF16)
                continue;
            const Format f = format(type);
            check_both(
                make(Opcode::Fma, type, Sub::None, Rounding::Rn, flags | ir::kRelu), 3,
                [&](Values raw) {
                    std::vector<std::uint64_t> v = raw;
                    for (auto& bits : v)
                        bits = flags != 0 ? flushed(f, bits) : bits;
                    const std::uint64_t result = finish(f, flags, fused(f, v));
                    return (result & f.sign()) != 0 ? 0 : result;
                },
                60);
        }
}

// An f32 operation with operands of 16 bits, which become f32 exactly: an f32 has their exponents and more digits.
TEST(VectorHalf, MixedPrecision) {
    const auto widened = [](Type type, std::uint64_t bits) -> std::uint64_t {
        const Format f = format(type);
        const std::uint64_t sign = (bits & f.sign()) << 16;
        if (is_nan(f, bits & 0xffff))
            return 0x7fc00000;
        if (is_infinite(f, bits & 0xffff))
            return kF32.infinity() | sign;
        return round_to(kF32, exact(f, bits & 0xffff), Rounding::Rn, sign != 0);
    };
    const auto settled = [](unsigned flags, const Result& result) -> std::uint64_t {
        if (flags == 0)
            return result ? *result : 0x7fffffff;
        return !result || (*result & kF32.sign()) != 0 ? 0 : std::min<std::uint64_t>(*result, 0x3f800000);
    };
    for (const Type type : {Type::F16, Type::BF16})
        for (const unsigned flags : std::initializer_list<unsigned>{0, ir::kSaturate})
            for (const Rounding r : {Rounding::Rn, Rounding::Rz, Rounding::Rm, Rounding::Rp}) {
                check(make(Opcode::Add, Type::F32, Sub::None, r, flags, type), {type, Type::F32}, 32,
                      [=](Values v) { return settled(flags, add(kF32, widened(type, v[0]), v[1], r)); });
                check(make(Opcode::Sub, Type::F32, Sub::None, r, flags, type), {type, Type::F32}, 32,
                      [=](Values v) { return settled(flags, add(kF32, widened(type, v[0]), v[1] ^ kF32.sign(), r)); });
                check(make(Opcode::Fma, Type::F32, Sub::None, r, flags, type), {type, type, Type::F32}, 32,
                      [=](Values v) {
                          return settled(flags, multiply_add(kF32, widened(type, v[0]), widened(type, v[1]), v[2], r));
                      });
            }
}

TEST(VectorHalf, NumbersOfEveryExponentWithAFew) {
    constexpr std::uint64_t kStep = 11; // through all 65536
    for (const Type type : {Type::F16, Type::BF16}) {
        const Format f = format(type);
        for (const std::uint64_t b : {std::uint64_t{0x0001}, std::uint64_t{0x83ff}, one(f) + 1, f.infinity() - 1}) {
            std::vector<std::vector<std::uint64_t>> cases;
            for (std::uint64_t a = 0; a < 0x10000; a += kStep) {
                cases.push_back({a, b});
                if (cases.size() == 32) {
                    for (const Opcode opcode : {Opcode::Add, Opcode::Mul}) {
                        ASSERT_NO_FATAL_FAILURE(check_cases(
                            make(opcode, type, Sub::None, Rounding::Rn), {type, type}, 16, cases,
                            [&](Values v) { return finish(f, 0, opcode == Opcode::Add ? sum(f, v) : product(f, v)); }));
                    }
                    cases.clear();
                }
            }
        }
    }
}

// The product lies half-way between two numbers, or beside it, and c far below decides: rounding to f32 or, for bf16,
// even to f64 first would lose it.
TEST(VectorHalf, FusedMultiplyAddsRoundOnce) {
    std::mt19937_64 random(7);
    for (const Type type : {Type::F16, Type::BF16}) {
        const Format f = format(type);
        const std::uint64_t digits = (std::uint64_t{1} << f.mantissa) - 1;
        for (int round = 0; round < 400; ++round) {
            std::vector<std::vector<std::uint64_t>> cases;
            while (cases.size() < 32) {
                // (1 + i / 2^k)(1 + j / 2^l) with k + l = digits + 1 often has one digit too many.
                const unsigned k = 1 + static_cast<unsigned>(random() % f.mantissa);
                const std::uint64_t i = (random() << k) & digits;
                const std::uint64_t j = (random() << (f.mantissa + 1 - k - 1)) & digits;
                const std::uint64_t c = random() % 3 == 0 ? random() & 3 : random() % (one(f) / 2);
                cases.push_back({one(f) + i, one(f) + j, c | (random() & 1) << 15});
            }
            ASSERT_NO_FATAL_FAILURE(check_cases(make(Opcode::Fma, type, Sub::None, Rounding::Rn), {type, type, type},
                                                16, cases, [&](Values v) { return finish(f, 0, fused(f, v)); }));
        }
    }
    // 1.0078125 * 1.5 = 1.51171875 lies half-way between two bf16; with the least positive number added, above.
    check_cases(make(Opcode::Fma, Type::BF16, Sub::None, Rounding::Rn), {Type::BF16, Type::BF16, Type::BF16}, 16,
                {{0x3f81, 0x3fc0, 0x0000}, {0x3f81, 0x3fc0, 0x0001}, {0x3f81, 0x3fc0, 0x8001}}, [](Values v) {
                    return v[2] == 0x0000 ? 0x3fc2 : v[2] == 0x0001 ? 0x3fc2 : 0x3fc1;
                });
}

TEST(VectorHalf, Signs) {
    for (const Type type : {Type::F16, Type::BF16}) {
        const Format f = format(type);
        for (const unsigned flags : std::initializer_list<unsigned>{0, ir::kFtz}) {
            if (flags != 0 && type == Type::BF16) {
                continue;
            }
            const auto in = [=](std::uint64_t bits) { return flags != 0 ? flushed(f, bits) : bits; };
            check_both(
                make(Opcode::Neg, type, Sub::None, Rounding::None, flags), 1,
                [&](Values v) { return in(v[0]) ^ f.sign(); }, 40);
            check_both(
                make(Opcode::Abs, type, Sub::None, Rounding::None, flags), 1,
                [&](Values v) { return in(v[0]) & ~f.sign(); }, 40);
        }
    }
}

namespace {

// PTX's definition of min and max: NaN against a number, -0 below +0.
std::uint64_t extreme(Format f, bool maximum, bool nan_result, std::uint64_t a, std::uint64_t b) {
    const bool nan_a = is_nan(f, a);
    const bool nan_b = is_nan(f, b);
    if ((nan_a && nan_b) || ((nan_a || nan_b) && nan_result)) {
        return kNan;
    }
    if (nan_a || nan_b) {
        return nan_a ? b : a;
    }
    if (is_zero(f, a) && is_zero(f, b)) {
        return maximum ? a & b : a | b;
    }
    const auto key = [&](std::uint64_t bits) {
        const auto magnitude = static_cast<int>(bits & ~f.sign());
        return (bits & f.sign()) != 0 ? -magnitude : magnitude;
    };
    return (key(a) < key(b)) != maximum ? a : b;
}

} // namespace

TEST(VectorHalf, Extremes) {
    for (const Type type : {Type::F16, Type::BF16}) {
        const Format f = format(type);
        for (const bool maximum : {false, true}) {
            for (const unsigned flags :
                 std::initializer_list<unsigned>{0, ir::kFtz, ir::kNanResult, ir::kFtz | ir::kNanResult}) {
                if ((flags & ir::kFtz) != 0 && type == Type::BF16) {
                    continue;
                }
                const bool nan = (flags & ir::kNanResult) != 0;
                const auto in = [=](std::uint64_t bits) { return (flags & ir::kFtz) != 0 ? flushed(f, bits) : bits; };
                const Opcode opcode = maximum ? Opcode::Max : Opcode::Min;
                check_both(
                    make(opcode, type, Sub::None, Rounding::None, flags), 2,
                    [&](Values v) { return extreme(f, maximum, nan, in(v[0]), in(v[1])); }, 60);
                check_both(
                    make(opcode, type, Sub::None, Rounding::None, flags | ir::kXorSign), 2,
                    [&](Values v) {
                        const std::uint64_t magnitude =
                            extreme(f, maximum, nan, in(v[0] & ~f.sign()), in(v[1] & ~f.sign()));
                        return magnitude | (is_nan(f, magnitude) ? 0 : (v[0] ^ v[1]) & f.sign());
                    },
                    60);
            }
        }
    }
}

namespace {

bool holds(Format f, Sub relation, std::uint64_t a, std::uint64_t b) {
    const bool unordered = is_nan(f, a) || is_nan(f, b);
    const auto key = [&](std::uint64_t bits) {
        const auto magnitude = static_cast<int>(bits & ~f.sign());
        return (bits & f.sign()) != 0 ? -magnitude : magnitude;
    };
    const int x = key(a);
    const int y = key(b);
    switch (relation) {
    case Sub::Eq:
    case Sub::Equ:
        return unordered ? relation == Sub::Equ : x == y;
    case Sub::Ne:
    case Sub::Neu:
        return unordered ? relation == Sub::Neu : x != y;
    case Sub::Lt:
    case Sub::Ltu:
        return unordered ? relation == Sub::Ltu : x < y;
    case Sub::Le:
    case Sub::Leu:
        return unordered ? relation == Sub::Leu : x <= y;
    case Sub::Gt:
    case Sub::Gtu:
        return unordered ? relation == Sub::Gtu : x > y;
    case Sub::Ge:
    case Sub::Geu:
        return unordered ? relation == Sub::Geu : x >= y;
    case Sub::Num:
        return !unordered;
    default:
        return unordered;
    }
}

constexpr Sub kRelations[] = {Sub::Eq,  Sub::Ne,  Sub::Lt,  Sub::Le,  Sub::Gt,  Sub::Ge,  Sub::Equ,
                              Sub::Neu, Sub::Ltu, Sub::Leu, Sub::Gtu, Sub::Geu, Sub::Num, Sub::Nan};

// set.to.type and setp.type for each relation: what `truth` says of the sources becomes `yes`, half by half for pairs.
void check_set(Type to, Type type, unsigned flags, unsigned width, std::uint64_t yes) {
    const Format f = format(type);
    const auto in = [=](std::uint64_t bits) { return (flags & ir::kFtz) != 0 ? flushed(f, bits) : bits; };
    for (const Sub relation : kRelations) {
        const auto half = [&](Values v, unsigned shift) {
            return holds(f, relation, in(v[0] >> shift & 0xffff), in(v[1] >> shift & 0xffff));
        };
        check(
            make(Opcode::Set, to, relation, Rounding::None, flags, type), {type, type}, width,
            [&](Values v) {
                if (!ptx::is_packed(type)) {
                    return half(v, 0) ? yes : 0;
                }
                return (half(v, 0) ? yes & 0xffff : 0) | (half(v, 16) ? yes & 0xffff0000 : 0);
            },
            15);
        check(
            make(Opcode::Setp, type, relation, Rounding::None, flags), {type, type}, 1,
            [&](Values v) { return half(v, 0) ? 1U : 0U; }, 15);
    }
}

} // namespace

TEST(VectorHalf, Comparisons) {
    for (const unsigned flags : std::initializer_list<unsigned>{0, ir::kFtz}) {
        check_set(Type::F16, Type::F16, flags, 16, 0x3c00);
        check_set(Type::U32, Type::F16, flags, 32, 0xffffffff);
        check_set(Type::S16, Type::F16, flags, 16, 0xffff);
        check_set(Type::F16x2, Type::F16x2, flags, 32, 0x3c003c00);
        check_set(Type::U32, Type::F16x2, flags, 32, 0xffffffff);
    }
    check_set(Type::BF16, Type::BF16, 0, 16, 0x3f80);
    check_set(Type::BF16x2, Type::BF16x2, 0, 32, 0x3f803f80);
    check_set(Type::S32, Type::BF16x2, 0, 32, 0xffffffff);
}

TEST(VectorHalf, ComparisonsOfOtherTypesIntoHalves) {
    check(make(Opcode::Set, Type::F16, Sub::Lt, Rounding::None, 0, Type::U32), {Type::U32, Type::U32}, 16,
          [](Values v) { return v[0] < v[1] ? 0x3c00U : 0U; });
    check(make(Opcode::Set, Type::BF16, Sub::Ge, Rounding::None, 0, Type::U64), {Type::U64, Type::U64}, 16,
          [](Values v) { return v[0] >= v[1] ? 0x3f80U : 0U; });
}

// PTX bounds the errors: ex2.approx.f16 by 2^-9.9, of bf16 by 2^-7, relative; tanh.approx.f16 by 2^-10.987, of bf16 by
// 2^-8, absolute. Here both are rounded once: within half a last place and a little.
TEST(VectorHalf, ApproximateFunctionsOfEveryNumber) {
    const auto value = [](Format f, std::uint64_t bits) {
        const Exact e = exact(f, bits);
        return std::ldexp(static_cast<long double>(e.digits), e.exponent);
    };
    for (const Type type : {Type::F16, Type::BF16}) {
        const Format f = format(type);
        for (const bool tanh : {false, true}) {
            const unsigned flags = type == Type::BF16 && !tanh ? ir::kApprox | ir::kFtz : unsigned{ir::kApprox};
            const MicroOp op = make(tanh ? Opcode::Tanh : Opcode::Ex2, type, Sub::None, Rounding::None, flags);
            for (std::uint64_t begin = 0; begin < 0x10000; begin += 32) {
                Register a;
                for (std::uint64_t i = 0; i < 32; ++i) {
                    a.lane[i] = begin + i;
                }
                Register d;
                execute(op, {a}, d, ~std::uint32_t{0});
                for (std::uint64_t i = 0; i < 32; ++i) {
                    const std::uint64_t x = begin + i;
                    const std::uint64_t got = d.lane[i] & 0xffff;
                    if (is_nan(f, x)) {
                        ASSERT_EQ(got, kNan);
                        continue;
                    }
                    if (is_infinite(f, x)) {
                        const bool negative = (x & f.sign()) != 0;
                        const std::uint64_t limit = tanh ? one(f) | (x & f.sign()) : negative ? 0 : f.infinity();
                        ASSERT_EQ(got, limit);
                        continue;
                    }
                    const long double wanted = tanh ? std::tanh(value(f, x)) : std::exp2(value(f, x));
                    const long double least = std::ldexp(1.0L, 1 - f.bias());
                    if (wanted >= std::ldexp(2.0L - std::ldexp(1.0L, -static_cast<int>(f.mantissa) - 1), f.bias())) {
                        ASSERT_EQ(got, f.infinity()) << std::hex << x;
                    } else if (wanted < least && (flags & ir::kFtz) != 0) {
                        ASSERT_LE(got, std::uint64_t{1} << f.mantissa) << std::hex << x;
                    } else {
                        const long double magnitude = std::max(std::fabs(wanted), least);
                        const long double place =
                            std::ldexp(1.0L, std::ilogb(magnitude) - static_cast<int>(f.mantissa));
                        ASSERT_LE(std::fabs(value(f, got) - wanted), 0.5001L * place) << std::hex << x;
                    }
                }
            }
        }
    }
}

TEST(VectorHalf, ApproximateFunctionsOfPairs) {
    for (const Opcode opcode : {Opcode::Ex2, Opcode::Tanh}) {
        const MicroOp single = make(opcode, Type::F16, Sub::None, Rounding::None, ir::kApprox);
        check(
            make(opcode, Type::F16x2, Sub::None, Rounding::None, ir::kApprox), {Type::F16x2}, 32,
            [&](Values v) {
                Register halves_of;
                halves_of.lane[0] = v[0] & 0xffff;
                halves_of.lane[1] = v[0] >> 16 & 0xffff;
                Register d;
                execute(single, {halves_of}, d, 3);
                return (d.lane[0] & 0xffff) | (d.lane[1] & 0xffff) << 16;
            },
            10);
    }
}

} // namespace heddle::exec::test
