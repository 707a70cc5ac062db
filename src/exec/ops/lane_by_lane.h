// Rare operations of 32-bit registers, computed lane by lane without vector instructions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "exec/vector_ops.h"

namespace heddle::exec::ops {

// The sources of a lane by their index in MicroOp::src; 0 where there is none.
using LaneSources = std::array<std::uint32_t, 5>;

// dst[0] = F(op, sources) for the lanes of the parts.
template <std::uint32_t (*F)(const ir::MicroOp& op, const LaneSources& sources)>
void lane_by_lane(const ir::MicroOp& op, const Frames& frames, std::span<const warp::Part> parts) {
    for (const warp::Part& part : parts) {
        std::byte* const frame = frames.of(part.row);
        for (std::size_t lane = 0; lane < kVectorLanes; ++lane) {
            if ((part.lanes >> lane & 1) == 0) {
                continue;
            }
            LaneSources sources{};
            for (std::size_t i = 0; i < sources.size(); ++i) {
                if (op.src[i] != ir::kNowhere) {
                    std::memcpy(&sources[i], source(op.src[i], frame, frames.pool) + lane * sizeof sources[i],
                                sizeof sources[i]);
                }
            }
            const std::uint32_t result = F(op, sources);
            std::memcpy(frame + op.dst[0] + lane * sizeof result, &result, sizeof result);
        }
    }
}

} // namespace heddle::exec::ops
