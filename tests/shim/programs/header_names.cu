// Headers of CUDA by all their names, old ones too, which nvcc does not have any more; pointers to constants.
// NOT-WITH: nvcc
// OPTIONS: -L/usr/local/cuda/lib64 -lcuda
// EXPECT: copied 5
// EXPECT: compute mode 0 0, handles between processes: cudaErrorNotSupported
// EXPECT: no object: 0 0
// ERROR: cudaIpcGetMemHandle is not supported yet
#include <builtin_types.h>
#include <common_functions.h>
#include <cstdio>
#include <cuda.h>
#include <cudaProfiler.h>
#include <cuda_occupancy.h>
#include <cuda_texture_types.h>
#include <device_double_functions.h>
#include <device_types.h>
#include <math_functions.hpp>
#include <sm_30_intrinsics.h>
#include <surface_functions.h>
#include <texture_fetch_functions.h>
#include <vector_functions.hpp>

#include <crt/host_defines.h>
#include <nvtx3/nvToolsExt.h>

__global__ void copy(const float* from, float* to) {
    *to = *from;
}

int main() {
    const float* from = nullptr;
    float* to = nullptr;
    cudaMalloc(&from, sizeof(float));
    cudaMallocManaged(&to, sizeof(float));
    const float five = 5;
    cudaMemcpy(const_cast<float*>(from), &five, sizeof five, cudaMemcpyHostToDevice);
    cuProfilerStart();
    nvtxRangePush("copy");
    nvtxEventAttributes_t mark = {};
    mark.version = NVTX_VERSION;
    mark.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    mark.messageType = NVTX_MESSAGE_TYPE_ASCII;
    mark.message.ascii = "mark";
    nvtxMarkEx(&mark);
    copy<<<1, 1>>>(from, to);
    cudaDeviceSynchronize();
    nvtxRangePop();
    cuProfilerStop();
    std::printf("copied %g\n", *to);
    int mode = -1;
    cuInit(0);
    cuDeviceGetAttribute(&mode, CU_DEVICE_ATTRIBUTE_COMPUTE_MODE, 0);
    cudaIpcMemHandle_t handle;
    std::printf("compute mode %d %d, handles between processes: %s\n", mode, CU_COMPUTEMODE_DEFAULT,
                cudaGetErrorName(cudaIpcGetMemHandle(&handle, to)));
    cudaGetLastError();
    std::printf("no object: %d %d\n", cudaDestroyTextureObject(0), cudaDestroySurfaceObject(0));
}
