// What the math library stands on: instructions of the device, correctly rounded stand-ins on the host.
// add and mul are never fused by the compiler (it contracts plain expressions into fma).
#pragma once
#pragma GCC system_header

#ifdef __CUDA_ARCH__
#include "math_device_primitives.h"
#else
#include "math_host_primitives.h"
#endif
