// Libraries and kernels. A library is a module and a kernel a function, under another type.
#include "driver.h"

using namespace heddle::driver;

namespace {

CUmodule module_of(CUlibrary library) {
    return reinterpret_cast<CUmodule>(library);
}
CUfunction function_of(CUkernel kernel) {
    return reinterpret_cast<CUfunction>(kernel);
}

} // namespace

HEDDLE_DRIVER_API CUresult cuLibraryLoadData(CUlibrary* library, const void* image, CUjit_option* options,
                                             void** values, unsigned count, CUlibraryOption*, void**, unsigned) {
    return initialised(
        [&] { return cudaLibraryLoadData(library, image, jit_options(options), values, count, nullptr, nullptr, 0); });
}
HEDDLE_DRIVER_API CUresult cuLibraryLoadFromFile(CUlibrary* library, const char* file, CUjit_option* options,
                                                 void** values, unsigned count, CUlibraryOption*, void**, unsigned) {
    return initialised([&] {
        return cudaLibraryLoadFromFile(library, file, jit_options(options), values, count, nullptr, nullptr, 0);
    });
}
HEDDLE_DRIVER_API CUresult cuLibraryUnload(CUlibrary library) {
    return initialised([&] { return cudaLibraryUnload(library); });
}
HEDDLE_DRIVER_API CUresult cuLibraryGetKernel(CUkernel* kernel, CUlibrary library, const char* name) {
    return initialised([&] { return cudaLibraryGetKernel(kernel, library, name); });
}
HEDDLE_DRIVER_API CUresult cuLibraryGetKernelCount(unsigned* count, CUlibrary library) {
    return initialised([&] { return cudaLibraryGetKernelCount(count, library); });
}
HEDDLE_DRIVER_API CUresult cuLibraryEnumerateKernels(CUkernel* kernels, unsigned count, CUlibrary library) {
    return initialised([&] { return cudaLibraryEnumerateKernels(kernels, count, library); });
}
HEDDLE_DRIVER_API CUresult cuLibraryGetModule(CUmodule* module, CUlibrary library) {
    return in_context([&] {
        unsigned count = 0;
        const cudaError_t error =
            module == nullptr ? cudaErrorInvalidValue : cudaLibraryGetKernelCount(&count, library);
        if (error == cudaSuccess)
            *module = module_of(library);
        return error;
    });
}
HEDDLE_DRIVER_API CUresult cuLibraryGetGlobal(CUdeviceptr* pointer, std::size_t* bytes, CUlibrary library,
                                              const char* name) {
    return cuModuleGetGlobal(pointer, bytes, module_of(library), name);
}
HEDDLE_DRIVER_API CUresult cuLibraryGetManaged(CUdeviceptr* pointer, std::size_t* bytes, CUlibrary library,
                                               const char* name) {
    return allocated(pointer, [&](void** out) { return cudaLibraryGetManaged(out, bytes, library, name); });
}

HEDDLE_DRIVER_API CUresult cuKernelGetFunction(CUfunction* function, CUkernel kernel) {
    return in_context([&] {
        const char* name = nullptr;
        const cudaError_t error = function == nullptr ? cudaErrorInvalidValue : cudaFuncGetName(&name, kernel);
        if (error == cudaSuccess)
            *function = function_of(kernel);
        return error;
    });
}
HEDDLE_DRIVER_API CUresult cuKernelGetLibrary(CUlibrary* library, CUkernel kernel) {
    return initialised(
        [&] { return library == nullptr ? cudaErrorInvalidValue : __cudaHeddleLibraryOf(library, kernel); });
}
HEDDLE_DRIVER_API CUresult cuKernelGetName(const char** name, CUkernel kernel) {
    return initialised([&] { return cudaFuncGetName(name, kernel); });
}
HEDDLE_DRIVER_API CUresult cuKernelGetAttribute(int* value, CUfunction_attribute attribute, CUkernel kernel,
                                                CUdevice device) {
    return device != 0 ? CUDA_ERROR_INVALID_DEVICE : cuFuncGetAttribute(value, attribute, function_of(kernel));
}
HEDDLE_DRIVER_API CUresult cuKernelSetAttribute(CUfunction_attribute attribute, int value, CUkernel kernel,
                                                CUdevice device) {
    return device != 0 ? CUDA_ERROR_INVALID_DEVICE : cuFuncSetAttribute(function_of(kernel), attribute, value);
}
HEDDLE_DRIVER_API CUresult cuKernelSetCacheConfig(CUkernel kernel, CUfunc_cache config, CUdevice device) {
    return device != 0 ? CUDA_ERROR_INVALID_DEVICE : cuFuncSetCacheConfig(function_of(kernel), config);
}
HEDDLE_DRIVER_API CUresult cuKernelGetParamInfo(CUkernel kernel, std::size_t index, std::size_t* offset,
                                                std::size_t* bytes) {
    return initialised([&] { return cudaFuncGetParamInfo(kernel, index, offset, bytes); });
}

HEDDLE_DRIVER_API CUresult cuModuleGetFunctionCount(unsigned* count, CUmodule module) {
    return in_context([&] { return cudaLibraryGetKernelCount(count, library_of(module)); });
}
HEDDLE_DRIVER_API CUresult cuModuleEnumerateFunctions(CUfunction* functions, unsigned count, CUmodule module) {
    return in_context([&] {
        return cudaLibraryEnumerateKernels(reinterpret_cast<cudaKernel_t*>(functions), count, library_of(module));
    });
}
// Modules are loaded as a whole.
HEDDLE_DRIVER_API CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode* mode) {
    return initialised([&] {
        if (mode == nullptr)
            return cudaErrorInvalidValue;
        *mode = CU_MODULE_EAGER_LOADING;
        return cudaSuccess;
    });
}

HEDDLE_DRIVER_API CUresult cuFuncGetModule(CUmodule* module, CUfunction function) {
    return in_context([&] {
        return module == nullptr ? cudaErrorInvalidValue
                                 : __cudaHeddleLibraryOf(reinterpret_cast<cudaLibrary_t*>(module), kernel_of(function));
    });
}
HEDDLE_DRIVER_API CUresult cuFuncGetParamInfo(CUfunction function, std::size_t index, std::size_t* offset,
                                              std::size_t* bytes) {
    return in_context([&] { return cudaFuncGetParamInfo(kernel_of(function), index, offset, bytes); });
}
HEDDLE_DRIVER_API CUresult cuFuncIsLoaded(CUfunctionLoadingState* state, CUfunction function) {
    if (state == nullptr)
        return CUDA_ERROR_INVALID_VALUE;
    *state = CU_FUNCTION_LOADING_STATE_LOADED;
    return cuFuncLoad(function);
}
HEDDLE_DRIVER_API CUresult cuFuncLoad(CUfunction function) {
    return in_context([&] {
        const char* name = nullptr;
        return cudaFuncGetName(&name, kernel_of(function));
    });
}
