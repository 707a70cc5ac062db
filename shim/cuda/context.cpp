// Contexts. There is one device with one state; contexts are names for it, of which a thread has a stack.
#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "driver.h"

using namespace heddle::driver;

namespace {

std::atomic<bool> is_up = false;
std::atomic<unsigned> primary_users = 0;
std::atomic<unsigned> primary_flags = 0;

std::mutex mutex;
std::vector<std::unique_ptr<unsigned>> made; // flags; a context's handle is a place of its own
char primary;
thread_local std::vector<CUcontext> stack;

} // namespace

namespace heddle::driver {

bool is_initialised() {
    return is_up || __cudaHeddleIsUsed();
}

CUcontext primary_context() {
    return reinterpret_cast<CUcontext>(&primary);
}

CUcontext current() {
    if (!stack.empty())
        return stack.back();
    return __cudaHeddleUsesRuntime() ? primary_context() : nullptr;
}

bool is_context(CUcontext context) {
    const std::lock_guard lock(mutex);
    return context == primary_context() || std::any_of(made.begin(), made.end(), [&](const auto& each) {
               return reinterpret_cast<CUcontext>(each.get()) == context;
           });
}

} // namespace heddle::driver

// Of the thread's context, while `mutex` is held; null: it is the primary one, whose flags the runtime has.
static unsigned* own_flags() {
    const auto at = std::find_if(made.begin(), made.end(),
                                 [](const auto& each) { return reinterpret_cast<CUcontext>(each.get()) == current(); });
    return at == made.end() ? nullptr : at->get();
}

// The frame of what names a context; null is the thread's.
template <class F>
static CUresult of_context(CUcontext context, F&& body) {
    if (context == nullptr)
        return in_context(body);
    return is_context(context) ? initialised(body) : CUDA_ERROR_INVALID_CONTEXT;
}

HEDDLE_DRIVER_API CUresult cuInit(unsigned flags) {
    if (flags != 0)
        return CUDA_ERROR_INVALID_VALUE;
    is_up = true;
    const DriverCall call;
    int devices = 0;
    (void)cudaGetDeviceCount(&devices); // the runtime notes the first call of a process
    return CUDA_SUCCESS;
}

HEDDLE_DRIVER_API CUresult cuDriverGetVersion(int* version) {
    return version == nullptr ? CUDA_ERROR_INVALID_VALUE : result_of(cudaDriverGetVersion(version));
}

HEDDLE_DRIVER_API CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device) {
    return of_device(device, [&] {
        if (context == nullptr)
            return cudaErrorInvalidValue;
        ++primary_users;
        *context = primary_context();
        return cudaSuccess;
    });
}

HEDDLE_DRIVER_API CUresult cuDevicePrimaryCtxRelease(CUdevice device) {
    return of_device(device, [&] {
        if (primary_users == 0)
            return __cudaHeddleUsesRuntime() ? cudaSuccess : cudaErrorDeviceUninitialized; // CUDA_ERROR_INVALID_CONTEXT
        --primary_users;
        return cudaSuccess;
    });
}

HEDDLE_DRIVER_API CUresult cuDevicePrimaryCtxReset(CUdevice device) {
    return of_device(device, [&] { return cudaDeviceReset(); });
}

HEDDLE_DRIVER_API CUresult cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned flags) {
    return of_device(device, [&] {
        primary_flags = flags;
        return cudaSuccess;
    });
}

HEDDLE_DRIVER_API CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned* flags, int* active) {
    return of_device(device, [&] {
        if (flags == nullptr || active == nullptr)
            return cudaErrorInvalidValue;
        *flags = primary_flags;
        *active = primary_users != 0 || __cudaHeddleUsesRuntime() ? 1 : 0;
        return cudaSuccess;
    });
}

HEDDLE_DRIVER_API CUresult cuCtxCreate(CUcontext* context, unsigned flags, CUdevice device) {
    return of_device(device, [&] {
        if (context == nullptr)
            return cudaErrorInvalidValue;
        const std::lock_guard lock(mutex);
        made.push_back(std::make_unique<unsigned>(flags));
        *context = reinterpret_cast<CUcontext>(made.back().get());
        stack.push_back(*context);
        return cudaSuccess;
    });
}

