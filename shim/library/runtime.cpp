#include "runtime.h"

#include <cstdio>
#include <dlfcn.h>
#include <optional>

namespace heddle::library {

namespace {

// The library of the runtime that is loaded; newest first, as libcuda.so.1 brings the newest along. If none is loaded,
// the newest is loaded.
void* loaded_runtime() {
    constexpr const char* kNames[] = {"libcudart.so.13", "libcudart.so.12", "libcudart.so.11.0"};
    for (const char* const name : kNames)
        if (void* const found = dlopen(name, RTLD_NOW | RTLD_NOLOAD))
            return found;
    return dlopen(kNames[0], RTLD_NOW | RTLD_LOCAL);
}

template <class F>
bool set(F& function, void* library, const char* name) {
    function = reinterpret_cast<F>(dlsym(library, name));
    return function != nullptr;
}

std::optional<Runtime> functions_of(void* library) {
    Runtime out;
    const bool complete =
        set(out.load, library, "cudaLibraryLoadData") && set(out.kernel, library, "cudaLibraryGetKernel") &&
        set(out.launch, library, "cudaLaunchKernel") && set(out.allocate, library, "cudaMalloc") &&
        set(out.free, library, "cudaFree") && set(out.copy, library, "cudaMemcpyAsync") &&
        set(out.copy_rows, library, "cudaMemcpy2DAsync") && set(out.wait, library, "cudaStreamSynchronize");
    return complete ? std::optional(out) : std::nullopt;
}

// A program with a shared runtime has its functions in the scope of all libraries.
std::optional<Runtime> find_functions() {
    if (auto shared = functions_of(RTLD_DEFAULT))
        return shared;
    void* const library = loaded_runtime();
    auto found = library == nullptr ? std::nullopt : functions_of(library);
    if (!found)
        std::fprintf(stderr, "heddle: there is no CUDA runtime for this library; link the program with libcudart.so or "
                             "start it by `heddle run`\n");
    return found;
}

} // namespace

const Runtime* Runtime::find() {
    static const std::optional<Runtime> found = find_functions();
    return found ? &*found : nullptr;
}

} // namespace heddle::library
