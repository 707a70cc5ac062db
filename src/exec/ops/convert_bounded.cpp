// Conversions with .relu, .satfinite or .rs, from and to formats of 4 to 8 bits, and cvt.pack. With integer operations,
// lane by lane: these instructions are rare.
#include <algorithm>
#include <bit>

#include "exec/ops/families.h"
#include "exec/ops/lane_by_lane.h"
#include "exec/small_floats.h"

namespace heddle::exec::ops {

namespace {

using ir::Rounding, ir::Type;
using std::int32_t, std::int64_t, std::size_t, std::uint32_t, std::uint64_t;

// tf32 without the 13 zeros below its digits.
constexpr SmallFloat kTF32{0x40000, 10, 127, 0x3fbff, 0x3fc00, 0x3ffff};
constexpr int kTF32Zeros = 13;

// A format, the bits that a number of it takes in a register, and how many numbers are in the register.
struct Packing {
    const SmallFloat* format = nullptr; // null: ue8m0
    int width = 0;
    int count = 0;
};

Packing packing_of(Type type) {
    switch (type) {
    case Type::E4M3x2:
        return {&kE4M3, 8, 2};
    case Type::E5M2x2:
        return {&kE5M2, 8, 2};
    case Type::E2M3x2:
        return {&kE2M3, 8, 2};
    case Type::E3M2x2:
        return {&kE3M2, 8, 2};
    case Type::E2M1x2:
        return {&kE2M1, 4, 2};
    case Type::UE8M0x2:
        return {nullptr, 8, 2};
    case Type::E4M3x4:
        return {&kE4M3, 8, 4};
    case Type::E5M2x4:
        return {&kE5M2, 8, 4};
    case Type::E2M3x4:
        return {&kE2M3, 8, 4};
    case Type::E3M2x4:
        return {&kE3M2, 8, 4};
    case Type::E2M1x4:
        return {&kE2M1, 4, 4};
    case Type::F16:
        return {&kSmallF16, 16, 1};
    case Type::F16x2:
        return {&kSmallF16, 16, 2};
    case Type::BF16:
        return {&kSmallBF16, 16, 1};
    case Type::BF16x2:
        return {&kSmallBF16, 16, 2};
    default:
        return {&kTF32, 32, 1};
    }
}

// The random bits for number i of `to`, from 0 for the first source.
uint32_t random_bits(const Packing& to, uint32_t random, int i, int& bits) {
    if (to.count == 2) { // a half for each number
        bits = 23 - to.format->mantissa;
        return (i == 0 ? random >> 16 : random) & ((1U << bits) - 1);
    }
    if (to.width == 4) { // a byte for each number: the first has the highest, the second that of the lower half
        bits = 8;
        return random >> (24 - 16 * (i % 2) - 8 * (i / 2)) & 0xff;
    }
    bits = 16; // the upper half for two numbers, the lower for the others
    return i < 2 ? random >> 16 : random & 0xffff;
}

uint32_t code(const ir::MicroOp& op, const Packing& to, float value, uint32_t random, int i) {
    const bool satfinite = op.has(ir::kSatFinite);
    const SmallFloat& format = *to.format;
    switch (op.rounding) {
    case Rounding::Rz:
        return code_toward_zero(format, value, satfinite);
    case Rounding::Rna:
        return code_of_away(format, value, satfinite);
    case Rounding::Rs: {
        int bits = 0;
        const uint32_t share = random_bits(to, random, i, bits);
        return code_of(format, value, satfinite, share, bits);
    }
    default:
        return code_of(format, value, satfinite);
    }
}

// Number i of the sources: an f32 each, or the halves of one register, the upper half first.
float number(const ir::MicroOp& op, const LaneSources& sources, int i) {
    if (op.from == Type::F32) {
        return std::bit_cast<float>(sources[static_cast<size_t>(i)]);
    }
    const uint32_t half = i == 0 ? sources[0] >> 16 : sources[0] & 0xffff;
    return op.from == Type::F16x2 ? float_of(kSmallF16, half) : std::bit_cast<float>(half << 16);
}

uint32_t convert_down(const ir::MicroOp& op, const LaneSources& sources) {
    const Packing to = packing_of(op.type);
    uint32_t result = 0;
    for (int i = 0; i < to.count; ++i) {
        const float value = number(op, sources, i);
        uint32_t next = 0;
        if (to.format == nullptr) {
            next = ue8m0_of(value, op.rounding == Rounding::Rp, op.has(ir::kSatFinite));
        } else {
            next = code(op, to, value, sources[static_cast<size_t>(to.count)], i);
            next = op.has(ir::kRelu) ? rectified(*to.format, next) : next;
        }
        result = to.width == 32 ? next : result << to.width | next;
    }
    if (op.type == Type::TF32) {
        return result == kTF32.nan ? 0x7fffffff : result << kTF32Zeros;
    }
    return result;
}

uint32_t convert_up(const ir::MicroOp& op, const LaneSources& sources) {
    const Packing from = packing_of(op.from);
    uint32_t result = 0;
    for (int i = 0; i < 2; ++i) {
        const uint32_t narrow = i == 0 ? sources[0] >> from.width : sources[0];
        if (from.format == nullptr) {
            result = result << 16 | std::bit_cast<uint32_t>(float_of_ue8m0(narrow)) >> 16;
        } else {
            const uint32_t wide = code_of(kSmallF16, float_of(*from.format, narrow), false); // exact
            result = result << 16 | (op.has(ir::kRelu) ? rectified(kSmallF16, wide) : wide);
        }
    }
    return result;
}

// imm: bits of an element, negative where it is signed. The first source is above the second, the third above both.
uint32_t pack(const ir::MicroOp& op, const LaneSources& sources) {
    const bool is_signed = op.imm < 0;
    const int bits = static_cast<int>(is_signed ? -op.imm : op.imm);
    const int64_t least = is_signed ? -(int64_t{1} << (bits - 1)) : 0;
    const int64_t most = (int64_t{1} << (is_signed ? bits - 1 : bits)) - 1;
    const uint32_t field = (1U << bits) - 1;
    const auto element = [&](uint32_t word) {
        return static_cast<uint32_t>(std::clamp<int64_t>(static_cast<int32_t>(word), least, most)) & field;
    };
    const uint32_t pair = element(sources[0]) << bits | element(sources[1]);
    return bits == 16 ? pair : sources[2] << (2 * bits) | pair;
}

} // namespace

VectorOp select_convert_bounded(const ir::MicroOp& op) {
    return ptx::is_small_float(op.from) ? lane_by_lane<convert_up> : lane_by_lane<convert_down>;
}

VectorOp select_convert_pack(const ir::MicroOp& op) {
    return op.opcode == ir::Opcode::CvtPack ? lane_by_lane<pack> : nullptr;
}

} // namespace heddle::exec::ops
