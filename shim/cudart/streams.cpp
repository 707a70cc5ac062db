// Streams and events. Work is done when it is given, so a stream only has an identity; an event's time is simulated
// time.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <set>

#include "attributes.h"
#include "base/process_object.h"
#include "graph.h"
#include "stream_attributes.h"

using namespace heddle::cudart;

struct CUstream_st {
    unsigned flags;
    int priority;
    std::uint64_t id;
};
struct CUevent_st {
    unsigned flags;
    bool recorded;
    heddle::Cycle cycle;
};

namespace {

std::set<cudaStream_t>& streams() {
    static auto& all = heddle::process_object<std::set<cudaStream_t>>("streams");
    return all;
}
std::set<cudaEvent_t>& events() {
    static auto& all = heddle::process_object<std::set<cudaEvent_t>>("events");
    return all;
}

bool is_stream(cudaStream_t s) {
    return s == nullptr || s == cudaStreamLegacy || s == cudaStreamPerThread || streams().contains(s);
}

// A priority out of range becomes the nearest one.
cudaError_t create_stream(cudaStream_t* out, unsigned flags, int priority = kLeastPriority) {
    constexpr std::uint64_t kAnyway = 2; // streams that there are anyway
    static auto& created = heddle::process_object<std::uint64_t>("streams that were created");
    return api([&](State&) {
        if (out == nullptr || flags > cudaStreamNonBlocking)
            return cudaErrorInvalidValue;
        *out = new CUstream_st{flags, std::clamp(priority, kGreatestPriority, kLeastPriority), kAnyway + ++created};
        streams().insert(*out);
        return cudaSuccess;
    });
}

// Puts what value(stream) gives at `out`; value(null) is of the streams that there are anyway.
template <class T, class Value>
cudaError_t tell(cudaStream_t stream, T* out, Value&& value) {
    return api([&](State&) {
        if (!is_stream(stream))
            return cudaErrorInvalidResourceHandle;
        if (out == nullptr)
            return cudaErrorInvalidValue;
        *out = value(streams().contains(stream) ? stream : nullptr);
        return cudaSuccess;
    });
}

cudaError_t tell_flags(cudaStream_t stream, unsigned* flags) {
    return tell(stream, flags, [](cudaStream_t s) { return s == nullptr ? cudaStreamDefault : s->flags; });
}
cudaError_t tell_priority(cudaStream_t stream, int* priority) {
    return tell(stream, priority, [](cudaStream_t s) { return s == nullptr ? kLeastPriority : s->priority; });
}
cudaError_t tell_id(cudaStream_t stream, unsigned long long* id) {
    const std::uint64_t given = stream == cudaStreamPerThread ? 2 : 1;
    return tell(stream, id, [&](cudaStream_t s) { return s == nullptr ? given : s->id; });
}
cudaError_t tell_device(cudaStream_t stream, int* device) {
    return tell(stream, device, [](cudaStream_t) { return 0; });
}
cudaError_t tell_capture(cudaStream_t stream, cudaStreamCaptureStatus* status) {
    return tell(stream, status, [&](cudaStream_t) { return capture_status(stream); });
}

// Waits for what was given to the stream, which is done, or was put into a graph and will not be.
cudaError_t wait_stream(cudaStream_t stream) {
    return api([&](State&) {
        if (!is_stream(stream))
            return cudaErrorInvalidResourceHandle;
        Capture* const capture = capture_of(stream);
        return capture == nullptr ? cudaSuccess : spoil(*capture, cudaErrorStreamCaptureUnsupported);
    });
}

// An external record or wait is a node of the captured graph; others are its edges.
cudaError_t record_event(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
    return api([&](State& state) {
        if (!events().contains(event) || !is_stream(stream))
            return cudaErrorInvalidResourceHandle;
        if ((flags & ~unsigned{cudaEventRecordExternal}) != 0)
            return cudaErrorInvalidValue;
        if ((flags & cudaEventRecordExternal) != 0 && capture_of(stream) != nullptr)
            return put_in(stream, {cudaGraphNodeTypeEventRecord, EventUse{event}});
        return record_captured(event, stream) ? cudaSuccess : record_now(state, event);
    });
}

cudaError_t check_event(cudaEvent_t event) {
    return api([&](State&) {
        return !events().contains(event) ? cudaErrorInvalidResourceHandle
               : is_captured(event)      ? cudaErrorCapturedEvent
                                         : cudaSuccess;
    });
}

cudaError_t wait_event(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
    return api([&](State&) {
        if (!is_stream(stream) || !events().contains(event))
            return cudaErrorInvalidResourceHandle;
        if ((flags & ~unsigned{cudaEventWaitExternal}) != 0)
            return cudaErrorInvalidValue;
        if ((flags & cudaEventWaitExternal) != 0 && capture_of(stream) != nullptr)
            return put_in(stream, {cudaGraphNodeTypeWaitEvent, EventUse{event}});
        return wait_captured(stream, event).value_or(cudaSuccess);
    });
}

// The host function runs at once: everything before it in its stream is done.
cudaError_t call_host(cudaStream_t stream, cudaHostFn_t function, void* data) {
    const cudaError_t error = api([&](State&) {
        return !is_stream(stream)    ? cudaErrorInvalidResourceHandle
               : function == nullptr ? cudaErrorInvalidValue
                                     : cudaSuccess;
    });
    if (error != cudaSuccess)
        return error;
    return in_stream(
        stream, cudaGraphNodeTypeHost,
        [&] {
            return Task(cudaHostNodeParams{function, data});
        },
        [&] {
            function(data);
            return cudaSuccess;
        });
}

cudaError_t call_back(cudaStream_t stream, cudaStreamCallback_t function, void* data) {
    const cudaError_t error = wait_stream(stream);
    if (error == cudaSuccess && function != nullptr)
        function(stream, cudaSuccess, data);
    return error;
}

} // namespace

