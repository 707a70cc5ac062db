#include "exec/footprint.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "exec/cube.h"

namespace heddle::exec {

namespace {

using Outside = Sampler::Outside;

// Larger coordinates have the result of this one under every mode but wrap and mirror. For wrap and mirror they have no
// useful meaning: f32 has no fractions there.
constexpr double kFar = 1 << 30;

// Limits a coordinate to the range of integers; NaN is 0.
double near(double x) {
    return std::isnan(x) ? 0 : std::clamp(x, -kFar, kFar);
}

std::int64_t whole(double x) {
    return static_cast<std::int64_t>(std::floor(x));
}

// The texel for index `i` in a row of `size` texels under the addressing mode; -1: the border.
std::int64_t place_of(std::int64_t i, std::uint32_t size, Outside mode) {
    const std::int64_t n = size;
    if (i >= 0 && i < n)
        return i;
    switch (mode) {
    case Outside::Wrap:
        return (i % n + n) % n;
    case Outside::Mirror: {
        const std::int64_t in_pair = (i % (2 * n) + 2 * n) % (2 * n);
        return in_pair < n ? in_pair : 2 * n - 1 - in_pair;
    }
    case Outside::Clamp:
        return i < 0 ? 0 : n - 1;
    case Outside::Border:
        break;
    }
    return -1;
}

// The texels of a footprint along one dimension, and their weights.
struct Span {
    std::int64_t first, second;
    double weight; // of the second
    bool both;
};

// CUDA: the weight of a linear filter has 9 bits, 8 of them behind the binary point.
constexpr double kWeightSteps = 256;

double in_steps(double weight) {
    return std::floor(weight * kWeightSteps + 0.5) / kWeightSteps;
}

Span span_of(double x, std::uint32_t size, Outside mode, bool linear) {
    if (!linear) {
        const std::int64_t i = place_of(whole(near(x)), size, mode);
        return {i, i, 0, false};
    }
    const double corner = near(x) - 0.5;
    const std::int64_t i = whole(corner);
    return {place_of(i, size, mode), place_of(i + 1, size, mode), in_steps(corner - static_cast<double>(i)), true};
}

// Wrap and mirror exist for normalised coordinates only.
Outside mode_of(const Sampler& sampler, unsigned dimension) {
    const Outside mode = sampler.outside[dimension];
    const bool periodic = mode == Outside::Wrap || mode == Outside::Mirror;
    return periodic && !sampler.normalised_coordinates ? Outside::Clamp : mode;
}

struct Grid {
    const TexelArray& texels;
    std::uint32_t layer; // of planes and rows
    bool is_volume;

    [[nodiscard]] Address at(std::int64_t x, std::int64_t y, std::int64_t z) const {
        if (x < 0 || y < 0 || z < 0)
            return 0;
        return texels.address_of(static_cast<std::uint64_t>(x) * texels.format.bytes(), static_cast<std::uint32_t>(y),
                                 is_volume ? static_cast<std::uint32_t>(z) : layer);
    }
};

constexpr Span kNoDimension{0, 0, 0, false};

// The texels of all dimensions; their weights add up to `share`.
void add_all(Footprint& out, const Grid& grid, const Span& x, const Span& y, const Span& z, double share) {
    const auto of = [](const Span& s, unsigned second) { return second != 0 ? s.second : s.first; };
    const auto weight = [](const Span& s, unsigned second) { return second != 0 ? s.weight : 1 - s.weight; };
    for (unsigned k = 0; k <= (z.both ? 1U : 0U); ++k)
        for (unsigned j = 0; j <= (y.both ? 1U : 0U); ++j)
            for (unsigned i = 0; i <= (x.both ? 1U : 0U); ++i)
                out.add(grid.at(of(x, i), of(y, j), of(z, k)), share * weight(x, i) * weight(y, j) * weight(z, k));
}

// Counter-clockwise from the lower left, with y downwards.
void add_gathered(Footprint& out, const Grid& grid, const Span& x, const Span& y) {
    out.add(grid.at(x.first, y.second, 0), 0.25);
    out.add(grid.at(x.second, y.second, 0), 0.25);
    out.add(grid.at(x.second, y.first, 0), 0.25);
    out.add(grid.at(x.first, y.first, 0), 0.25);
}

// The four texels of a filter on a cube that cross the edges of faces. At a corner of the cube three texels meet: each
// takes a third of the weight of the one that is missing.
class SeamlessFilter {
public:
    SeamlessFilter(const TexelArray& texels, std::uint32_t first_layer, unsigned face)
        : texels_(texels), first_layer_(first_layer), face_(face) {}

