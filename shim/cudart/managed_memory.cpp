// Managed memory: advice, prefetches, and what is known of ranges. Pages do not move here.
#include <algorithm>
#include <cstring>

#include "managed_advice.h"
#include "memory.h"

using namespace heddle::cudart;
using heddle::Address;

namespace {

struct Range {
    const void* pointer;
    std::size_t bytes;

    [[nodiscard]] Address begin() const {
        return device_address(pointer);
    }
    [[nodiscard]] Address end() const {
        return begin() + bytes;
    }
};

bool is_managed(State& state, Address address) {
    return state.device().is_shared(address) && block_at(state.host_memory, address) == state.host_memory.end();
}
bool is_managed(State& state, const Range& range) {
    return range.bytes != 0 && is_managed(state, range.begin()) && is_managed(state, range.end() - 1);
}

// As functions of CUDA 12 tell it.
int device_of(const cudaMemLocation& place) {
    switch (place.type) {
    case cudaMemLocationTypeInvalid:
        return cudaInvalidDeviceId;
    case cudaMemLocationTypeDevice:
        return place.id;
    default:
        return cudaCpuDeviceId;
    }
}
bool is_same(const cudaMemLocation& a, const cudaMemLocation& b) {
    return a.type == b.type && a.id == b.id;
}

// Reads a place for memory; the host has one NUMA node.
cudaError_t read_place(cudaMemLocation place, cudaMemLocation& out) {
    switch (place.type) {
    case cudaMemLocationTypeDevice:
        out = place;
        return check_place(place);
    case cudaMemLocationTypeHost:
        out = {place.type, 0};
        return cudaSuccess;
    case cudaMemLocationTypeHostNumaCurrent:
        out = {cudaMemLocationTypeHostNuma, 0};
        return cudaSuccess;
    case cudaMemLocationTypeHostNuma:
        out = place;
        return place.id == 0 ? cudaSuccess : cudaErrorInvalidValue;
    default:
        return cudaErrorInvalidValue;
    }
}

cudaError_t set_accessed_by(State& state, const Range& range, const cudaMemLocation& place, bool value) {
    bool Advice::*const by =
        place.type == cudaMemLocationTypeHost ? &Advice::accessed_by_host : &Advice::accessed_by_device;
    if (place.type == cudaMemLocationTypeDevice && check_place(place) != cudaSuccess)
        return cudaErrorInvalidDevice;
    if (place.type != cudaMemLocationTypeDevice && place.type != cudaMemLocationTypeHost)
        return cudaErrorInvalidValue;
    state.advice.change(range.begin(), range.end(), [&](Advice& a) { a.*by = value; });
    return cudaSuccess;
}

cudaError_t advise(const Range& range, cudaMemoryAdvise advice, const cudaMemLocation& place) {
    return api([&](State& state) {
        if (!is_managed(state, range))
            return cudaErrorInvalidValue;
        const auto change = [&](auto&& f) { state.advice.change(range.begin(), range.end(), f); };
        cudaMemLocation preferred{};
        switch (advice) {
        case cudaMemAdviseSetReadMostly:
        case cudaMemAdviseUnsetReadMostly:
            change([&](Advice& a) { a.read_mostly = advice == cudaMemAdviseSetReadMostly; });
            return cudaSuccess;
        case cudaMemAdviseSetPreferredLocation:
            if (const cudaError_t error = read_place(place, preferred); error != cudaSuccess)
                return error;
            [[fallthrough]];
        case cudaMemAdviseUnsetPreferredLocation:
            change([&](Advice& a) { a.preferred = preferred; });
            return cudaSuccess;
        case cudaMemAdviseSetAccessedBy:
        case cudaMemAdviseUnsetAccessedBy:
            return set_accessed_by(state, range, place, advice == cudaMemAdviseSetAccessedBy);
        }
        return cudaErrorInvalidValue;
    });
}

cudaError_t prefetch(const Range& range, const cudaMemLocation& place, unsigned flags) {
    return api([&](State& state) {
        cudaMemLocation to{};
        if (flags != 0 || !is_managed(state, range))
            return cudaErrorInvalidValue;
        if (const cudaError_t error = read_place(place, to); error != cudaSuccess)
            return error;
        state.advice.change(range.begin(), range.end(), [&](Advice& a) { a.prefetched = to; });
        return cudaSuccess;
    });
}

// Every stream sees managed memory.
cudaError_t attach(const void* pointer, unsigned flags) {
    return api([&](State& state) {
        const bool is_right =
            flags == cudaMemAttachGlobal || flags == cudaMemAttachHost || flags == cudaMemAttachSingle;
        return is_right && is_managed(state, device_address(pointer)) ? cudaSuccess : cudaErrorInvalidValue;
    });
}

// Several ranges by one call.
struct Ranges {
    void* const* pointers;
    const std::size_t* sizes;
    std::size_t count;
    unsigned long long flags;
    cudaStream_t stream;