// The forms of CUDA 11.4 and 12.5; their parameters have no meaning here.
HEDDLE_DRIVER_API CUresult cuCtxCreate_v3(CUcontext* context, CUexecAffinityParam*, int, unsigned flags,
                                          CUdevice device) {
    return cuCtxCreate(context, flags, device);
}
HEDDLE_DRIVER_API CUresult cuCtxCreate_v4(CUcontext* context, CUctxCreateParams*, unsigned flags, CUdevice device) {
    return cuCtxCreate(context, flags, device);
}

// What was allocated in it stays: the device's memory is one.
HEDDLE_DRIVER_API CUresult cuCtxDestroy(CUcontext context) {
    if (context == primary_context() || !is_context(context))
        return CUDA_ERROR_INVALID_CONTEXT;
    if (!stack.empty() && stack.back() == context)
        stack.pop_back();
    const std::lock_guard lock(mutex);
    std::erase_if(made, [&](const auto& each) { return reinterpret_cast<CUcontext>(each.get()) == context; });
    return CUDA_SUCCESS;
}

HEDDLE_DRIVER_API CUresult cuCtxPushCurrent(CUcontext context) {
    if (!is_context(context))
        return CUDA_ERROR_INVALID_CONTEXT;
    stack.push_back(context);
    return CUDA_SUCCESS;
}

HEDDLE_DRIVER_API CUresult cuCtxPopCurrent(CUcontext* context) {
    if (current() == nullptr)
        return CUDA_ERROR_INVALID_CONTEXT;
    if (context != nullptr)
        *context = current();
    if (!stack.empty())
        stack.pop_back();
    return CUDA_SUCCESS;
}

HEDDLE_DRIVER_API CUresult cuCtxSetCurrent(CUcontext context) {
    if (context != nullptr && !is_context(context))
        return CUDA_ERROR_INVALID_CONTEXT;
    if (!stack.empty())
        stack.pop_back();
    if (context != nullptr)
        stack.push_back(context);
    return CUDA_SUCCESS;
}

HEDDLE_DRIVER_API CUresult cuCtxGetCurrent(CUcontext* context) {
    return initialised([&] {
        if (context == nullptr)
            return cudaErrorInvalidValue;
        *context = current();
        return cudaSuccess;
    });
}

HEDDLE_DRIVER_API CUresult cuCtxGetDevice(CUdevice* device) {
    return in_context([&] { return cudaGetDevice(device); });
}
HEDDLE_DRIVER_API CUresult cuCtxGetDevice_v2(CUdevice* device, CUcontext context) {
    return of_context(context, [&] { return cudaGetDevice(device); });
}

HEDDLE_DRIVER_API CUresult cuCtxGetApiVersion(CUcontext context, unsigned* version) {
    if (!is_context(context))
        return CUDA_ERROR_INVALID_CONTEXT;
    if (version == nullptr)
        return CUDA_ERROR_INVALID_VALUE;
    *version = 3020; // of the functions' second forms
    return CUDA_SUCCESS;
}

HEDDLE_DRIVER_API CUresult cuCtxSynchronize() {
    return in_context([] { return cudaDeviceSynchronize(); });
}
HEDDLE_DRIVER_API CUresult cuCtxSynchronize_v2(CUcontext context) {
    return of_context(context, [] { return cudaDeviceSynchronize(); });
}
// Events of a context's work, which is done.
HEDDLE_DRIVER_API CUresult cuCtxRecordEvent(CUcontext context, CUevent event) {
    return of_context(context, [&] { return cudaEventRecord(event, nullptr); });
}
HEDDLE_DRIVER_API CUresult cuCtxWaitEvent(CUcontext context, CUevent event) {
    return of_context(context, [&] { return cudaStreamWaitEvent(nullptr, event, 0); });
}

