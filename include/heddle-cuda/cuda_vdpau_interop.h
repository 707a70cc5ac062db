// The CUDA runtime: surfaces of VDPAU, which heddle does not have: the functions return cudaErrorNotSupported.
#pragma once

#include <vdpau/vdpau.h>

#include "cuda_runtime_api.h"

#ifdef __cplusplus
extern "C" {
#endif
cudaError_t cudaVDPAUGetDevice(int* device, VdpDevice of, VdpGetProcAddress* procedures);
cudaError_t cudaVDPAUSetVDPAUDevice(int device, VdpDevice of, VdpGetProcAddress* procedures);
cudaError_t cudaGraphicsVDPAURegisterVideoSurface(struct cudaGraphicsResource** resource, VdpVideoSurface surface,
                                                  unsigned int flags);
cudaError_t cudaGraphicsVDPAURegisterOutputSurface(struct cudaGraphicsResource** resource, VdpOutputSurface surface,
                                                   unsigned int flags);
#ifdef __cplusplus
}
#endif
