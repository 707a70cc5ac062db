// Operands of texture fetches and queries as micro-ops (src/ir/selection/texture.cpp and texture_query.cpp make them,
// exec/texture_access.h, exec/surface_access.h and exec/texture_queries.h execute them).
#pragma once

#include <cstdint>

namespace heddle::ir::fetch {

// Places in MicroOp::src behind handle and coordinates; kNowhere: none.
inline constexpr unsigned kLevel = 5;   // of a mipmapped texture: f32, or s32 where coordinates are integers
inline constexpr unsigned kSampler = 6; // the handle of a sampler object, 8 bytes
inline constexpr unsigned kExtra = 7;   // 8 bytes: a depth (f32), and above it offsets of 8 bits along x, y and z

// Bits of MicroOp::imm of a fetch.
inline constexpr std::int64_t kComponent = 3; // mask: of tld4
inline constexpr std::int64_t kDepth = 4;
inline constexpr std::int64_t kOffsets = 8;

// Of the level for gradients: places in MicroOp::src. The coordinates lie behind the handle, a cube's alone.
inline constexpr unsigned kGradients = 4; // three pairs of f32 in 8 bytes: along x and along y of the screen

// Bits of MicroOp::imm of the address for a reduction in a surface, above an Outside.
inline constexpr std::int64_t kOutside = 3;                   // mask
inline constexpr std::int64_t kOfSigned = 4, kOfUnsigned = 8; // only in surfaces of such integers

} // namespace heddle::ir::fetch

namespace heddle::ir {

// What txq and suq ask for.
enum class Query : std::uint8_t {
    Width,
    Height,
    Depth,
    ChannelDataType,
    ChannelOrder,
    NormalizedCoords,
    ArraySize,
    MipmapLevels,
    Samples,
    MemoryLayout,
    ForceUnnormalizedCoords, // this and the next ones are of samplers
    FilterMode,
    AddressMode0,
    AddressMode1,
    AddressMode2,
};
[[nodiscard]] constexpr bool is_of_sampler(Query query) {
    return query >= Query::ForceUnnormalizedCoords;
}

} // namespace heddle::ir
