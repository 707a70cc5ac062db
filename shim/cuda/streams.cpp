// Streams and events are the runtime's.
#include <map>
#include <mutex>

#include "driver.h"

using namespace heddle::driver;

namespace {

std::mutex mutex;                       // of what follows
std::map<CUstream, CUcontext> contexts; // of the streams that the driver has made

// Makes a stream by create(), in the current context.
template <class F>
CUresult made_by(F&& create, const CUstream* stream) {
    return in_context([&] {
        const cudaError_t error = create();
        if (error == cudaSuccess) {
            const std::lock_guard lock(mutex);
            contexts[*stream] = current();
        }
        return error;
    });
}

bool is_default(CUstream stream) {
    return stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread;
}

// Streams of the runtime are the primary context's.
CUcontext context_of(CUstream stream) {
    if (is_default(stream))
        return current();
    const std::lock_guard lock(mutex);
    const auto known = contexts.find(stream);
    return known == contexts.end() ? primary_context() : known->second;
}

} // namespace

HEDDLE_DRIVER_API CUresult cuStreamCreate(CUstream* stream, unsigned flags) {
    return made_by([&] { return cudaStreamCreateWithFlags(stream, flags); }, stream);
}
HEDDLE_DRIVER_API CUresult cuStreamCreateWithPriority(CUstream* stream, unsigned flags, int priority) {
    return made_by([&] { return cudaStreamCreateWithPriority(stream, flags, priority); }, stream);
}
HEDDLE_DRIVER_API CUresult cuStreamDestroy(CUstream stream) {
    return initialised([&] {
        const cudaError_t error = cudaStreamDestroy(stream);
        if (error == cudaSuccess) {
            const std::lock_guard lock(mutex);
            contexts.erase(stream);
        }
        return error;
    });
}
HEDDLE_DRIVER_API CUresult cuStreamSynchronize(CUstream stream) {
    return in_context([&] { return cudaStreamSynchronize(stream); });
}
HEDDLE_DRIVER_API CUresult cuStreamQuery(CUstream stream) {
    return in_context([&] { return cudaStreamQuery(stream); });
}
HEDDLE_DRIVER_API CUresult cuStreamGetFlags(CUstream stream, unsigned* flags) {
    return in_context([&] { return cudaStreamGetFlags(stream, flags); });
}
HEDDLE_DRIVER_API CUresult cuStreamGetPriority(CUstream stream, int* priority) {
    return in_context([&] { return cudaStreamGetPriority(stream, priority); });
}
HEDDLE_DRIVER_API CUresult cuStreamGetId(CUstream stream, unsigned long long* id) {
    return in_context([&] { return cudaStreamGetId(stream, id); });
}
HEDDLE_DRIVER_API CUresult cuStreamGetDevice(CUstream stream, CUdevice* device) {
    return in_context([&] { return cudaStreamGetDevice(stream, device); });
}
// Streams belong to the device: each context may use them.
HEDDLE_DRIVER_API CUresult cuStreamGetCtx(CUstream stream, CUcontext* context) {
    return in_context([&] {
        int device = 0;
        const cudaError_t error = context == nullptr ? cudaErrorInvalidValue : cudaStreamGetDevice(stream, &device);
        if (error == cudaSuccess)
            *context = context_of(stream);
        return error;
    });
}
HEDDLE_DRIVER_API CUresult cuStreamGetCtx_v2(CUstream stream, CUcontext* context, CUgreenCtx* green) {
    if (green != nullptr)
        *green = nullptr; // there are no green contexts
    return cuStreamGetCtx(stream, context);
}
HEDDLE_DRIVER_API CUresult cuStreamAttachMemAsync(CUstream stream, CUdeviceptr pointer, std::size_t bytes,
                                                  unsigned flags) {
    return in_context([&] { return cudaStreamAttachMemAsync(stream, pointer_of(pointer), bytes, flags); });
}
HEDDLE_DRIVER_API CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags) {
    return in_context([&] { return cudaStreamWaitEvent(stream, event, flags); });
}
HEDDLE_DRIVER_API CUresult cuStreamAddCallback(CUstream stream, CUstreamCallback callback, void* data, unsigned flags) {
    struct Call {
        CUstreamCallback callback;
        void* data;
    };
    if (callback == nullptr)
        return CUDA_ERROR_INVALID_VALUE;
    auto* const call = new Call{callback, data};
    const auto forward = [](cudaStream_t on, cudaError_t status, void* given) {
        const Call kept = *static_cast<Call*>(given);
        delete static_cast<Call*>(given);
        kept.callback(on, result_of(status), kept.data);
    };
    const CUresult result = in_context([&] { return cudaStreamAddCallback(stream, forward, call, flags); });
    if (result != CUDA_SUCCESS)
        delete call;
    return result;
}
HEDDLE_DRIVER_API CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void* data) {
    return in_context([&] { return cudaLaunchHostFunc(stream, function, data); });
}

HEDDLE_DRIVER_API CUresult cuEventCreate(CUevent* event, unsigned flags) {
    return in_context([&] { return cudaEventCreateWithFlags(event, flags); });
}
HEDDLE_DRIVER_API CUresult cuEventRecord(CUevent event, CUstream stream) {
    return in_context([&] { return cudaEventRecord(event, stream); });
}
HEDDLE_DRIVER_API CUresult cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned flags) {
    return in_context([&] { return cudaEventRecordWithFlags(event, stream, flags); });
}
HEDDLE_DRIVER_API CUresult cuEventQuery(CUevent event) {
    return in_context([&] { return cudaEventQuery(event); });
}
HEDDLE_DRIVER_API CUresult cuEventSynchronize(CUevent event) {
    return in_context([&] { return cudaEventSynchronize(event); });
}
HEDDLE_DRIVER_API CUresult cuEventElapsedTime(float* milliseconds, CUevent start, CUevent end) {
    return in_context([&] { return cudaEventElapsedTime(milliseconds, start, end); });
}
HEDDLE_DRIVER_API CUresult cuEventElapsedTime_v2(float* milliseconds, CUevent start, CUevent end) {
    return cuEventElapsedTime(milliseconds, start, end);
}
HEDDLE_DRIVER_API CUresult cuEventDestroy(CUevent event) {
    return initialised([&] { return cudaEventDestroy(event); });
}
