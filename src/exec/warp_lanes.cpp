#include "exec/warp_lanes.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace heddle::exec {

std::uint32_t WarpLanes::present(std::span<const Segment> of_warp) const {
    std::uint32_t lanes = 0;
    for (const Segment& s : of_warp)
        lanes |= laneids(s);
    return lanes;
}

std::uint32_t WarpLanes::live_of_warp(const Segment& s) const {
    const RowState& row = state_.row(s.row);
    const Launch& launch = state_.launch();
    if (launch.width >= kPtxWarp)
        return reordered(s, static_cast<std::uint32_t>(row.live >> (s.half * kVectorLanes)));
    const std::uint32_t first = row.first_row + row.first_thread / kPtxWarp * kPtxWarp / launch.width;
    const auto threads = static_cast<std::uint32_t>(launch.block.count());
    const std::uint32_t end = row.first_row + (threads + launch.width - 1) / launch.width;
    LaneMask live = 0;
    for (std::uint32_t i = 0; i < kPtxWarp / launch.width && first + i < end; ++i) {
        const RowState& of_warp = state_.row(static_cast<RowId>(first + i));
        live |= (of_warp.swizzled ? swap_pairs(of_warp.live) : of_warp.live) << (i * launch.width);
    }
    return static_cast<std::uint32_t>(live);
}

unsigned WarpLanes::live_in_warpgroup(const Segment& s) const {
    const RowState& row = state_.row(s.row);
    const unsigned width = state_.launch().width;
    const auto threads = static_cast<std::uint32_t>(state_.launch().block.count());
    const std::uint32_t begin = row.first_thread / kWarpgroup * kWarpgroup, end = std::min(begin + kWarpgroup, threads);
    unsigned live = 0;
    for (std::uint32_t first = begin; first < end; first += width)
        live += count_lanes(state_.row(static_cast<RowId>(row.first_row + first / width)).live);
    return live;
}

template <class Word>
void WarpLanes::read(ir::Place place, const Segment& s, Word* by_laneid) const {
    const std::byte* from = source(place, s.frame, state_.pool());
    const unsigned width = state_.launch().width;
    if (width >= kVectorLanes) // a constant size, which compilers turn into moves
        std::memcpy(by_laneid, from, kVectorLanes * sizeof(Word));
    else
        std::memcpy(by_laneid + shift_of(s), from, width * sizeof(Word));
    if (state_.row(s.row).swizzled)
        for (unsigned i = 0; i < std::min(width, kVectorLanes); i += 2)
            std::swap(by_laneid[shift_of(s) + i], by_laneid[shift_of(s) + i + 1]);
}
template void WarpLanes::read(ir::Place, const Segment&, std::uint32_t*) const;
template void WarpLanes::read(ir::Place, const Segment&, std::uint64_t*) const;

template <class Word>
void WarpLanes::write(const Segment& s, ir::Place place, const Word* by_laneid) const {
    if (place == ir::kNowhere)
        return;
    const unsigned swizzle = swizzle_of(s);
    if (s.mask == ~0U && swizzle == 0)
        return (sizeof(Word) == 8 ? rowops_.copy64 : rowops_.copy32)(
            s.frame + place, reinterpret_cast<const std::byte*>(by_laneid), s.mask);
    auto* to = reinterpret_cast<Word*>(s.frame + place);
    const unsigned shift = shift_of(s);
    for (std::uint32_t m = s.mask; m != 0; m &= m - 1) {
        const auto i = static_cast<unsigned>(std::countr_zero(m));
        to[i] = by_laneid[(i ^ swizzle) + shift];
    }
}
template void WarpLanes::write(const Segment&, ir::Place, const std::uint32_t*) const;
template void WarpLanes::write(const Segment&, ir::Place, const std::uint64_t*) const;

} // namespace heddle::exec