HEDDLE_DRIVER_API CUresult cuCtxGetId(CUcontext context, unsigned long long* id) {
    return of_context(context, [&] {
        if (id == nullptr)
            return cudaErrorInvalidValue;
        *id = reinterpret_cast<unsigned long long>(context == nullptr ? current() : context);
        return cudaSuccess;
    });
}
HEDDLE_DRIVER_API CUresult cuCtxGetFlags(unsigned* flags) {
    return in_context([&] {
        const std::lock_guard lock(mutex);
        const unsigned* const own = own_flags();
        if (own == nullptr || flags == nullptr)
            return cudaGetDeviceFlags(flags);
        *flags = *own;
        return cudaSuccess;
    });
}
HEDDLE_DRIVER_API CUresult cuCtxSetFlags(unsigned flags) {
    return in_context([&] {
        const std::lock_guard lock(mutex);
        unsigned* const own = own_flags();
        if (own == nullptr)
            return cudaSetDeviceFlags(flags);
        *own = flags;
        return cudaSuccess;
    });
}
HEDDLE_DRIVER_API CUresult cuCtxGetLimit(std::size_t* value, CUlimit limit) {
    return in_context([&] { return cudaDeviceGetLimit(value, static_cast<cudaLimit>(limit)); });
}
HEDDLE_DRIVER_API CUresult cuCtxSetLimit(CUlimit limit, std::size_t value) {
    return in_context([&] { return cudaDeviceSetLimit(static_cast<cudaLimit>(limit), value); });
}
HEDDLE_DRIVER_API CUresult cuCtxGetCacheConfig(CUfunc_cache* config) {
    return in_context([&] { return cudaDeviceGetCacheConfig(reinterpret_cast<cudaFuncCache*>(config)); });
}
HEDDLE_DRIVER_API CUresult cuCtxSetCacheConfig(CUfunc_cache config) {
    return in_context([&] { return cudaDeviceSetCacheConfig(static_cast<cudaFuncCache>(config)); });
}
HEDDLE_DRIVER_API CUresult cuCtxGetSharedMemConfig(CUsharedconfig* config) {
    return in_context([&] { return cudaDeviceGetSharedMemConfig(config); });
}
HEDDLE_DRIVER_API CUresult cuCtxSetSharedMemConfig(CUsharedconfig config) {
    return in_context([&] { return cudaDeviceSetSharedMemConfig(config); });
}
HEDDLE_DRIVER_API CUresult cuCtxGetStreamPriorityRange(int* least, int* greatest) {
    return in_context([&] { return cudaDeviceGetStreamPriorityRange(least, greatest); });
}
// Nothing persists in a cache beyond its replacement policy.
HEDDLE_DRIVER_API CUresult cuCtxResetPersistingL2Cache() {
    return in_context([] { return cudaSuccess; });
}
// A context is not counted: it lives until it is destroyed.
HEDDLE_DRIVER_API CUresult cuCtxAttach(CUcontext* context, unsigned flags) {
    return in_context([&] {
        if (context == nullptr || flags != 0)
            return cudaErrorInvalidValue;
        *context = current();
        return cudaSuccess;
    });
}
HEDDLE_DRIVER_API CUresult cuCtxDetach(CUcontext context) {
    return context != nullptr && context == current() ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

// All contexts are of one device, which is no peer of itself.
HEDDLE_DRIVER_API CUresult cuCtxEnablePeerAccess(CUcontext peer, unsigned flags) {
    return in_context([&] {
        if (flags != 0)
            return cudaErrorInvalidValue;
        return is_context(peer) && peer != current() ? cudaErrorPeerAccessUnsupported
                                                     : cudaErrorDeviceUninitialized; // CUDA_ERROR_INVALID_CONTEXT
    });
}
HEDDLE_DRIVER_API CUresult cuCtxDisablePeerAccess(CUcontext peer) {
    return in_context([&] {
        return is_context(peer) ? cudaErrorPeerAccessNotEnabled
                                : cudaErrorDeviceUninitialized; // CUDA_ERROR_INVALID_CONTEXT
    });
}
