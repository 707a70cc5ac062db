// What a CUDA program's start-up code calls, before main: its fat binaries, kernels and variables make themselves
// known.
#include <cstdlib>

#include "state.h"

using heddle::cudart::FatBinaryWrapper;
using heddle::cudart::Module;
using heddle::cudart::State;

// A handle is a Module*.
HEDDLE_CUDA_API void** __cudaRegisterFatBinary(const void* wrapper) {
    return reinterpret_cast<void**>(State::get().add_module(static_cast<const FatBinaryWrapper*>(wrapper)));
}

HEDDLE_CUDA_API void __cudaRegisterFatBinaryEnd(void**) {}

// At exit; the module stays, since results may still be written.
HEDDLE_CUDA_API void __cudaUnregisterFatBinary(void**) {}

HEDDLE_CUDA_API void __cudaRegisterFunction(void** handle, const void* host, char*, const char* name, int, void*, void*,
                                            void*, void*, int*) {
    State::get().add_kernel(reinterpret_cast<Module*>(handle), host, name);
}

HEDDLE_CUDA_API void __cudaRegisterVar(void** handle, char* host, char*, const char* name, int, std::size_t bytes, int,
                                       int) {
    State::get().add_symbol(reinterpret_cast<Module*>(handle), host, name, bytes);
}

HEDDLE_CUDA_API void __cudaRegisterManagedVar(void** handle, void** host, char*, const char* name, int,
                                              std::size_t bytes, int, int) {
    State::get().add_managed(reinterpret_cast<Module*>(handle), host, name, bytes);
}

// Called before the program first uses a __managed__ variable, which it needs to continue.
HEDDLE_CUDA_API char __cudaInitModule(void** handle) {
    State& state = State::get();
    const std::lock_guard lock(state.mutex);
    if (!state.find_managed(reinterpret_cast<Module*>(handle))) {
        heddle::cudart::complain(
            "the program's __managed__ variables are not to be had, and it cannot run without them");
        std::exit(EXIT_FAILURE);
    }
    return 1;
}
