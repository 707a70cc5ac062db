// What a CUDA program's start-up code calls, before main: its fat binaries, kernels and variables make themselves
// known.
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

HEDDLE_CUDA_API char __cudaInitModule(void**) {
    return 1;
}

HEDDLE_CUDA_API void __cudaRegisterFunction(void** handle, const void* host, char*, const char* name, int, void*, void*,
                                            void*, void*, int*) {
    State::get().add_kernel(reinterpret_cast<Module*>(handle), host, name);
}

HEDDLE_CUDA_API void __cudaRegisterVar(void** handle, char* host, char*, const char* name, int, std::size_t bytes, int,
                                       int) {
    State::get().add_symbol(reinterpret_cast<Module*>(handle), host, name, bytes);
}

// A __managed__ variable is reached through a pointer on the host. Variables do not lie in memory shared with it: the
// pointer stays null, and the name is there for cudaMemcpyToSymbol.
HEDDLE_CUDA_API void __cudaRegisterManagedVar(void** handle, void** host, char*, const char* name, int,
                                              std::size_t bytes, int, int) {
    State::get().add_symbol(reinterpret_cast<Module*>(handle), host, name, bytes);
    heddle::cudart::complain(
        std::string("__managed__ variable '") + name +
        "' is not supported yet: the host cannot access it; cudaMallocManaged gives memory that it can");
}
