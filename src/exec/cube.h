// The faces of cubes: which one a direction meets, and how the texels of two faces adjoin.
#pragma once

#include <array>
#include <cstdint>

namespace heddle::exec {

// A component of a direction, with a sign.
struct SignedAxis {
    std::uint8_t component;
    float sign;

    template <class T>
    [[nodiscard]] T of(const std::array<T, 3>& direction) const {
        return static_cast<T>(sign) * direction[component];
    }
};

// The face lies where `major` is greatest; s and t grow along the other axes.
struct FaceAxes {
    SignedAxis major, s, t;
};
[[nodiscard]] const FaceAxes& axes_of(unsigned face);

// The face whose component is the greatest: of equal ones x before y before z.
[[nodiscard]] unsigned face_of(const std::array<float, 3>& direction);

struct FaceTexel {
    unsigned face;
    std::uint32_t column, row;
};
// The texel of the adjoining face beyond one edge of a face of `size` columns and rows. Exactly one of `column` and
// `row` is -1 or `size`.
[[nodiscard]] FaceTexel beyond_edge(unsigned face, std::int64_t column, std::int64_t row, std::uint32_t size);

} // namespace heddle::exec
