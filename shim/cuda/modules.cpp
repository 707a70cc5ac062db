// Modules are the runtime's libraries, functions its kernels.
#include "driver.h"

using namespace heddle::driver;

HEDDLE_DRIVER_API CUresult cuModuleLoad(CUmodule* module, const char* file) {
    return in_context([&] {
        return cudaLibraryLoadFromFile(reinterpret_cast<cudaLibrary_t*>(module), file, nullptr, nullptr, 0, nullptr,
                                       nullptr, 0);
    });
}

HEDDLE_DRIVER_API CUresult cuModuleLoadDataEx(CUmodule* module, const void* image, unsigned count,
                                              CUjit_option* options, void** values) {
    return in_context([&] {
        return cudaLibraryLoadData(reinterpret_cast<cudaLibrary_t*>(module), image, jit_options(options), values, count,
                                   nullptr, nullptr, 0);
    });
}
HEDDLE_DRIVER_API CUresult cuModuleLoadData(CUmodule* module, const void* image) {
    return cuModuleLoadDataEx(module, image, 0, nullptr, nullptr);
}
HEDDLE_DRIVER_API CUresult cuModuleLoadFatBinary(CUmodule* module, const void* image) {
    return cuModuleLoadData(module, image);
}

HEDDLE_DRIVER_API CUresult cuModuleUnload(CUmodule module) {
    return initialised([&] { return cudaLibraryUnload(library_of(module)); });
}

HEDDLE_DRIVER_API CUresult cuModuleGetFunction(CUfunction* function, CUmodule module, const char* name) {
    return in_context(
        [&] { return cudaLibraryGetKernel(reinterpret_cast<cudaKernel_t*>(function), library_of(module), name); });
}

HEDDLE_DRIVER_API CUresult cuModuleGetGlobal(CUdeviceptr* pointer, std::size_t* bytes, CUmodule module,
                                             const char* name) {
    return in_context([&] {
        void* found = nullptr;
        const cudaError_t error = cudaLibraryGetGlobal(&found, bytes, library_of(module), name);
        if (pointer != nullptr && error == cudaSuccess)
            *pointer = device_pointer(found);
        return error;
    });
}
