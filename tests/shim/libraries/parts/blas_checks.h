// What the tests of cuBLAS share: numbers, memory of the device, and plain references with bounds of the error.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <cublas_v2.h>
#include <limits>
#include <random>
#include <vector>

#define CHECK(call)                                                                                                    \
    do {                                                                                                               \
        const int status_ = static_cast<int>(call);                                                                    \
        if (status_ != 0) {                                                                                            \
            std::printf("line %d: %s is %d\n", __LINE__, #call, status_);                                              \
            std::exit(1);                                                                                              \
        }                                                                                                              \
    } while (false)

using Wide = std::complex<long double>; // references are computed in it

template <class T>
struct Numbers {
    using Real = T;
    static constexpr bool kComplex = false;
    static Wide wide(T a) {
        return static_cast<long double>(a);
    }
    static T make(long double x, long double) {
        return static_cast<T>(x);
    }
};
template <class T>
struct NarrowNumbers {
    using Real = T;
    static constexpr bool kComplex = false;
    static Wide wide(T a) {
        return static_cast<long double>(static_cast<float>(a));
    }
    static T make(long double x, long double) {
        return T(static_cast<float>(x));
    }
};
template <>
struct Numbers<__half> : NarrowNumbers<__half> {};
template <>
struct Numbers<__nv_bfloat16> : NarrowNumbers<__nv_bfloat16> {};
template <class T, class R>
struct ComplexNumbers {
    using Real = R;
    static constexpr bool kComplex = true;
    static Wide wide(T a) {
        return {static_cast<long double>(a.x), static_cast<long double>(a.y)};
    }
    static T make(long double x, long double y) {
        return {static_cast<R>(x), static_cast<R>(y)};
    }
};
template <>
struct Numbers<cuComplex> : ComplexNumbers<cuComplex, float> {};
template <>
struct Numbers<cuDoubleComplex> : ComplexNumbers<cuDoubleComplex, double> {};

template <class T>
using RealOf = typename Numbers<T>::Real;
template <class T>
Wide wide(T a) {
    return Numbers<T>::wide(a);
}
template <class T>
T number(long double x, long double y = 0) {
    return Numbers<T>::make(x, y);
}

// The unit in the last place of 1, of the type in which sums are computed
template <class T>
long double epsilon() {
    return std::numeric_limits<RealOf<T>>::epsilon();
}
template <>
inline long double epsilon<__half>() {
    return std::ldexp(1.0L, -10);
}
template <>
inline long double epsilon<__nv_bfloat16>() {
    return std::ldexp(1.0L, -7);
}

inline std::mt19937& randomness() {
    static std::mt19937 engine(20240607);
    return engine;
}
inline long double random_number() {
    return std::uniform_real_distribution<double>(-1, 1)(randomness());
}
template <class T>
std::vector<T> random_numbers(std::size_t n) {
    std::vector<T> out;
    for (std::size_t i = 0; i < n; ++i) {
        const long double x = random_number();
        out.push_back(number<T>(x, random_number()));
    }
    return out;
}

// Memory of the device with the content of a vector of the host
template <class T>
class OnDevice {
public:
    explicit OnDevice(const std::vector<T>& content) : size_(content.size()) {
        CHECK(cudaMalloc(&data_, std::max<std::size_t>(size_, 1) * sizeof(T)));
        CHECK(cudaMemcpy(data_, content.data(), size_ * sizeof(T), cudaMemcpyHostToDevice));
    }
    ~OnDevice() {
        cudaFree(data_);
    }
    OnDevice(const OnDevice&) = delete;
    OnDevice& operator=(const OnDevice&) = delete;
    T* data() const {
        return data_;
    }
    std::vector<T> content() const {
        std::vector<T> out(size_);
        CHECK(cudaMemcpy(out.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost));
        return out;
    }

private:
    std::size_t size_;
    T* data_ = nullptr;
};

inline long double magnitude(Wide a) {
    return std::abs(a.real()) + std::abs(a.imag());
}

// Counts values that are further from their reference than they may be.
class Verdict {
public:
    explicit Verdict(const char* what) : what_(what) {}
    ~Verdict() {
        if (wrong_ == 0)
            std::printf("%s: ok\n", what_);
        else
            std::printf("%s: %d of %d wrong, first %s\n", what_, wrong_, all_, first_);
    }
    Verdict(const Verdict&) = delete;
    Verdict& operator=(const Verdict&) = delete;

    void expect_near(Wide have, Wide want, long double bound) {
        const long double off = std::max(std::abs(have.real() - want.real()), std::abs(have.imag() - want.imag()));
        char text[160];
        std::snprintf(text, sizeof text, "(%.9Lg, %.9Lg) in place of (%.9Lg, %.9Lg), off by %.3Lg, bound %.3Lg",
                      have.real(), have.imag(), want.real(), want.imag(), off, bound);
        expect(off <= bound, text); // false for NaN
    }
    void expect(bool right, const char* text) {
        ++all_;
        if (!right && wrong_++ == 0)
            std::snprintf(first_, sizeof first_, "%s: %s", context, text);
    }
    const char* context = "";

private:
    const char* what_;
    int all_ = 0, wrong_ = 0;
    char first_[256] = "";
};

// Element (i, j) of op(a)
template <class T>
Wide at(const std::vector<T>& a, long leading, cublasOperation_t operation, long i, long j) {
    const Wide value = wide(operation == CUBLAS_OP_N ? a[i + j * leading] : a[j + i * leading]);
    return operation == CUBLAS_OP_C ? std::conj(value) : value;
}

// Of which a triangle is stored; the others are NaN in the tests, as they must not be read.
enum class Kind { kSymmetric, kHermitian, kTriangular, kUnitTriangular };
template <class T>
Wide stored(const std::vector<T>& a, long leading, cublasFillMode_t fill, Kind kind, long i, long j) {
    const bool inside = i == j || (i > j) == (fill == CUBLAS_FILL_MODE_LOWER);
    if (kind == Kind::kUnitTriangular && i == j)
        return 1;
    if (kind == Kind::kHermitian && i == j)
        return wide(a[i + j * leading]).real();
    if (inside)
        return wide(a[i + j * leading]);
    if (kind == Kind::kTriangular || kind == Kind::kUnitTriangular)
        return 0;
    const Wide other = wide(a[j + i * leading]);
    return kind == Kind::kHermitian ? std::conj(other) : other;
}
// A square matrix of which a triangle is stored, with NaN in what must not be read
template <class T>
std::vector<T> triangle(long n, long leading, cublasFillMode_t fill, bool unit) {
    std::vector<T> out = random_numbers<T>(leading * n);
    const long double nan = std::nan("");
    for (long j = 0; j < n; ++j)
        for (long i = 0; i < leading; ++i)
            if (i >= n || (i != j && (i > j) != (fill == CUBLAS_FILL_MODE_LOWER)) || (i == j && unit))
                out[i + j * leading] = number<T>(nan, nan);
            else if (i == j) // far from zero, for triangular systems
                out[i + j * leading] = number<T>(wide(out[i + j * leading]).real() + 3, 0.5);
    return out;
}

constexpr cublasOperation_t kOperations[] = {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C};
constexpr cublasFillMode_t kFills[] = {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER};
