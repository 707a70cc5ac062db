// heddle's own cuda_runtime.h: with it a CUDA C++ program compiles with clang alone, without any CUDA installation.
// docs/cuda-support.md says how, and what is served.
#pragma once
#pragma GCC system_header

#define __CUDA_RUNTIME_H__ // programs test this name of NVIDIA's header (the samples' helper_cuda.h)

// What nvcc defines for .cu files. clang takes lambdas of the device and constexpr functions on both sides anyway.
#ifdef __CUDA__
#define __CUDACC__ 1
#define __CUDACC_VER_MAJOR__ 12 // the compiler of CUDART_VERSION
#define __CUDACC_VER_MINOR__ 9
#define __CUDACC_VER_BUILD__ 86
#define __CUDACC_EXTENDED_LAMBDA__ 1
#define __CUDACC_RELAXED_CONSTEXPR__ 1
#define _LIBCUDACXX_HAS_CUDA_ATOMIC_IMPL // libcu++ has the atomics of the device for nvcc; they suit clang
#endif

#include "host_defines.h"
// The device's math names come before <cmath>, so that clang leaves the standard functions of the same signature to the
// host.
#ifdef __CUDA__
#include "detail/math_names.h"
#endif

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cuda_runtime_api.h"
#include "driver_functions.h"
#include "library_types.h"
#include "vector_functions.h"

#ifdef __cplusplus
#include <utility> // as CUDA's header does, with <initializer_list>

#include "detail/channel_descriptor.h"
#include "detail/runtime_templates.h"
#endif

#ifdef __CUDA__
#include <__clang_cuda_builtin_vars.h>

#include "detail/atomics.h"
#include "detail/builtin_variables.h"
#include "detail/dpx.h"
#include "detail/float_pairs.h"
#include "detail/intrinsics.h"
#include "detail/address_spaces.h"
#include "detail/clusters.h"
#include "detail/math.h"
#ifdef HEDDLE_CALLS_INT128
#include "detail/int128.h"
#endif
#include "detail/ordered_atomics.h"
#include "detail/simd.h"
#include "detail/surface_functions.h"
#include "detail/system.h"
#include "detail/texture_functions.h"
#include "detail/warp.h"

// Where clang's own <new> has new and delete for the device, which call malloc and free.
#ifdef __cplusplus
#include <new>
#endif
#endif
