// CUDA's qualifiers as clang's attributes. A host compiler that does not read CUDA sees them as nothing.
#pragma once

#define __HOST_DEFINES_H__ // Thrust takes the qualifiers away where it finds no such name

#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __align__(n)
#define CUDARTAPI
#define CUDARTAPI_CDECL
#define CUDART_CB
#define CUDART_DEVICE __device__

#ifdef __CUDA__
#if __clang_major__ < 15 // a keyword from clang 15 on
#define __noinline__ __attribute__((noinline)) // the C++ library's attribute of that name: bits/shared_ptr_base.h
#endif
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#ifdef HEDDLE_MANAGED // heddle-cc edits what clang makes of such variables (tools/managed_variables.py)
#define __managed__ __attribute__((device, section("heddle_managed")))
#endif
// clang has no attributes for clusters and the most registers: heddle-cc makes directives of these annotations
// (tools/kernel_directives.py). Numbers that are not given are 1.
#define __cluster_dims__(...) __attribute__((annotate("heddle.cluster", __VA_ARGS__)))
#define __maxnreg__(registers) __attribute__((annotate("heddle.maxnreg", registers)))
#define __launch_bounds__(...) HEDDLE_CUDA_BOUNDS(__VA_ARGS__, 3, 2, 1)(__VA_ARGS__)
#define HEDDLE_CUDA_BOUNDS(threads, blocks, cluster, count, ...) HEDDLE_CUDA_BOUNDS_##count
#define HEDDLE_CUDA_BOUNDS_1(threads) __attribute__((launch_bounds(threads)))
#define HEDDLE_CUDA_BOUNDS_2(threads, blocks) __attribute__((launch_bounds(threads, blocks)))
#define HEDDLE_CUDA_BOUNDS_3(threads, blocks, cluster)                                                                 \
    __attribute__((launch_bounds(threads, blocks), annotate("heddle.maxclusterrank", cluster)))
#define __forceinline__ inline __attribute__((always_inline))
#define __inline_hint__
#define __grid_constant__
#else
#define __host__
#define __device__
#define __global__
#define __constant__
#define __forceinline__ inline __attribute__((always_inline))
#endif
