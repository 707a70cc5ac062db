// Types of pointers to functions of cudaProfiler.h, as cuGetProcAddress gives them.
#pragma once

#include "cudaProfiler.h"
#include "detail/driver_function_type.h"

#ifdef __cplusplus
extern "C" {
#endif
HEDDLE_LATEST_FUNCTION(cuProfilerInitialize, 4000)
HEDDLE_LATEST_FUNCTION(cuProfilerStart, 4000)
HEDDLE_LATEST_FUNCTION(cuProfilerStop, 4000)
#ifdef __cplusplus
}
#endif
