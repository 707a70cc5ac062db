// Types of pointers to functions of cudaEGL.h, as cuGetProcAddress gives them.
#pragma once

#include "cudaEGL.h"
#include "detail/driver_function_type.h"

#ifdef __cplusplus
extern "C" {
#endif
HEDDLE_LATEST_FUNCTION(cuGraphicsEGLRegisterImage, 7000)
HEDDLE_LATEST_FUNCTION(cuEGLStreamConsumerConnect, 7000)
HEDDLE_LATEST_FUNCTION(cuEGLStreamConsumerConnectWithFlags, 8000)
HEDDLE_LATEST_FUNCTION(cuEGLStreamConsumerDisconnect, 7000)
HEDDLE_LATEST_FUNCTION(cuEGLStreamConsumerAcquireFrame, 7000)
HEDDLE_LATEST_FUNCTION(cuEGLStreamConsumerReleaseFrame, 7000)
HEDDLE_LATEST_FUNCTION(cuEGLStreamProducerConnect, 7000)
HEDDLE_LATEST_FUNCTION(cuEGLStreamProducerDisconnect, 7000)
HEDDLE_LATEST_FUNCTION(cuEGLStreamProducerPresentFrame, 7000)
HEDDLE_LATEST_FUNCTION(cuEGLStreamProducerReturnFrame, 7000)
HEDDLE_LATEST_FUNCTION(cuGraphicsResourceGetMappedEglFrame, 7000)
HEDDLE_LATEST_FUNCTION(cuEventCreateFromEGLSync, 9000)
#ifdef __cplusplus
}
#endif
