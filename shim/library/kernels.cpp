#include "kernels.h"

namespace heddle::library {

cudaError_t Kernels::launch_with(const std::string& kernel, const Shape& shape, cudaStream_t stream,
                                 const void* parameters) {
    const Runtime* const runtime = Runtime::find();
    if (runtime == nullptr)
        return cudaErrorInitializationError;
    cudaKernel_t found = nullptr;
    if (const cudaError_t error = find(*runtime, kernel, found); error != cudaSuccess)
        return error;
    void* arguments[] = {const_cast<void*>(parameters)};
    return runtime->launch(reinterpret_cast<const void*>(found), shape.blocks, shape.threads, arguments, 0, stream);
}

cudaError_t Kernels::find(const Runtime& runtime, const std::string& kernel, cudaKernel_t& found) {
    const std::lock_guard lock(mutex_);
    if (library_ == nullptr) {
        const cudaError_t error = runtime.load(&library_, ptx_, nullptr, nullptr, 0, nullptr, nullptr, 0);
        if (error != cudaSuccess)
            return error;
    }
    cudaKernel_t& known = kernels_[kernel];
    const cudaError_t error = known != nullptr ? cudaSuccess : runtime.kernel(&known, library_, kernel.c_str());
    found = known;
    return error;
}

} // namespace heddle::library
