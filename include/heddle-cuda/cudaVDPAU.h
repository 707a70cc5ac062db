// The driver API: surfaces of VDPAU, which heddle does not have: the functions return CUDA_ERROR_NOT_SUPPORTED.
#pragma once

#include <vdpau/vdpau.h>

#include "cuda.h"

#define cuVDPAUCtxCreate cuVDPAUCtxCreate_v2

#ifdef __cplusplus
extern "C" {
#endif
CUresult cuVDPAUGetDevice(CUdevice* device, VdpDevice of, VdpGetProcAddress* procedures);
CUresult cuVDPAUCtxCreate(CUcontext* context, unsigned int flags, CUdevice device, VdpDevice of,
                          VdpGetProcAddress* procedures);
CUresult cuGraphicsVDPAURegisterVideoSurface(CUgraphicsResource* resource, VdpVideoSurface surface, unsigned int flags);
CUresult cuGraphicsVDPAURegisterOutputSurface(CUgraphicsResource* resource, VdpOutputSurface surface,
                                              unsigned int flags);
#ifdef __cplusplus
}
#endif
