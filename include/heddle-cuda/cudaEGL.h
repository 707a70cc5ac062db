// The driver API: images and streams of EGL, which heddle does not have: the functions return CUDA_ERROR_NOT_SUPPORTED.
#pragma once

#include <EGL/egl.h>
#include <EGL/eglext.h>

#include "cuda.h"

#define MAX_PLANES 3
#define CUDA_EGL_INFINITE_TIMEOUT 0xFFFFFFFF

typedef enum CUeglFrameType_enum { CU_EGL_FRAME_TYPE_ARRAY = 0, CU_EGL_FRAME_TYPE_PITCH = 1 } CUeglFrameType;
typedef enum CUeglResourceLocationFlags_enum {
    CU_EGL_RESOURCE_LOCATION_SYSMEM = 0,
    CU_EGL_RESOURCE_LOCATION_VIDMEM = 1
} CUeglResourceLocationFlags;
typedef enum CUeglColorFormat_enum {
#define HEDDLE_FORMAT(number, driver, runtime) CU_EGL_COLOR_FORMAT_##driver = number,
#define HEDDLE_DRIVER_FORMAT(number, driver) CU_EGL_COLOR_FORMAT_##driver = number,
#include "detail/egl_color_formats.def"
#undef HEDDLE_FORMAT
#undef HEDDLE_DRIVER_FORMAT
    CU_EGL_COLOR_FORMAT_MAX
} CUeglColorFormat;

typedef struct CUeglFrame_st {
    union {
        CUarray pArray[MAX_PLANES];
        void* pPitch[MAX_PLANES];
    } frame;
    unsigned int width, height, depth, pitch; // of the first plane
    unsigned int planeCount, numChannels;
    CUeglFrameType frameType;
    CUeglColorFormat eglColorFormat;
    CUarray_format cuFormat;
} CUeglFrame_v1;
typedef CUeglFrame_v1 CUeglFrame;
typedef struct CUeglStreamConnection_st* CUeglStreamConnection;

#ifdef __cplusplus
extern "C" {
#endif
CUresult cuGraphicsEGLRegisterImage(CUgraphicsResource* resource, EGLImageKHR image, unsigned int flags);
CUresult cuEGLStreamConsumerConnect(CUeglStreamConnection* connection, EGLStreamKHR from);
CUresult cuEGLStreamConsumerConnectWithFlags(CUeglStreamConnection* connection, EGLStreamKHR from, unsigned int flags);
CUresult cuEGLStreamConsumerDisconnect(CUeglStreamConnection* connection);
CUresult cuEGLStreamConsumerAcquireFrame(CUeglStreamConnection* connection, CUgraphicsResource* resource, CUstream* stream,
                                         unsigned int timeout);
CUresult cuEGLStreamConsumerReleaseFrame(CUeglStreamConnection* connection, CUgraphicsResource resource, CUstream* stream);
CUresult cuEGLStreamProducerConnect(CUeglStreamConnection* connection, EGLStreamKHR to, EGLint width, EGLint height);
CUresult cuEGLStreamProducerDisconnect(CUeglStreamConnection* connection);
CUresult cuEGLStreamProducerPresentFrame(CUeglStreamConnection* connection, CUeglFrame frame, CUstream* stream);
CUresult cuEGLStreamProducerReturnFrame(CUeglStreamConnection* connection, CUeglFrame* frame, CUstream* stream);
CUresult cuGraphicsResourceGetMappedEglFrame(CUeglFrame* frame, CUgraphicsResource resource, unsigned int index,
                                             unsigned int level);
CUresult cuEventCreateFromEGLSync(CUevent* event, EGLSyncKHR sync, unsigned int flags);
#ifdef __cplusplus
}
#endif
