// CUDA's vector types and dim3. Alignments follow CUDA, so that device code loads them with one access.
#pragma once

#define __VECTOR_TYPES_H__ // programs test this name of NVIDIA's header

#if defined(__cplusplus) && defined(__CUDA__)
#define HEDDLE_CUDA_BOTH __attribute__((host)) __attribute__((device))
#else
#define HEDDLE_CUDA_BOTH
#endif

#define HEDDLE_CUDA_VECTOR(scalar, name, align2, align4)                                                               \
    struct name##1 {                                                                                                   \
        scalar x;                                                                                                      \
    };                                                                                                                 \
    struct __attribute__((aligned(align2))) name##2 {                                                                  \
        scalar x, y;                                                                                                   \
    };                                                                                                                 \
    struct name##3 {                                                                                                   \
        scalar x, y, z;                                                                                                \
    };                                                                                                                 \
    struct __attribute__((aligned(align4))) name##4 {                                                                  \
        scalar x, y, z, w;                                                                                             \
    };                                                                                                                 \
    typedef struct name##1 name##1;                                                                                    \
    typedef struct name##2 name##2;                                                                                    \
    typedef struct name##3 name##3;                                                                                    \
    typedef struct name##4 name##4;

HEDDLE_CUDA_VECTOR(signed char, char, 2, 4)
HEDDLE_CUDA_VECTOR(unsigned char, uchar, 2, 4)
HEDDLE_CUDA_VECTOR(short, short, 4, 8)
HEDDLE_CUDA_VECTOR(unsigned short, ushort, 4, 8)
HEDDLE_CUDA_VECTOR(int, int, 8, 16)
HEDDLE_CUDA_VECTOR(unsigned int, uint, 8, 16)
HEDDLE_CUDA_VECTOR(long, long, 16, 16)
HEDDLE_CUDA_VECTOR(unsigned long, ulong, 16, 16)
HEDDLE_CUDA_VECTOR(long long, longlong, 16, 16)
HEDDLE_CUDA_VECTOR(unsigned long long, ulonglong, 16, 16)
HEDDLE_CUDA_VECTOR(float, float, 8, 16)
HEDDLE_CUDA_VECTOR(double, double, 16, 16)
#undef HEDDLE_CUDA_VECTOR

// CUDA 13's vectors of four 64-bit numbers, whose names say the alignment.
#define HEDDLE_CUDA_ALIGNED_VECTOR(scalar, name, bytes)                                                                \
    struct __attribute__((aligned(bytes))) name {                                                                      \
        scalar x, y, z, w;                                                                                             \
    };                                                                                                                 \
    typedef struct name name;
HEDDLE_CUDA_ALIGNED_VECTOR(long, long4_16a, 16)
HEDDLE_CUDA_ALIGNED_VECTOR(long, long4_32a, 32)
HEDDLE_CUDA_ALIGNED_VECTOR(unsigned long, ulong4_16a, 16)
HEDDLE_CUDA_ALIGNED_VECTOR(unsigned long, ulong4_32a, 32)
HEDDLE_CUDA_ALIGNED_VECTOR(long long, longlong4_16a, 16)
HEDDLE_CUDA_ALIGNED_VECTOR(long long, longlong4_32a, 32)
HEDDLE_CUDA_ALIGNED_VECTOR(unsigned long long, ulonglong4_16a, 16)
HEDDLE_CUDA_ALIGNED_VECTOR(unsigned long long, ulonglong4_32a, 32)
HEDDLE_CUDA_ALIGNED_VECTOR(double, double4_16a, 16)
HEDDLE_CUDA_ALIGNED_VECTOR(double, double4_32a, 32)
#undef HEDDLE_CUDA_ALIGNED_VECTOR

struct dim3 {
    unsigned int x, y, z;
#ifdef __cplusplus
    HEDDLE_CUDA_BOTH constexpr dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1)
        : x(vx), y(vy), z(vz) {}
    HEDDLE_CUDA_BOTH constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    HEDDLE_CUDA_BOTH constexpr operator uint3() const {
        return uint3{x, y, z};
    }
#endif
};
typedef struct dim3 dim3;
