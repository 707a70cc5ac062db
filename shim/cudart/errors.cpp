// The last error of the calling thread, and the names and texts of errors.
#include "state.h"

using namespace heddle::cudart;

HEDDLE_CUDA_API cudaError_t cudaPeekAtLastError() {
    const cudaError_t sticky = State::get().sticky;
    return sticky != cudaSuccess ? sticky : last_error();
}
HEDDLE_CUDA_API cudaError_t cudaGetLastError() {
    const cudaError_t error = cudaPeekAtLastError();
    last_error() = cudaSuccess;
    return error;
}

HEDDLE_CUDA_API const char* cudaGetErrorName(cudaError_t error) {
    switch (error) {
#define HEDDLE_CUDA_ERROR(name, value, text)                                                                           \
    case name:                                                                                                         \
        return #name;
#include "detail/errors.def"
#undef HEDDLE_CUDA_ERROR
    case cudaErrorApiFailureBase: // no error, but where those of CUDA before 4.1 begin
        break;
    }
    return "unrecognized error code";
}
HEDDLE_CUDA_API const char* cudaGetErrorString(cudaError_t error) {
    switch (error) {
#define HEDDLE_CUDA_ERROR(name, value, text)                                                                           \
    case name:                                                                                                         \
        return text;
#include "detail/errors.def"
#undef HEDDLE_CUDA_ERROR
    case cudaErrorApiFailureBase: // no error, but where those of CUDA before 4.1 begin
        break;
    }
    return "unrecognized error code";
}
