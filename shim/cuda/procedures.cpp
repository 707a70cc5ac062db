// Functions by name, for programs that load the driver themselves.
#include <atomic>
#include <cstdio>
#include <dlfcn.h>
#include <string>

#include "driver.h"

namespace {

// Of several forms of a function the newest that has the arguments of CUDA 12.
void* procedure(const std::string& name) {
    for (const char* form : {"_v2", ""})
        if (void* const found = dlsym(RTLD_DEFAULT, (name + form).c_str()); found != nullptr)
            return found;
    return nullptr;
}

} // namespace

// `status`: 0 found, 1 not found.
HEDDLE_DRIVER_API CUresult cuGetProcAddress_v2(const char* name, void** function, int, unsigned long long,
                                               int* status) {
    if (name == nullptr || function == nullptr)
        return CUDA_ERROR_INVALID_VALUE;
    *function = procedure(name);
    if (status != nullptr)
        *status = *function == nullptr ? 1 : 0;
    return *function == nullptr ? CUDA_ERROR_NOT_FOUND : CUDA_SUCCESS;
}

HEDDLE_DRIVER_API CUresult cuGetProcAddress(const char* name, void** function, int version, unsigned long long flags) {
    return cuGetProcAddress_v2(name, function, version, flags, nullptr);
}

// Tables by which NVIDIA's libraries reach into NVIDIA's driver: there are none here. Programs of the documented API do
// not call this function; a CUDA runtime that is linked into a program does, where nothing has replaced it.
HEDDLE_DRIVER_API CUresult cuGetExportTable(const void** table, const CUuuid*) {
    static std::atomic<bool> told = false;
    if (table != nullptr)
        *table = nullptr;
    if (!told.exchange(true)) {
        std::fflush(stdout);
        std::fputs(
            "heddle: a CUDA library in this process asks for an internal table of NVIDIA's driver, which heddle does "
            "not have. A CUDA runtime that is linked into a program is replaced when `heddle run` starts the program "
            "and the program has its symbol table (not linked with -s, not stripped); else link it with `nvcc "
            "-cudart shared`\n",
            stderr);
    }
    return CUDA_ERROR_NOT_FOUND;
}
