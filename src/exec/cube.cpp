#include "exec/cube.h"

#include <algorithm>
#include <cmath>

namespace heddle::exec {

namespace {

// +x, -x, +y, -y, +z, -z
constexpr std::array<FaceAxes, 6> kFaces{{
    {{0, 1}, {2, -1}, {1, -1}},
    {{0, -1}, {2, 1}, {1, -1}},
    {{1, 1}, {0, 1}, {2, 1}},
    {{1, -1}, {0, 1}, {2, -1}},
    {{2, 1}, {0, 1}, {1, -1}},
    {{2, -1}, {0, -1}, {1, -1}},
}};

template <class T>
unsigned greatest(const std::array<T, 3>& d) {
    const T x = std::fabs(d[0]), y = std::fabs(d[1]), z = std::fabs(d[2]);
    const unsigned axis = x >= y && x >= z ? 0 : y >= z ? 1 : 2;
    return 2 * axis + (d[axis] < 0 ? 1 : 0);
}

std::uint32_t texel_at(double part, std::uint32_t size) { // part: from -1 to 1
    const auto number = static_cast<std::int64_t>(std::floor((part + 1) / 2 * size));
    return static_cast<std::uint32_t>(std::clamp<std::int64_t>(number, 0, std::int64_t{size} - 1));
}

} // namespace

const FaceAxes& axes_of(unsigned face) {
    return kFaces[face];
}

unsigned face_of(const std::array<float, 3>& direction) {
    return greatest(direction);
}

FaceTexel beyond_edge(unsigned face, std::int64_t column, std::int64_t row, std::uint32_t size) {
    const FaceAxes& from = axes_of(face);
    const auto middle = [size](std::int64_t i) { return static_cast<double>(2 * i + 1) / size - 1; };
    // The row of texels beyond the edge is folded down: half a texel from the edge, on the adjoining face.
    std::array<double, 3> d{};
    d[from.major.component] = double{from.major.sign} * (1 - 1.0 / size);
    d[from.s.component] = double{from.s.sign} * std::clamp(middle(column), -1.0, 1.0);
    d[from.t.component] = double{from.t.sign} * std::clamp(middle(row), -1.0, 1.0);
    const unsigned to = greatest(d);
    const FaceAxes& axes = axes_of(to);
    return {to, texel_at(axes.s.of(d), size), texel_at(axes.t.of(d), size)};
}

} // namespace heddle::exec