bool heddle::cudart::is_event(cudaEvent_t event) {
    return events().contains(event);
}

cudaError_t heddle::cudart::record_now(State& state, cudaEvent_t event) {
    if (!is_event(event))
        return cudaErrorInvalidResourceHandle;
    event->recorded = true;
    event->cycle = state.device().total_cycles();
    return cudaSuccess;
}

HEDDLE_CUDA_API cudaError_t cudaStreamCreate(cudaStream_t* out) {
    return create_stream(out, cudaStreamDefault);
}
HEDDLE_CUDA_API cudaError_t cudaStreamCreateWithFlags(cudaStream_t* out, unsigned flags) {
    return create_stream(out, flags);
}
HEDDLE_CUDA_API cudaError_t cudaStreamCreateWithPriority(cudaStream_t* out, unsigned flags, int priority) {
    return create_stream(out, flags, priority);
}
HEDDLE_CUDA_API cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    return api([&](State&) {
        if (streams().erase(stream) == 0)
            return cudaErrorInvalidResourceHandle;
        abandon(stream);
        drop_attributes(stream);
        delete stream;
        return cudaSuccess;
    });
}
HEDDLE_CUDA_API cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    return wait_stream(stream);
}
HEDDLE_CUDA_API cudaError_t cudaStreamSynchronize_ptsz(cudaStream_t stream) {
    return wait_stream(stream);
}
HEDDLE_CUDA_API cudaError_t cudaStreamQuery(cudaStream_t stream) {
    return wait_stream(stream);
}
HEDDLE_CUDA_API cudaError_t cudaStreamQuery_ptsz(cudaStream_t stream) {
    return wait_stream(stream);
}
HEDDLE_CUDA_API cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
    return wait_event(stream, event, flags);
}
HEDDLE_CUDA_API cudaError_t cudaStreamWaitEvent_ptsz(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
    return wait_event(stream, event, flags);
}
HEDDLE_CUDA_API cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t function, void* data,
                                                  unsigned flags) {
    return flags != 0 ? record(cudaErrorInvalidValue) : call_back(stream, function, data);
}
HEDDLE_CUDA_API cudaError_t cudaStreamAddCallback_ptsz(cudaStream_t stream, cudaStreamCallback_t function, void* data,
                                                       unsigned flags) {
    return flags != 0 ? record(cudaErrorInvalidValue) : call_back(stream, function, data);
}
HEDDLE_CUDA_API cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
    return call_host(stream, function, data);
}
HEDDLE_CUDA_API cudaError_t cudaLaunchHostFunc_ptsz(cudaStream_t stream, cudaHostFn_t function, void* data) {
    return call_host(stream, function, data);
}
#define HEDDLE_TELL(name, type, tell)                                                                                  \
    HEDDLE_CUDA_API cudaError_t name(cudaStream_t stream, type* out) {                                                 \
        return tell(stream, out);                                                                                      \
    }                                                                                                                  \
    HEDDLE_CUDA_API cudaError_t name##_ptsz(cudaStream_t stream, type* out) {                                          \
        return tell(stream, out);                                                                                      \
    }
