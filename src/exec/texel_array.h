// Texels in device memory: their format, and the addresses of the rows of an array.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/types.h"

namespace heddle::exec {

struct TexelFormat {
    enum class Kind : std::uint8_t { Unsigned, Signed, Float };
    Kind kind = Kind::Unsigned;
    std::uint8_t bits = 8;     // of a channel: 8, 16, 32; Float: 16 or 32
    std::uint8_t channels = 1; // 1, 2, 4

    [[nodiscard]] unsigned bytes() const {
        return bits / 8U * channels;
    }
};

// Texels in device memory, in rows, and rows in layers: depths of a volume, layers of an array, faces of cubes.
struct TexelArray {
    enum class Layout : std::uint8_t {
        Linear, // one row at any multiple of a texel's size
        Pitch,  // rows at a distance of `pitch` bytes
        Tiled,  // a CUDA array
    };
    // A CUDA array's rows come in tiles of so many bytes of so many rows, the rows of a tile are adjacent, so that
    // neighbours in a column share a tile; tiles follow each other along the row. Arrays of one row a layer have no
    // tiles. (NVIDIA's order of texels is not documented; this order is heddle's choice.)
    static constexpr std::uint64_t kTileBytes = 64;
    static constexpr std::uint64_t kTileRows = 8;

    Layout layout = Layout::Linear;
    TexelFormat format;
    Address begin = 0;
    std::uint32_t width = 0;  // texels of a row
    std::uint32_t height = 1; // rows of a layer
    std::uint32_t depth = 1;  // layers
    std::uint64_t pitch = 0;  // bytes of a row: Pitch as it is; Tiled: a multiple of kTileBytes

    // A CUDA array of this size; `begin` is left 0.
    [[nodiscard]] static TexelArray tiled(TexelFormat format, std::uint32_t width, std::uint32_t height,
                                          std::uint32_t depth);
    // The next smaller level of a mipmapped CUDA array, of half the size, which lies behind this one. `layered`: it has
    // as many layers.
    [[nodiscard]] TexelArray next_level(bool layered) const;
    [[nodiscard]] std::uint64_t bytes() const; // of memory, from `begin` on
    // The address of byte `x` of row `y` of a layer, all within the array. Bytes up to the next multiple of kTileBytes
    // follow it.
    [[nodiscard]] Address address_of(std::uint64_t x, std::uint32_t y, std::uint32_t layer) const {
        if (layout != Layout::Tiled)
            return begin + y * pitch + x;
        if (height == 1)
            return begin + layer * pitch + x;
        const std::uint64_t band = (std::uint64_t{layer} * bands() + y / kTileRows) * pitch * kTileRows;
        return begin + band + x / kTileBytes * (kTileBytes * kTileRows) + y % kTileRows * kTileBytes + x % kTileBytes;
    }

    // Calls f(address, offset, bytes) for the pieces in which bytes [x, x + bytes) of a row lie, `offset` bytes into
    // it.
    template <class F>
    void for_each_piece(std::uint64_t x, std::uint64_t bytes, std::uint32_t y, std::uint32_t layer, F&& f) const {
        for (std::uint64_t done = 0; done < bytes;) {
            const std::uint64_t left = bytes - done;
            const std::uint64_t in_tile = kTileBytes - (x + done) % kTileBytes;
            const std::uint64_t piece = layout == Layout::Tiled ? std::min(left, in_tile) : left;
            f(address_of(x + done, y, layer), done, piece);
            done += piece;
        }
    }

private:
    [[nodiscard]] std::uint64_t bands() const {
        return (height + kTileRows - 1) / kTileRows;
    }
};

} // namespace heddle::exec
