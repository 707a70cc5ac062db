// The functions that libcublas.so exports: their names and parameters are those of cublas_api.h, and their bodies call
// the functions that blas_helpers.def and blas_functions.def name.
#include <cstdio>

#include "elements.h"
#include "matrix_vector.h"
#include "products.h"
#include "reductions.h"
#include "transfers.h"
#include "triangular.h"
#include "vectors.h"
#include "version.h"

#define HEDDLE_BLAS_API __attribute__((visibility("default")))

using namespace heddle::blas;

namespace {

// There are no messages to log.
cublasLogCallback& logger() {
    static cublasLogCallback callback = nullptr;
    return callback;
}
cublasStatus_t configure_logger() {
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t set_logger(cublasLogCallback callback) {
    logger() = callback;
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t get_logger(cublasLogCallback* callback) {
    if (callback == nullptr)
        return CUBLAS_STATUS_INVALID_VALUE;
    *callback = logger();
    return CUBLAS_STATUS_SUCCESS;
}

struct StatusText {
    cublasStatus_t status;
    const char *name, *text;
};
#define HEDDLE_STATUS(name, text)                                                                                      \
    { CUBLAS_STATUS_##name, "CUBLAS_STATUS_" #name, text }
constexpr StatusText kStatuses[] = {HEDDLE_STATUS(SUCCESS, "success"),
                                    HEDDLE_STATUS(NOT_INITIALIZED, "there is no handle, or no CUDA device"),
                                    HEDDLE_STATUS(ALLOC_FAILED, "there is no memory left"),
                                    HEDDLE_STATUS(INVALID_VALUE, "a parameter has a value that is not allowed"),
                                    HEDDLE_STATUS(ARCH_MISMATCH, "the device lacks a feature"),
                                    HEDDLE_STATUS(MAPPING_ERROR, "memory could not be copied"),
                                    HEDDLE_STATUS(EXECUTION_FAILED, "a kernel failed"),
                                    HEDDLE_STATUS(INTERNAL_ERROR, "an internal error"),
                                    HEDDLE_STATUS(NOT_SUPPORTED, "the function, or these types, are not supported"),
                                    HEDDLE_STATUS(LICENSE_ERROR, "a licence is missing")};
#undef HEDDLE_STATUS

const char* text_of(cublasStatus_t status, const char* StatusText::*member) {
    for (const StatusText& each : kStatuses)
        if (each.status == status)
            return each.*member;
    return "unknown status";
}

} // namespace

// Names without "_v2" are other functions of the library: those of cuBLAS before version 4.
#define HEDDLE_BLAS_ONE(name, function, arguments, ...)                                                                \
    extern "C" HEDDLE_BLAS_API cublasStatus_t cublas##name(__VA_ARGS__) {                                              \
        return function arguments;                                                                                     \
    }
#define HEDDLE_BLAS_ONE_V2(name, function, arguments, ...) HEDDLE_BLAS_ONE(name##_v2, function, arguments, __VA_ARGS__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter" // heddle has one algorithm for each product, and no log
#include "detail/blas_helpers.def"

#define HEDDLE_BLAS_INT int
#define HEDDLE_BLAS(name, function, arguments, ...) HEDDLE_BLAS_ONE(name, function, arguments, __VA_ARGS__)
#define HEDDLE_BLAS_V2(name, function, arguments, ...) HEDDLE_BLAS_ONE(name##_v2, function, arguments, __VA_ARGS__)
#include "detail/blas_functions.def"
#undef HEDDLE_BLAS_INT
#undef HEDDLE_BLAS
#undef HEDDLE_BLAS_V2

#define HEDDLE_BLAS_INT int64_t
#define HEDDLE_BLAS(name, function, arguments, ...) HEDDLE_BLAS_ONE(name##_64, function, arguments, __VA_ARGS__)
#define HEDDLE_BLAS_V2(name, function, arguments, ...) HEDDLE_BLAS_ONE(name##_v2_64, function, arguments, __VA_ARGS__)
#include "detail/blas_functions.def"
#pragma GCC diagnostic pop

extern "C" HEDDLE_BLAS_API const char* cublasGetStatusName(cublasStatus_t status) {
    return text_of(status, &StatusText::name);
}
extern "C" HEDDLE_BLAS_API const char* cublasGetStatusString(cublasStatus_t status) {
    return text_of(status, &StatusText::text);
}
extern "C" HEDDLE_BLAS_API size_t cublasGetCudartVersion() {
    return static_cast<size_t>(cudart_version());
}
extern "C" HEDDLE_BLAS_API void cublasXerbla(const char* function, int argument) {
    std::fprintf(stderr, "cublasXerbla: parameter %d of %s has a value that is not allowed\n", argument, function);
}
