// Plane rotations that turn (a, b) to (r, 0). Computed on the host or on the device, where the operands are.
#pragma once

#ifdef __CUDA__
#define HEDDLE_ROTATION __host__ __device__ inline
#else
#include <cmath>
#define HEDDLE_ROTATION inline
#endif

namespace heddle::blas {

// Two real numbers. a becomes r, and b a number from which c and s can be computed again.
template <class T>
HEDDLE_ROTATION void make_rotation(T& a, T& b, T& c, T& s) {
    const T size_a = fabs(a), size_b = fabs(b), scale = size_a + size_b;
    if (scale == 0) {
        c = 1;
        s = b = 0;
        return;
    }
    const T x = a / scale, y = b / scale, length = scale * sqrt(x * x + y * y);
    const T r = (size_a > size_b ? a : b) < 0 ? -length : length;
    c = a / r;
    s = b / r;
    b = size_a > size_b ? s : c != 0 ? 1 / c : T(1);
    a = r;
}

// Two complex numbers, with real and imaginary part in x and y. c is real; b keeps its value.
template <class Complex, class T>
HEDDLE_ROTATION void make_complex_rotation(Complex& a, const Complex& b, T& c, Complex& s) {
    const T size_a = hypot(a.x, a.y), size_b = hypot(b.x, b.y);
    if (size_a == 0) {
        c = 0;
        s = Complex{1, 0};
        a = b;
        return;
    }
    const T scale = size_a + size_b, x = size_a / scale, y = size_b / scale, length = scale * sqrt(x * x + y * y);
    const Complex direction{a.x / size_a, a.y / size_a};
    c = size_a / length;
    s = Complex{(direction.x * b.x + direction.y * b.y) / length, (direction.y * b.x - direction.x * b.y) / length};
    a = Complex{direction.x * length, direction.y * length};
}

} // namespace heddle::blas
