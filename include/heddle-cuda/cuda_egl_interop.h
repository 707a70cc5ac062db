// The CUDA runtime: images and streams of EGL, which heddle does not have: the functions return cudaErrorNotSupported.
#pragma once

#include <EGL/egl.h>
#include <EGL/eglext.h>

#include "cuda_runtime_api.h"

#define CUDA_EGL_MAX_PLANES 3

typedef enum cudaEglFrameType_enum { cudaEglFrameTypeArray = 0, cudaEglFrameTypePitch = 1 } cudaEglFrameType;
typedef enum cudaEglResourceLocationFlags_enum {
    cudaEglResourceLocationSysmem = 0,
    cudaEglResourceLocationVidmem = 1
} cudaEglResourceLocationFlags;
typedef enum cudaEglColorFormat_enum {
#define HEDDLE_FORMAT(number, driver, runtime) cudaEglColorFormat##runtime = number,
#define HEDDLE_DRIVER_FORMAT(number, driver)
#include "detail/egl_color_formats.def"
#undef HEDDLE_FORMAT
#undef HEDDLE_DRIVER_FORMAT
} cudaEglColorFormat;

typedef struct cudaEglPlaneDesc_st {
    unsigned int width, height, depth, pitch, numChannels;
    struct cudaChannelFormatDesc channelDesc;
    unsigned int reserved[4];
} cudaEglPlaneDesc;
typedef struct cudaEglFrame_st {
    union {
        cudaArray_t pArray[CUDA_EGL_MAX_PLANES];
        struct cudaPitchedPtr pPitch[CUDA_EGL_MAX_PLANES];
    } frame;
    cudaEglPlaneDesc planeDesc[CUDA_EGL_MAX_PLANES];
    unsigned int planeCount;
    cudaEglFrameType frameType;
    cudaEglColorFormat eglColorFormat;
} cudaEglFrame;
typedef struct CUeglStreamConnection_st* cudaEglStreamConnection;

#ifdef __cplusplus
extern "C" {
#endif
cudaError_t cudaGraphicsEGLRegisterImage(struct cudaGraphicsResource** resource, EGLImageKHR image, unsigned int flags);
cudaError_t cudaEGLStreamConsumerConnect(cudaEglStreamConnection* connection, EGLStreamKHR from);
cudaError_t cudaEGLStreamConsumerConnectWithFlags(cudaEglStreamConnection* connection, EGLStreamKHR from, unsigned int flags);
cudaError_t cudaEGLStreamConsumerDisconnect(cudaEglStreamConnection* connection);
cudaError_t cudaEGLStreamConsumerAcquireFrame(cudaEglStreamConnection* connection, cudaGraphicsResource_t* resource,
                                              cudaStream_t* stream, unsigned int timeout);
cudaError_t cudaEGLStreamConsumerReleaseFrame(cudaEglStreamConnection* connection, cudaGraphicsResource_t resource,
                                              cudaStream_t* stream);
cudaError_t cudaEGLStreamProducerConnect(cudaEglStreamConnection* connection, EGLStreamKHR to, EGLint width, EGLint height);
cudaError_t cudaEGLStreamProducerDisconnect(cudaEglStreamConnection* connection);
cudaError_t cudaEGLStreamProducerPresentFrame(cudaEglStreamConnection* connection, cudaEglFrame frame, cudaStream_t* stream);
cudaError_t cudaEGLStreamProducerReturnFrame(cudaEglStreamConnection* connection, cudaEglFrame* frame, cudaStream_t* stream);
cudaError_t cudaGraphicsResourceGetMappedEglFrame(cudaEglFrame* frame, cudaGraphicsResource_t resource, unsigned int index,
                                                  unsigned int level);
cudaError_t cudaEventCreateFromEGLSync(cudaEvent_t* event, EGLSyncKHR sync, unsigned int flags);
#ifdef __cplusplus
}
#endif
