// Functions by name, for programs that load the driver themselves.
#include <atomic>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <string>
#include <string_view>

#include "driver.h"

namespace {

constexpr unsigned long long kPerThread = CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM;

// The forms of functions that have several, oldest first.
struct Form {
    const char* name;
    int since; // version of CUDA
    const char* symbol;
};
constexpr Form kForms[] = {
#define HEDDLE_FORM(name, since, symbol) {#name, since, #symbol},
#include "forms.def"
#undef HEDDLE_FORM
};

void* symbol(const std::string& name, bool per_thread) {
    if (per_thread)
        for (const char* ending : {"_ptsz", "_ptds"})
            if (void* const found = dlsym(RTLD_DEFAULT, (name + ending).c_str()); found != nullptr)
                return found;
    return dlsym(RTLD_DEFAULT, name.c_str());
}

// Of several forms of a function the newest of that version of CUDA.
void* procedure(const char* name, int version, bool per_thread, CUdriverProcAddressQueryResult& status) {
    const Form* best = nullptr;
    bool several = false;
    for (const Form& form : kForms)
        if (std::strcmp(form.name, name) == 0) {
            several = true;
            if (form.since <= version)
                best = &form;
        }
    if (several && best == nullptr) {
        status = CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT;
        return nullptr;
    }
    void* const found = symbol(best == nullptr ? name : best->symbol, per_thread);
    status = found == nullptr ? CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND : CU_GET_PROC_ADDRESS_SUCCESS;
    return found;
}

} // namespace

HEDDLE_DRIVER_API CUresult cuGetProcAddress_v2(const char* name, void** function, int version, cuuint64_t flags,
                                               CUdriverProcAddressQueryResult* status) {
    if (name == nullptr || function == nullptr)
        return CUDA_ERROR_INVALID_VALUE;
    CUdriverProcAddressQueryResult found{};
    *function = procedure(name, version, (flags & kPerThread) != 0, found);
    if (status != nullptr)
        *status = found;
    return *function == nullptr ? CUDA_ERROR_NOT_FOUND : CUDA_SUCCESS;
}

// The form of CUDA 11.3.
#undef cuGetProcAddress
HEDDLE_DRIVER_API CUresult cuGetProcAddress(const char* name, void** function, int version, unsigned long long flags) {
    return cuGetProcAddress_v2(name, function, version, flags, nullptr);
}

namespace {

// The file that a code address lies in
const char* file_of(const void* address) {
    Dl_info found;
    return dladdr(address, &found) != 0 && found.dli_fname != nullptr ? found.dli_fname : "a CUDA library";
}

// A compiler for the device: it goes on without the table, and has no kernels.
bool is_compiler(std::string_view file) {
    const std::string_view name = file.substr(file.rfind('/') + 1);
    return name.starts_with("libnvrtc") || name.starts_with("libnvJitLink");
}

} // namespace

// Tables by which NVIDIA's libraries reach into NVIDIA's driver: there are none here. Programs of the documented API do
// not call this function; a CUDA runtime that is linked into a program or a library does, where nothing has replaced
// it.
HEDDLE_DRIVER_API CUresult cuGetExportTable(const void** table, const CUuuid*) {
    static std::atomic<bool> told = false;
    if (table != nullptr)
        *table = nullptr;
    const char* const caller = file_of(__builtin_return_address(0));
    if (!is_compiler(caller) && !told.exchange(true)) {
        std::fflush(stdout);
        std::fprintf(
            stderr,
            "heddle: %s asks for an internal table of NVIDIA's driver, which heddle does not have, so its kernels "
            "cannot be simulated. If it is a library of NVIDIA's (cuFFT, cuDNN and the like), use code that carries "
            "PTX in its place; heddle replaces libcublas and libcurand only. Else it has a CUDA runtime linked into "
            "it. That is replaced when `heddle run` starts the program, the library is loaded at its start (not by "
            "dlopen), and there is a symbol table (not linked with -s, not stripped); or link it with `nvcc -cudart "
            "shared`\n",
            caller);
    }
    return CUDA_ERROR_NOT_FOUND;
}
