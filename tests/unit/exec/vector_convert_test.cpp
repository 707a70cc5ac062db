// cvt among all integer types, f32 and f64.
#include "vector_exact.h"
#include "vector_harness.h"

namespace heddle::exec::test {

namespace {

using Values = const std::vector<std::uint64_t>&;

constexpr Type kIntegers[] = {Type::U8, Type::S8, Type::U16, Type::S16, Type::U32, Type::S32, Type::U64, Type::S64};
constexpr Type kFloats[] = {Type::F32, Type::F64};
constexpr Rounding kDirections[] = {Rounding::Rn, Rounding::Rz, Rounding::Rm, Rounding::Rp};
constexpr Rounding kIntegral[] = {Rounding::Rni, Rounding::Rzi, Rounding::Rmi, Rounding::Rpi};

unsigned bits_of(Type type) {
    return 8 * ptx::size_of(type);
}

Format format(Type type) {
    return type == Type::F64 ? kF64 : kF32;
}

Wide number(Type type, std::uint64_t bits) {
    const unsigned width = bits_of(type);
    const std::uint64_t low = width == 64 ? bits : bits & ((std::uint64_t{1} << width) - 1);
    const bool negative = ptx::is_signed(type) && (low >> (width - 1) & 1) != 0;
    return negative ? Wide{low} - (Wide{1} << width) : Wide{low};
}

// The low 64 bits in two's complement.
std::uint64_t bits(Wide value) {
    return static_cast<std::uint64_t>(value);
}

Wide least(Type type) {
    return ptx::is_signed(type) ? -(Wide{1} << (bits_of(type) - 1)) : Wide{0};
}

Wide greatest(Type type) {
    return (Wide{1} << (bits_of(type) - (ptx::is_signed(type) ? 1 : 0))) - 1;
}

Wide clamp(Type type, Wide value) {
    return std::min(std::max(value, least(type)), greatest(type));
}

Exact of(Wide value) {
    return {Integer{value}, 0, false};
}

// The whole slot is compared: a narrow result is extended to 32 bits.
unsigned slot_bits(Type type) {
    return bits_of(type) == 64 ? 64 : 32;
}

std::uint64_t saturated(Format f, std::uint64_t bits) {
    const std::uint64_t one = static_cast<std::uint64_t>(f.bias()) << f.mantissa;
    return is_nan(f, bits) || (bits & f.sign()) != 0 ? 0 : std::min(bits, one);
}

} // namespace

TEST(VectorConvert, IntegersToIntegers) {
    for (const Type from : kIntegers) {
        for (const Type to : kIntegers) {
            check(
                make(Opcode::Cvt, to, Sub::None, Rounding::None, 0, from), {from}, slot_bits(to),
                [=](Values v) { return bits(number(to, bits(number(from, v[0])))); }, 10);
            check(
                make(Opcode::Cvt, to, Sub::None, Rounding::None, ir::kSaturate, from), {from}, slot_bits(to),
                [=](Values v) { return bits(clamp(to, number(from, v[0]))); }, 10);
        }
    }
}

TEST(VectorConvert, IntegersToFloats) {
    for (const Type from : kIntegers) {
        for (const Type to : kFloats) {
            for (const Rounding rounding : kDirections) {
                check(make(Opcode::Cvt, to, Sub::None, rounding, 0, from), {from}, bits_of(to),
                      [=](Values v) { return round_to(format(to), of(number(from, v[0])), rounding, false); });
            }
            check(
                make(Opcode::Cvt, to, Sub::None, Rounding::Rn, ir::kSaturate, from), {from}, bits_of(to),
                [=](Values v) {
                    const Wide one_or_zero = number(from, v[0]) > 0 ? 1 : 0;
                    return round_to(format(to), of(one_or_zero), Rounding::Rn, false);
                },
                10);
        }
    }
}

TEST(VectorConvert, FloatsToIntegers) {
    for (const Type from : kFloats) {
        for (const Type to : kIntegers) {
            for (const Rounding rounding : kIntegral) {
                for (const unsigned flags : std::initializer_list<unsigned>{0, ir::kFtz}) {
                    if (flags != 0 && from == Type::F64) {
                        continue;
                    }
                    const Format f = format(from);
                    check(make(Opcode::Cvt, to, Sub::None, rounding, flags, from), {from}, slot_bits(to),
                          [=](Values v) {
                              if (is_nan(f, v[0])) {
                                  const bool zero = from == Type::F32 && bits_of(to) != 64;
                                  return zero ? std::uint64_t{0}
                                              : bits(number(to, std::uint64_t{1} << (bits_of(to) - 1)));
                              }
                              if (is_infinite(f, v[0])) {
                                  return bits((v[0] & f.sign()) != 0 ? least(to) : greatest(to));
                              }
                              const std::uint64_t a = flags != 0 ? flushed(f, v[0]) : v[0];
                              return bits(clamp(to, to_integer(exact(f, a), rounding)));
                          });
                }
            }
        }
    }
}

TEST(VectorConvert, FloatsToIntegralFloats) {
    for (const Type type : kFloats) {
        const Format f = format(type);
        for (const Rounding rounding : kIntegral) {
            for (const unsigned flags :
                 std::initializer_list<unsigned>{0, ir::kFtz, ir::kSaturate, ir::kFtz | ir::kSaturate}) {
                if ((flags & ir::kFtz) != 0 && type == Type::F64) {
                    continue;
                }
                check(make(Opcode::Cvt, type, Sub::None, rounding, flags, type), {type}, bits_of(type), [=](Values v) {
                    const std::uint64_t a = (flags & ir::kFtz) != 0 ? flushed(f, v[0]) : v[0];
                    std::uint64_t result = 0;
                    if (is_nan(f, a)) {
                        result = type == Type::F32 ? 0x7fffffff : a | 0x0008000000000000;
                    } else if (exact(f, a).exponent >= 0) { // has no fraction, or is infinite
                        result = a;
                    } else {
                        const Wide whole = to_integer(exact(f, a), rounding);
                        result = round_to(f, of(whole), Rounding::Rn, (a & f.sign()) != 0);
                    }
                    return (flags & ir::kSaturate) != 0 ? saturated(f, result) : result;
                });
            }
        }
    }
}

TEST(VectorConvert, BetweenFloats) {
    for (const unsigned flags : std::initializer_list<unsigned>{0, ir::kFtz, ir::kSaturate, ir::kFtz | ir::kSaturate}) {
        const bool ftz = (flags & ir::kFtz) != 0;
        const bool sat = (flags & ir::kSaturate) != 0;
        for (const Rounding rounding : kDirections) {
            check(
                make(Opcode::Cvt, Type::F32, Sub::None, rounding, flags, Type::F64), {Type::F64}, 32,
                [=](Values v) {
                    if (is_nan(kF64, v[0])) {
                        return std::uint64_t{sat ? 0U : 0x7fffffffU};
                    }
                    const bool negative = (v[0] & kF64.sign()) != 0;
                    const std::uint64_t infinity = kF32.infinity() | (negative ? kF32.sign() : 0);
                    const std::uint64_t rounded =
                        is_infinite(kF64, v[0]) ? infinity : round_to(kF32, exact(kF64, v[0]), rounding, negative);
                    const std::uint64_t result = ftz ? flushed(kF32, rounded) : rounded;
                    return sat ? saturated(kF32, result) : result;
                },
                100);
        }
        check(make(Opcode::Cvt, Type::F64, Sub::None, Rounding::None, flags, Type::F32), {Type::F32}, 64,
              [=](Values v) {
                  const std::uint64_t a = ftz ? flushed(kF32, v[0]) : v[0];
                  const std::uint64_t sign = (a & kF32.sign()) << 32;
                  std::uint64_t result = 0;
                  if (is_nan(kF32, a)) { // the payload moves along, quieted
                      result = sign | kF64.infinity() | (a & 0x7fffff) << 29 | 0x0008000000000000;
                  } else {
                      result = is_infinite(kF32, a) ? sign | kF64.infinity()
                                                    : round_to(kF64, exact(kF32, a), Rounding::Rn, sign != 0);
                  }
                  return sat ? saturated(kF64, result) : result;
              });
        check(make(Opcode::Cvt, Type::F32, Sub::None, Rounding::None, flags, Type::F32), {Type::F32}, 32,
              [=](Values v) {
                  const std::uint64_t a = ftz ? flushed(kF32, v[0]) : v[0];
                  return sat ? saturated(kF32, a) : is_nan(kF32, a) ? 0x7fffffff : a;
              });
    }
}

TEST(VectorConvert, RegistersWiderThanTheTypes) {
    MicroOp op = make(Opcode::Cvt, Type::S16, Sub::None, Rounding::None, 0, Type::U32);
    op.dst_bytes = 8; // the result's sign goes into all 64 bits
    op.src_bytes = 8; // the operand is the low 32
    check(op, {Type::U64}, 64, [](Values v) { return bits(number(Type::S16, v[0])); });
    op = make(Opcode::Cvt, Type::U32, Sub::None, Rounding::Rzi, 0, Type::F32);
    op.dst_bytes = 8;
    check(op, {Type::F32}, 64, [](Values v) {
        return is_nan(kF32, v[0])        ? std::uint64_t{0}
               : is_infinite(kF32, v[0]) ? (v[0] & kF32.sign()) != 0 ? std::uint64_t{0} : std::uint64_t{0xffffffff}
                                         : bits(clamp(Type::U32, to_integer(exact(kF32, v[0]), Rounding::Rzi)));
    });
    op = make(Opcode::Cvt, Type::F64, Sub::None, Rounding::Rn, 0, Type::S8);
    op.src_bytes = 8;
    check(op, {Type::U64}, 64,
          [](Values v) { return round_to(kF64, of(number(Type::S8, v[0])), Rounding::Rn, false); });
}

} // namespace heddle::exec::test
