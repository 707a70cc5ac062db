// The driver's profiler control: there is no profiler to control.
#pragma once

#include "cuda.h"

#ifdef __cplusplus
extern "C" {
#endif
CUresult cuProfilerStart(void);
CUresult cuProfilerStop(void);
#ifdef __cplusplus
}
#endif
