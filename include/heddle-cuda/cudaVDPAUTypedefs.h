// Types of pointers to functions of cudaVDPAU.h, as cuGetProcAddress gives them.
#pragma once

#include "cudaVDPAU.h"
#include "detail/driver_function_type.h"

#ifdef __cplusplus
extern "C" {
#endif
HEDDLE_LATEST_FUNCTION(cuVDPAUGetDevice, 3010)
HEDDLE_LATEST_FUNCTION(cuVDPAUCtxCreate, 3020)
HEDDLE_LATEST_FUNCTION(cuGraphicsVDPAURegisterVideoSurface, 3010)
HEDDLE_LATEST_FUNCTION(cuGraphicsVDPAURegisterOutputSurface, 3010)
#ifdef __cplusplus
}
#endif
