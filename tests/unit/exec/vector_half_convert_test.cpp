// cvt between f16, bf16 and all other types, against exact arithmetic rounded once.
#include <limits>

#include "vector_exact.h"
#include "vector_harness.h"

namespace heddle::exec::test {

namespace {

using Values = const std::vector<std::uint64_t>&;

constexpr Type kHalves[] = {Type::F16, Type::BF16};
constexpr Type kIntegers[] = {Type::U8, Type::S8, Type::U16, Type::S16, Type::U32, Type::S32, Type::U64, Type::S64};
constexpr Rounding kDirections[] = {Rounding::Rn, Rounding::Rz, Rounding::Rm, Rounding::Rp};
constexpr Rounding kIntegral[] = {Rounding::Rni, Rounding::Rzi, Rounding::Rmi, Rounding::Rpi};
constexpr std::uint64_t kNan = 0x7fff;

Format format(Type type) {
    return type == Type::F64 ? kF64 : type == Type::F32 ? kF32 : type == Type::F16 ? kF16 : kBF16;
}

unsigned bits_of(Type type) {
    return 8 * ptx::size_of(type);
}

Wide number(Type type, std::uint64_t bits) {
    const unsigned width = bits_of(type);
    const std::uint64_t low = width == 64 ? bits : bits & ((std::uint64_t{1} << width) - 1);
    const bool negative = ptx::is_signed(type) && (low >> (width - 1) & 1) != 0;
    return negative ? Wide{low} - (Wide{1} << width) : Wide{low};
}

Wide least(Type type) {
    return ptx::is_signed(type) ? -(Wide{1} << (bits_of(type) - 1)) : Wide{0};
}

Wide greatest(Type type) {
    return (Wide{1} << (bits_of(type) - (ptx::is_signed(type) ? 1 : 0))) - 1;
}

std::uint64_t saturated(Format f, std::uint64_t bits) {
    const std::uint64_t one = static_cast<std::uint64_t>(f.bias()) << f.mantissa;
    return is_nan(f, bits) || (bits & f.sign()) != 0 ? 0 : std::min(bits, one);
}

std::uint64_t canonical_nan(Type type) {
    // An f64 shows what the f32 between was.
    return type == Type::F64 ? 0x7fffffffe0000000 : type == Type::F32 ? 0x7fffffff : kNan;
}

// A number of one floating-point type in another.
std::uint64_t converted(Type to, Type from, std::uint64_t bits, Rounding rounding) {
    const Format f = format(from);
    const Format t = format(to);
    if (is_nan(f, bits)) {
        return canonical_nan(to);
    }
    const bool negative = (bits & f.sign()) != 0;
    if (is_infinite(f, bits)) {
        return t.infinity() | (negative ? t.sign() : 0);
    }
    return round_to(t, exact(f, bits), rounding, negative);
}

std::uint64_t low_half(std::uint64_t bits) {
    return bits & 0xffff;
}

constexpr unsigned kAllFlags[] = {0, ir::kFtz, ir::kSaturate, ir::kFtz | ir::kSaturate};

} // namespace

TEST(VectorHalfConvert, FromWiderFloats) {
    for (const Type to : kHalves) {
        for (const Type from : {Type::F32, Type::F64}) {
            for (const unsigned flags : kAllFlags) {
                const bool ftz = (flags & ir::kFtz) != 0;
                if (ftz && from == Type::F64) {
                    continue;
                }
                for (const Rounding rounding : kDirections) {
                    check(
                        make(Opcode::Cvt, to, Sub::None, rounding, flags, from), {from}, 16,
                        [=](Values v) {
                            const std::uint64_t a = ftz ? flushed(format(from), v[0]) : v[0];
                            const std::uint64_t result = converted(to, from, a, rounding);
                            return (flags & ir::kSaturate) != 0 ? saturated(format(to), result) : result;
                        },
                        60);
                }
            }
        }
    }
}

// Numbers of every exponent, what lies half-way to the next, and both neighbours of that, as an f32 and an f64.
TEST(VectorHalfConvert, HalfWayToTheNext) {
    constexpr std::uint64_t kStep = 13; // through all 65536
    for (const Type to : kHalves) {
        const Format f = format(to);
        for (const Type from : {Type::F32, Type::F64}) {
            for (const Rounding rounding : kDirections) {
                std::vector<std::vector<std::uint64_t>> cases;
                for (std::uint64_t bits = 0; bits < 0x10000; bits += kStep) {
                    if (is_nan(f, bits) || is_infinite(f, bits)) {
                        continue;
                    }
                    const std::uint64_t number = converted(from, to, bits, Rounding::Rn);
                    const Exact value = exact(f, bits);
                    const std::uint64_t middle = round_to(
                        format(from), {value.digits * 2 + ((bits & f.sign()) != 0 ? -1 : 1), value.exponent - 1, false},
                        Rounding::Rn, false);
                    for (const std::uint64_t a : {number, middle - 1, middle, middle + 1}) {
                        cases.push_back({a});
                    }
                    if (cases.size() == 32) {
                        ASSERT_NO_FATAL_FAILURE(
                            check_cases(make(Opcode::Cvt, to, Sub::None, rounding, 0, from), {from}, 16, cases,
                                        [=](Values v) { return converted(to, from, v[0], rounding); }));
                        cases.clear();
                    }
                }
            }
        }
    }
}

TEST(VectorHalfConvert, EveryNumberToWiderFloats) {
    for (const Type from : kHalves) {
        for (const Type to : {Type::F32, Type::F64}) {
            for (const unsigned flags : std::initializer_list<unsigned>{0, ir::kFtz, ir::kSaturate}) {
                const bool ftz = (flags & ir::kFtz) != 0;
                if (flags != 0 && to == Type::F64) {
                    continue;
                }
                std::vector<std::vector<std::uint64_t>> cases;
                for (std::uint64_t bits = 0; bits < 0x10000; ++bits) {
                    cases.push_back({bits | 0xabcd0000}); // the upper half of the register is not the number's
                    if (cases.size() < 32) {
                        continue;
                    }
                    ASSERT_NO_FATAL_FAILURE(
                        check_cases(make(Opcode::Cvt, to, Sub::None, Rounding::None, flags, from), {from}, bits_of(to),
                                    cases, [=](Values v) {
                                        std::uint64_t result = converted(to, from, low_half(v[0]), Rounding::Rn);
                                        result = ftz ? flushed(format(to), result) : result; // .ftz is of the f32
                                        return (flags & ir::kSaturate) != 0 ? saturated(format(to), result) : result;
                                    }));
                    cases.clear();
                }
            }
        }
    }
}

TEST(VectorHalfConvert, ToIntegers) {
    for (const Type from : kHalves) {
        const Format f = format(from);
        for (const Type to : kIntegers) {
            for (const Rounding rounding : kIntegral) {
                check(
                    make(Opcode::Cvt, to, Sub::None, rounding, 0, from), {from}, bits_of(to) == 64 ? 64 : 32,
                    [=](Values v) {
                        const std::uint64_t a = low_half(v[0]);
                        Wide result = 0;
                        if (is_nan(f, a)) {
                            result = bits_of(to) == 64 ? number(to, std::uint64_t{1} << 63) : 0;
                        } else if (is_infinite(f, a)) {
                            result = (a & f.sign()) != 0 ? least(to) : greatest(to);
                        } else {
                            result = std::min(std::max(to_integer(exact(f, a), rounding), least(to)), greatest(to));
                        }
                        return static_cast<std::uint64_t>(result);
                    },
                    60);
            }
        }
    }
}

TEST(VectorHalfConvert, FromIntegers) {
    for (const Type to : kHalves) {
        const Format f = format(to);
        for (const Type from : kIntegers) {
            for (const Rounding rounding : kDirections) {
                for (const unsigned flags : std::initializer_list<unsigned>{0, ir::kSaturate}) {
                    check(
                        make(Opcode::Cvt, to, Sub::None, rounding, flags, from), {from}, 16,
                        [=](Values v) {
                            const std::uint64_t result =
                                round_to(f, {Integer{number(from, v[0])}, 0, false}, rounding, false);
                            return flags != 0 ? saturated(f, result) : result;
                        },
                        60);
                }
            }
        }
    }
}

TEST(VectorHalfConvert, LongIntegersRoundOnce) { // half-way between two results, and a last digit below 2^53
    const auto check_one = [](Type to, std::uint64_t value, std::uint64_t wanted) {
        check_cases(make(Opcode::Cvt, to, Sub::None, Rounding::Rn, 0, Type::U64), {Type::U64}, 16, {{value}},
                    [=](Values) { return wanted; });
    };
    const std::uint64_t half_way = (std::uint64_t{1} << 63) + (std::uint64_t{1} << 55); // (1 + 2^-8) * 2^63
    check_one(Type::BF16, half_way, 0x5f00);                                            // to even
    check_one(Type::BF16, half_way + 1, 0x5f01);
    check_one(Type::BF16, half_way - 1, 0x5f00);
    check_one(Type::F16, 65519, 0x7bff);
    check_one(Type::F16, 65520, 0x7c00);
}

TEST(VectorHalfConvert, BetweenHalves) {
    for (const Type from : kHalves) {
        const Format f = format(from);
        const Type other = from == Type::F16 ? Type::BF16 : Type::F16;
        for (const Rounding rounding : kDirections) {
            check(
                make(Opcode::Cvt, other, Sub::None, rounding, 0, from), {from}, 16,
                [=](Values v) { return converted(other, from, low_half(v[0]), rounding); }, 100);
        }
        for (const Rounding rounding : kIntegral) {
            check(
                make(Opcode::Cvt, from, Sub::None, rounding, 0, from), {from}, 16,
                [=](Values v) {
                    const std::uint64_t a = low_half(v[0]);
                    if (is_nan(f, a)) {
                        return kNan;
                    }
                    if (exact(f, a).exponent >= 0) { // has no fraction, or is infinite
                        return a;
                    }
                    const Wide whole = to_integer(exact(f, a), rounding);
                    return round_to(f, {Integer{whole}, 0, false}, Rounding::Rn, (a & f.sign()) != 0);
                },
                100);
        }
        for (const unsigned flags : std::initializer_list<unsigned>{0, ir::kSaturate}) {
            check(make(Opcode::Cvt, from, Sub::None, Rounding::None, flags, from), {from}, 16, [=](Values v) {
                const std::uint64_t a = low_half(v[0]);
                return flags != 0 ? saturated(f, a) : is_nan(f, a) ? kNan : a;
            });
        }
    }
}

TEST(VectorHalfConvert, TwoNumbersIntoAPair) { // the first operand becomes the upper half
    for (const Type to : kHalves) {
        const Type pair = to == Type::F16 ? Type::F16x2 : Type::BF16x2;
        for (const Rounding rounding : {Rounding::Rn, Rounding::Rz}) {
            check(
                make(Opcode::Cvt, pair, Sub::None, rounding, 0, Type::F32), {Type::F32, Type::F32}, 32,
                [=](Values v) {
                    return converted(to, Type::F32, v[0], rounding) << 16 | converted(to, Type::F32, v[1], rounding);
                },
                60);
        }
    }
}

TEST(VectorHalfConvert, RegistersWiderThanTheTypes) {
    MicroOp op = make(Opcode::Cvt, Type::F16, Sub::None, Rounding::Rn, 0, Type::U64);
    op.dst_bytes = 8;
    check(op, {Type::U64}, 64, [](Values v) {
        return round_to(kF16, {Integer{number(Type::U64, v[0])}, 0, false}, Rounding::Rn, false);
    });
}

} // namespace heddle::exec::test
