// make_int2 and the rest, for host and device.
#pragma once

#include "vector_types.h"

#ifdef __cplusplus
#define HEDDLE_CUDA_MAKE(scalar, name)                                                                                 \
    HEDDLE_CUDA_BOTH inline name##1 make_##name##1(scalar x) {                                                         \
        return name##1 {x};                                                                                            \
    }                                                                                                                  \
    HEDDLE_CUDA_BOTH inline name##2 make_##name##2(scalar x, scalar y) {                                               \
        return name##2 {x, y};                                                                                         \
    }                                                                                                                  \
    HEDDLE_CUDA_BOTH inline name##3 make_##name##3(scalar x, scalar y, scalar z) {                                     \
        return name##3 {x, y, z};                                                                                      \
    }                                                                                                                  \
    HEDDLE_CUDA_BOTH inline name##4 make_##name##4(scalar x, scalar y, scalar z, scalar w) {                           \
        return name##4 {x, y, z, w};                                                                                   \
    }

HEDDLE_CUDA_MAKE(signed char, char)
HEDDLE_CUDA_MAKE(unsigned char, uchar)
HEDDLE_CUDA_MAKE(short, short)
HEDDLE_CUDA_MAKE(unsigned short, ushort)
HEDDLE_CUDA_MAKE(int, int)
HEDDLE_CUDA_MAKE(unsigned int, uint)
HEDDLE_CUDA_MAKE(long, long)
HEDDLE_CUDA_MAKE(unsigned long, ulong)
HEDDLE_CUDA_MAKE(long long, longlong)
HEDDLE_CUDA_MAKE(unsigned long long, ulonglong)
HEDDLE_CUDA_MAKE(float, float)
HEDDLE_CUDA_MAKE(double, double)
#undef HEDDLE_CUDA_MAKE
#define HEDDLE_CUDA_MAKE(scalar, name)                                                                                 \
    HEDDLE_CUDA_BOTH inline name make_##name(scalar x, scalar y, scalar z, scalar w) {                                 \
        return name{x, y, z, w};                                                                                       \
    }
HEDDLE_CUDA_MAKE(long, long4_16a)
HEDDLE_CUDA_MAKE(long, long4_32a)
HEDDLE_CUDA_MAKE(unsigned long, ulong4_16a)
HEDDLE_CUDA_MAKE(unsigned long, ulong4_32a)
HEDDLE_CUDA_MAKE(long long, longlong4_16a)
HEDDLE_CUDA_MAKE(long long, longlong4_32a)
HEDDLE_CUDA_MAKE(unsigned long long, ulonglong4_16a)
HEDDLE_CUDA_MAKE(unsigned long long, ulonglong4_32a)
HEDDLE_CUDA_MAKE(double, double4_16a)
HEDDLE_CUDA_MAKE(double, double4_32a)
#undef HEDDLE_CUDA_MAKE
#endif
