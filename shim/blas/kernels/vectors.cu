// Operations on vectors, element by element
#include "arithmetic.h"
#include "rotations.h"

namespace heddle::blas {

// body(i) for every element
template <class Body>
__device__ __forceinline__ void for_elements(long long n, Body&& body) {
    const long long threads = static_cast<long long>(gridDim.x) * blockDim.x;
    for (long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += threads)
        body(i);
}

template <class T, class Scale>
__device__ __forceinline__ void axpy(const VectorParameters& p) {
    const Scale alpha = scalar<Scale>(p.alpha);
    const T* const x = vector_begin<T>(p.x, 0);
    T* const y = vector_begin<T>(p.y, 0);
    for_elements(is_zero(alpha) ? 0 : p.n, [&](long long i) {
        T& to = y[i * p.y.step];
        Scale sum = convert<Scale>(to);
        add_product(sum, alpha, convert<Scale>(x[i * p.x.step]));
        to = convert<T>(sum);
    });
}

template <class T, class Scale, class Factor>
__device__ __forceinline__ void scal(const VectorParameters& p) {
    const Factor alpha = scalar<Factor>(p.alpha);
    T* const x = vector_begin<T>(p.x, 0);
    for_elements(p.n, [&](long long i) {
        T& to = x[i * p.x.step];
        to = convert<T>(alpha * convert<Scale>(to));
    });
}

template <class T>
__device__ __forceinline__ void copy(const VectorParameters& p) {
    const T* const x = vector_begin<T>(p.x, 0);
    T* const y = vector_begin<T>(p.y, 0);
    for_elements(p.n, [&](long long i) { y[i * p.y.step] = x[i * p.x.step]; });
}

template <class T>
__device__ __forceinline__ void swap(const VectorParameters& p) {
    T *const x = vector_begin<T>(p.x, 0), *const y = vector_begin<T>(p.y, 0);
    for_elements(p.n, [&](long long i) {
        const T old = y[i * p.y.step];
        y[i * p.y.step] = x[i * p.x.step];
        x[i * p.x.step] = old;
    });
}

// x = c x + s y, y = c y - conjugate(s) x
template <class T, class Sine>
__device__ __forceinline__ void rot(const VectorParameters& p) {
    const RealOf<T> cosine = scalar<RealOf<T>>(p.alpha);
    const Sine sine = scalar<Sine>(p.sine);
    T *const x = vector_begin<T>(p.x, 0), *const y = vector_begin<T>(p.y, 0);
    for_elements(p.n, [&](long long i) {
        const T a = x[i * p.x.step], b = y[i * p.y.step];
        x[i * p.x.step] = cosine * a + sine * b;
        y[i * p.y.step] = cosine * b - conjugated(sine) * a;
    });
}

// The first of the five numbers says which elements of the matrix (h11, h21, h12, h22) are 1, -1 or 0.
template <class T>
__device__ __forceinline__ void rotm(const VectorParameters& p) {
    T number[5];
    for (int i = 0; i < 5; ++i)
        number[i] = p.numbers == nullptr ? static_cast<T>(p.values[i]) : static_cast<const T*>(p.numbers)[i];
    const T flag = number[0];
    if (flag == -2)
        return;
    const T h11 = flag == 0 ? T(1) : number[1], h21 = flag == 1 ? T(-1) : number[2];
    const T h12 = flag == 1 ? T(1) : number[3], h22 = flag == 0 ? T(1) : number[4];
    T *const x = vector_begin<T>(p.x, 0), *const y = vector_begin<T>(p.y, 0);
    for_elements(p.n, [&](long long i) {
        const T a = x[i * p.x.step], b = y[i * p.y.step];
        x[i * p.x.step] = h11 * a + h12 * b;
        y[i * p.y.step] = h21 * a + h22 * b;
    });
}

template <class T>
__device__ __forceinline__ void rotg(const RotationParameters& p) {
    make_rotation(*static_cast<T*>(p.a), *static_cast<T*>(p.b), *static_cast<T*>(p.c), *static_cast<T*>(p.s));
}
template <class T>
__device__ __forceinline__ void complex_rotg(const RotationParameters& p) {
    make_complex_rotation(*static_cast<T*>(p.a), *static_cast<const T*>(p.b), *static_cast<RealOf<T>*>(p.c),
                          *static_cast<T*>(p.s));
}

template <class T>
__device__ __forceinline__ void rotmg(const ModifiedRotationParameters& p) {
    make_modified_rotation(*static_cast<T*>(p.d1), *static_cast<T*>(p.d2), *static_cast<T*>(p.x),
                           *static_cast<const T*>(p.y), static_cast<T*>(p.numbers));
}

} // namespace heddle::blas

