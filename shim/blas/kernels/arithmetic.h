// Numbers of all types as the kernels compute with them.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "parameters.h"

namespace heddle::blas {

// The type in which products of a type are summed.
template <class T>
struct Sum {
    using Type = T;
};
template <>
struct Sum<__half> {
    using Type = float;
};
template <>
struct Sum<__nv_bfloat16> {
    using Type = float;
};
template <>
struct Sum<signed char> {
    using Type = int;
};
template <class T>
using SumOf = typename Sum<T>::Type;

// The real type of a complex one
template <class T>
struct Real {
    using Type = T;
};
template <>
struct Real<float2> {
    using Type = float;
};
template <>
struct Real<double2> {
    using Type = double;
};
template <class T>
using RealOf = typename Real<T>::Type;

template <class To, class From>
__device__ __forceinline__ To convert(From a) {
    return static_cast<To>(a);
}
template <>
__device__ __forceinline__ float convert(__half a) {
    return __half2float(a);
}
template <>
__device__ __forceinline__ float convert(__nv_bfloat16 a) {
    return __bfloat162float(a);
}
template <>
__device__ __forceinline__ __half convert(float a) {
    return __float2half(a);
}
template <>
__device__ __forceinline__ __nv_bfloat16 convert(float a) {
    return __float2bfloat16(a);
}

__device__ __forceinline__ float2 operator+(float2 a, float2 b) {
    return make_float2(a.x + b.x, a.y + b.y);
}
__device__ __forceinline__ double2 operator+(double2 a, double2 b) {
    return make_double2(a.x + b.x, a.y + b.y);
}
__device__ __forceinline__ float2 operator-(float2 a, float2 b) {
    return make_float2(a.x - b.x, a.y - b.y);
}
__device__ __forceinline__ double2 operator-(double2 a, double2 b) {
    return make_double2(a.x - b.x, a.y - b.y);
}
__device__ __forceinline__ float2 operator*(float2 a, float2 b) {
    return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}
__device__ __forceinline__ double2 operator*(double2 a, double2 b) {
    return make_double2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}
__device__ __forceinline__ float2 operator*(float a, float2 b) {
    return make_float2(a * b.x, a * b.y);
}
__device__ __forceinline__ double2 operator*(double a, double2 b) {
    return make_double2(a * b.x, a * b.y);
}

__device__ __forceinline__ void add_product(float& sum, float a, float b) {
    sum = fmaf(a, b, sum);
}
__device__ __forceinline__ void add_product(double& sum, double a, double b) {
    sum = fma(a, b, sum);
}
__device__ __forceinline__ void add_product(int& sum, int a, int b) {
    sum += a * b;
}
__device__ __forceinline__ void add_product(float2& sum, float2 a, float2 b) {
    sum.x = fmaf(a.x, b.x, fmaf(-a.y, b.y, sum.x));
    sum.y = fmaf(a.x, b.y, fmaf(a.y, b.x, sum.y));
}
__device__ __forceinline__ void add_product(double2& sum, double2 a, double2 b) {
    sum.x = fma(a.x, b.x, fma(-a.y, b.y, sum.x));
    sum.y = fma(a.x, b.y, fma(a.y, b.x, sum.y));
}

// The quotient of complex numbers. The divisor is brought to the size of 1 before it is squared.
template <class Complex>
__device__ __forceinline__ Complex quotient(Complex a, Complex b) {
    using R = RealOf<Complex>;
    const R scale = 1 / (fabs(b.x) + fabs(b.y));
    const R x = b.x * scale, y = b.y * scale, square = scale / (x * x + y * y);
    return {(a.x * x + a.y * y) * square, (a.y * x - a.x * y) * square};
}
__device__ __forceinline__ float divide(float a, float b) {
    return a / b;
}
__device__ __forceinline__ double divide(double a, double b) {
    return a / b;
}
__device__ __forceinline__ float2 divide(float2 a, float2 b) {
    return quotient(a, b);
}
__device__ __forceinline__ double2 divide(double2 a, double2 b) {
    return quotient(a, b);
}

template <class T>
__device__ __forceinline__ T conjugated(T a) {
    return a;
}
__device__ __forceinline__ float2 conjugated(float2 a) {
    return make_float2(a.x, -a.y);
}
__device__ __forceinline__ double2 conjugated(double2 a) {
    return make_double2(a.x, -a.y);
}
template <class T>
__device__ __forceinline__ void drop_imaginary(T&) {}
__device__ __forceinline__ void drop_imaginary(float2& a) {
    a.y = 0;
}
__device__ __forceinline__ void drop_imaginary(double2& a) {
    a.y = 0;
}

template <class T>
__device__ __forceinline__ T one() {
    return T(1);
}
template <>
__device__ __forceinline__ float2 one() {
    return make_float2(1, 0);
}
template <>
__device__ __forceinline__ double2 one() {
    return make_double2(1, 0);
}

template <class T>
__device__ __forceinline__ bool is_zero(T a) {
    return a == T(0);
}
__device__ __forceinline__ bool is_zero(float2 a) {
    return a.x == 0 && a.y == 0;
}
__device__ __forceinline__ bool is_zero(double2 a) {
    return a.x == 0 && a.y == 0;
}

template <class T>
__device__ __forceinline__ T scalar(const Scalar& s) {
    if (s.device == nullptr)
        return static_cast<T>(s.real);
    return *static_cast<const T*>(s.device);
}
template <>
__device__ __forceinline__ float scalar(const Scalar& s) {
    if (s.device == nullptr)
        return static_cast<float>(s.real);
    return s.is_half ? __half2float(*static_cast<const __half*>(s.device)) : *static_cast<const float*>(s.device);
}
template <class Complex>
__device__ __forceinline__ Complex complex_scalar(const Scalar& s) {
    using R = RealOf<Complex>;
    Complex value = {static_cast<R>(s.real), static_cast<R>(s.imaginary)};
    if (s.device != nullptr) {
        const R* const at = static_cast<const R*>(s.device);
        value.x = at[0];
        value.y = s.is_real ? 0 : at[1];
    }
    if (s.conjugate)
        value.y = -value.y;
    return value;
}
template <>
__device__ __forceinline__ float2 scalar(const Scalar& s) {
    return complex_scalar<float2>(s);
}
template <>
__device__ __forceinline__ double2 scalar(const Scalar& s) {
    return complex_scalar<double2>(s);
}

// The begin of a matrix or a vector of a batch
template <class T, class Operand>
__device__ __forceinline__ T* begin_of(const Operand& a, long long batch) {
    const T* begin = static_cast<const T*>(a.base) + batch * a.batch_step;
    if (a.array != nullptr)
        begin = static_cast<const T*>(a.array[batch]);
    return const_cast<T*>(begin);
}

template <class T>
__device__ __forceinline__ T* vector_begin(const Vector& x, long long batch) {
    return begin_of<T>(x, batch) + x.first;
}

// Element (i, j) in the type of sums. Structured: as the matrix that the stored part stands for.
template <bool Structured, class T>
__device__ __forceinline__ SumOf<T> element(const Matrix& a, const T* base, long long i, long long j) {
    using S = SumOf<T>;
    bool conjugate = a.conjugate;
    if (Structured && a.structure != kGeneral) {
        const bool stored = i == j || (i > j) == (a.lower != 0);
        if (a.structure == kTriangular) {
            if (!stored)
                return S{};
            if (i == j && a.unit)
                return one<S>();
        } else if (!stored) {
            const long long other = i;
            i = j;
            j = other;
            conjugate ^= a.structure == kHermitian;
        }
    }
    S value = convert<S>(base[i * a.row + j * a.column]);
    if (conjugate)
        value = conjugated(value);
    if (Structured && a.structure == kHermitian && i == j)
        drop_imaginary(value);
    return value;
}

} // namespace heddle::blas
