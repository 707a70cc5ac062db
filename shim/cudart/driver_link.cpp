#include "driver_link.h"

#include <array>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <optional>
#include <utility>

#include "memory.h"
#include "state.h"

using namespace heddle::cudart;

namespace {

// cuGetProcAddress_v2 of the driver beside this library.
using GetProcedure = int (*)(const char*, void**, int, unsigned long long, int*);
GetProcedure driver_procedures() {
    static const GetProcedure found = [] {
        Dl_info self;
        std::array<char, 4096> path{};
        if (dladdr(reinterpret_cast<void*>(&driver_procedures), &self) == 0)
            return GetProcedure{};
        const char* const slash = std::strrchr(self.dli_fname, '/');
        const int folder = slash == nullptr ? 0 : static_cast<int>(slash + 1 - self.dli_fname);
        std::snprintf(path.data(), path.size(), "%.*slibcuda.so.1", folder, self.dli_fname);
        void* const driver = dlopen(path.data(), RTLD_NOW | RTLD_LOCAL);
        return driver == nullptr ? GetProcedure{}
                                 : reinterpret_cast<GetProcedure>(dlsym(driver, "cuGetProcAddress_v2"));
    }();
    return found;
}

// `version`: of CUDA, 12040 is 12.4. The flags of the runtime and of the driver have the same numbers.
cudaError_t driver_entry(const char* symbol, void** function, int version, unsigned long long flags,
                         cudaDriverEntryPointQueryResult* status) {
    return api([&](State&) {
        if (symbol == nullptr || function == nullptr)
            return cudaErrorInvalidValue;
        const GetProcedure get = driver_procedures();
        if (get == nullptr) {
            complain("cudaGetDriverEntryPoint: libcuda.so.1 is not beside libcudart.so");
            return cudaErrorUnknown;
        }
        int found = 1;
        *function = nullptr;
        (void)get(symbol, function, version, flags, &found);
        if (status != nullptr)
            *status = static_cast<cudaDriverEntryPointQueryResult>(found);
        return *function == nullptr && status == nullptr ? cudaErrorSymbolNotFound : cudaSuccess;
    });
}

#if HEDDLE_CUDART_VERSION >= 13000
constexpr bool kSharesTheDriver = true;
#else
constexpr bool kSharesTheDriver = false; // libcuda.so.1 stands on libcudart.so.13, which has a device of its own
#endif

cudaError_t entry(const char* symbol, void** function, int version, unsigned long long flags,
                  cudaDriverEntryPointQueryResult* status) {
    if (kSharesTheDriver)
        return driver_entry(symbol, function, version, flags, status);
    complain(
        "cudaGetDriverEntryPoint is supported by the runtime of CUDA 13 only, which shares its device with the driver");
    return record(cudaErrorNotSupported);
}

// The begin and the bytes of the memory that holds an address, as the program has asked for it; no bytes: none does.
std::pair<heddle::Address, std::uint64_t> range_of(State& state, heddle::Address address) {
    for (const auto* const memory : {&state.device_memory, &state.host_memory})
        if (const auto at = block_at(*memory, address); at != memory->end())
            return {at->first, at->second.bytes};
    if (const std::optional<heddle::runtime::Variable> variable = state.device().variable_at(address))
        return {variable->address, variable->bytes};
    const auto [place, length] = state.device().virtual_memory().place(address);
    return {place, length};
}

} // namespace

HEDDLE_CUDA_API bool __cudaHeddleUsesRuntime() {
    return thread_uses_runtime();
}
HEDDLE_CUDA_API bool __cudaHeddleIsUsed() {
    return State::get().used_by_program;
}
HEDDLE_CUDA_API void __cudaHeddleDriverCall(int change) {
    driver_calls() += change;
}
HEDDLE_CUDA_API cudaError_t __cudaHeddleOnDevice(cudaError_t (*body)(heddle::runtime::Device&, void*), void* data) {
    return api([&](State& state) { return body(state.device(), data); });
}
HEDDLE_CUDA_API cudaError_t __cudaHeddleAddressRange(void** begin, size_t* bytes, const void* pointer) {
    return api([&](State& state) {
        const auto [place, length] = range_of(state, device_address(pointer));
        if (begin != nullptr)
            *begin = reinterpret_cast<void*>(place);
        if (bytes != nullptr)
            *bytes = length;
        return length == 0 ? cudaErrorInvalidValue : cudaSuccess;
    });
}
HEDDLE_CUDA_API cudaError_t __cudaHeddleLibraryOf(cudaLibrary_t* library, const void* kernel) {
    return api([&](State& state) {
        cudaError_t error;
        const Kernel* const found = state.find_kernel(kernel, error);
        if (found == nullptr)
            return error;
        *library = state.is_library(found->module) ? reinterpret_cast<cudaLibrary_t>(found->module) : nullptr;
        return cudaSuccess;
    });
}

HEDDLE_CUDA_API cudaError_t cudaGetDriverEntryPointByVersion(const char* symbol, void** function, unsigned version,
                                                             unsigned long long flags,
                                                             cudaDriverEntryPointQueryResult* status) {
    return entry(symbol, function, static_cast<int>(version), flags, status);
}
HEDDLE_CUDA_API cudaError_t cudaGetDriverEntryPointByVersion_ptsz(const char* symbol, void** function, unsigned version,
                                                                  unsigned long long flags,
                                                                  cudaDriverEntryPointQueryResult* status) {
    constexpr unsigned long long kPerThread = 2;
    return entry(symbol, function, static_cast<int>(version), flags == 0 ? kPerThread : flags, status);
}
// In the form of the runtime's own version.
HEDDLE_CUDA_API cudaError_t cudaGetDriverEntryPoint(const char* symbol, void** function, unsigned long long flags,
                                                    cudaDriverEntryPointQueryResult* status) {
    return entry(symbol, function, HEDDLE_CUDART_VERSION, flags, status);
}
HEDDLE_CUDA_API cudaError_t cudaGetDriverEntryPoint_ptsz(const char* symbol, void** function, unsigned long long flags,
                                                         cudaDriverEntryPointQueryResult* status) {
    return cudaGetDriverEntryPointByVersion_ptsz(symbol, function, HEDDLE_CUDART_VERSION, flags, status);
}
