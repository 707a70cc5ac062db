// The types of VDPAU that CUDA's headers name
#pragma once
#include <stdint.h>
typedef int VdpStatus;
typedef uint32_t VdpDevice, VdpFuncId, VdpOutputSurface, VdpVideoSurface;
typedef VdpStatus VdpGetProcAddress(VdpDevice, VdpFuncId, void**);
