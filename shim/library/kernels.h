// Kernels that a library carries as PTX.
#pragma once

#include <map>
#include <mutex>
#include <string>

#include "runtime.h"

namespace heddle::library {

struct Shape {
    dim3 blocks, threads;
};

// The kernels of one text of PTX. The text is loaded at the first launch, and must live as long as this object. Several
// threads may launch at once.
class Kernels {
public:
    explicit Kernels(const char* ptx) : ptx_(ptx) {}

    // Every kernel has one parameter, a struct.
    template <class Parameters>
    cudaError_t launch(const std::string& kernel, const Shape& shape, cudaStream_t stream,
                       const Parameters& parameters) {
        return launch_with(kernel, shape, stream, &parameters);
    }

private:
    cudaError_t launch_with(const std::string& kernel, const Shape&, cudaStream_t, const void* parameters);
    cudaError_t find(const Runtime&, const std::string& kernel, cudaKernel_t& found);

    const char* ptx_;
    std::mutex mutex_;
    cudaLibrary_t library_ = nullptr;
    std::map<std::string, cudaKernel_t> kernels_;
};

} // namespace heddle::library
