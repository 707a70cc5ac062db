// lop3: logic functions of three inputs.
// foreach_target.h compiles this file once a target; it must come before the other headers.
// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exec/ops/lop3.cpp"
#include "exec/ops/targets.h"
#include <hwy/foreach_target.h>
// clang-format on

#include "exec/ops/families.h"
#include "exec/ops/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace heddle::exec::ops::HWY_NAMESPACE {
namespace {

using std::uint32_t;

// lop3: bit i of the truth table is the result for (a, b, c) = the bits of i. The table's eight bits are spread to
// masks once; each chooses its minterm.

HWY_INLINE uint32_t choose(uint32_t selector, uint32_t if_set, uint32_t if_clear) {
    return if_clear ^ (selector & (if_set ^ if_clear));
}

void lop3(const ir::MicroOp& op, std::byte* frame, const std::byte* pool, std::uint32_t mask) {
    uint32_t table[8];
    for (unsigned row = 0; row < 8; ++row) {
        table[row] = (op.imm >> row & 1) != 0 ? ~uint32_t{0} : 0;
    }
    const auto a = open<uint32_t>(op, op.src[0], frame, pool);
    const auto b = open<uint32_t>(op, op.src[1], frame, pool);
    const auto c = open<uint32_t>(op, op.src[2], frame, pool);
    auto* to = reinterpret_cast<uint32_t*>(frame + op.dst[0]);
    HEDDLE_EACH_LANE
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
        const uint32_t z = c[lane];
        const uint32_t y = b[lane];
        const uint32_t if_clear = choose(y, choose(z, table[3], table[2]), choose(z, table[1], table[0]));
        const uint32_t if_set = choose(y, choose(z, table[7], table[6]), choose(z, table[5], table[4]));
        const uint32_t result = choose(a[lane], if_set, if_clear);
        to[lane] = (mask & kLaneBit[lane]) != 0 ? result : to[lane];
    }
}

// lop3 with a predicate: whether the result is not 0, combined with a predicate.
void lop3_combined(const ir::MicroOp& op, std::byte* frame, const std::byte* pool, std::uint32_t mask) {
    lop3(op, frame, pool, mask);
    const auto* result = reinterpret_cast<const uint32_t*>(frame + op.dst[0]);
    uint32_t bits = 0, other;
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
        bits |= result[lane] != 0 ? kLaneBit[lane] : 0;
    }
    std::memcpy(&other, source(op.src[3], frame, pool), sizeof other);
    other = op.has(ir::kCombineNegated) ? ~other : other;
    write_predicate(frame, op.dst[1], mask, op.combine == ir::BoolOp::And ? bits & other : bits | other);
}

VectorOp select(const ir::MicroOp& op) {
    if (op.opcode != ir::Opcode::Lop3 || ptx::size_of(op.type) != 4) {
        return nullptr;
    }
    return op.combine == ir::BoolOp::None ? each_row<lop3> : each_row<lop3_combined>;
}

} // namespace
} // namespace heddle::exec::ops::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace heddle::exec::ops {

HWY_EXPORT(select);

VectorOp select_lop3(const ir::MicroOp& op) {
    return HWY_DYNAMIC_DISPATCH(select)(op);
}

} // namespace heddle::exec::ops
#endif
