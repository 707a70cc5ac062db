// The device.
#include <algorithm>
#include <cstring>

#include "driver.h"

using namespace heddle::driver;

HEDDLE_DRIVER_API CUresult cuDeviceGetCount(int* count) {
    return initialised([&] { return cudaGetDeviceCount(count); });
}

HEDDLE_DRIVER_API CUresult cuDeviceGet(CUdevice* device, int ordinal) {
    return of_device(ordinal, [&] {
        if (device == nullptr)
            return cudaErrorInvalidValue;
        *device = ordinal;
        return cudaSuccess;
    });
}

HEDDLE_DRIVER_API CUresult cuDeviceGetName(char* name, int length, CUdevice device) {
    return of_device(device, [&] {
        cudaDeviceProp properties;
        if (name == nullptr || length <= 0)
            return cudaErrorInvalidValue;
        const cudaError_t error = cudaGetDeviceProperties(&properties, device);
        if (error != cudaSuccess)
            return error;
        const std::size_t bytes = std::min(static_cast<std::size_t>(length) - 1, std::strlen(properties.name));
        std::memcpy(name, properties.name, bytes);
        name[bytes] = 0;
        return cudaSuccess;
    });
}

HEDDLE_DRIVER_API CUresult cuDeviceGetUuid(CUuuid* uuid, CUdevice device) {
    return of_device(device, [&] {
        cudaDeviceProp properties;
        if (uuid == nullptr)
            return cudaErrorInvalidValue;
        const cudaError_t error = cudaGetDeviceProperties(&properties, device);
        if (error == cudaSuccess)
            *uuid = properties.uuid;
        return error;
    });
}

HEDDLE_DRIVER_API CUresult cuDeviceTotalMem(std::size_t* bytes, CUdevice device) {
    return of_device(device, [&] {
        std::size_t free = 0;
        return bytes == nullptr ? cudaErrorInvalidValue : cudaMemGetInfo(&free, bytes);
    });
}

HEDDLE_DRIVER_API CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice device) {
    return of_device(device, [&] { return cudaDeviceGetAttribute(value, attribute, device); });
}

HEDDLE_DRIVER_API CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice device) {
    return of_device(device, [&] {
        const cudaError_t error = cudaDeviceGetAttribute(major, cudaDevAttrComputeCapabilityMajor, device);
        return error != cudaSuccess ? error : cudaDeviceGetAttribute(minor, cudaDevAttrComputeCapabilityMinor, device);
    });
}

HEDDLE_DRIVER_API CUresult cuDeviceGetProperties(CUdevprop* out, CUdevice device) {
    return of_device(device, [&] {
        cudaDeviceProp p;
        const cudaError_t error = out == nullptr ? cudaErrorInvalidValue : cudaGetDeviceProperties(&p, device);
        if (error != cudaSuccess)
            return error;
        *out = {p.maxThreadsPerBlock,
                {p.maxThreadsDim[0], p.maxThreadsDim[1], p.maxThreadsDim[2]},
                {p.maxGridSize[0], p.maxGridSize[1], p.maxGridSize[2]},
                static_cast<int>(p.sharedMemPerBlock),
                static_cast<int>(p.totalConstMem),
                p.warpSize,
                static_cast<int>(p.memPitch),
                p.regsPerBlock,
                p.clockRate,
                static_cast<int>(p.textureAlignment)};
        return cudaSuccess;
    });
}

HEDDLE_DRIVER_API CUresult cuDeviceGetPCIBusId(char* text, int length, CUdevice device) {
    return of_device(device, [&] { return cudaDeviceGetPCIBusId(text, length, device); });
}
HEDDLE_DRIVER_API CUresult cuDeviceGetByPCIBusId(CUdevice* device, const char* text) {
    return initialised([&] { return cudaDeviceGetByPCIBusId(device, text); });
}
HEDDLE_DRIVER_API CUresult cuDeviceCanAccessPeer(int* can, CUdevice device, CUdevice peer) {
    return initialised([&] { return cudaDeviceCanAccessPeer(can, device, peer); });
}
HEDDLE_DRIVER_API CUresult cuDeviceGetP2PAttribute(int* value, CUdevice_P2PAttribute attribute, CUdevice from,
                                                   CUdevice to) {
    return initialised(
        [&] { return cudaDeviceGetP2PAttribute(value, static_cast<cudaDeviceP2PAttr>(attribute), from, to); });
}
// SMs are not divided among contexts.
HEDDLE_DRIVER_API CUresult cuDeviceGetExecAffinitySupport(int* can, CUexecAffinityType, CUdevice device) {
    return of_device(device, [&] {
        if (can == nullptr)
            return cudaErrorInvalidValue;
        *can = 0;
        return cudaSuccess;
    });
}

HEDDLE_DRIVER_API CUresult cuProfilerStart() {
    return initialised([] { return cudaProfilerStart(); });
}
HEDDLE_DRIVER_API CUresult cuProfilerStop() {
    return initialised([] { return cudaProfilerStop(); });
}
