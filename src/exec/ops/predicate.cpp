// Logic on predicates: one 32-bit mask a row, so one word operation for all lanes.
#include <cstring>

#include "exec/ops/families.h"

namespace heddle::exec::ops {

namespace {

using std::uint32_t;

uint32_t load(const std::byte* from) {
    uint32_t bits;
    std::memcpy(&bits, from, sizeof bits);
    return bits;
}

uint32_t both(uint32_t a, uint32_t b) {
    return a & b;
}

uint32_t either(uint32_t a, uint32_t b) {
    return a | b;
}

uint32_t one_of(uint32_t a, uint32_t b) {
    return a ^ b;
}

uint32_t same(uint32_t a, uint32_t) {
    return a;
}

uint32_t opposite(uint32_t a, uint32_t) {
    return ~a;
}

template <auto F, bool TwoSources>
void masks(const ir::MicroOp& op, const Frames& frames, std::span<const warp::Part> parts) {
    const uint32_t negation = op.has(ir::kSourceNegated) ? ~uint32_t{0} : 0;
    for (const warp::Part& part : parts) {
        std::byte* const frame = frames.of(part.row);
        const auto mask = static_cast<uint32_t>(part.lanes);
        const uint32_t a = load(source(op.src[0], frame, frames.pool)) ^ negation;
        const uint32_t b = TwoSources ? load(source(op.src[1], frame, frames.pool)) : 0;
        const uint32_t old = load(frame + op.dst[0]);
        const uint32_t result = (old & ~mask) | (F(a, b) & mask);
        std::memcpy(frame + op.dst[0], &result, sizeof result);
    }
}

} // namespace

VectorOp select_predicate(const ir::MicroOp& op) {
    if (op.type != ir::Type::Pred) {
        return nullptr;
    }
    using enum ir::Opcode;
    switch (op.opcode) {
    case Mov:
        return masks<same, false>;
    case Not:
        return masks<opposite, false>;
    case And:
        return masks<both, true>;
    case Or:
        return masks<either, true>;
    case Xor:
        return masks<one_of, true>;
    default:
        return nullptr;
    }
}

} // namespace heddle::exec::ops