    [[nodiscard]] bool are_right() const { // CUDA does not take the default stream
        return pointers != nullptr && sizes != nullptr && count != 0 && flags == 0 && stream != nullptr &&
               stream != cudaStreamLegacy;
    }
};

// What is discarded keeps its bytes, which a program must not count on.
cudaError_t discard_all(const Ranges& ranges) {
    return api([&](State& state) {
        if (!ranges.are_right())
            return cudaErrorInvalidValue;
        for (std::size_t i = 0; i < ranges.count; ++i)
            if (!is_managed(state, Range{ranges.pointers[i], ranges.sizes[i]}))
                return cudaErrorInvalidValue;
        return cudaSuccess;
    });
}

// `from[i]`: the first range that goes to places[i].
cudaError_t prefetch_all(const Ranges& ranges, const cudaMemLocation* places, const std::size_t* from,
                         std::size_t place_count) {
    if (!ranges.are_right() || places == nullptr || from == nullptr || place_count == 0 || from[0] != 0)
        return record(cudaErrorInvalidValue);
    for (std::size_t i = 0; i < place_count; ++i)
        if (from[i] >= ranges.count || (i != 0 && from[i] <= from[i - 1]))
            return record(cudaErrorInvalidValue);
    for (std::size_t i = 0, place = 0; i < ranges.count; ++i) {
        if (place + 1 < place_count && from[place + 1] == i)
            ++place;
        if (const cudaError_t error = prefetch({ranges.pointers[i], ranges.sizes[i]}, places[place], 0);
            error != cudaSuccess)
            return error;
    }
    return cudaSuccess;
}

// What all pages of a range have in common.
struct Common {
    Advice advice;
    bool first = true;

    void add(const Advice& other) {
        if (first)
            advice = other;
        first = false;
        advice.read_mostly &= other.read_mostly;
        advice.accessed_by_device &= other.accessed_by_device;
        advice.accessed_by_host &= other.accessed_by_host;
        if (!is_same(advice.preferred, other.preferred))
            advice.preferred = {};
        if (!is_same(advice.prefetched, other.prefetched))
            advice.prefetched = {};
    }
};

cudaError_t tell(void* out, std::size_t bytes, int value) {
    if (bytes != sizeof value)
        return cudaErrorInvalidValue;
    std::memcpy(out, &value, sizeof value);
    return cudaSuccess;
}
cudaError_t tell_accessed_by(void* out, std::size_t bytes, const Advice& advice) {
    if (bytes == 0 || bytes % sizeof(int) != 0)
        return cudaErrorInvalidValue;
    int* const devices = static_cast<int*>(out);
    int* const end = std::fill_n(devices, bytes / sizeof(int), int{cudaInvalidDeviceId}); // of what there is room for
    int* next = devices;
    if (advice.accessed_by_device)
        *next++ = 0;
    if (advice.accessed_by_host && next != end)
        *next = cudaCpuDeviceId;
    return cudaSuccess;
}

cudaError_t tell_attribute(void* out, std::size_t bytes, cudaMemRangeAttribute attribute, const Advice& advice) {
    if (out == nullptr)
        return cudaErrorInvalidValue;
    switch (attribute) {
    case cudaMemRangeAttributeReadMostly:
        return tell(out, bytes, advice.read_mostly ? 1 : 0);
    case cudaMemRangeAttributePreferredLocation:
        return tell(out, bytes, device_of(advice.preferred));
    case cudaMemRangeAttributeAccessedBy:
        return tell_accessed_by(out, bytes, advice);
    case cudaMemRangeAttributeLastPrefetchLocation:
        return tell(out, bytes, device_of(advice.prefetched));
    case cudaMemRangeAttributePreferredLocationType:
        return tell(out, bytes, advice.preferred.type);
    case cudaMemRangeAttributePreferredLocationId:
        return tell(out, bytes, advice.preferred.id);
    case cudaMemRangeAttributeLastPrefetchLocationType:
        return tell(out, bytes, advice.prefetched.type);
    case cudaMemRangeAttributeLastPrefetchLocationId:
        return tell(out, bytes, advice.prefetched.id);
    }
    return cudaErrorInvalidValue;
}

} // namespace

HEDDLE_CUDA_API cudaError_t cudaMemRangeGetAttributes(void** data, std::size_t* sizes,
                                                      cudaMemRangeAttribute* attributes, std::size_t count,
                                                      const void* pointer, std::size_t bytes) {
    return api([&](State& state) {
        const Range range{pointer, bytes};
        if (data == nullptr || sizes == nullptr || attributes == nullptr || count == 0 || !is_managed(state, range))
            return cudaErrorInvalidValue;
        Common common;
        state.advice.each(range.begin(), range.end(), [&](const Advice& advice) { common.add(advice); });
        for (std::size_t i = 0; i < count; ++i)
            if (const cudaError_t error = tell_attribute(data[i], sizes[i], attributes[i], common.advice);
                error != cudaSuccess)
                return error;
        return cudaSuccess;
    });
}
HEDDLE_CUDA_API cudaError_t cudaMemRangeGetAttribute(void* data, std::size_t size, cudaMemRangeAttribute attribute,
                                                     const void* pointer, std::size_t bytes) {
    return cudaMemRangeGetAttributes(&data, &size, &attribute, 1, pointer, bytes);
}

