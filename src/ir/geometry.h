// The coordinates in the operands of a texture fetch or a surface access.
#pragma once

#include "ir/micro_op.h"

namespace heddle::ir {

struct Geometry {
    bool layered;        // the layer's number comes first
    unsigned dimensions; // coordinates behind it

    [[nodiscard]] constexpr unsigned operands() const {
        return dimensions + (layered ? 1 : 0);
    }
};

[[nodiscard]] constexpr bool is_cube(Sub geometry) {
    return geometry == Sub::GeometryCube || geometry == Sub::GeometryACube;
}

[[nodiscard]] constexpr Geometry geometry_of(Sub sub) {
    switch (sub) {
    case Sub::Geometry1d:
        return {false, 1};
    case Sub::Geometry2d:
        return {false, 2};
    case Sub::GeometryA1d:
        return {true, 1};
    case Sub::GeometryA2d:
        return {true, 2};
    case Sub::GeometryACube:
        return {true, 3};
    default: // 3d, cube
        return {false, 3};
    }
}

} // namespace heddle::ir
