// Libraries: PTX that a program hands over while it runs, with the kernels and variables in it. What a compiler of PTX
// in the program (NVRTC and the like) makes is loaded so.
#include <fstream>
#include <iterator>

#include "driver_link.h"
#include "state.h"

using namespace heddle::cudart;

namespace {

// A handle is a Module*; that of a kernel is what launches take for a host function.
Module* module_of(State& state, cudaLibrary_t library) {
    auto* const module = reinterpret_cast<Module*>(library);
    return state.is_library(module) ? module : nullptr;
}

template <class... Image> // what State::add_library() takes
cudaError_t load(State& state, cudaLibrary_t* library, const Image&... image) {
    Module* module = nullptr;
    try {
        module = state.add_library(image...);
    } catch (const heddle::UserError& e) {
        complain(e.what());
        return cudaErrorInvalidKernelImage;
    }
    const cudaError_t error = state.load(*module);
    if (error != cudaSuccess)
        state.drop_library(module);
    else
        *library = reinterpret_cast<cudaLibrary_t>(module);
    return error;
}

// Calls body() while what it has to say goes to the buffers of the program, too.
template <class F>
cudaError_t logged(const cudaJitOption* options, void** values, unsigned count, F&& body) {
    JitLog log(options, values, count);
    log_of_thread() = &log;
    const cudaError_t error = body();
    log_of_thread() = nullptr;
    log.write();
    return error;
}

cudaKernel_t handle_of(State& state, Module& module, const std::string& name) {
    const auto [handle, fresh] = module.handles.emplace(name, 0);
    if (fresh)
        state.add_kernel(&module, &handle->second, name.c_str());
    return reinterpret_cast<cudaKernel_t>(&handle->second);
}

// `managed`: of memory that the program and the device have together alone.
cudaError_t tell_variable(void** pointer, std::size_t* bytes, cudaLibrary_t library, const char* name, bool managed) {
    return api(
        [&](State& state) {
            if (name == nullptr)
                return cudaErrorInvalidValue;
            const Module* const module = module_of(state, library);
            if (module == nullptr)
                return cudaErrorInvalidResourceHandle;
            const auto variable = state.device().variable(*module->loaded, name);
            if (variable.object || (managed && !state.device().is_shared(variable.address)))
                return cudaErrorSymbolNotFound;
            if (pointer != nullptr)
                *pointer = reinterpret_cast<void*>(variable.address);
            if (bytes != nullptr)
                *bytes = variable.bytes;
            return cudaSuccess;
        },
        cudaErrorSymbolNotFound);
}

} // namespace

HEDDLE_CUDA_API cudaError_t cudaLibraryLoadData(cudaLibrary_t* library, const void* code, cudaJitOption* options,
                                                void** values, unsigned count, cudaLibraryOption*, void**, unsigned) {
    return logged(options, values, count, [&] {
        return api([&](State& state) {
            return library == nullptr || code == nullptr ? cudaErrorInvalidValue : load(state, library, code);
        });
    });
}

HEDDLE_CUDA_API cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t* library, const char* file, cudaJitOption* options,
                                                    void** values, unsigned count, cudaLibraryOption*, void**,
                                                    unsigned) {
    return logged(options, values, count, [&] {
        return api([&](State& state) {
            if (library == nullptr || file == nullptr)
                return cudaErrorInvalidValue;
            std::ifstream in(file, std::ios::binary);
            const std::string image{std::istreambuf_iterator<char>(in), {}};
            if (!in)
                return cudaErrorFileNotFound;
            return load(state, library, image.c_str(), image.size(), file);
        });
    });
}

// What the library's variables hold stays where it is until the program ends.
HEDDLE_CUDA_API cudaError_t cudaLibraryUnload(cudaLibrary_t library) {
    return api([&](State& state) {
        return state.drop_library(reinterpret_cast<Module*>(library)) ? cudaSuccess : cudaErrorInvalidResourceHandle;
    });
}

HEDDLE_CUDA_API cudaError_t cudaLibraryGetKernel(cudaKernel_t* kernel, cudaLibrary_t library, const char* name) {
    return api([&](State& state) {
        if (kernel == nullptr || name == nullptr)
            return cudaErrorInvalidValue;
        Module* const module = module_of(state, library);
        if (module == nullptr)
            return cudaErrorInvalidResourceHandle;
        for (const std::string& known : state.device().kernel_names(*module->loaded))
            if (known == name) {
                *kernel = handle_of(state, *module, known);
                return cudaSuccess;
            }
        return cudaErrorSymbolNotFound;
    });
}

HEDDLE_CUDA_API cudaError_t cudaLibraryGetKernelCount(unsigned* count, cudaLibrary_t library) {
    return api([&](State& state) {
        if (count == nullptr)
            return cudaErrorInvalidValue;
        const Module* const module = module_of(state, library);
        if (module == nullptr)
            return cudaErrorInvalidResourceHandle;
        *count = static_cast<unsigned>(state.device().kernel_names(*module->loaded).size());
        return cudaSuccess;
    });
}

HEDDLE_CUDA_API cudaError_t cudaLibraryEnumerateKernels(cudaKernel_t* kernels, unsigned count, cudaLibrary_t library) {
    return api([&](State& state) {
        if (kernels == nullptr)
            return cudaErrorInvalidValue;
        Module* const module = module_of(state, library);
        if (module == nullptr)
            return cudaErrorInvalidResourceHandle;
        for (const std::string& name : state.device().kernel_names(*module->loaded))
            if (count != 0) {
                *kernels++ = handle_of(state, *module, name);
                --count;
            }
        return cudaSuccess;
    });
}

HEDDLE_CUDA_API cudaError_t cudaLibraryGetGlobal(void** pointer, std::size_t* bytes, cudaLibrary_t library,
                                                 const char* name) {
    return tell_variable(pointer, bytes, library, name, false);
}
HEDDLE_CUDA_API cudaError_t cudaLibraryGetManaged(void** pointer, std::size_t* bytes, cudaLibrary_t library,
                                                  const char* name) {
    return tell_variable(pointer, bytes, library, name, true);
}
HEDDLE_CUDA_API cudaError_t __cudaHeddleReference(unsigned long* handle, cudaLibrary_t library, const char* name,
                                                  bool is_surface) {
    using Kind = heddle::runtime::Texture::Kind;
    return api(
        [&](State& state) {
            const Module* const module = module_of(state, library);
            if (module == nullptr)
                return cudaErrorInvalidResourceHandle;
            const auto variable = state.device().variable(*module->loaded, name);
            if (variable.object != (is_surface ? Kind::Surface : Kind::Texture))
                return cudaErrorSymbolNotFound;
            *handle = variable.address;
            return cudaSuccess;
        },
        cudaErrorSymbolNotFound);
}
