// Halves and bytes of registers, computed independently: vadd2, vadd4 and similar instructions.
// foreach_target.h compiles this file once a target; it must come before the other headers.
// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exec/ops/elements.cpp"
#include "exec/ops/targets.h"
#include <hwy/foreach_target.h>
// clang-format on

#include <algorithm>
#include <limits>

#include "exec/ops/families.h"
#include "exec/ops/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace heddle::exec::ops::HWY_NAMESPACE {
namespace {

using std::int32_t, std::uint32_t;
namespace rule = ir::element_rule;

// PTX ISA, "vadd2" and so on: the result of an element.
template <ir::Opcode kOpcode>
HWY_INLINE int32_t compute(int32_t a, int32_t b) {
    using enum ir::Opcode;
    if constexpr (kOpcode == Vadd2)
        return a + b;
    else if constexpr (kOpcode == Vsub2)
        return a - b;
    else if constexpr (kOpcode == Vavrg2)
        return (a + b + (a + b >= 0 ? 1 : 0)) >> 1;
    else if constexpr (kOpcode == Vabsdiff2)
        return a < b ? b - a : a - b;
    else if constexpr (kOpcode == Vmin2)
        return std::min(a, b);
    else
        return std::max(a, b);
}

template <ir::Sub kSub>
HWY_INLINE int32_t compare(int32_t a, int32_t b) {
    using enum ir::Sub;
    return (kSub == Eq   ? a == b
            : kSub == Ne ? a != b
            : kSub == Lt ? a < b
            : kSub == Le ? a <= b
            : kSub == Gt ? a > b
                         : a >= b)
               ? 1
               : 0;
}

// Element `e` of `bits` bits.
HWY_INLINE int32_t element(uint32_t word, int e, int bits, bool is_signed) {
    const uint32_t high = word << (32 - bits * (e + 1));
    return is_signed ? static_cast<int32_t>(high) >> (32 - bits) : static_cast<int32_t>(high >> (32 - bits));
}

template <auto F, int kElements>
void each_element(const ir::MicroOp& op, std::byte* frame, const std::byte* pool, std::uint32_t mask) {
    constexpr int kBits = 32 / kElements;
    const auto a = open<uint32_t>(op, op.src[0], frame, pool);
    const auto b = open<uint32_t>(op, op.src[1], frame, pool);
    const auto c = open<uint32_t>(op, op.src[2], frame, pool);
    auto* to = reinterpret_cast<uint32_t*>(frame + op.dst[0]);
    const bool signed_a = op.from == ir::Type::S32, signed_b = (op.imm & rule::kSignedB) != 0;
    const bool adds = (op.imm & rule::kAdds) != 0, saturates = op.has(ir::kSaturate);
    const bool is_signed = op.type == ir::Type::S32;
    const int32_t least = is_signed ? -(1 << (kBits - 1)) : 0;
    const int32_t most = is_signed ? (1 << (kBits - 1)) - 1 : (1 << kBits) - 1;
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
        uint32_t result = c[lane];
        for (int e = 0; e < kElements; ++e) {
            if ((op.imm >> e & 1) == 0) {
                continue;
            }
            int32_t value = F(element(a[lane], e, kBits, signed_a), element(b[lane], e, kBits, signed_b));
            value = saturates ? std::clamp(value, least, most) : value;
            const uint32_t field = ((uint32_t{1} << kBits) - 1) << (kBits * e);
            result = adds ? result + static_cast<uint32_t>(value)
                          : (result & ~field) | (static_cast<uint32_t>(value) << (kBits * e) & field);
        }
        to[lane] = (mask & kLaneBit[lane]) != 0 ? result : to[lane];
    }
}

template <ir::Opcode kHalves>
VectorOp select_arithmetic(bool halves) {
    return halves ? each_row<each_element<compute<kHalves>, 2>> : each_row<each_element<compute<kHalves>, 4>>;
}

template <ir::Sub kSub>
VectorOp select_comparison(bool halves) {
    return halves ? each_row<each_element<compare<kSub>, 2>> : each_row<each_element<compare<kSub>, 4>>;
}

VectorOp select_set(ir::Sub sub, bool halves) {
    switch (sub) {
    case ir::Sub::Eq:
        return select_comparison<ir::Sub::Eq>(halves);
    case ir::Sub::Ne:
        return select_comparison<ir::Sub::Ne>(halves);
    case ir::Sub::Lt:
        return select_comparison<ir::Sub::Lt>(halves);
    case ir::Sub::Le:
        return select_comparison<ir::Sub::Le>(halves);
    case ir::Sub::Gt:
        return select_comparison<ir::Sub::Gt>(halves);
    case ir::Sub::Ge:
        return select_comparison<ir::Sub::Ge>(halves);
    default:
        return nullptr;
    }
}

VectorOp select(const ir::MicroOp& op) {
    using enum ir::Opcode;
    switch (op.opcode) {
    case Vadd2:
    case Vadd4:
        return select_arithmetic<Vadd2>(op.opcode == Vadd2);
    case Vsub2:
    case Vsub4:
        return select_arithmetic<Vsub2>(op.opcode == Vsub2);
    case Vavrg2:
    case Vavrg4:
        return select_arithmetic<Vavrg2>(op.opcode == Vavrg2);
    case Vabsdiff2:
    case Vabsdiff4:
        return select_arithmetic<Vabsdiff2>(op.opcode == Vabsdiff2);
    case Vmin2:
    case Vmin4:
        return select_arithmetic<Vmin2>(op.opcode == Vmin2);
    case Vmax2:
    case Vmax4:
        return select_arithmetic<Vmax2>(op.opcode == Vmax2);
    case Vset2:
    case Vset4:
        return select_set(op.sub, op.opcode == Vset2);
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

VectorOp select_elements(const ir::MicroOp& op) {
    return HWY_DYNAMIC_DISPATCH(select)(op);
}

} // namespace heddle::exec::ops
#endif
