// Reduction of large angles by multiples of pi/2.
#pragma once

#include <cstdint>

namespace heddle::exec::ops {

struct Angle {
    std::uint64_t quadrant = 0; // modulo 4
    double rest = 0;            // in [-pi/4, pi/4]; NaN for an infinite angle
};

// angle = quadrant * pi/2 + rest modulo 2 pi, |angle| >= 2^19, with the exact value of the angle.
[[nodiscard]] Angle reduce_angle(float angle);

} // namespace heddle::exec::ops
