#include "sm/sub_core/warpgroup_products.h"

namespace heddle::sm {
namespace {

constexpr unsigned kWarps = kWarpgroup / kPtxWarp;

std::uint32_t bytes_of(unsigned elements, ir::Element element) {
    return elements * ir::bits_of(element) / 8;
}

} // namespace

ProductPart part_of(const ir::Matrix& matrix) {
    ProductPart out;
    out.first = matrix.first_column == 0;
    out.a_in_registers = !matrix.a_in_memory.present;
    if (matrix.a_in_memory.present)
        out.a_bytes = bytes_of(unsigned{matrix.a.shape.m} * matrix.a.shape.k, matrix.a.element);
    out.b_bytes = bytes_of(unsigned{matrix.b.shape.n} * matrix.b.shape.k, matrix.b.element) / kWarps;
    return out;
}

Cycle WarpgroupProducts::ready(const ProductPart& part, unsigned sub_core, Cycle now) {
    const std::uint64_t rate = config_.shared_bytes;
    bytes_end_ = std::max(bytes_end_, now * rate) + (part.first ? part.a_bytes : 0) + part.b_bytes;
    const std::uint64_t in_tail = std::uint64_t{kWarps} * part.a_bytes + part.b_bytes; // of this and the other warps
    Cycle at = std::max<Cycle>(now, (bytes_end_ - std::min<std::uint64_t>(bytes_end_, in_tail)) / rate);
    if (part.a_in_registers && part.first)
        at = std::max(at, next_of_registers_[sub_core]);
    return at;
}

void WarpgroupProducts::begun(UnitId warp, const ProductPart& part, unsigned sub_core, Cycle start, Cycle latency) {
    if (part.a_in_registers && part.first)
        next_of_registers_[sub_core] = start + config_.registers_interval;
    warps_[warp].end = std::max(warps_[warp].end, start + latency);
}

void WarpgroupProducts::commit(UnitId warp) {
    Warp& w = warps_[warp];
    w.ends[w.groups++ % kGroups] = w.end;
}

} // namespace heddle::sm
