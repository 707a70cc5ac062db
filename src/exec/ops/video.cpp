// vadd, vmad, vset and similar instructions: lane by lane, in integers that hold every intermediate result.
#include <algorithm>
#include <cstdlib>

#include "exec/ops/families.h"
#include "exec/ops/lane_by_lane.h"

namespace heddle::exec::ops {

namespace {

using ir::Opcode, ir::Type;
using std::int32_t, std::int64_t, std::uint32_t;
__extension__ using Wide = __int128;
namespace rule = ir::video_rule;

// A selector of `imm`: where its part of a register begins, and its bits.
struct Part {
    int shift, bits;
};

Part part_of(int64_t imm, int which) {
    const auto selector = imm >> which & 7;
    if (selector == rule::kWord) {
        return {0, 32};
    }
    return selector < rule::kHalf ? Part{8 * static_cast<int>(selector - rule::kByte), 8}
                                  : Part{16 * static_cast<int>(selector - rule::kHalf), 16};
}

int64_t extract(uint32_t word, Part part, bool is_signed) {
    const uint32_t high = word << (32 - part.shift - part.bits);
    return is_signed ? static_cast<int32_t>(high) >> (32 - part.bits) : static_cast<int64_t>(high >> (32 - part.bits));
}

bool holds(ir::Sub how, int64_t a, int64_t b) {
    switch (how) {
    case ir::Sub::Eq:
        return a == b;
    case ir::Sub::Ne:
        return a != b;
    case ir::Sub::Lt:
        return a < b;
    case ir::Sub::Le:
        return a <= b;
    case ir::Sub::Gt:
        return a > b;
    default:
        return a >= b;
    }
}

Wide primary(const ir::MicroOp& op, int64_t a, int64_t b) {
    const int64_t count = op.has(ir::kClamp) ? std::min<int64_t>(b, 32) : b & 31;
    switch (op.opcode) {
    case Opcode::Vadd:
        return a + b;
    case Opcode::Vsub:
        return a - b;
    case Opcode::Vabsdiff:
        return std::abs(a - b);
    case Opcode::Vmin:
        return std::min(a, b);
    case Opcode::Vmax:
        return std::max(a, b);
    case Opcode::Vshl:
        return Wide{a} * (Wide{1} << count);
    case Opcode::Vshr:
        return a >> count;
    default:
        return holds(op.sub, a, b) ? 1 : 0;
    }
}

Wide clamp(Wide value, bool is_signed, int bits) {
    const Wide least = is_signed ? -(Wide{1} << (bits - 1)) : Wide{0};
    const Wide most = (Wide{1} << (is_signed ? bits - 1 : bits)) - 1;
    return std::clamp(value, least, most);
}

// The operation of the result and c, or the merge of the result into c.
uint32_t secondary(const ir::MicroOp& op, uint32_t value, uint32_t c) {
    const bool is_signed = op.type == Type::S32;
    const bool less = is_signed ? static_cast<int32_t>(value) < static_cast<int32_t>(c) : value < c;
    if ((op.imm & rule::kAdds) != 0) {
        return value + c;
    }
    if ((op.imm & rule::kMinimum) != 0) {
        return less ? value : c;
    }
    if ((op.imm & rule::kMaximum) != 0) {
        return less ? c : value;
    }
    if ((op.imm & rule::kMerges) == 0) {
        return value;
    }
    const Part part = part_of(op.imm, rule::kSelectD);
    const uint32_t field = ((uint32_t{1} << part.bits) - 1) << part.shift;
    return (c & ~field) | (value << part.shift & field);
}

uint32_t compute(const ir::MicroOp& op, const LaneSources& sources) {
    const int64_t a = extract(sources[0], part_of(op.imm, rule::kSelectA), op.from == Type::S32);
    const int64_t b = extract(sources[1], part_of(op.imm, rule::kSelectB), (op.imm & rule::kSignedB) != 0);
    Wide value = primary(op, a, b);
    if (op.has(ir::kSaturate)) {
        value = clamp(value, op.type == Type::S32, part_of(op.imm, rule::kSelectD).bits);
    }
    return secondary(op, static_cast<uint32_t>(value), sources[2]);
}

// a * b + c, of which one term may be negated. c has the sign of the product; the result is signed where a term is.
uint32_t multiply_add(const ir::MicroOp& op, const LaneSources& sources) {
    const bool signed_b = (op.imm & rule::kSignedB) != 0, negated = (op.imm & rule::kNegatedProduct) != 0;
    const bool negated_c = (op.imm & rule::kNegatedC) != 0;
    const bool signed_product = op.from == Type::S32 || signed_b || negated;
    const Wide product = Wide{extract(sources[0], part_of(op.imm, rule::kSelectA), op.from == Type::S32)} *
                         extract(sources[1], part_of(op.imm, rule::kSelectB), signed_b);
    const Wide c = extract(sources[2], {0, 32}, signed_product);
    const Wide sum = (negated ? -product : product) + (negated_c ? -c : c) + ((op.imm & rule::kPlusOne) != 0 ? 1 : 0);
    const Wide scaled = sum >> (op.imm >> rule::kShift);
    return static_cast<uint32_t>(op.has(ir::kSaturate) ? clamp(scaled, signed_product || negated_c, 32) : scaled);
}

} // namespace

VectorOp select_video(const ir::MicroOp& op) {
    if (op.opcode == Opcode::Vmad) {
        return lane_by_lane<multiply_add>;
    }
    return op.opcode >= Opcode::Vadd && op.opcode <= Opcode::Vset ? lane_by_lane<compute> : nullptr;
}

} // namespace heddle::exec::ops