HEDDLE_CUDA_API cudaError_t cudaMemAdvise_v2(const void* pointer, std::size_t bytes, cudaMemoryAdvise advice,
                                             cudaMemLocation place) {
    return advise({pointer, bytes}, advice, place);
}
#define HEDDLE_PREFETCHES(ending)                                                                                      \
    HEDDLE_CUDA_API cudaError_t cudaMemPrefetchAsync_v2##ending(const void* pointer, std::size_t bytes,                \
                                                                cudaMemLocation place, unsigned flags, cudaStream_t) { \
        return prefetch({pointer, bytes}, place, flags);                                                               \
    }                                                                                                                  \
    HEDDLE_CUDA_API cudaError_t cudaMemPrefetchBatchAsync##ending(                                                     \
        void** pointers, std::size_t* sizes, std::size_t count, cudaMemLocation* places, std::size_t* from,            \
        std::size_t place_count, unsigned long long flags, cudaStream_t stream) {                                      \
        return prefetch_all({pointers, sizes, count, flags, stream}, places, from, place_count);                       \
    }                                                                                                                  \
    HEDDLE_CUDA_API cudaError_t cudaMemDiscardBatchAsync##ending(                                                      \
        void** pointers, std::size_t* sizes, std::size_t count, unsigned long long flags, cudaStream_t stream) {       \
        return discard_all({pointers, sizes, count, flags, stream});                                                   \
    }                                                                                                                  \
    HEDDLE_CUDA_API cudaError_t cudaMemDiscardAndPrefetchBatchAsync##ending(                                           \
        void** pointers, std::size_t* sizes, std::size_t count, cudaMemLocation* places, std::size_t* from,            \
        std::size_t place_count, unsigned long long flags, cudaStream_t stream) {                                      \
        return cudaMemPrefetchBatchAsync##ending(pointers, sizes, count, places, from, place_count, flags, stream);    \
    }                                                                                                                  \
    HEDDLE_CUDA_API cudaError_t cudaStreamAttachMemAsync##ending(cudaStream_t, void* pointer, std::size_t,             \
                                                                 unsigned flags) {                                     \
        return attach(pointer, flags);                                                                                 \
    }
HEDDLE_PREFETCHES()
HEDDLE_PREFETCHES(_ptsz)

// CUDA 13 has the forms with places under the names that CUDA 12 has for devices.
#if HEDDLE_CUDART_VERSION >= 13000
#define HEDDLE_FORMS(prefetch_name, ending)                                                                            \
    HEDDLE_CUDA_API cudaError_t prefetch_name(const void*, std::size_t, cudaMemLocation, unsigned,                     \
                                              cudaStream_t) __asm__("cudaMemPrefetchAsync" ending);                    \
    cudaError_t prefetch_name(const void* pointer, std::size_t bytes, cudaMemLocation place, unsigned flags,           \
                              cudaStream_t) {                                                                          \
        return prefetch({pointer, bytes}, place, flags);                                                               \
    }
HEDDLE_CUDA_API cudaError_t heddle_advise(const void*, std::size_t, cudaMemoryAdvise,
                                          cudaMemLocation) __asm__("cudaMemAdvise");
cudaError_t heddle_advise(const void* pointer, std::size_t bytes, cudaMemoryAdvise advice, cudaMemLocation place) {
    return advise({pointer, bytes}, advice, place);
}
#else
#define HEDDLE_FORMS(prefetch_name, ending)                                                                            \
    HEDDLE_CUDA_API cudaError_t prefetch_name(const void*, std::size_t, int,                                           \
                                              cudaStream_t) __asm__("cudaMemPrefetchAsync" ending);                    \
    cudaError_t prefetch_name(const void* pointer, std::size_t bytes, int device, cudaStream_t) {                      \
        return prefetch({pointer, bytes}, heddle_cuda_location(device), 0);                                            \
    }
HEDDLE_CUDA_API cudaError_t heddle_advise(const void*, std::size_t, cudaMemoryAdvise, int) __asm__("cudaMemAdvise");
cudaError_t heddle_advise(const void* pointer, std::size_t bytes, cudaMemoryAdvise advice, int device) {
    return advise({pointer, bytes}, advice, heddle_cuda_location(device));
}
#endif
HEDDLE_FORMS(heddle_prefetch, "")
HEDDLE_FORMS(heddle_prefetch_of_thread, "_ptsz")
