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

// A modified rotation: it turns (x, y) to (x', 0), where the numbers of the two rows have the weights d1 and d2. `form`
// says which elements of the matrix are not 1, -1 or 0, as rotm() takes it.
template <class T>
struct ModifiedRotation {
    T form, h11, h21, h12, h22;

    // All four elements are kept: those that the form implies get their values.
    HEDDLE_ROTATION void spell_out() {
        if (form == 0)
            h11 = h22 = 1;
        else if (form == 1)
            h21 = -1, h12 = 1;
        form = -1;
    }
};

// Brings a weight to between 2^-24 and 2^24; its row of the matrix, and a number of that row, get the inverse root.
template <class T>
HEDDLE_ROTATION void rescale(ModifiedRotation<T>& h, T& weight, T* number, T& first, T& second) {
    const T step = 4096, most = step * step;
    while (weight != 0 && (fabs(weight) <= 1 / most || fabs(weight) >= most)) {
        h.spell_out();
        const bool small = fabs(weight) <= 1 / most;
        weight *= small ? most : 1 / most;
        const T inverse = small ? 1 / step : step;
        first *= inverse;
        second *= inverse;
        if (number != nullptr)
            *number *= inverse;
    }
}

template <class T>
HEDDLE_ROTATION void make_modified_rotation(T& d1, T& d2, T& x, T y, T* numbers) {
    ModifiedRotation<T> h{-2, 0, 0, 0, 0};
    const T p1 = d1 * x, p2 = d2 * y, q1 = p1 * x, q2 = p2 * y;
    if (d1 >= 0 && p2 == 0) { // nothing to turn
        numbers[0] = h.form;
        return;
    }
    bool possible = d1 >= 0;
    if (possible && fabs(q1) > fabs(q2)) {
        h = {0, 0, -y / x, p2 / p1, 0};
        const T u = 1 - h.h12 * h.h21;
        possible = u > 0;
        d1 /= u, d2 /= u, x *= u;
    } else if (possible && q2 >= 0) {
        h = {1, p1 / p2, 0, 0, x / y};
        const T u = 1 + h.h11 * h.h22, old = d2;
        d2 = d1 / u, d1 = old / u, x = y * u;
    } else {
        possible = false;
    }
    if (!possible) {
        h = {-1, 0, 0, 0, 0};
        d1 = d2 = x = 0;
    }
    rescale(h, d1, &x, h.h11, h.h12);
    rescale(h, d2, static_cast<T*>(nullptr), h.h21, h.h22);
    const bool all = h.form < 0;
    numbers[0] = h.form;
    if (all || h.form == 1)
        numbers[1] = h.h11, numbers[4] = h.h22;
    if (all || h.form == 0)
        numbers[2] = h.h21, numbers[3] = h.h12;
}

} // namespace heddle::blas
