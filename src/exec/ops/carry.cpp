// Extended precision: sums, differences and multiply-adds with a carry in, a carry out or both. The carry is a
// predicate: the last source (kSourceNegated never set) and dst[1], kNowhere without a carry out. foreach_target.h
// compiles this file once a target; it must come before the other headers.
// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exec/ops/carry.cpp"
#include "exec/ops/targets.h"
#include <hwy/foreach_target.h>
// clang-format on

#include "exec/ops/families.h"
#include "exec/ops/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace heddle::exec::ops::HWY_NAMESPACE {
namespace {

template <class T>
HWY_INLINE T sum(T a, T b, bool carry) {
    return a + b + (carry ? T{1} : T{0});
}

template <class T>
HWY_INLINE bool sum_carries(T a, T b, bool carry) {
    const T both = a + b;
    return both < a || (carry && both == static_cast<T>(~T{0}));
}

// a + ~b + carry: the carry is true where nothing is borrowed.
template <class T>
HWY_INLINE T difference(T a, T b, bool carry) {
    return sum(a, static_cast<T>(~b), carry);
}

template <class T>
HWY_INLINE bool difference_carries(T a, T b, bool carry) {
    return sum_carries(a, static_cast<T>(~b), carry);
}

template <class T>
HWY_INLINE T high_half(T a, T b) {
    __extension__ using Double =
        std::conditional_t<sizeof(T) == 4, std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>,
                           std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>>;
    return static_cast<T>(static_cast<Double>(a) * b >> (8 * sizeof(T)));
}

// T: signed where the high half of the product depends on signs.
template <class T, bool High>
HWY_INLINE std::make_unsigned_t<T> half_product(T a, T b) {
    using U = std::make_unsigned_t<T>;
    return High ? static_cast<U>(high_half(a, b)) : static_cast<U>(a) * static_cast<U>(b);
}

template <class T, bool High>
HWY_INLINE std::make_unsigned_t<T> multiply_add(T a, T b, std::make_unsigned_t<T> c, bool carry) {
    return sum(half_product<T, High>(a, b), c, carry);
}

template <class T, bool High>
HWY_INLINE bool multiply_add_carries(T a, T b, std::make_unsigned_t<T> c, bool carry) {
    return sum_carries(half_product<T, High>(a, b), c, carry);
}

// The carry of all lanes is computed before the result is written: a source may be the result's register.
template <auto Result, auto Carries>
HWY_INLINE void with_carry(const ir::MicroOp& op, std::byte* frame, const std::byte* pool, std::uint32_t mask) {
    const std::uint32_t carries = op.dst[1] == ir::kNowhere ? 0 : lane_mask<Carries>(op, frame, pool);
    lanewise_row<Result>(op, frame, pool, mask);
    write_predicate(frame, op.dst[1], mask, carries);
}

template <auto Result, auto Carries>
inline constexpr VectorOp carrying = &each_row<&with_carry<Result, Carries>>;

template <class T>
VectorOp select_half(const ir::MicroOp& op) {
    using U = std::make_unsigned_t<T>;
    return op.sub == ir::Sub::Hi ? carrying<multiply_add<T, true>, multiply_add_carries<T, true>>
                                 : carrying<multiply_add<U, false>, multiply_add_carries<U, false>>;
}

VectorOp select(const ir::MicroOp& op) {
    using enum ir::Opcode;
    using enum ir::Type;
    const bool wide = op.type == U64 || op.type == S64;
    switch (op.opcode) {
    case AddC:
        return wide ? carrying<sum<std::uint64_t>, sum_carries<std::uint64_t>>
                    : carrying<sum<std::uint32_t>, sum_carries<std::uint32_t>>;
    case SubC:
        return wide ? carrying<difference<std::uint64_t>, difference_carries<std::uint64_t>>
                    : carrying<difference<std::uint32_t>, difference_carries<std::uint32_t>>;
    case MadC:
        return op.type == U32   ? select_half<std::uint32_t>(op)
               : op.type == S32 ? select_half<std::int32_t>(op)
               : op.type == U64 ? select_half<std::uint64_t>(op)
               : op.type == S64 ? select_half<std::int64_t>(op)
                                : nullptr;
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

VectorOp select_carry(const ir::MicroOp& op) {
    return HWY_DYNAMIC_DISPATCH(select)(op);
}

} // namespace heddle::exec::ops
#endif
