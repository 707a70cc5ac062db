#include <algorithm>
#include <iterator>

#include "driver.h"

namespace {

struct Text {
    CUresult result;
    const char* name;
};
constexpr Text kTexts[] = {
#define HEDDLE_DRIVER_RESULT(name, value) {name, #name},
#include "detail/driver_results.def"
#undef HEDDLE_DRIVER_RESULT
};

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
