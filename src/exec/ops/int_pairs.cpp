// u16x2 and s16x2: pairs of 16 bits in a word; extremes with .relu.
// foreach_target.h compiles this file once a target; it must come before the other headers.
// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exec/ops/int_pairs.cpp"
#include "exec/ops/targets.h"
#include <hwy/foreach_target.h>
// clang-format on

#include "exec/ops/families.h"
#include "exec/ops/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace heddle::exec::ops::HWY_NAMESPACE {
namespace {

using std::int16_t, std::int32_t, std::uint16_t, std::uint32_t;

template <class T>
HWY_INLINE T minimum(T a, T b) {
    return a < b ? a : b;
}

template <class T>
HWY_INLINE T maximum(T a, T b) {
    return a > b ? a : b;
}

// .relu: a negative result is 0.
HWY_INLINE int32_t minimum_relu(int32_t a, int32_t b) {
    return maximum(minimum(a, b), 0);
}

HWY_INLINE int32_t maximum_relu(int32_t a, int32_t b) {
    return maximum(maximum(a, b), 0);
}

// Pairs of 16 bits in a word: add wraps in each half.
HWY_INLINE uint32_t add_pairs(uint32_t a, uint32_t b) {
    constexpr uint32_t kTops = 0x80008000;
    return ((a & ~kTops) + (b & ~kTops)) ^ ((a ^ b) & kTops);
}

template <class T, bool Maximum, bool Relu>
HWY_INLINE uint32_t extreme_pairs(uint32_t a, uint32_t b) {
    using Word = std::conditional_t<std::is_signed_v<T>, int32_t, uint32_t>;
    const auto half = [](Word x, Word y) {
        const Word result = Maximum ? maximum(x, y) : minimum(x, y);
        return static_cast<uint32_t>(Relu ? maximum(result, Word{0}) : result);
    };
    const uint32_t low = half(static_cast<T>(a), static_cast<T>(b));
    const uint32_t high = half(static_cast<T>(a >> 16), static_cast<T>(b >> 16));
    return (low & 0xffff) | high << 16;
}

template <bool Maximum>
VectorOp select_extreme(const ir::MicroOp& op) {
    const bool relu = op.has(ir::kRelu);
    switch (op.type) {
    case ir::Type::U16x2:
        return relu ? nullptr : lanewise<extreme_pairs<uint16_t, Maximum, false>>;
    case ir::Type::S16x2:
        return relu ? lanewise<extreme_pairs<int16_t, Maximum, true>>
                    : lanewise<extreme_pairs<int16_t, Maximum, false>>;
    case ir::Type::S32:
        return !relu ? nullptr : Maximum ? lanewise<maximum_relu> : lanewise<minimum_relu>;
    default:
        return nullptr;
    }
}

VectorOp select(const ir::MicroOp& op) {
    switch (op.opcode) {
    case ir::Opcode::Add:
        return op.type == ir::Type::U16x2 || op.type == ir::Type::S16x2 ? lanewise<add_pairs> : nullptr;
    case ir::Opcode::Min:
        return select_extreme<false>(op);
    case ir::Opcode::Max:
        return select_extreme<true>(op);
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

VectorOp select_int_pairs(const ir::MicroOp& op) {
    return HWY_DYNAMIC_DISPATCH(select)(op);
}

} // namespace heddle::exec::ops
#endif
