// Logic, shifts, bit fields and byte permutation.
// foreach_target.h compiles this file once a target; it must come before the other headers.
// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exec/ops/bits.cpp"
#include "exec/ops/targets.h"
#include <hwy/foreach_target.h>
// clang-format on

#include "exec/ops/families.h"
#include "exec/ops/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace heddle::exec::ops::HWY_NAMESPACE {
namespace {

using std::int32_t, std::int64_t, std::uint16_t, std::uint32_t, std::uint64_t;

template <class T>
inline constexpr uint32_t kWidth = 8 * sizeof(T);

template <class T>
HWY_INLINE T bit_and(T a, T b) {
    return static_cast<T>(a & b);
}

template <class T>
HWY_INLINE T bit_or(T a, T b) {
    return static_cast<T>(a | b);
}

template <class T>
HWY_INLINE T bit_xor(T a, T b) {
    return static_cast<T>(a ^ b);
}

template <class T>
HWY_INLINE T bit_not(T a) {
    return static_cast<T>(~a);
}

template <class T>
HWY_INLINE T is_zero(T a) {
    return a == 0 ? T{1} : T{0};
}

// The result of shifts by the width or more is 0, or copies of the sign.
template <class T>
HWY_INLINE T shift_left(T a, uint32_t count) {
    return count < kWidth<T> ? static_cast<T>(a << (count % kWidth<T>)) : T{0};
}

template <class T>
HWY_INLINE T shift_right(T a, uint32_t count) {
    if constexpr (std::is_signed_v<T>) {
        return static_cast<T>(a >> (count < kWidth<T> ? count : kWidth<T> - 1));
    } else {
        return count < kWidth<T> ? static_cast<T>(a >> (count % kWidth<T>)) : T{0};
    }
}

// shf: shifts the 64 bits b:a; the result is the upper half for left, the lower half for right.
template <bool Clamp>
HWY_INLINE uint64_t funnel_count(uint32_t c) {
    return Clamp ? (c < 32 ? c : 32) : c % 32;
}

template <bool Clamp>
HWY_INLINE uint32_t funnel_left(uint32_t a, uint32_t b, uint32_t c) {
    return static_cast<uint32_t>(((uint64_t{b} << 32 | a) << funnel_count<Clamp>(c)) >> 32);
}

template <bool Clamp>
HWY_INLINE uint32_t funnel_right(uint32_t a, uint32_t b, uint32_t c) {
    return static_cast<uint32_t>((uint64_t{b} << 32 | a) >> funnel_count<Clamp>(c));
}

// `length` ones from bit 0; the lengths and positions of bfe and bfi are bytes.
template <class T>
HWY_INLINE T ones(uint32_t length) {
    return length < kWidth<T> ? static_cast<T>((T{1} << (length % kWidth<T>)) - 1) : static_cast<T>(~T{0});
}

// Bits above the top, and the extension of the field, are zeros, or copies of the sign for signed types.
template <class T>
HWY_INLINE T extract(T a, uint32_t b, uint32_t c) {
    const uint32_t position = b & 0xff;
    const uint32_t length = c & 0xff;
    const T field = shift_right(a, position);
    if constexpr (std::is_signed_v<T>) {
        using U = std::make_unsigned_t<T>;
        const uint32_t unused = length < kWidth<T> ? kWidth<T> - length : 0;
        const auto top = static_cast<T>(static_cast<U>(field) << (unused % kWidth<T>));
        return length == 0 ? T{0} : static_cast<T>(top >> (unused % kWidth<T>));
    } else {
        return static_cast<T>(field & ones<T>(length));
    }
}

// Inserts the low bits of a into b.
template <class T>
HWY_INLINE T insert(T a, T b, uint32_t c, uint32_t d) {
    const uint32_t position = c & 0xff;
    const T field = shift_left(ones<T>(d & 0xff), position);
    return static_cast<T>((b & ~field) | (shift_left(a, position) & field));
}

// The highest bit that differs from the sign; all ones when there is none. As a shift amount: the distance
// from that bit to the top bit.
template <class T, bool ShiftAmount>
HWY_INLINE uint32_t find_leading(T a) {
    using U = std::make_unsigned_t<T>;
    const auto bits = static_cast<U>(std::is_signed_v<T> && a < 0 ? ~a : a);
    const auto zeros = static_cast<uint32_t>(std::countl_zero(bits));
    return bits == 0 ? ~uint32_t{0} : ShiftAmount ? zeros : kWidth<T> - 1 - zeros;
}

template <class T>
HWY_INLINE uint32_t leading_zeros(T a) {
    return static_cast<uint32_t>(std::countl_zero(a));
}

// Sums of neighbouring bits, pairs, nibbles and bytes: vectorises without a population count instruction.
template <class T>
HWY_INLINE uint32_t count_ones(T a) {
    constexpr T kAll = static_cast<T>(~T{0});
    a = a - ((a >> 1) & (kAll / 3));
    a = (a & (kAll / 5)) + ((a >> 2) & (kAll / 5));
    a = (a + (a >> 4)) & (kAll / 17);
    a = a + (a >> 8);
    a = a + (a >> 16);
    if constexpr (sizeof(T) == 8) {
        a = a + (a >> 32);
    }
    return static_cast<uint32_t>(a & 0xff);
}

template <class T>
HWY_INLINE T reverse(T a) {
    constexpr T kAll = static_cast<T>(~T{0});
    const auto swap = [](T bits, unsigned distance, T low)
                          HWY_ATTR { return static_cast<T>(((bits >> distance) & low) | ((bits & low) << distance)); };
    a = swap(a, 1, kAll / 3);
    a = swap(a, 2, kAll / 5);
    a = swap(a, 4, kAll / 17);
    a = swap(a, 8, kAll / 257);
    if constexpr (sizeof(T) == 8) {
        a = swap(a, 16, kAll / 65537);
        return a >> 32 | a << 32;
    } else {
        return a >> 16 | a << 16;
    }
}

// PTX ISA, "fns": the |offset|-th set bit from `base` on, upwards, or downwards when offset is negative; bit `base`
// itself when it is 0. All ones when there is none.
HWY_INLINE uint32_t nth_set(uint32_t mask, uint32_t base, uint32_t offset) {
    const bool down = static_cast<int32_t>(offset) < 0;
    const uint32_t wanted = down ? 0U - offset : offset == 0 ? 1U : offset;
    const uint32_t places = offset == 0 ? 1U : 32U;
    uint32_t seen = 0;
    uint32_t found = ~0U;
    for (uint32_t i = 0; i < places; ++i) {
        const uint32_t at = down ? base - i : base + i;
        const bool set = base < 32 && at < 32 && ((mask >> (at % 32)) & 1) != 0;
        seen += set ? 1 : 0;
        found = set && seen == wanted ? at : found;
    }
    return found;
}

// The eight bytes of b:a; the low three bits of a selector choose a byte, the fourth replaces the byte by its sign.
HWY_INLINE uint32_t byte_of(uint64_t bytes, uint32_t selector) {
    const auto byte = static_cast<uint32_t>(bytes >> (8 * (selector & 7))) & 0xff;
    return (selector & 8) != 0 ? (byte >> 7) * 0xffU : byte;
}

HWY_INLINE uint32_t four_bytes(uint32_t a, uint32_t b, uint32_t selectors) {
    const uint64_t bytes = uint64_t{b} << 32 | a;
    return byte_of(bytes, selectors) | byte_of(bytes, selectors >> 4) << 8 | byte_of(bytes, selectors >> 8) << 16 |
           byte_of(bytes, selectors >> 12) << 24;
}

HWY_INLINE uint32_t permute(uint32_t a, uint32_t b, uint32_t c) {
    return four_bytes(a, b, c);
}

// The modes with a fixed pattern: four selectors for each value of c's two low bits.
inline constexpr uint32_t kForward4[] = {0x3210, 0x4321, 0x5432, 0x6543};
inline constexpr uint32_t kBackward4[] = {0x5670, 0x6701, 0x7012, 0x0123};
inline constexpr uint32_t kReplicate8[] = {0x0000, 0x1111, 0x2222, 0x3333};
inline constexpr uint32_t kEdgeClampLeft[] = {0x3210, 0x3211, 0x3222, 0x3333};
inline constexpr uint32_t kEdgeClampRight[] = {0x0000, 0x1110, 0x2210, 0x3210};
inline constexpr uint32_t kReplicate16[] = {0x1010, 0x3232, 0x1010, 0x3232};

template <const uint32_t (&Pattern)[4]>
HWY_INLINE uint32_t permute_by(uint32_t a, uint32_t b, uint32_t c) {
    const uint32_t low = (c & 1) != 0 ? Pattern[1] : Pattern[0];
    const uint32_t high = (c & 1) != 0 ? Pattern[3] : Pattern[2];
    return four_bytes(a, b, (c & 2) != 0 ? high : low);
}

VectorOp select_prmt(ir::Sub mode) {
    using enum ir::Sub;
    switch (mode) {
    case None:
    case PrmtIndex:
        return lanewise<permute>;
    case PrmtF4e:
        return lanewise<permute_by<kForward4>>;
    case PrmtB4e:
        return lanewise<permute_by<kBackward4>>;
    case PrmtRc8:
        return lanewise<permute_by<kReplicate8>>;
    case PrmtEcl:
        return lanewise<permute_by<kEdgeClampLeft>>;
    case PrmtEcr:
        return lanewise<permute_by<kEdgeClampRight>>;
    case PrmtRc16:
        return lanewise<permute_by<kReplicate16>>;
    default:
        return nullptr;
    }
}

// bmsk: b ones from bit a on.
template <bool Clamp>
HWY_INLINE uint32_t bit_mask(uint32_t a, uint32_t b) {
    const uint64_t ones = (uint64_t{1} << funnel_count<Clamp>(b)) - 1;
    return static_cast<uint32_t>(ones << funnel_count<Clamp>(a));
}

// szext: the b low bits of a, extended. Of 32 bits and more: all of a with .clamp, b mod 32 bits with .wrap.
template <class T, bool Clamp>
HWY_INLINE T extend(T a, uint32_t b) {
    const uint32_t count = b & 31;
    const bool all = Clamp && b >= 32;
    const uint32_t above = all ? 0 : ~uint32_t{0} << count; // the bits that the extension fills
    const auto bits = static_cast<uint32_t>(a);
    const bool negative = std::is_signed_v<T> && count != 0 && !all && (bits >> ((count - 1) & 31) & 1) != 0;
    return static_cast<T>((bits & ~above) | (negative ? above : 0));
}

template <class T>
VectorOp select_szext(const ir::MicroOp& op) {
    return op.has(ir::kClamp) ? lanewise<extend<T, true>> : lanewise<extend<T, false>>;
}

VectorOp select_shf(const ir::MicroOp& op) {
    if (ptx::size_of(op.type) != 4) {
        return nullptr;
    }
    const bool clamp = op.has(ir::kClamp);
    switch (op.sub) {
    case ir::Sub::ShfLeft:
        return clamp ? lanewise<funnel_left<true>> : lanewise<funnel_left<false>>;
    case ir::Sub::ShfRight:
        return clamp ? lanewise<funnel_right<true>> : lanewise<funnel_right<false>>;
    default:
        return nullptr;
    }
}

// Operations of 32 and 64 bits.
template <class Make>
VectorOp for_words(ir::Type type, Make make) {
    return ptx::size_of(type) == 2 ? nullptr : for_integer(type, make);
}

template <class Make>
VectorOp for_plain_words(ir::Type type, Make make) {
    switch (ptx::size_of(type)) {
    case 4:
        return make.template operator()<uint32_t>();
    case 8:
        return make.template operator()<uint64_t>();
    default:
        return nullptr;
    }
}

VectorOp select_fields(const ir::MicroOp& op) {
    using enum ir::Opcode;
    switch (op.opcode) {
    case Bfe:
        return for_words(op.type, []<class T> { return lanewise<extract<T>>; });
    case Bfi:
        return for_plain_words(op.type, []<class T> { return lanewise<insert<T>>; });
    case Bfind:
        return op.has(ir::kShiftAmount) ? for_words(op.type, []<class T> { return lanewise<find_leading<T, true>>; })
                                        : for_words(op.type, []<class T> { return lanewise<find_leading<T, false>>; });
    case Clz:
        return for_plain_words(op.type, []<class T> { return lanewise<leading_zeros<T>>; });
    case Popc:
        return for_plain_words(op.type, []<class T> { return lanewise<count_ones<T>>; });
    case Brev:
        return for_plain_words(op.type, []<class T> { return lanewise<reverse<T>>; });
    default:
        return nullptr;
    }
}

VectorOp select(const ir::MicroOp& op) {
    if (ptx::is_float(op.type) || op.type == ir::Type::Pred) {
        return nullptr;
    }
    using enum ir::Opcode;
    switch (op.opcode) {
    case And:
        return for_unsigned(op.type, []<class T> { return lanewise<bit_and<T>>; });
    case Or:
        return for_unsigned(op.type, []<class T> { return lanewise<bit_or<T>>; });
    case Xor:
        return for_unsigned(op.type, []<class T> { return lanewise<bit_xor<T>>; });
    case Not:
        return for_unsigned(op.type, []<class T> { return lanewise<bit_not<T>>; });
    case Cnot:
        return for_unsigned(op.type, []<class T> { return lanewise<is_zero<T>>; });
    case Shl:
        return for_unsigned(op.type, []<class T> { return lanewise<shift_left<T>>; });
    case Shr:
        return for_integer(op.type, []<class T> { return lanewise<shift_right<T>>; });
    case Shf:
        return select_shf(op);
    case Bmsk:
        return op.has(ir::kClamp) ? lanewise<bit_mask<true>> : lanewise<bit_mask<false>>;
    case Szext:
        return op.type == ir::Type::S32   ? select_szext<std::int32_t>(op)
               : op.type == ir::Type::U32 ? select_szext<uint32_t>(op)
                                          : nullptr;
    case Fns:
        return ptx::size_of(op.type) == 4 ? lanewise<nth_set> : nullptr;
    case Prmt:
        return ptx::size_of(op.type) == 4 ? select_prmt(op.sub) : nullptr;
    default:
        return select_fields(op);
    }
}

} // namespace
} // namespace heddle::exec::ops::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace heddle::exec::ops {

HWY_EXPORT(select);

VectorOp select_bits(const ir::MicroOp& op) {
    return HWY_DYNAMIC_DISPATCH(select)(op);
}

} // namespace heddle::exec::ops
#endif
