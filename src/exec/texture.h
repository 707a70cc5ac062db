// Texture and surface objects: the addresses of their texels, and the mapping of coordinates to texels.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

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

// The rules of a texture object for coordinates.
struct Sampler {
    enum class Outside : std::uint8_t { Wrap, Clamp, Mirror, Border };
    std::array<Outside, 3> outside{Outside::Clamp, Outside::Clamp, Outside::Clamp}; // by dimension
    bool linear = false; // filtered; else the texel at the coordinates
    bool normalised_coordinates = false;
    bool normalised_values = false; // integers of 8 and 16 bits as numbers from 0, or -1, to 1
    std::array<float, 4> border{};
};

struct Texture {
    TexelArray texels;
    Sampler sampler;
    bool is_surface = false;
};

// All objects of a device, by handle. A handle is never 0, and never reused.
class TextureTable {
public:
    [[nodiscard]] std::uint64_t add(const Texture& what);
    // False when there is no such object.
    bool remove(std::uint64_t handle);
    // Null when there is no such object. Valid until the next add().
    [[nodiscard]] const Texture* find(std::uint64_t handle) const;
    // Whether the handle was of an object that is destroyed, for messages.
    [[nodiscard]] bool is_destroyed(std::uint64_t handle) const;

private:
    // A handle's low bits are its place in slots_, from 1 on; the others count the objects in that place so far.
    static constexpr unsigned kPlaceBits = 20;
    struct Slot {
        Texture texture;
        std::uint64_t life = 0;
        bool live = false;
    };
    [[nodiscard]] const Slot* slot_of(std::uint64_t handle) const;
    std::vector<Slot> slots_;
    std::vector<std::uint32_t> free_;
};

// The texels that a fetch reads, with weights, and the result of their values.
struct Footprint {
    static constexpr unsigned kMost = 8;
    struct Texel {
        Address address; // 0: the border
        double weight;   // the weights add up to 1
    };
    unsigned count = 0;
    std::array<Texel, kMost> texel;

    void add(Address address, double weight) {
        texel[count++] = {address, weight};
    }
};

// Coordinates of one fetch: along x, y and z as texels or, normalised, as parts of the size; for cubes a direction.
struct Coordinates {
    std::array<float, 3> at{};
    std::uint32_t layer = 0; // clamped to the last
    unsigned dimensions = 1; // 1 to 3 of `at`; a layer's are 1 or 2
    bool cube = false;
};

// The footprint of a fetch by floating-point coordinates. `gathers`: the four texels of a linear filter in the plane,
// in the order of tld4, with any filter of the sampler.
[[nodiscard]] Footprint find_texels(const Texture& texture, const Coordinates& where, bool gathers = false);
// The footprint of a fetch by whole texels. Texels beyond linear memory are the border.
[[nodiscard]] Footprint find_texel(const Texture& texture, const std::array<std::int32_t, 3>& at, unsigned dimensions,
                                   std::uint32_t layer);

// The channels of a texel as results of tex: integers widened to 32 bits, floating-point and normalised numbers as f32.
// Channels that the format does not have are 0, and 1 for the last channel.
using Channels = std::array<std::uint32_t, 4>;
[[nodiscard]] Channels read_texel(const Texture& texture, const std::byte* at);
// The channels of the border.
[[nodiscard]] Channels border_of(const Texture& texture);
// Whether the channels of read_texel() are f32.
[[nodiscard]] bool gives_floats(const Texture& texture);

} // namespace heddle::exec
