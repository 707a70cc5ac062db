// The texels that a fetch reads, and their weights.
#pragma once

#include <array>
#include <cstdint>

#include "exec/texture.h"

namespace heddle::exec {

struct Footprint {
    static constexpr unsigned kMost = 16; // of a volume, in two levels
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
    std::array<std::int8_t, 3> offset{}; // added to the numbers of texels
    std::uint32_t layer = 0;             // clamped to the last
    unsigned dimensions = 1;             // 1 to 3 of `at`; a layer's are 1 or 2
    bool cube = false;
};

// The levels that a fetch reads.
struct Levels {
    unsigned first = 0, second = 0;
    double weight = 0; // of the second
};
// The levels for a level of detail, which the sampler's bias and limits change.
[[nodiscard]] Levels choose_levels(const Texture& texture, const Sampler& sampler, float detail);

// The footprint of a fetch by floating-point coordinates. `sampler`: the texture's own or another one. `gathers`: the
// four texels of a linear filter in the plane, in the order of tld4, with any filter of the sampler.
[[nodiscard]] Footprint find_texels(const Texture& texture, const Sampler& sampler, const Coordinates& where,
                                    const Levels& levels, bool gathers = false);

// Whole texels of a level, for a fetch by integers.
struct Place3 {
    std::array<std::int64_t, 3> at{};
    unsigned dimensions = 1;
    std::uint32_t layer = 0, level = 0; // clamped to the last
};
// The footprint of a fetch by whole texels. Texels beyond linear memory are the border.
[[nodiscard]] Footprint find_texel(const Texture& texture, const Sampler& sampler, const Place3& place);

} // namespace heddle::exec
