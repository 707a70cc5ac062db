// cvt with .relu, .satfinite and .rs, from and to the formats of 4 to 8 bits, and cvt.pack.
#include <algorithm>

#include "small_float_tables.h"
#include "vector_exact.h"
#include "vector_harness.h"

namespace heddle::exec::test {

namespace {

using Values = const std::vector<std::uint64_t>&;

constexpr Format kTF32{10, 8};
constexpr unsigned kBounds[] = {0, ir::kRelu, ir::kSatFinite, ir::kRelu | ir::kSatFinite};

Format format(Type type) {
    return type == Type::TF32 ? kTF32 : type == Type::F16 || type == Type::F16x2 ? kF16 : kBF16;
}

// An f32 in a format of IEEE 754, by exact arithmetic. A NaN has all bits but the sign.
std::uint64_t converted(Format to, std::uint64_t bits, Rounding rounding, unsigned flags) {
    const bool negative = (bits & kF32.sign()) != 0;
    std::uint64_t result = to.infinity() | (negative ? to.sign() : 0);
    if (is_nan(kF32, bits))
        return to.sign() - 1;
    if (!is_infinite(kF32, bits))
        result = round_to(to, exact(kF32, bits), rounding, negative);
    if ((flags & ir::kSatFinite) != 0 && is_infinite(to, result))
        --result; // the largest number, of the same sign
    return (flags & ir::kRelu) != 0 && (result & to.sign()) != 0 ? 0 : result;
}

float number_of(std::uint64_t bits) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
}

double number_of_f16(std::uint64_t bits) {
    if (is_nan(kF16, bits))
        return std::nan("");
    const double sign = (bits & kF16.sign()) != 0 ? -1 : 1;
    if (is_infinite(kF16, bits))
        return sign * INFINITY;
    const Exact value = exact(kF16, bits);
    return std::copysign(std::ldexp(static_cast<double>(value.digits), value.exponent), sign);
}

struct Small {
    Type pair, four;
    const Definition& definition;
    unsigned width; // bits of a number in a register
};
const Small kSmall[] = {{Type::E4M3x2, Type::E4M3x4, kDefinitions[0], 8},
                        {Type::E5M2x2, Type::E5M2x4, kDefinitions[1], 8},
                        {Type::E2M3x2, Type::E2M3x4, kDefinitions[2], 8},
                        {Type::E3M2x2, Type::E3M2x4, kDefinitions[3], 8},
                        {Type::E2M1x2, Type::E2M1x4, kDefinitions[4], 4}};

std::uint64_t small(const Definition& d, double value, unsigned flags) {
    const unsigned code = nearest(d, value);
    return (flags & ir::kRelu) != 0 && code >= codes(d) ? 0 : code;
}

#ifdef HEDDLE_SANITIZED // these builds are slow, and another tries them all
constexpr std::uint64_t kStep = 7;
#else
constexpr std::uint64_t kStep = 1;
#endif

// Calls check(cases) for `count` values in the low bits of a register, 32 at a time, with other bits above.
template <class Check>
void for_all(std::uint64_t count, std::uint64_t above, Check check) {
    std::vector<std::vector<std::uint64_t>> cases;
    for (std::uint64_t bits = 0; bits < count; bits += kStep) {
        cases.push_back({bits | above});
        if (cases.size() == 32) {
            ASSERT_NO_FATAL_FAILURE(check(cases));
            cases.clear();
        }
    }
}

} // namespace

TEST(VectorConvertBounded, ToHalvesAndTF32) {
    for (const Type to : {Type::F16, Type::BF16, Type::TF32})
        for (const Rounding rounding : {Rounding::Rn, Rounding::Rz, Rounding::Rna})
            for (const unsigned flags : kBounds) {
                const bool away = rounding == Rounding::Rna;
                if ((to != Type::TF32 && (flags == 0 || away)) || (away && (flags & ir::kRelu) != 0))
                    continue;
                check(make(Opcode::Cvt, to, Sub::None, rounding, flags, Type::F32), {Type::F32},
                      to == Type::TF32 ? 32 : 16, [=](Values v) {
                          // .rna: to the nearest, and halves away from zero. With a bit more at the end no half is
                          // left.
                          const std::uint64_t bits =
                              away && !is_nan(kF32, v[0]) && !is_infinite(kF32, v[0])
                                  ? (v[0] & ~std::uint64_t{0xfff}) | ((v[0] & 0x1000) != 0 ? 1 : 0)
                                  : v[0];
                          const std::uint64_t result =
                              converted(format(to), bits, away ? Rounding::Rn : rounding, flags);
                          if (to != Type::TF32)
                              return result;
                          return is_nan(kTF32, result) ? std::uint64_t{0x7fffffff} : result << 13;
                      });
            }
}

TEST(VectorConvertBounded, PairsOfHalves) {
    for (const Type to : {Type::F16x2, Type::BF16x2})
        for (const Rounding rounding : {Rounding::Rn, Rounding::Rz})
            for (const unsigned flags : kBounds)
                check(make(Opcode::Cvt, to, Sub::None, rounding, flags, Type::F32), {Type::F32, Type::F32}, 32,
                      [=](Values v) {
                          return converted(format(to), v[0], rounding, flags) << 16 |
                                 converted(format(to), v[1], rounding, flags);
                      });
}

