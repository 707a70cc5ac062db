// Parameters of graphs' nodes in the words of the driver API and of the runtime.
#pragma once

#include "arrays.h"
#include "driver.h"

namespace heddle::driver {

// `unpacked` has to live as long as the result.
cudaError_t read_kernel(const CUDA_KERNEL_NODE_PARAMS& what, std::vector<void*>& unpacked, cudaKernelNodeParams& out);
inline cudaMemsetParams fill_of(const CUDA_MEMSET_NODE_PARAMS& what) {
    return {pointer_of(what.dst), what.pitch, what.value, what.elementSize, what.width, what.height};
}
inline cudaHostNodeParams host_call_of(const CUDA_HOST_NODE_PARAMS& what) {
    return {what.fn, what.userData};
}
// The other way round.
CUDA_KERNEL_NODE_PARAMS kernel_parameters(const cudaKernelNodeParams& what);
cudaError_t copy_parameters(const cudaMemcpy3DParms& what, CUDA_MEMCPY3D& out);

// Calls body(the runtime's parameters).
template <class F>
CUresult with_kernel(const CUDA_KERNEL_NODE_PARAMS* what, F&& body) {
    return in_context([&] {
        cudaKernelNodeParams parameters;
        std::vector<void*> unpacked;
        if (what == nullptr)
            return cudaErrorInvalidValue;
        const cudaError_t error = read_kernel(*what, unpacked, parameters);
        return error != cudaSuccess ? error : body(&parameters);
    });
}
template <class F>
CUresult with_copy(const CUDA_MEMCPY3D* what, F&& body) {
    return in_context([&] {
        cudaMemcpy3DParms parameters;
        const cudaError_t error = what == nullptr ? cudaErrorInvalidValue : read_copy(*what, parameters);
        return error != cudaSuccess ? error : body(&parameters);
    });
}
template <class F>
CUresult with_fill(const CUDA_MEMSET_NODE_PARAMS* what, F&& body) {
    return in_context([&] {
        if (what == nullptr)
            return cudaErrorInvalidValue;
        const cudaMemsetParams parameters = fill_of(*what);
        return body(&parameters);
    });
}
template <class F>
CUresult with_host_call(const CUDA_HOST_NODE_PARAMS* what, F&& body) {
    return in_context([&] {
        if (what == nullptr)
            return cudaErrorInvalidValue;
        const cudaHostNodeParams parameters = host_call_of(*what);
        return body(&parameters);
    });
}

} // namespace heddle::driver