    void add(Footprint& out, double x, double y, double share) const {
        const std::int64_t i = whole(x - 0.5), j = whole(y - 0.5);
        const double right = in_steps(x - 0.5 - static_cast<double>(i));
        const double low = in_steps(y - 0.5 - static_cast<double>(j));
        const bool corner = (is_outside(i) || is_outside(i + 1)) && (is_outside(j) || is_outside(j + 1));
        const auto weight = [&](unsigned k) { return (k & 1 ? right : 1 - right) * (k & 2 ? low : 1 - low); };
        double missing = 0;
        for (unsigned k = 0; k < 4 && corner; ++k)
            if (is_outside(i + (k & 1)) && is_outside(j + (k >> 1)))
                missing = weight(k);
        for (unsigned k = 0; k < 4; ++k)
            if (const std::int64_t c = i + (k & 1), r = j + (k >> 1); !is_outside(c) || !is_outside(r))
                out.add(address(c, r), share * (weight(k) + missing / 3));
    }
    // The texel at the corner of the face stands for the one that is missing at a corner of the cube.
    void add_gathered(Footprint& out, double x, double y) const {
        const std::int64_t i = whole(x - 0.5), j = whole(y - 0.5);
        for (const auto& [c, r] : {std::pair(i, j + 1), {i + 1, j + 1}, {i + 1, j}, {i, j}}) {
            const bool missing = is_outside(c) && is_outside(r);
            const auto inside = [&](std::int64_t n) {
                return missing ? std::clamp<std::int64_t>(n, 0, std::int64_t{texels_.width} - 1) : n;
            };
            out.add(address(inside(c), inside(r)), 0.25);
        }
    }

private:
    [[nodiscard]] bool is_outside(std::int64_t n) const {
        return n < 0 || n >= std::int64_t{texels_.width};
    }
    [[nodiscard]] Address address(std::int64_t column, std::int64_t row) const {
        FaceTexel at{face_, static_cast<std::uint32_t>(column), static_cast<std::uint32_t>(row)};
        if (is_outside(column) || is_outside(row))
            at = beyond_edge(face_, column, row, texels_.width);
        return Grid{texels_, first_layer_ + at.face, false}.at(at.column, at.row, 0);
    }

    const TexelArray& texels_;
    std::uint32_t first_layer_;
    unsigned face_;
};

void add_of_cube(Footprint& out, const TexelArray& texels, const Sampler& sampler, const Coordinates& where,
                 double share, bool gathers) {
    const unsigned face = face_of(where.at);
    const FaceAxes& axes = axes_of(face);
    const float m = std::fabs(where.at[axes.major.component]);
    const double x = double{(axes.s.of(where.at) / m + 1) / 2} * texels.width;
    const double y = double{(axes.t.of(where.at) / m + 1) / 2} * texels.height;
    const std::uint32_t cubes = std::max(1U, texels.depth / 6);
    const std::uint32_t first = std::min(where.layer, cubes - 1) * 6;
    if (sampler.seamless && (sampler.linear || gathers) && texels.depth >= 6) {
        const SeamlessFilter filter(texels, first, face);
        return gathers ? filter.add_gathered(out, near(x), near(y)) : filter.add(out, near(x), near(y), share);
    }
    const Grid grid{texels, std::min(first + face, texels.depth - 1), false};
    const Span s = span_of(x, texels.width, Outside::Clamp, sampler.linear || gathers);
    const Span t = span_of(y, texels.height, Outside::Clamp, sampler.linear || gathers);
    if (gathers)
        add_gathered(out, grid, s, t);
    else
        add_all(out, grid, s, t, kNoDimension, share);
}

// Adds the texels of one level, whose weights add up to `share`.
void add_level(Footprint& out, const TexelArray& texels, const Sampler& sampler, const Coordinates& where, double share,
               bool gathers) {
    if (where.cube)
        return add_of_cube(out, texels, sampler, where, share, gathers);
    const std::array<std::uint32_t, 3> size{texels.width, texels.height, texels.depth};
    const bool linear_memory = texels.layout == TexelArray::Layout::Linear;
    std::array<Span, 3> span{kNoDimension, kNoDimension, kNoDimension};
    for (unsigned d = 0; d < where.dimensions; ++d) {
        const double x = sampler.normalised_coordinates ? double{where.at[d]} * size[d] : double{where.at[d]};
        span[d] = span_of(near(x) + where.offset[d], size[d], linear_memory ? Outside::Border : mode_of(sampler, d),
                          sampler.linear || gathers);
    }
    const Grid grid{texels, std::min(where.layer, texels.depth - 1), where.dimensions == 3};
    if (gathers)
        add_gathered(out, grid, span[0], span[1]);
    else
        add_all(out, grid, span[0], span[1], span[2], share);
}

} // namespace

Levels choose_levels(const Texture& texture, const Sampler& sampler, float detail) {
    const double last = texture.levels() - 1;
    const double biased = std::isnan(detail) ? 0 : double{detail} + double{sampler.level_bias};
    const double limited = std::min(std::max(biased, double{sampler.least_level}), double{sampler.most_level});
    const double level = std::min(std::max(limited, 0.0), last);
    Levels out;
    if (!sampler.linear_levels) {
        out.first = out.second = static_cast<unsigned>(level + 0.5);
        return out;
    }
    out.first = static_cast<unsigned>(level);
    out.second = std::min(out.first + 1, texture.levels() - 1);
    out.weight = in_steps(level - out.first);
    return out;
}

Footprint find_texels(const Texture& texture, const Sampler& sampler, const Coordinates& where, const Levels& levels,
                      bool gathers) {
    Footprint out;
    if (levels.weight != 1)
        add_level(out, texture.level(levels.first), sampler, where, 1 - levels.weight, gathers);
    if (levels.weight != 0)
        add_level(out, texture.level(levels.second), sampler, where, levels.weight, gathers);
    return out;
}

Footprint find_texel(const Texture& texture, const Sampler& sampler, const Place3& place) {
    const TexelArray& texels = texture.level(std::min(place.level, texture.levels() - 1));
    const std::array<std::uint32_t, 3> size{texels.width, texels.height, texels.depth};
    std::array<std::int64_t, 3> found{};
    for (unsigned d = 0; d < place.dimensions; ++d) {
        const Outside mode = sampler.outside[d] == Outside::Border ? Outside::Border : Outside::Clamp;
        found[d] = place_of(place.at[d], size[d], texels.layout == TexelArray::Layout::Linear ? Outside::Border : mode);
    }
    const Grid grid{texels, std::min(place.layer, texels.depth - 1), place.dimensions == 3};
    Footprint out;
    out.add(grid.at(found[0], found[1], found[2]), 1);
    return out;
}

} // namespace heddle::exec