TEST(VectorConvertBounded, PairsOfSmallNumbers) {
    for (const Small& s : kSmall)
        for (const unsigned flags : {ir::kSatFinite | 0U, ir::kSatFinite | ir::kRelu | 0U})
            check(
                make(Opcode::Cvt, s.pair, Sub::None, Rounding::Rn, flags, Type::F32), {Type::F32, Type::F32}, 32,
                [&](Values v) {
                    return small(s.definition, number_of(v[0]), flags) << s.width |
                           small(s.definition, number_of(v[1]), flags);
                },
                200);
}

TEST(VectorConvertBounded, EveryF16ToSmallNumbers) {
    for (const Small& s : {kSmall[0], kSmall[1], kSmall[4]})
        for (const unsigned flags : {ir::kSatFinite | 0U, ir::kSatFinite | ir::kRelu | 0U})
            for_all(0x10000, 0x3c000000, [&](const auto& cases) {
                check_cases(make(Opcode::Cvt, s.pair, Sub::None, Rounding::Rn, flags, Type::F16x2), {Type::F16x2}, 32,
                            cases, [&](Values v) {
                                return small(s.definition, 1.0, flags) << s.width |
                                       small(s.definition, number_of_f16(v[0] & 0xffff), flags);
                            });
            });
}

TEST(VectorConvertBounded, EverySmallNumberToF16) {
    for (const Small& s : kSmall)
        for (const unsigned flags : std::initializer_list<unsigned>{0, ir::kRelu})
            for_all(std::uint64_t{1} << 2 * s.width, 0xabcd0000, [&](const auto& cases) {
                check_cases(make(Opcode::Cvt, Type::F16x2, Sub::None, Rounding::Rn, flags, s.pair), {Type::B16}, 32,
                            cases, [&](Values v) {
                                const auto half = [&](std::uint64_t bits) -> std::uint64_t {
                                    const Definition& d = s.definition;
                                    const auto code = static_cast<unsigned>(bits % (2 * codes(d)));
                                    const unsigned magnitude = code % codes(d);
                                    const std::uint64_t sign = code < codes(d) ? 0 : kF16.sign();
                                    std::uint64_t result = kF16.infinity() | sign;
                                    if (magnitude >= d.finite && !(d.has_infinity && magnitude == d.finite))
                                        return 0x7fff;
                                    if (magnitude < d.finite)
                                        result = converted(kF16,
                                                           std::bit_cast<std::uint32_t>(
                                                               static_cast<float>(number(d, magnitude))),
                                                           Rounding::Rn, 0) |
                                                 sign;
                                    return flags != 0 && sign != 0 ? 0 : result;
                                };
                                const std::uint64_t low = v[0] & ((std::uint64_t{1} << s.width) - 1);
                                return half(v[0] >> s.width & ((std::uint64_t{1} << s.width) - 1)) << 16 | half(low);
                            });
            });
}

namespace {

// The scale of a value by its logarithm.
std::uint64_t scale(float value, bool up, bool satfinite) {
    const double magnitude = std::fabs(static_cast<double>(value));
    if (std::isnan(value))
        return 0xff;
    if (magnitude <= 0x1p-127)
        return 0;
    const double power = std::isinf(value) ? 128 : std::log2(magnitude);
    int exponent = std::isinf(value) ? 128 : std::ilogb(magnitude);
    exponent += up && power > exponent ? 1 : 0;
    return static_cast<std::uint64_t>(std::min(exponent + 127, satfinite ? 0xfe : 0xff));
}

} // namespace

TEST(VectorConvertBounded, Scales) {
    for (const Rounding rounding : {Rounding::Rz, Rounding::Rp})
        for (const unsigned flags : std::initializer_list<unsigned>{0, ir::kSatFinite}) {
            const bool up = rounding == Rounding::Rp, satfinite = flags != 0;
            for_all(0x10000, 0xc0400000, [&](const auto& cases) { // the upper half is -3
                check_cases(make(Opcode::Cvt, Type::UE8M0x2, Sub::None, rounding, flags, Type::BF16x2), {Type::BF16x2},
                            32, cases, [&](Values v) {
                                return scale(-3.0F, up, satfinite) << 8 |
                                       scale(number_of(v[0] << 16 & 0xffff0000), up, satfinite);
                            });
            });
            check(make(Opcode::Cvt, Type::UE8M0x2, Sub::None, rounding, flags, Type::F32), {Type::F32, Type::F32}, 32,
                  [&](Values v) {
                      return scale(number_of(v[0]), up, satfinite) << 8 | scale(number_of(v[1]), up, satfinite);
                  });
        }
    for_all(0x10000, 0x12340000, [&](const auto& cases) {
        check_cases(make(Opcode::Cvt, Type::BF16x2, Sub::None, Rounding::Rn, 0, Type::UE8M0x2), {Type::B16}, 32, cases,
                    [&](Values v) {
                        const auto half = [](std::uint64_t code) -> std::uint64_t {
                            return code == 0xff ? 0x7fff : code == 0 ? 0x40 : code << 7;
                        };
                        return half(v[0] >> 8 & 0xff) << 16 | half(v[0] & 0xff);
                    });
    });
}

