// Compiled for each version of the library: HEDDLE_CUDART_VERSION.
#include "version.h"

namespace heddle::blas {

namespace {

constexpr int kMajor = HEDDLE_CUDART_VERSION / 1000, kMinor = HEDDLE_CUDART_VERSION % 1000 / 10;

} // namespace

int cudart_version() {
    return HEDDLE_CUDART_VERSION;
}

cublasStatus_t get_version(int* version) {
    if (version == nullptr)
        return CUBLAS_STATUS_INVALID_VALUE;
    *version = kMajor * 10000 + kMinor * 100;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t get_property(libraryPropertyType type, int* value) {
    if (value == nullptr || type < MAJOR_VERSION || type > PATCH_LEVEL)
        return CUBLAS_STATUS_INVALID_VALUE;
    *value = type == MAJOR_VERSION ? kMajor : type == MINOR_VERSION ? kMinor : 0;
    return CUBLAS_STATUS_SUCCESS;
}

} // namespace heddle::blas
