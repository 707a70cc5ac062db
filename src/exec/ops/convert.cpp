// cvt between registers that may be wider than the types converted: done in registers of the right size.
#include <cstring>

#include "exec/ops/families.h"

namespace heddle::exec::ops {

namespace {

using std::int32_t, std::int64_t, std::uint32_t, std::uint64_t, std::uint8_t;

constexpr std::size_t kLanes = kVectorLanes;
constexpr ir::Place kResult = kLanes * sizeof(uint64_t); // behind the source in the frame used below

uint8_t storage_of(ir::Type type) {
    return ptx::size_of(type) == 8 ? 8 : 4;
}

bool is_bounded(const ir::MicroOp& op) {
    return op.has(ir::kRelu) || op.has(ir::kSatFinite) || op.rounding == ir::Rounding::Rs ||
           ptx::is_small_float(op.type) || ptx::is_small_float(op.from);
}

VectorOp select_sized(const ir::MicroOp& op) {
    if (is_bounded(op)) {
        return select_convert_bounded(op);
    }
    if (ptx::is_half(op.type) || ptx::is_half(op.from)) {
        return select_convert_half(op);
    }
    return ptx::is_float(op.from) ? select_convert_float(op) : select_convert_int(op);
}

// Copies the operand into a frame of its own with lanes of the type's size, converts there and extends the result.
// Rare: compilers use registers of the right size for conversions.
void convert_row(const ir::MicroOp& op, std::byte* frame, const std::byte* pool, uint32_t mask) {
    alignas(64) std::byte local[2 * kResult];
    ir::MicroOp sized = op;
    sized.src_bytes = storage_of(op.from);
    sized.dst_bytes = storage_of(op.type);
    sized.src[0] = 0;
    sized.dst[0] = kResult;
    const std::byte* from = source(op.src[0], frame, pool);
    for (std::size_t lane = 0; lane < kLanes; ++lane) { // the low bytes: places are little-endian
        std::memcpy(local + lane * sized.src_bytes, from + lane * op.src_bytes, sized.src_bytes);
    }
    const warp::Part all{0, ~uint32_t{0}};
    select_sized(sized)(sized, {local, 0, pool}, {&all, 1});
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
        if ((mask >> lane & 1) == 0) {
            continue;
        }
        uint64_t value = 0;
        std::memcpy(&value, local + kResult + lane * sized.dst_bytes, sized.dst_bytes);
        if (sized.dst_bytes == 4 && ptx::is_signed(op.type)) {
            value = static_cast<uint64_t>(int64_t{static_cast<int32_t>(value)});
        }
        std::memcpy(frame + op.dst[0] + lane * op.dst_bytes, &value, op.dst_bytes);
    }
}

void convert_resized(const ir::MicroOp& op, const Frames& frames, std::span<const warp::Part> parts) {
    for (const warp::Part& part : parts) {
        convert_row(op, frames.of(part.row), frames.pool, static_cast<uint32_t>(part.lanes));
    }
}

} // namespace

VectorOp select_convert(const ir::MicroOp& op) {
    if (op.opcode != ir::Opcode::Cvt || op.src_bytes < storage_of(op.from) || op.dst_bytes < storage_of(op.type)) {
        return nullptr;
    }
    const VectorOp found = select_sized(op);
    const bool sized = op.src_bytes == storage_of(op.from) && op.dst_bytes == storage_of(op.type);
    return found == nullptr || sized ? found : convert_resized;
}

} // namespace heddle::exec::ops
