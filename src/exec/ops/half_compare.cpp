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

template <class H, ir::Sub Relation, bool Ftz>
HWY_INLINE bool compare_half(H a, H b) {
    return compare<float, Relation, false>(widen(flush_half<Ftz>(a)), widen(flush_half<Ftz>(b)));
}

template <class H, ir::Sub Relation, bool Ftz>
HWY_INLINE bool compare_low(Pair<H> a, Pair<H> b) {
    return compare_half<H, Relation, Ftz>(a.low(), b.low());
}

template <class H, ir::Sub Relation, bool Ftz>
HWY_INLINE bool compare_high(Pair<H> a, Pair<H> b) {
    return compare_half<H, Relation, Ftz>(a.high(), b.high());
}

// setp p|q of pairs: p is of the low halves, q of the high ones.
template <auto Low, auto High>
void setp_pair(const ir::MicroOp& op, std::byte* frame, const std::byte* pool, std::uint32_t mask) {
    const std::uint32_t p = combine(op, frame, pool, lane_mask<Low>(op, frame, pool));
    const std::uint32_t q = op.dst[1] == ir::kNowhere ? 0 : combine(op, frame, pool, lane_mask<High>(op, frame, pool));
    write_predicate(frame, op.dst[0], mask, p);
    write_predicate(frame, op.dst[1], mask, q);
}

template <auto Low, auto High>
void set_pair(const ir::MicroOp& op, std::byte* frame, const std::byte* pool, std::uint32_t mask) {
    const std::uint32_t low = combine(op, frame, pool, lane_mask<Low>(op, frame, pool));
    const std::uint32_t high = combine(op, frame, pool, lane_mask<High>(op, frame, pool));
    const std::uint32_t yes = true_value(op.type);
    auto* to = reinterpret_cast<std::uint32_t*>(frame + op.dst[0]);
    HEDDLE_EACH_LANE
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
        const std::uint32_t result =
            ((low & kLaneBit[lane]) != 0 ? yes & 0xffff : 0) | ((high & kLaneBit[lane]) != 0 ? yes & 0xffff0000 : 0);
        to[lane] = (mask & kLaneBit[lane]) != 0 ? result : to[lane];
    }
}

template <class H, ir::Sub Relation, bool Ftz>
VectorOp instance_of(const ir::MicroOp& op, bool packed) {
    if (!packed) {
        return instance<compare_half<H, Relation, Ftz>>(op);
    }
    constexpr auto kLow = &compare_low<H, Relation, Ftz>;
    constexpr auto kHigh = &compare_high<H, Relation, Ftz>;
    return op.opcode == ir::Opcode::Setp ? &each_row<setp_pair<kLow, kHigh>> : &each_row<set_pair<kLow, kHigh>>;
}

VectorOp select(const ir::MicroOp& op) {
    const bool setp = op.opcode == ir::Opcode::Setp;
    if ((!setp && op.opcode != ir::Opcode::Set) || op.dst_bytes != 4) {
        return nullptr;
    }
    const ir::Type type = setp || op.from == ir::Type::None ? op.type : op.from;
    return for_half(type, [&]<class H> {
        return for_relation(op.sub, [&]<ir::Sub Relation> {
            return op.has(ir::kFtz) ? instance_of<H, Relation, true>(op, ptx::is_packed(type))
                                    : instance_of<H, Relation, false>(op, ptx::is_packed(type));
        });
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
