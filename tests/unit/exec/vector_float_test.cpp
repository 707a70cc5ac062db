// f32 and f64 arithmetic against exact arithmetic rounded once.
#include <bit>
#include <cfenv>

#include "vector_exact.h"
#include "vector_harness.h"

namespace heddle::exec::test {

namespace {

using Values = const std::vector<std::uint64_t>&;

constexpr Rounding kRoundings[] = {Rounding::Rn, Rounding::Rz, Rounding::Rm, Rounding::Rp};
constexpr std::uint64_t kOne32 = 0x3f800000;

Format format(Type type) {
    return type == Type::F64 ? kF64 : kF32;
}

// What PTX makes of an IEEE result: .ftz, .sat, and the NaN: f32's canonical one, f64's first operand quieted.
std::uint64_t finish(Type type, unsigned flags, const Result& result, Values operands) {
    const Format f = format(type);
    if (!result) {
        if ((flags & ir::kSaturate) != 0) {
            return 0;
        }
        if (type == Type::F32) {
            return 0x7fffffff;
        }
        for (const std::uint64_t operand : operands) {
            if (is_nan(f, operand)) {
                return operand | 0x0008000000000000;
            }
        }
        return 0xfff8000000000000;
    }
    const std::uint64_t value = (flags & ir::kFtz) != 0 ? flushed(f, *result) : *result;
    if ((flags & ir::kSaturate) != 0) {
        return (value & f.sign()) != 0 ? 0 : std::min(value, kOne32);
    }
    return value;
}

std::vector<std::uint64_t> flush_all(Type type, unsigned flags, Values values) {
    std::vector<std::uint64_t> flushed_values = values;
    for (auto& v : flushed_values) {
        v = (flags & ir::kFtz) != 0 ? flushed(format(type), v) : v;
    }
    return flushed_values;
}

using Operation = std::function<Result(Format, Values, Rounding)>;

void check_all(Opcode opcode, unsigned sources, bool saturates, const Operation& operation) {
    for (const Type type : {Type::F32, Type::F64}) {
        for (const unsigned flags :
             std::initializer_list<unsigned>{0, ir::kFtz, ir::kSaturate, ir::kFtz | ir::kSaturate}) {
            if (flags != 0 && (type == Type::F64 || ((flags & ir::kSaturate) != 0 && !saturates))) {
                continue;
            }
            for (const Rounding rounding : kRoundings) {
                check(
                    make(opcode, type, Sub::None, rounding, flags), std::vector<Type>(sources, type),
                    8 * ptx::size_of(type),
                    [&](Values raw) {
                        const auto v = flush_all(type, flags, raw);
                        return finish(type, flags, operation(format(type), v, rounding), v);
                    },
                    25);
            }
        }
    }
}

} // namespace

TEST(VectorFloat, Sums) {
    check_all(Opcode::Add, 2, true, [](Format f, Values v, Rounding r) { return add(f, v[0], v[1], r); });
}

TEST(VectorFloat, Differences) {
    check_all(Opcode::Sub, 2, true, [](Format f, Values v, Rounding r) { return add(f, v[0], v[1] ^ f.sign(), r); });
}

TEST(VectorFloat, Products) {
    check_all(Opcode::Mul, 2, true, [](Format f, Values v, Rounding r) { return multiply(f, v[0], v[1], r); });
}

TEST(VectorFloat, FusedMultiplyAdds) {
    for (const Opcode opcode : {Opcode::Fma, Opcode::Mad}) {
        check_all(opcode, 3, true, [](Format f, Values v, Rounding r) { return multiply_add(f, v[0], v[1], v[2], r); });
    }
}

TEST(VectorFloat, FusedMultiplyAddsThatCancel) { // c is close to -(a * b): only the digits beyond rounding remain
    std::mt19937_64 random(11);
    for (const Rounding rounding : kRoundings) {
        for (int round = 0; round < 60; ++round) {
            std::vector<std::vector<std::uint64_t>> cases;
            for (int i = 0; i < 32; ++i) {
                const std::uint64_t a = 0x3f800000 + (random() & 0x7fffff);
                const std::uint64_t b = 0x3f800000 + (random() & 0x7fffff);
                const std::uint64_t c = (*multiply(kF32, a, b, Rounding::Rn) ^ kF32.sign()) + random() % 3 - 1;
                cases.push_back({a, b, c});
            }
            ASSERT_NO_FATAL_FAILURE(
                check_cases(make(Opcode::Fma, Type::F32, Sub::None, rounding), {Type::F32, Type::F32, Type::F32}, 32,
                            cases, [=](Values v) { return *multiply_add(kF32, v[0], v[1], v[2], rounding); }));
        }
    }
}

TEST(VectorFloat, Quotients) {
    check_all(Opcode::Div, 2, false, [](Format f, Values v, Rounding r) { return divide(f, v[0], v[1], r); });
    check_all(Opcode::Rcp, 1, false, [](Format f, Values v, Rounding r) {
        return divide(f, static_cast<std::uint64_t>(f.bias()) << f.mantissa, v[0], r);
    });
}

TEST(VectorFloat, SquareRoots) {
    check_all(Opcode::Sqrt, 1, false, [](Format f, Values v, Rounding r) { return square_root(f, v[0], r); });
}

TEST(VectorFloat, SaturationIsOfSinglePrecision) {
    EXPECT_EQ(select_vector_op(make(Opcode::Add, Type::F64, Sub::None, Rounding::Rn, ir::kSaturate)), nullptr);
    EXPECT_EQ(select_vector_op(make(Opcode::Div, Type::F32, Sub::None, Rounding::Rn, ir::kSaturate)), nullptr);
}

TEST(VectorFloat, TheHostKeepsItsRounding) {
    const int before = std::fegetround();
    Register result;
    Register one{4, {}};
    one.lane.fill(kOne32);
    execute(make(Opcode::Add, Type::F32, Sub::None, Rounding::Rp), {one, one}, result, ~std::uint32_t{0});
    EXPECT_EQ(std::fegetround(), before);
    volatile float third = 1.0F;
    third = third / 3.0F;
    EXPECT_EQ(std::bit_cast<std::uint32_t>(static_cast<float>(third)), 0x3eaaaaabU); // 1/3 rounded to nearest
}

TEST(VectorFloat, Signs) {
    for (const Type type : {Type::F32, Type::F64}) {
        const Format f = format(type);
        const unsigned n = 8 * ptx::size_of(type);
        for (const unsigned flags : std::initializer_list<unsigned>{0, ir::kFtz}) {
            if (flags != 0 && type == Type::F64) {
                continue;
            }
            const auto in = [=](std::uint64_t bits) { return flags != 0 ? flushed(f, bits) : bits; };
            check(make(Opcode::Neg, type, Sub::None, Rounding::None, flags), {type}, n,
                  [=](Values v) { return in(v[0]) ^ f.sign(); });
            check(make(Opcode::Abs, type, Sub::None, Rounding::None, flags), {type}, n,
                  [=](Values v) { return in(v[0]) & ~f.sign(); });
        }
        check(make(Opcode::Copysign, type), {type, type}, n,
              [=](Values v) { return (v[0] & f.sign()) | (v[1] & ~f.sign()); });
    }
}

namespace {

// PTX's definition of min and max: NaN against a number, -0 below +0.
std::uint64_t extreme(Type type, bool maximum, bool nan_result, std::uint64_t a, std::uint64_t b) {
    const Format f = format(type);
    const bool nan_a = is_nan(f, a);
    const bool nan_b = is_nan(f, b);
    if (nan_a && (nan_b || nan_result)) {
        return type == Type::F32 ? 0x7fffffff : a | 0x0008000000000000;
    }
    if (nan_b && nan_result) {
        return 0x7fffffff;
    }
    if (nan_a || nan_b) {
        return nan_a ? b : a;
    }
    // Order of sign and magnitude.
    const auto key = [&](std::uint64_t bits) {
        return (bits & f.sign()) != 0 ? -Integer{bits & ~f.sign()} - 1 : Integer{bits};
    };
    return (key(a) < key(b)) != maximum ? a : b;
}

} // namespace

TEST(VectorFloat, Extremes) {
    for (const Type type : {Type::F32, Type::F64}) {
        const Format f = format(type);
        for (const bool maximum : {false, true}) {
            for (const unsigned flags :
                 std::initializer_list<unsigned>{0, ir::kFtz, ir::kNanResult, ir::kFtz | ir::kNanResult}) {
                if (flags != 0 && type == Type::F64) {
                    continue;
                }
                const bool nan = (flags & ir::kNanResult) != 0;
                const auto in = [=](std::uint64_t bits) { return (flags & ir::kFtz) != 0 ? flushed(f, bits) : bits; };
                const Opcode opcode = maximum ? Opcode::Max : Opcode::Min;
                check(
                    make(opcode, type, Sub::None, Rounding::None, flags), {type, type}, 8 * ptx::size_of(type),
                    [=](Values v) { return extreme(type, maximum, nan, in(v[0]), in(v[1])); }, 100);
                if (type == Type::F64) {
                    continue;
                }
                check(
                    make(opcode, type, Sub::None, Rounding::None, flags | ir::kXorSign), {type, type}, 32,
                    [=](Values v) {
                        const std::uint64_t magnitude =
                            extreme(type, maximum, nan, in(v[0] & ~f.sign()), in(v[1] & ~f.sign()));
                        const std::uint64_t sign = (v[0] ^ v[1]) & f.sign();
                        return is_nan(f, magnitude) ? magnitude : magnitude | sign;
                    },
                    100);
            }
        }
    }
}

TEST(VectorFloat, ExtremesOfThree) {
    for (const bool maximum : {false, true})
        for (const unsigned flags : std::initializer_list<unsigned>{0, ir::kFtz, ir::kNanResult, ir::kMagnitudes,
                                                                    ir::kFtz | ir::kNanResult | ir::kMagnitudes})
            check(
                make(maximum ? Opcode::Max : Opcode::Min, Type::F32, Sub::None, Rounding::None, flags),
                {Type::F32, Type::F32, Type::F32}, 32,
                [=](Values v) {
                    // The number that is extreme among those that are none; a NaN if all are, or with .NaN if one is.
                    std::vector<std::uint64_t> numbers;
                    for (std::uint64_t bits : v) {
                        bits = (flags & ir::kMagnitudes) != 0 ? bits & ~kF32.sign() : bits;
                        bits = (flags & ir::kFtz) != 0 ? flushed(kF32, bits) : bits;
                        if (!is_nan(kF32, bits))
                            numbers.push_back(bits);
                    }
                    if (numbers.empty() || ((flags & ir::kNanResult) != 0 && numbers.size() != 3))
                        return std::uint64_t{0x7fffffff};
                    const auto key = [](std::uint64_t bits) {
                        const auto magnitude = static_cast<std::int64_t>(bits & ~kF32.sign());
                        return (bits & kF32.sign()) != 0 ? -1 - magnitude : magnitude;
                    };
                    const auto less = [&](std::uint64_t a, std::uint64_t b) { return key(a) < key(b); };
                    return maximum ? *std::max_element(numbers.begin(), numbers.end(), less)
                                   : *std::min_element(numbers.begin(), numbers.end(), less);
                },
                100);
}

// Two f32 in a register of 64 bits, each by itself.
TEST(VectorFloat, Pairs) {
    const auto half = [](Values v, unsigned shift) {
        std::vector<std::uint64_t> out;
        for (const std::uint64_t bits : v)
            out.push_back(bits >> shift & 0xffffffff);
        return out;
    };
    const std::pair<Opcode, Operation> kOperations[] = {
        {Opcode::Add, [](Format f, Values v, Rounding r) { return add(f, v[0], v[1], r); }},
        {Opcode::Sub, [](Format f, Values v, Rounding r) { return add(f, v[0], v[1] ^ f.sign(), r); }},
        {Opcode::Mul, [](Format f, Values v, Rounding r) { return multiply(f, v[0], v[1], r); }},
        {Opcode::Fma, [](Format f, Values v, Rounding r) { return multiply_add(f, v[0], v[1], v[2], r); }}};
    for (const auto& [opcode, operation] : kOperations)
        for (const unsigned flags : std::initializer_list<unsigned>{0, ir::kFtz})
            for (const Rounding rounding : kRoundings)
                check(
                    make(opcode, Type::F32x2, Sub::None, rounding, flags),
                    std::vector<Type>(opcode == Opcode::Fma ? 3 : 2, Type::F32x2), 64,
                    [&, operation = operation](Values raw) {
                        std::uint64_t result = 0;
                        for (const unsigned shift : {0U, 32U}) {
                            const auto v = flush_all(Type::F32, flags, half(raw, shift));
                            result |= finish(Type::F32, flags, operation(kF32, v, rounding), v) << shift;
                        }
                        return result;
                    },
                    25);
}

TEST(VectorFloat, Classes) {
    for (const Type type : {Type::F32, Type::F64}) {
        const Format f = format(type);
        const auto is = [&](Sub wanted, const std::function<bool(std::uint64_t)>& test) {
            check(make(Opcode::Testp, type, wanted), {type}, 1, [&](Values v) { return test(v[0]) ? 1U : 0U; });
        };
        is(Sub::TestFinite, [=](std::uint64_t a) { return !is_nan(f, a) && !is_infinite(f, a); });
        is(Sub::TestInfinite, [=](std::uint64_t a) { return is_infinite(f, a); });
        is(Sub::TestNumber, [=](std::uint64_t a) { return !is_nan(f, a); });
        is(Sub::TestNotANumber, [=](std::uint64_t a) { return is_nan(f, a); });
        is(Sub::TestNormal, [=](std::uint64_t a) {
            return !is_nan(f, a) && !is_infinite(f, a) && !is_subnormal(f, a); // zeros count as normal
        });
        is(Sub::TestSubnormal, [=](std::uint64_t a) { return is_subnormal(f, a); });
    }
}

} // namespace heddle::exec::test
