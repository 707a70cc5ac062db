// Texture and surface objects: where their texels lie, how they are read, and the values of texels.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/types.h"
#include "exec/texel_array.h"
#include "ptx/syntax.h"

namespace heddle::exec {

// The rules of a texture object for coordinates.
struct Sampler {
    enum class Outside : std::uint8_t { Wrap, Clamp, Mirror, Border };
    std::array<Outside, 3> outside{Outside::Clamp, Outside::Clamp, Outside::Clamp}; // by dimension
    bool linear = false; // filtered; else the texel at the coordinates
    bool normalised_coordinates = false;
    bool normalised_values = false; // integers of 8 and 16 bits as numbers from 0, or -1, to 1
    bool srgb = false;              // the first three channels of 8-bit normalised values are sRGB
    bool seamless = false;          // filters of cubes cross the edges of faces
    std::array<float, 4> border{};
    // Of mipmapped textures.
    bool linear_levels = false; // filtered between two levels; else the nearest level
    float level_bias = 0, least_level = 0, most_level = 0;
    bool forced_texels = false; // of a sampler alone: coordinates count texels, whatever the texture says
};

struct Texture {
    enum class Kind : std::uint8_t { Texture, Surface, Sampler };
    enum class Layers : std::uint8_t { None, Layered, Cube, LayeredCube };

    TexelArray texels;               // of level 0; `begin` 0: a reference to which nothing is bound
    std::vector<TexelArray> smaller; // the levels from 1 on
    Sampler sampler;
    Kind kind = Kind::Texture;
    Layers layers = Layers::None;
    bool mipmapped = false;

    [[nodiscard]] unsigned levels() const {
        return 1 + static_cast<unsigned>(smaller.size());
    }
    [[nodiscard]] const TexelArray& level(unsigned number) const {
        return number == 0 ? texels : smaller[number - 1];
    }
    // Bytes from the first texel of level 0 to the last one of all levels, which lie behind each other.
    [[nodiscard]] std::uint64_t bytes() const {
        const TexelArray& last = level(levels() - 1);
        return last.begin + last.bytes() - texels.begin;
    }
};

// The kind of the objects that variables of a type stand for; nothing for a type of numbers.
[[nodiscard]] std::optional<Texture::Kind> kind_of(ptx::Type type);

// All objects of a device, by handle. A handle is never 0, and never reused.
class TextureTable {
public:
    [[nodiscard]] std::uint64_t add(const Texture& what);
    // Replaces what a handle stands for. False when there is no such object.
    bool replace(std::uint64_t handle, const Texture& what);
    // False when there is no such object.
    bool remove(std::uint64_t handle);
    // Null when there is no such object. Valid until the next add().
    [[nodiscard]] const Texture* find(std::uint64_t handle) const;
    // Whether the handle was of an object that is destroyed, for messages.
    [[nodiscard]] bool is_destroyed(std::uint64_t handle) const;

private:
    // A handle's low bits are its place in slots_, from 1 on; the others count the objects in that place so far.
    static constexpr unsigned kPlaceBits = 20;
    static constexpr std::uint64_t kPlaceMask = (std::uint64_t{1} << kPlaceBits) - 1;
    struct Slot {
        Texture texture;
        std::uint64_t life = 0;
        bool live = false;
    };
    [[nodiscard]] const Slot* slot_of(std::uint64_t handle) const;
    std::vector<Slot> slots_;
    std::vector<std::uint32_t> free_;
};

// The channels of a texel as results of tex: integers widened to 32 bits, floating-point and normalised numbers as f32.
// Channels that the format does not have are 0, and 1 for the last channel.
using Channels = std::array<std::uint32_t, 4>;
[[nodiscard]] Channels read_texel(const Texture& texture, const std::byte* at);
// The channels of the border.
[[nodiscard]] Channels border_of(const Sampler& sampler);
// Whether the channels of read_texel() are f32.
[[nodiscard]] bool gives_floats(const Texture& texture);

} // namespace heddle::exec
