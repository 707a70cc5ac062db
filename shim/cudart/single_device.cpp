// Functions about several devices, where there is one.
#include <string_view>

#include "state.h"

using namespace heddle::cudart;

namespace {

cudaError_t check_devices(int a, int b) {
    return a == 0 && b == 0 ? cudaSuccess : cudaErrorInvalidDevice;
}

// Calls copy(the copy within the device).
template <class Copy>
cudaError_t copy_volume(const cudaMemcpy3DPeerParms* what, Copy&& copy) {
    if (what == nullptr)
        return record(cudaErrorInvalidValue);
    if (const cudaError_t error = check_devices(what->srcDevice, what->dstDevice); error != cudaSuccess)
        return record(error);
    const cudaMemcpy3DParms same{what->srcArray, what->srcPos, what->srcPtr, what->dstArray,
                                 what->dstPos,   what->dstPtr, what->extent, cudaMemcpyDefault};
    return copy(&same);
}

} // namespace

HEDDLE_CUDA_API cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device,
                                           std::size_t bytes) {
    const cudaError_t error = check_devices(to_device, from_device);
    return error != cudaSuccess ? record(error) : cudaMemcpy(to, from, bytes, cudaMemcpyDefault);
}
HEDDLE_CUDA_API cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device,
                                                std::size_t bytes, cudaStream_t stream) {
    const cudaError_t error = check_devices(to_device, from_device);
    return error != cudaSuccess ? record(error) : cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream);
}
HEDDLE_CUDA_API cudaError_t cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms* what) {
    return copy_volume(what, [](const cudaMemcpy3DParms* same) { return cudaMemcpy3D(same); });
}
HEDDLE_CUDA_API cudaError_t cudaMemcpy3DPeer_ptds(const cudaMemcpy3DPeerParms* what) {
    return cudaMemcpy3DPeer(what);
}
HEDDLE_CUDA_API cudaError_t cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms* what, cudaStream_t stream) {
    return copy_volume(what, [&](const cudaMemcpy3DParms* same) { return cudaMemcpy3DAsync(same, stream); });
}
HEDDLE_CUDA_API cudaError_t cudaMemcpy3DPeerAsync_ptsz(const cudaMemcpy3DPeerParms* what, cudaStream_t stream) {
    return cudaMemcpy3DPeerAsync(what, stream);
}

// A device is no peer of itself.
HEDDLE_CUDA_API cudaError_t cudaDeviceEnablePeerAccess(int, unsigned) {
    return api([](State&) { return cudaErrorInvalidDevice; });
}
HEDDLE_CUDA_API cudaError_t cudaDeviceDisablePeerAccess(int) {
    return api([](State&) { return cudaErrorInvalidDevice; });
}
HEDDLE_CUDA_API cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr, int, int) {
    return api([&](State&) { return value == nullptr ? cudaErrorInvalidValue : cudaErrorInvalidDevice; });
}
HEDDLE_CUDA_API cudaError_t cudaSetValidDevices(int* devices, int count) {
    return api([&](State&) {
        if (count < 0 || (count != 0 && devices == nullptr))
            return cudaErrorInvalidValue;
        for (int i = 0; i < count; ++i)
            if (devices[i] != 0)
                return cudaErrorInvalidDevice;
        return cudaSuccess;
    });
}

// The domain may be left out.
HEDDLE_CUDA_API cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* text) {
    char own[16];
    if (device == nullptr || text == nullptr)
        return record(cudaErrorInvalidValue);
    if (const cudaError_t error = cudaDeviceGetPCIBusId(own, sizeof own, 0); error != cudaSuccess)
        return error;
    const std::string_view whole(own), asked(text);
    if (asked != whole && asked != whole.substr(whole.find(':') + 1))
        return record(cudaErrorInvalidDevice);
    *device = 0;
    return cudaSuccess;
}

// Nothing persists in a cache beyond its replacement policy.
HEDDLE_CUDA_API cudaError_t cudaCtxResetPersistingL2Cache() {
    return api([](State&) { return cudaSuccess; });
}
