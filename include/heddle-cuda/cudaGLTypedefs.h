// Types of pointers to functions of cudaGL.h, as cuGetProcAddress gives them.
#pragma once

#include "cudaGL.h"
#include "detail/driver_function_type.h"

#ifdef __cplusplus
extern "C" {
#endif
HEDDLE_LATEST_FUNCTION(cuGraphicsGLRegisterBuffer, 3000)
HEDDLE_LATEST_FUNCTION(cuGraphicsGLRegisterImage, 3000)
HEDDLE_LATEST_FUNCTION(cuGLGetDevices, 6050)
HEDDLE_LATEST_FUNCTION(cuGLCtxCreate, 3020)
HEDDLE_LATEST_FUNCTION(cuGLInit, 2000)
HEDDLE_LATEST_FUNCTION(cuGLRegisterBufferObject, 2000)
HEDDLE_LATEST_FUNCTION(cuGLMapBufferObject, 3020)
HEDDLE_FUNCTION_TYPE(cuGLMapBufferObject, cuGLMapBufferObject_v7000_ptds)
HEDDLE_LATEST_FUNCTION(cuGLUnmapBufferObject, 2000)
HEDDLE_LATEST_FUNCTION(cuGLUnregisterBufferObject, 2000)
HEDDLE_LATEST_FUNCTION(cuGLSetBufferObjectMapFlags, 2030)
HEDDLE_LATEST_FUNCTION(cuGLMapBufferObjectAsync, 3020)
HEDDLE_FUNCTION_TYPE(cuGLMapBufferObjectAsync, cuGLMapBufferObjectAsync_v7000_ptsz)
HEDDLE_LATEST_FUNCTION(cuGLUnmapBufferObjectAsync, 2030)
#ifdef __cplusplus
}
#endif
