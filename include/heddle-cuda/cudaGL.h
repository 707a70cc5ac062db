// The driver API: buffers and images of OpenGL, which heddle does not have: the functions return CUDA_ERROR_NOT_SUPPORTED.
#pragma once

#include <GL/gl.h>

#include "cuda.h"

typedef enum CUGLDeviceList_enum {
    CU_GL_DEVICE_LIST_ALL = 1,
    CU_GL_DEVICE_LIST_CURRENT_FRAME = 2,
    CU_GL_DEVICE_LIST_NEXT_FRAME = 3
} CUGLDeviceList;
typedef enum CUGLmap_flags_enum {
    CU_GL_MAP_RESOURCE_FLAGS_NONE = 0,
    CU_GL_MAP_RESOURCE_FLAGS_READ_ONLY = 1,
    CU_GL_MAP_RESOURCE_FLAGS_WRITE_DISCARD = 2
} CUGLmap_flags;

#define cuGLCtxCreate cuGLCtxCreate_v2
#define cuGLMapBufferObject cuGLMapBufferObject_v2
#define cuGLMapBufferObjectAsync cuGLMapBufferObjectAsync_v2
#define cuGLGetDevices cuGLGetDevices_v2

#ifdef __cplusplus
extern "C" {
#endif
CUresult cuGraphicsGLRegisterBuffer(CUgraphicsResource* resource, GLuint buffer, unsigned int flags);
CUresult cuGraphicsGLRegisterImage(CUgraphicsResource* resource, GLuint image, GLenum target, unsigned int flags);
CUresult cuGLGetDevices(unsigned int* found, CUdevice* devices, unsigned int count, CUGLDeviceList which);
CUresult cuGLCtxCreate(CUcontext* context, unsigned int flags, CUdevice device);
CUresult cuGLInit(void);
CUresult cuGLRegisterBufferObject(GLuint buffer);
CUresult cuGLMapBufferObject(CUdeviceptr* pointer, size_t* bytes, GLuint buffer);
CUresult cuGLUnmapBufferObject(GLuint buffer);
CUresult cuGLUnregisterBufferObject(GLuint buffer);
CUresult cuGLSetBufferObjectMapFlags(GLuint buffer, unsigned int flags);
CUresult cuGLMapBufferObjectAsync(CUdeviceptr* pointer, size_t* bytes, GLuint buffer, CUstream stream);
CUresult cuGLUnmapBufferObjectAsync(GLuint buffer, CUstream stream);
#ifdef __cplusplus
}
#endif
