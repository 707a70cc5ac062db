// The launch of before CUDA 4: the shape of blocks and the parameters are set in the function.
#include <cstring>
#include <map>
#include <mutex>
#include <vector>

#include "driver.h"

using namespace heddle::driver;

namespace {

struct Prepared {
    int x = 1, y = 1, z = 1;
    unsigned shared = 0;
    std::vector<std::byte> parameters; // a block with the size of cuParamSetSize()
};

std::mutex mutex;
std::map<CUfunction, Prepared>& functions() {
    static auto* const all = new std::map<CUfunction, Prepared>;
    return *all;
}

// Calls body(what is prepared for the function).
template <class F>
CUresult with(CUfunction function, F&& body) {
    return in_context([&] {
        const char* name = nullptr;
        if (const cudaError_t error = cudaFuncGetName(&name, kernel_of(function)); error != cudaSuccess)
            return error;
        const std::lock_guard lock(mutex);
        return body(functions()[function]);
    });
}

CUresult set(CUfunction function, int offset, const void* value, std::size_t bytes) {
    return with(function, [&](Prepared& prepared) {
        if (offset < 0 || (value == nullptr && bytes != 0))
            return cudaErrorInvalidValue;
        const auto begin = static_cast<std::size_t>(offset);
        if (prepared.parameters.size() < begin + bytes)
            prepared.parameters.resize(begin + bytes);
        std::memcpy(prepared.parameters.data() + begin, value, bytes);
        return cudaSuccess;
    });
}

CUresult launch(CUfunction function, int width, int height, CUstream stream) {
    Prepared prepared;
    const CUresult result = with(function, [&](const Prepared& known) {
        prepared = known;
        return width > 0 && height > 0 ? cudaSuccess : cudaErrorInvalidValue;
    });
    if (result != CUDA_SUCCESS)
        return result;
    std::size_t bytes = prepared.parameters.size();
    void* block[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, prepared.parameters.data(), CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes,
                     CU_LAUNCH_PARAM_END};
    return cuLaunchKernel(function, static_cast<unsigned>(width), static_cast<unsigned>(height), 1,
                          static_cast<unsigned>(prepared.x), static_cast<unsigned>(prepared.y),
                          static_cast<unsigned>(prepared.z), prepared.shared, stream, nullptr, block);
}

} // namespace

HEDDLE_DRIVER_API CUresult cuFuncSetBlockShape(CUfunction function, int x, int y, int z) {
    return with(function, [&](Prepared& prepared) {
        if (x <= 0 || y <= 0 || z <= 0)
            return cudaErrorInvalidValue;
        prepared.x = x;
        prepared.y = y;
        prepared.z = z;
        return cudaSuccess;
    });
}
HEDDLE_DRIVER_API CUresult cuFuncSetSharedSize(CUfunction function, unsigned bytes) {
    return with(function, [&](Prepared& prepared) {
        prepared.shared = bytes;
        return cudaSuccess;
    });
}
HEDDLE_DRIVER_API CUresult cuParamSetSize(CUfunction function, unsigned bytes) {
    return with(function, [&](Prepared& prepared) {
        prepared.parameters.resize(bytes);
        return cudaSuccess;
    });
}
HEDDLE_DRIVER_API CUresult cuParamSeti(CUfunction function, int offset, unsigned value) {
    return set(function, offset, &value, sizeof value);
}
HEDDLE_DRIVER_API CUresult cuParamSetf(CUfunction function, int offset, float value) {
    return set(function, offset, &value, sizeof value);
}
HEDDLE_DRIVER_API CUresult cuParamSetv(CUfunction function, int offset, void* value, unsigned bytes) {
    return set(function, offset, value, bytes);
}
HEDDLE_DRIVER_API CUresult cuLaunch(CUfunction function) {
    return launch(function, 1, 1, nullptr);
}
HEDDLE_DRIVER_API CUresult cuLaunchGrid(CUfunction function, int width, int height) {
    return launch(function, width, height, nullptr);
}
HEDDLE_DRIVER_API CUresult cuLaunchGridAsync(CUfunction function, int width, int height, CUstream stream) {
    return launch(function, width, height, stream);
}