HEDDLE_TELL(cudaStreamGetFlags, unsigned, tell_flags)
HEDDLE_TELL(cudaStreamGetPriority, int, tell_priority)
HEDDLE_TELL(cudaStreamGetId, unsigned long long, tell_id)
HEDDLE_TELL(cudaStreamGetDevice, int, tell_device)
HEDDLE_TELL(cudaStreamIsCapturing, cudaStreamCaptureStatus, tell_capture)

HEDDLE_CUDA_API cudaError_t cudaEventCreateWithFlags(cudaEvent_t* out, unsigned flags) {
    return api([&](State&) {
        const bool is_timed = (flags & cudaEventDisableTiming) == 0;
        if (out == nullptr || flags > (cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess) ||
            (is_timed && (flags & cudaEventInterprocess) != 0))
            return cudaErrorInvalidValue;
        *out = new CUevent_st{flags, false, 0};
        events().insert(*out);
        return cudaSuccess;
    });
}
HEDDLE_CUDA_API cudaError_t cudaEventCreate(cudaEvent_t* out) {
    return cudaEventCreateWithFlags(out, cudaEventDefault);
}
HEDDLE_CUDA_API cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    return record_event(event, stream, cudaEventRecordDefault);
}
HEDDLE_CUDA_API cudaError_t cudaEventRecord_ptsz(cudaEvent_t event, cudaStream_t stream) {
    return record_event(event, stream, cudaEventRecordDefault);
}
HEDDLE_CUDA_API cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
    return record_event(event, stream, flags);
}
HEDDLE_CUDA_API cudaError_t cudaEventRecordWithFlags_ptsz(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
    return record_event(event, stream, flags);
}
HEDDLE_CUDA_API cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    return check_event(event);
}
HEDDLE_CUDA_API cudaError_t cudaEventQuery(cudaEvent_t event) {
    return check_event(event);
}
HEDDLE_CUDA_API cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
    return api([&](State& state) {
        if (milliseconds == nullptr)
            return cudaErrorInvalidValue;
        for (const cudaEvent_t e : {start, end})
            if (!events().contains(e) || !e->recorded || (e->flags & cudaEventDisableTiming) != 0)
                return cudaErrorInvalidResourceHandle;
        const bool forward = end->cycle >= start->cycle;
        const heddle::Cycle cycles = forward ? end->cycle - start->cycle : start->cycle - end->cycle;
        const double seconds = state.device().seconds(cycles);
        *milliseconds = static_cast<float>((forward ? seconds : -seconds) * 1e3);
        return cudaSuccess;
    });
}
HEDDLE_CUDA_API cudaError_t cudaEventDestroy(cudaEvent_t event) {
    return api([&](State&) {
        if (events().erase(event) == 0)
            return cudaErrorInvalidResourceHandle;
        forget(event);
        delete event;
        return cudaSuccess;
    });
}