// Random bits are added to the digits that a truncation drops; of normal numbers the carry is that of the whole f32.
TEST(VectorConvertBounded, StochasticPairs) {
    for (const Type to : {Type::F16x2, Type::BF16x2}) {
        const bool f16 = to == Type::F16x2;
        check(
            make(Opcode::Cvt, to, Sub::None, Rounding::Rs, ir::kSatFinite, Type::F32),
            {Type::F32, Type::F32, Type::B32}, 32,
            [=](Values v) {
                const auto half = [&](std::uint64_t bits, std::uint64_t random) -> std::uint64_t {
                    const Format f = f16 ? kF16 : kBF16;
                    const std::uint64_t magnitude = bits & 0x7fffffff;
                    const std::uint64_t sign = (bits >> 31) << 15;
                    if (magnitude > kF32.infinity())
                        return 0x7fff;
                    std::uint64_t result =
                        f16 ? ((magnitude + (random & 0x1fff)) >> 13) - (112 << 10) : (magnitude + random) >> 16;
                    if (f16 && magnitude < 0x38800000) { // subnormal: in places of 2^-24
                        const double places = std::ldexp(static_cast<double>(number_of(magnitude)), 24);
                        const double below = std::floor(places);
                        result = static_cast<std::uint64_t>(
                            below +
                            (std::floor((places - below) * 0x1p13) + static_cast<double>(random & 0x1fff) >= 0x1p13
                                 ? 1
                                 : 0));
                    }
                    if (f16 && magnitude >= 0x47800000) // 2^16
                        result = f.infinity();
                    return sign | std::min(result, f.infinity() - 1);
                };
                return half(v[0], v[2] >> 16) << 16 | half(v[1], v[2] & 0xffff);
            },
            200);
    }
}

TEST(VectorConvertBounded, StochasticFours) {
    for (const Small& s : kSmall)
        for (const unsigned flags : {ir::kSatFinite | 0U, ir::kSatFinite | ir::kRelu | 0U})
            check(
                make(Opcode::Cvt, s.four, Sub::None, Rounding::Rs, flags, Type::F32),
                {Type::F32, Type::F32, Type::F32, Type::F32, Type::B32}, 32,
                [&](Values v) {
                    // Of e2m1 a byte for each number, else a half for two.
                    const std::uint64_t r = v[4];
                    const std::uint64_t bytes[] = {r >> 24 & 0xff, r >> 8 & 0xff, r >> 16 & 0xff, r & 0xff};
                    const std::uint64_t halves[] = {r >> 16 & 0xffff, r >> 16 & 0xffff, r & 0xffff, r & 0xffff};
                    const double steps = s.width == 4 ? 0x1p8 : 0x1p16;
                    std::uint64_t result = 0;
                    for (unsigned i = 0; i < 4; ++i) {
                        const float value = number_of(v[i]);
                        const Definition& d = s.definition;
                        std::uint64_t code = d.finite - 1;
                        if (std::isnan(value)) {
                            code = d.has_nan ? d.nan : d.finite - 1;
                        } else if (std::fabs(value) < number(d, d.finite - 1)) {
                            const auto [least, share] = below(d, std::fabs(value));
                            const auto random = static_cast<double>(s.width == 4 ? bytes[i] : halves[i]);
                            code = least + (std::floor(share * steps) + random >= steps ? 1 : 0);
                        }
                        if (!std::isnan(value) && std::signbit(value))
                            code = (flags & ir::kRelu) != 0 ? 0 : code | codes(d);
                        result = result << s.width | code;
                    }
                    return result;
                },
                200);
}

TEST(VectorConvertBounded, Packing) {
    for (const int bits : {2, -2, 4, -4, 8, -8, 16, -16}) {
        MicroOp op = make(Opcode::CvtPack, Type::B32);
        op.imm = bits;
        const unsigned size = static_cast<unsigned>(std::abs(bits));
        std::vector<Type> sources(size == 16 ? 2 : 3, Type::B32);
        check(op, sources, 32, [=](Values v) {
            const auto element = [&](std::uint64_t word) {
                const std::int64_t value = static_cast<std::int32_t>(word);
                const std::int64_t least = bits < 0 ? -(std::int64_t{1} << (size - 1)) : 0;
                const std::int64_t clamped = std::max(least, std::min(value, least + (std::int64_t{1} << size) - 1));
                return static_cast<std::uint64_t>(clamped) & ((std::uint64_t{1} << size) - 1);
            };
            std::uint64_t result = 0; // bit by bit
            for (unsigned i = 0; i < 32; ++i) {
                const std::uint64_t from = i < size       ? element(v[1]) >> i
                                           : i < 2 * size ? element(v[0]) >> (i - size)
                                                          : v.back() >> (i - 2 * size);
                result |= (from & 1) << i;
            }
            return result;
        });
    }
}

} // namespace heddle::exec::test
