// setp and set from f16, bf16 and pairs of them.
// foreach_target.h compiles this file once a target; it must come before the other headers.
// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exec/ops/half_compare.cpp"
#include "exec/ops/targets.h"
#include <hwy/foreach_target.h>
// clang-format on

#include "exec/ops/compare-inl.h"
#include "exec/ops/families.h"
#include "exec/ops/half-inl.h"

HWY_BEFORE_NAMESPACE();
namespace heddle::exec::ops::HWY_NAMESPACE {
namespace {

// Operands as f32, which is exact and keeps comparisons: one number for each lane, or both halves of pairs.
struct Operands {
    WideRow<float> low[2], high[2];
};

template <class H>
HWY_NOINLINE void widen_operands(const ir::MicroOp& op, const std::byte* frame, const std::byte* pool, bool packed,
                                 Operands& to) {
    for (unsigned i = 0; i < 2; ++i) {
        const auto* from = reinterpret_cast<const std::uint32_t*>(source(op.src[i], frame, pool));
        widen_row<H>(from, 0, op.has(ir::kFtz), to.low[i]);
        if (packed) {
            widen_row<H>(from, 16, op.has(ir::kFtz), to.high[i]);
        }
    }
}

template <ir::Sub Relation>
std::uint32_t relation(const WideRow<float> (&operands)[2]) {
    return collect<&compare<float, Relation, false>, float, float>(operands[0].input(), operands[1].input());
}

// For pairs p compares the low halves and q the high halves; set writes a value to each half.
template <class H, ir::Sub Relation>
void compare_row(const ir::MicroOp& op, std::byte* frame, const std::byte* pool, std::uint32_t mask) {
    const bool packed = ptx::is_packed(compared_type(op));
    Operands operands;
    widen_operands<H>(op, frame, pool, packed, operands);
    const std::uint32_t low = relation<Relation>(operands.low);
    const std::uint32_t high = packed ? relation<Relation>(operands.high) : low;
    if (op.opcode == ir::Opcode::Setp) {
        write_setp(op, frame, pool, mask, low, packed ? high : ~low);
    } else {
        write_set(op, frame, mask, combine(op, frame, pool, low), combine(op, frame, pool, high));
    }
}

VectorOp select(const ir::MicroOp& op) {
    const bool setp = op.opcode == ir::Opcode::Setp;
    if ((!setp && op.opcode != ir::Opcode::Set) || op.dst_bytes != 4) {
        return nullptr;
    }
    return for_half(compared_type(op), [&]<class H> {
        return for_relation(op.sub, []<ir::Sub Relation> { return &each_row<compare_row<H, Relation>>; });
    });
}

} // namespace
} // namespace heddle::exec::ops::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace heddle::exec::ops {

HWY_EXPORT(select);

VectorOp select_half_compare(const ir::MicroOp& op) {
    return HWY_DYNAMIC_DISPATCH(select)(op);
}

} // namespace heddle::exec::ops
#endif