extern "C" __global__ void blas_rotmg_f32(heddle::blas::ModifiedRotationParameters p) {
    heddle::blas::rotmg<float>(p);
}
extern "C" __global__ void blas_rotmg_f64(heddle::blas::ModifiedRotationParameters p) {
    heddle::blas::rotmg<double>(p);
}

#define HEDDLE_ROTATION_OF(name, ...)                                                                                  \
    extern "C" __global__ void blas_##name(heddle::blas::RotationParameters p) {                                       \
        heddle::blas::__VA_ARGS__(p);                                                                                  \
    }
HEDDLE_ROTATION_OF(rotg_f32, rotg<float>)
HEDDLE_ROTATION_OF(rotg_f64, rotg<double>)
HEDDLE_ROTATION_OF(rotg_c32, complex_rotg<float2>)
HEDDLE_ROTATION_OF(rotg_c64, complex_rotg<double2>)

#define HEDDLE_VECTORS(name, ...)                                                                                      \
    extern "C" __global__ void blas_##name(heddle::blas::VectorParameters p) {                                         \
        heddle::blas::__VA_ARGS__(p);                                                                                  \
    }
HEDDLE_VECTORS(axpy_f32, axpy<float, float>)
HEDDLE_VECTORS(axpy_f64, axpy<double, double>)
HEDDLE_VECTORS(axpy_c32, axpy<float2, float2>)
HEDDLE_VECTORS(axpy_c64, axpy<double2, double2>)
HEDDLE_VECTORS(axpy_f16, axpy<__half, float>)
HEDDLE_VECTORS(axpy_bf16, axpy<__nv_bfloat16, float>)
HEDDLE_VECTORS(scal_f32_f32, scal<float, float, float>)
HEDDLE_VECTORS(scal_f64_f64, scal<double, double, double>)
HEDDLE_VECTORS(scal_c32_c32, scal<float2, float2, float2>)
HEDDLE_VECTORS(scal_c32_f32, scal<float2, float2, float>)
HEDDLE_VECTORS(scal_c64_c64, scal<double2, double2, double2>)
HEDDLE_VECTORS(scal_c64_f64, scal<double2, double2, double>)
HEDDLE_VECTORS(scal_f16_f32, scal<__half, float, float>)
HEDDLE_VECTORS(scal_bf16_f32, scal<__nv_bfloat16, float, float>)
HEDDLE_VECTORS(copy_2_bytes, copy<unsigned short>)
HEDDLE_VECTORS(copy_4_bytes, copy<unsigned>)
HEDDLE_VECTORS(copy_8_bytes, copy<unsigned long long>)
HEDDLE_VECTORS(copy_16_bytes, copy<ulonglong2>)
HEDDLE_VECTORS(swap_2_bytes, swap<unsigned short>)
HEDDLE_VECTORS(swap_4_bytes, swap<unsigned>)
HEDDLE_VECTORS(swap_8_bytes, swap<unsigned long long>)
HEDDLE_VECTORS(swap_16_bytes, swap<ulonglong2>)
HEDDLE_VECTORS(rot_f32_f32, rot<float, float>)
HEDDLE_VECTORS(rot_f64_f64, rot<double, double>)
HEDDLE_VECTORS(rot_c32_c32, rot<float2, float2>)
HEDDLE_VECTORS(rot_c32_f32, rot<float2, float>)
HEDDLE_VECTORS(rot_c64_c64, rot<double2, double2>)
HEDDLE_VECTORS(rot_c64_f64, rot<double2, double>)
HEDDLE_VECTORS(rotm_f32, rotm<float>)
HEDDLE_VECTORS(rotm_f64, rotm<double>)
