// Integer arithmetic. All operations wrap (they use unsigned types), except with .sat.
// foreach_target.h compiles this file once a target; it must come before the other headers.
// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exec/ops/int_arith.cpp"
#include "exec/ops/targets.h"
#include <hwy/foreach_target.h>
// clang-format on

#include "exec/ops/families.h"
#include "exec/ops/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace heddle::exec::ops::HWY_NAMESPACE {
namespace {

using std::int16_t, std::int32_t, std::int64_t, std::uint16_t, std::uint32_t, std::uint64_t;

// The unsigned type to compute in: at least 32 bits, so that promotion to int cannot overflow.
template <class T>
using Wrapping = std::make_unsigned_t<decltype(T{} + 0U)>;

// Twice as wide, of the same sign.
template <class T>
using Wide = std::conditional_t<std::is_signed_v<T>, std::conditional_t<sizeof(T) == 2, int32_t, int64_t>,
                                std::conditional_t<sizeof(T) == 2, uint32_t, uint64_t>>;

template <class T>
HWY_INLINE T add(T a, T b) {
    return static_cast<T>(Wrapping<T>(a) + Wrapping<T>(b));
}

template <class T>
HWY_INLINE T sub(T a, T b) {
    return static_cast<T>(Wrapping<T>(a) - Wrapping<T>(b));
}

// The limit on the side of `sign`, where a sum or difference has overflowed.
HWY_INLINE int32_t limit(int32_t sign) {
    return (sign >> 31) ^ 0x7fffffff;
}

HWY_INLINE int32_t add_sat(int32_t a, int32_t b) {
    const int32_t sum = add(a, b);
    return (~(a ^ b) & (a ^ sum)) < 0 ? limit(a) : sum;
}

HWY_INLINE int32_t sub_sat(int32_t a, int32_t b) {
    const int32_t difference = sub(a, b);
    return ((a ^ b) & (a ^ difference)) < 0 ? limit(a) : difference;
}

template <class T>
HWY_INLINE T mul_lo(T a, T b) {
    return static_cast<T>(Wrapping<T>(a) * Wrapping<T>(b));
}

template <class T>
HWY_INLINE Wide<T> mul_wide(T a, T b) {
    return static_cast<Wide<T>>(static_cast<Wide<T>>(a) * static_cast<Wide<T>>(b));
}

template <class T>
HWY_INLINE T mul_hi(T a, T b) {
    if constexpr (sizeof(T) == 8) {
        __extension__ using Double = std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>;
        return static_cast<T>((static_cast<Double>(a) * b) >> 64);
    } else {
        return static_cast<T>(mul_wide(a, b) >> (8 * sizeof(T)));
    }
}

template <class T>
HWY_INLINE T mad_lo(T a, T b, T c) {
    return add(mul_lo(a, b), c);
}

template <class T>
HWY_INLINE T mad_hi(T a, T b, T c) {
    return add(mul_hi(a, b), c);
}

template <class T>
HWY_INLINE Wide<T> mad_wide(T a, T b, Wide<T> c) {
    return add(mul_wide(a, b), c);
}

HWY_INLINE int32_t mad_hi_sat(int32_t a, int32_t b, int32_t c) {
    return add_sat(mul_hi(a, b), c);
}

// The 24 low bits, extended by their sign or by zeros.
template <class T>
HWY_INLINE T low24(T a) {
    return static_cast<T>(static_cast<T>(static_cast<uint32_t>(a) << 8) >> 8);
}

template <class T>
HWY_INLINE T mul24_lo(T a, T b) {
    return mul_lo(low24(a), low24(b));
}

// Bits 16 to 47 of the 48-bit product.
template <class T>
HWY_INLINE T mul24_hi(T a, T b) {
    return static_cast<T>(mul_wide(low24(a), low24(b)) >> 16);
}

template <class T>
HWY_INLINE T mad24_lo(T a, T b, T c) {
    return add(mul24_lo(a, b), c);
}

template <class T>
HWY_INLINE T mad24_hi(T a, T b, T c) {
    return add(mul24_hi(a, b), c);
}

HWY_INLINE int32_t mad24_hi_sat(int32_t a, int32_t b, int32_t c) {
    return add_sat(mul24_hi(a, b), c);
}

template <class T>
HWY_INLINE T negate(T a) {
    return sub(T{0}, a);
}

template <class T>
HWY_INLINE T absolute(T a) {
    return a < 0 ? negate(a) : a;
}

template <class T>
HWY_INLINE T minimum(T a, T b) {
    return a < b ? a : b;
}

template <class T>
HWY_INLINE T maximum(T a, T b) {
    return a > b ? a : b;
}

template <class T>
HWY_INLINE T sad(T a, T b, T c) {
    return add(c, a < b ? sub(b, a) : sub(a, b));
}

// c and the sum of the products of four bytes. A and B say how the bytes of a and b are extended.
template <class A, class B>
HWY_INLINE uint32_t dot_4(uint32_t a, uint32_t b, uint32_t c) {
    for (unsigned i = 0; i < 4; ++i) {
        c += static_cast<uint32_t>(static_cast<int32_t>(static_cast<A>(a >> (8 * i))) *
                                   static_cast<int32_t>(static_cast<B>(b >> (8 * i))));
    }
    return c;
}

// c and the sum of the products of both halves of a (A16) with two bytes of b (B), from byte `First` on.
template <class A16, class B, unsigned First>
HWY_INLINE uint32_t dot_2(uint32_t a, uint32_t b, uint32_t c) {
    for (unsigned i = 0; i < 2; ++i) {
        c += static_cast<uint32_t>(static_cast<int32_t>(static_cast<A16>(a >> (16 * i))) *
                                   static_cast<int32_t>(static_cast<B>(b >> (8 * (First + i)))));
    }
    return c;
}

// Unsigned 32-bit values to and from doubles, through the signed conversions that every instruction set has.
HWY_INLINE double to_double(uint32_t a) {
    return static_cast<double>(static_cast<int32_t>(a ^ 0x80000000U)) + 2147483648.0;
}

HWY_INLINE uint32_t truncate_unsigned(double a) {
    const bool high = a >= 2147483648.0;
    return static_cast<uint32_t>(static_cast<int32_t>(a - (high ? 2147483648.0 : 0.0))) ^ (high ? 0x80000000U : 0U);
}

// The quotient by zero is all ones, as in the division sequences of NVIDIA's compiler; PTX does not define it.
// Operands of up to 32 bits: the correctly rounded quotient of doubles never reaches the next integer, since
// a non-integral quotient is at least 1/b > ulp(a/b) away from it.
HWY_INLINE uint32_t quotient(uint32_t a, uint32_t b) {
    return truncate_unsigned(to_double(a) / to_double(b == 0 ? 1U : b));
}

HWY_INLINE int32_t quotient(int32_t a, int32_t b) {
    const bool overflows = b == -1; // -2^31 / -1 wraps
    const int32_t divisor = b == 0 || overflows ? 1 : b;
    const auto result = static_cast<int32_t>(static_cast<double>(a) / static_cast<double>(divisor));
    return overflows ? negate(a) : result;
}

HWY_INLINE uint64_t quotient(uint64_t a, uint64_t b) {
    return a / (b == 0 ? 1 : b);
}

HWY_INLINE int64_t quotient(int64_t a, int64_t b) {
    const bool overflows = b == -1;
    const int64_t result = a / (b == 0 || overflows ? 1 : b);
    return overflows ? negate(a) : result;
}

HWY_INLINE uint16_t quotient(uint16_t a, uint16_t b) {
    return static_cast<uint16_t>(quotient(uint32_t{a}, uint32_t{b}));
}

HWY_INLINE int16_t quotient(int16_t a, int16_t b) {
    return static_cast<int16_t>(quotient(int32_t{a}, int32_t{b}));
}

template <class T>
HWY_INLINE T divide(T a, T b) {
    return b == 0 ? static_cast<T>(~Wrapping<T>{0}) : quotient(a, b);
}

template <class T>
HWY_INLINE T remainder(T a, T b) {
    return b == 0 ? static_cast<T>(~Wrapping<T>{0}) : sub(a, mul_lo(quotient(a, b), b));
}

VectorOp select_mul(const ir::MicroOp& op) {
    switch (op.sub) {
    case ir::Sub::Wide:
        return op.type == ir::Type::U64 || op.type == ir::Type::S64
                   ? nullptr
                   : for_integer(op.type, []<class T> { return lanewise<mul_wide<T>>; });
    case ir::Sub::Hi:
        return for_integer(op.type, []<class T> { return lanewise<mul_hi<T>>; });
    case ir::Sub::Lo:
        return for_unsigned(op.type, []<class T> { return lanewise<mul_lo<T>>; });
    default:
        return nullptr;
    }
}

VectorOp select_mad(const ir::MicroOp& op) {
    if (op.has(ir::kSaturate)) {
        return op.sub == ir::Sub::Hi && op.type == ir::Type::S32 ? lanewise<mad_hi_sat> : nullptr;
    }
    switch (op.sub) {
    case ir::Sub::Wide:
        return op.type == ir::Type::U64 || op.type == ir::Type::S64
                   ? nullptr
                   : for_integer(op.type, []<class T> { return lanewise<mad_wide<T>>; });
    case ir::Sub::Hi:
        return for_integer(op.type, []<class T> { return lanewise<mad_hi<T>>; });
    case ir::Sub::Lo:
        return for_unsigned(op.type, []<class T> { return lanewise<mad_lo<T>>; });
    default:
        return nullptr;
    }
}

template <class T>
VectorOp select_24(const ir::MicroOp& op) {
    const bool high = op.sub == ir::Sub::Hi;
    if (!high && op.sub != ir::Sub::Lo) {
        return nullptr;
    }
    if (op.opcode == ir::Opcode::Mul24) {
        return high ? lanewise<mul24_hi<T>> : lanewise<mul24_lo<T>>;
    }
    if (op.has(ir::kSaturate)) {
        return high && std::is_signed_v<T> ? lanewise<mad24_hi_sat> : nullptr;
    }
    return high ? lanewise<mad24_hi<T>> : lanewise<mad24_lo<T>>;
}

template <class B>
VectorOp select_dot(const ir::MicroOp& op) {
    const bool is_signed = op.type == ir::Type::S32;
    if (op.opcode == ir::Opcode::Dp4a) {
        return is_signed ? lanewise<dot_4<std::int8_t, B>> : lanewise<dot_4<std::uint8_t, B>>;
    }
    if (op.sub == ir::Sub::Hi) {
        return is_signed ? lanewise<dot_2<int16_t, B, 2>> : lanewise<dot_2<uint16_t, B, 2>>;
    }
    return is_signed ? lanewise<dot_2<int16_t, B, 0>> : lanewise<dot_2<uint16_t, B, 0>>;
}

VectorOp select_sum(const ir::MicroOp& op) {
    const bool sum = op.opcode == ir::Opcode::Add;
    if (op.has(ir::kSaturate)) {
        return op.type != ir::Type::S32 ? nullptr : sum ? lanewise<add_sat> : lanewise<sub_sat>;
    }
    return sum ? for_unsigned(op.type, []<class T> { return lanewise<add<T>>; })
               : for_unsigned(op.type, []<class T> { return lanewise<sub<T>>; });
}

VectorOp select(const ir::MicroOp& op) {
    using enum ir::Opcode;
    switch (op.opcode) {
    case Add:
    case Sub:
        return select_sum(op);
    case Mul:
        return select_mul(op);
    case Mad:
        return select_mad(op);
    case Mul24:
    case Mad24:
        return op.type == ir::Type::S32   ? select_24<int32_t>(op)
               : op.type == ir::Type::U32 ? select_24<uint32_t>(op)
                                          : nullptr;
    case Dp4a:
    case Dp2a:
        return op.from == ir::Type::S32 ? select_dot<std::int8_t>(op) : select_dot<std::uint8_t>(op);
    case Div:
        return for_integer(op.type, []<class T> { return lanewise<divide<T>>; });
    case Rem:
        return for_integer(op.type, []<class T> { return lanewise<remainder<T>>; });
    case Neg:
        return for_unsigned(op.type, []<class T> { return lanewise<negate<T>>; });
    case Abs:
        return for_integer(op.type, []<class T> { return lanewise<absolute<T>>; });
    case Min:
        return op.has(ir::kRelu) ? nullptr : for_integer(op.type, []<class T> { return lanewise<minimum<T>>; });
    case Max:
        return op.has(ir::kRelu) ? nullptr : for_integer(op.type, []<class T> { return lanewise<maximum<T>>; });
    case Sad:
        return for_integer(op.type, []<class T> { return lanewise<sad<T>>; });
    default:
        return nullptr;
    }
}

} // namespace
} // namespace heddle::exec::ops::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace heddle::exec::ops {

HWY_EXPORT(select);

VectorOp select_int_arith(const ir::MicroOp& op) {
    return HWY_DYNAMIC_DISPATCH(select)(op);
}

} // namespace heddle::exec::ops
#endif
