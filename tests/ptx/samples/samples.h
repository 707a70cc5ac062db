// The few words of CUDA that samples.cu needs, for clang without a CUDA installation.
#pragma once

#include <__clang_cuda_builtin_vars.h>

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __host__ __attribute__((host))
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))

struct alignas(16) float4 {
    float x, y, z, w;
};
extern "C" __device__ int printf(const char*, ...);
