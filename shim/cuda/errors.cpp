#include <algorithm>
#include <iterator>

#include "driver.h"

namespace {

struct Text {
    CUresult result;
    const char* name;
};
#define HEDDLE_RESULT(name)                                                                                            \
    Text {                                                                                                             \
        name, #name                                                                                                    \
    }
constexpr Text kTexts[] = {
    HEDDLE_RESULT(CUDA_SUCCESS),
    HEDDLE_RESULT(CUDA_ERROR_INVALID_VALUE),
    HEDDLE_RESULT(CUDA_ERROR_OUT_OF_MEMORY),
    HEDDLE_RESULT(CUDA_ERROR_NOT_INITIALIZED),
    HEDDLE_RESULT(CUDA_ERROR_DEINITIALIZED),
    HEDDLE_RESULT(CUDA_ERROR_NO_DEVICE),
    HEDDLE_RESULT(CUDA_ERROR_INVALID_DEVICE),
    HEDDLE_RESULT(CUDA_ERROR_INVALID_IMAGE),
    HEDDLE_RESULT(CUDA_ERROR_INVALID_CONTEXT),
    HEDDLE_RESULT(CUDA_ERROR_INVALID_PTX),
    HEDDLE_RESULT(CUDA_ERROR_FILE_NOT_FOUND),
    HEDDLE_RESULT(CUDA_ERROR_INVALID_HANDLE),
    HEDDLE_RESULT(CUDA_ERROR_NOT_FOUND),
    HEDDLE_RESULT(CUDA_ERROR_NOT_READY),
    HEDDLE_RESULT(CUDA_ERROR_ILLEGAL_ADDRESS),
    HEDDLE_RESULT(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES),
    HEDDLE_RESULT(CUDA_ERROR_LAUNCH_TIMEOUT),
    HEDDLE_RESULT(CUDA_ERROR_ASSERT),
    HEDDLE_RESULT(CUDA_ERROR_MISALIGNED_ADDRESS),
    HEDDLE_RESULT(CUDA_ERROR_LAUNCH_FAILED),
    HEDDLE_RESULT(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE),
    HEDDLE_RESULT(CUDA_ERROR_NOT_SUPPORTED),
    HEDDLE_RESULT(CUDA_ERROR_UNKNOWN),
};
#undef HEDDLE_RESULT

const Text* find(CUresult result) {
    const auto* const at = std::find_if(std::begin(kTexts), std::end(kTexts),
                                        [result](const Text& text) { return text.result == result; });
    return at == std::end(kTexts) ? nullptr : at;
}

} // namespace

CUresult heddle::driver::result_of(cudaError_t error) {
    switch (error) {
    case cudaErrorInvalidDeviceFunction:
        return CUDA_ERROR_INVALID_HANDLE;
    case cudaErrorInvalidResourceHandle:
        return CUDA_ERROR_INVALID_HANDLE;
    default:
        break;
    }
    const auto same = static_cast<CUresult>(error);
    return find(same) == nullptr ? CUDA_ERROR_INVALID_VALUE : same;
}

HEDDLE_DRIVER_API CUresult cuGetErrorName(CUresult error, const char** name) {
    const Text* const text = find(error);
    if (name != nullptr)
        *name = text == nullptr ? nullptr : text->name;
    return name == nullptr || text == nullptr ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

HEDDLE_DRIVER_API CUresult cuGetErrorString(CUresult error, const char** text) {
    const bool known = find(error) != nullptr;
    if (text != nullptr)
        *text = known ? cudaGetErrorString(static_cast<cudaError_t>(error)) : nullptr;
    return text == nullptr || !known ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}
