// Memory: allocation, copies and fills. Everything is done when the call returns, and takes no simulated time.
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>

#include "state.h"

using namespace heddle::cudart;
using heddle::Address;

namespace {

constexpr std::size_t kPitch = 512;
constexpr std::size_t kHostAlignment = 4096;

Address device_address(const void* pointer) {
    return reinterpret_cast<Address>(pointer);
}

cudaError_t allocate(State& state, void** out, std::size_t bytes) {
    if (out == nullptr)
        return cudaErrorInvalidValue;
    *out = nullptr;
    if (bytes == 0)
        return cudaSuccess;
    const Address address = state.device().allocate(bytes, fmt::format("cudaMalloc #{}", state.allocated));
    if (address == 0)
        return cudaErrorMemoryAllocation;
    ++state.allocated;
    state.device_memory[address] = bytes;
    *out = reinterpret_cast<void*>(address);
    return cudaSuccess;
}

// Memory that the host program reaches by the same pointers. Pages do not move, and accesses of the host take no
// simulated time.
cudaError_t allocate_managed(State& state, void** out, std::size_t bytes, unsigned flags) {
    if (out == nullptr || bytes == 0 || (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost))
        return cudaErrorInvalidValue;
    const Address address =
        state.device().allocate_shared(bytes, fmt::format("cudaMallocManaged #{}", state.allocated));
    if (address == 0) {
        complain(fmt::format("cudaMallocManaged of {} bytes: the device has no room, or the program has something else "
                             "at the device's addresses, from {:#x} on",
                             bytes, heddle::exec::kGlobalBase));
        return cudaErrorMemoryAllocation;
    }
    ++state.allocated;
    state.device_memory[address] = bytes;
    *out = reinterpret_cast<void*>(address);
    return cudaSuccess;
}

// Advice about managed memory, which changes nothing here.
cudaError_t advise(const void* pointer, std::size_t bytes) {
    return api([&](State& state) {
        const bool managed = bytes != 0 && state.device().is_shared(device_address(pointer)) &&
                             state.device().is_shared(device_address(pointer) + bytes);
        return managed ? cudaSuccess : cudaErrorInvalidValue;
    });
}

cudaError_t release(State& state, const void* pointer) {
    if (pointer == nullptr)
        return cudaSuccess;
    if (state.device_memory.erase(device_address(pointer)) == 0 || !state.device().release(device_address(pointer)))
        return cudaErrorInvalidValue;
    return cudaSuccess;
}

// The direction of a copy, by the addresses where the program leaves it to them.
struct Direction {
    bool from_device, to_device;
};
cudaError_t direction(State& state, const void* to, const void* from, cudaMemcpyKind kind, Direction& out) {
    const bool to_device = state.device().owns(device_address(to));
    const bool from_device = state.device().owns(device_address(from));
    const auto fits = [&](const void* pointer, bool device, bool said) { // managed memory is both
        return device == said || state.device().is_shared(device_address(pointer));
    };
    switch (kind) {
    case cudaMemcpyHostToHost:
        out = {false, false};
        break;
    case cudaMemcpyHostToDevice:
        out = {false, true};
        break;
    case cudaMemcpyDeviceToHost:
        out = {true, false};
        break;
    case cudaMemcpyDeviceToDevice:
        out = {true, true};
        break;
    case cudaMemcpyDefault:
        out = {from_device, to_device};
        return cudaSuccess;
    default:
        return cudaErrorInvalidMemcpyDirection;
    }
    if (!fits(from, from_device, out.from_device) || !fits(to, to_device, out.to_device)) {
        const auto side = [](bool device) { return device ? "device" : "host"; };
        complain(fmt::format("a copy from {} {} to {} {} with a kind that says {} to {}", side(from_device), from,
                             side(to_device), to, side(out.from_device), side(out.to_device)));
        return cudaErrorInvalidValue;
    }
    return cudaSuccess;
}

void copy_row(State& state, void* to, const void* from, std::size_t bytes, Direction d) {
    if (d.from_device && d.to_device)
        state.device().copy(device_address(to), device_address(from), bytes);
    else if (d.to_device)
        state.device().write(device_address(to), from, bytes);
    else if (d.from_device)
        state.device().read(to, device_address(from), bytes);
    else
        std::memmove(to, from, bytes);
}

cudaError_t copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
    return api([&](State& state) {
        if (bytes == 0)
            return kind > cudaMemcpyDefault ? cudaErrorInvalidMemcpyDirection : cudaSuccess;
        if (to == nullptr || from == nullptr)
            return cudaErrorInvalidValue;
        Direction d{};
        const cudaError_t error = direction(state, to, from, kind, d);
        if (error == cudaSuccess)
            copy_row(state, to, from, bytes, d);
        return error;
    });
}

cudaError_t copy_rows(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
                      std::size_t height, cudaMemcpyKind kind) {
    return api([&](State& state) {
        if (width == 0 || height == 0)
            return cudaSuccess;
        if (to == nullptr || from == nullptr)
            return cudaErrorInvalidValue;
        if (width > to_pitch || width > from_pitch)
            return cudaErrorInvalidPitchValue;
        Direction d{};
        const cudaError_t error = direction(state, to, from, kind, d);
        for (std::size_t row = 0; error == cudaSuccess && row < height; ++row)
            copy_row(state, static_cast<std::byte*>(to) + row * to_pitch,
                     static_cast<const std::byte*>(from) + row * from_pitch, width, d);
        return error;
    });
}

cudaError_t fill(void* pointer, int value, std::size_t bytes) {
    return api([&](State& state) {
        if (bytes == 0)
            return cudaSuccess;
        if (!state.device().owns(device_address(pointer)))
            return cudaErrorInvalidValue;
        state.device().fill(device_address(pointer), value, bytes);
        return cudaSuccess;
    });
}

cudaError_t fill_rows(void* pointer, std::size_t pitch, int value, std::size_t width, std::size_t height) {
    return api([&](State& state) {
        if (width == 0 || height == 0)
            return cudaSuccess;
        if (!state.device().owns(device_address(pointer)))
            return cudaErrorInvalidValue;
        if (width > pitch)
            return cudaErrorInvalidPitchValue;
        for (std::size_t row = 0; row < height; ++row)
            state.device().fill(device_address(pointer) + row * pitch, value, width);
        return cudaSuccess;
    });
}

// The address of `bytes` bytes at `offset` of a __device__ or __constant__ variable.
cudaError_t symbol_range(State& state, const void* host, std::size_t offset, std::size_t bytes, void*& out) {
    cudaError_t error;
    const Symbol* symbol = state.find_symbol(host, error);
    if (symbol == nullptr)
        return error;
    if (offset > symbol->bytes || bytes > symbol->bytes - offset) {
        complain(fmt::format("a copy of {} bytes at offset {} of variable '{}', which has {}", bytes, offset,
                             symbol->name, symbol->bytes));
        return cudaErrorInvalidValue;
    }
    out = reinterpret_cast<void*>(*symbol->address + offset);
    return cudaSuccess;
}

cudaError_t copy_to_symbol(const void* symbol, const void* from, std::size_t bytes, std::size_t offset,
                           cudaMemcpyKind kind) {
    return api([&](State& state) {
        if (kind != cudaMemcpyHostToDevice && kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
            return cudaErrorInvalidMemcpyDirection;
        void* to = nullptr;
        const cudaError_t error = symbol_range(state, symbol, offset, bytes, to);
        return error != cudaSuccess ? error : copy(to, from, bytes, kind);
    });
}

cudaError_t copy_from_symbol(void* to, const void* symbol, std::size_t bytes, std::size_t offset, cudaMemcpyKind kind) {
    return api([&](State& state) {
        if (kind != cudaMemcpyDeviceToHost && kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
            return cudaErrorInvalidMemcpyDirection;
        void* from = nullptr;
        const cudaError_t error = symbol_range(state, symbol, offset, bytes, from);
        return error != cudaSuccess ? error : copy(to, from, bytes, kind);
    });
}

cudaError_t allocate_host(void** out, std::size_t bytes) {
    return api([&](State& state) {
        if (out == nullptr)
            return cudaErrorInvalidValue;
        *out = nullptr;
        if (bytes == 0)
            return cudaSuccess;
        *out = std::aligned_alloc(kHostAlignment, (bytes + kHostAlignment - 1) / kHostAlignment * kHostAlignment);
        if (*out == nullptr)
            return cudaErrorMemoryAllocation;
        state.host_memory[device_address(*out)] = bytes;
        return cudaSuccess;
    });
}

// The block of `memory` that holds `address`, or null.
const std::pair<const std::uint64_t, std::uint64_t>* block_of(const std::map<std::uint64_t, std::uint64_t>& memory,
                                                              Address address) {
    auto at = memory.upper_bound(address);
    if (at == memory.begin())
        return nullptr;
    --at;
    return address - at->first < at->second ? &*at : nullptr;
}

} // namespace

HEDDLE_CUDA_API cudaError_t cudaMalloc(void** out, std::size_t bytes) {
    return api([&](State& state) { return allocate(state, out, bytes); });
}
HEDDLE_CUDA_API cudaError_t cudaFree(void* pointer) {
    return api([&](State& state) { return release(state, pointer); });
}
HEDDLE_CUDA_API cudaError_t cudaMallocAsync(void** out, std::size_t bytes, cudaStream_t) {
    return cudaMalloc(out, bytes);
}
HEDDLE_CUDA_API cudaError_t cudaFreeAsync(void* pointer, cudaStream_t) {
    return cudaFree(pointer);
}
HEDDLE_CUDA_API cudaError_t cudaMallocManaged(void** out, std::size_t bytes, unsigned flags) {
    return api([&](State& state) { return allocate_managed(state, out, bytes, flags); });
}
// CUDA 13 passes a place where CUDA 12 passes a device; nobody looks at what follows the range.
HEDDLE_CUDA_API cudaError_t cudaMemPrefetchAsync(const void* pointer, std::size_t bytes, int, cudaStream_t) {
    return advise(pointer, bytes);
}
HEDDLE_CUDA_API cudaError_t cudaMemPrefetchAsync_ptsz(const void* pointer, std::size_t bytes, int, cudaStream_t) {
    return advise(pointer, bytes);
}
HEDDLE_CUDA_API cudaError_t cudaMemAdvise(const void* pointer, std::size_t bytes, cudaMemoryAdvise, int) {
    return advise(pointer, bytes);
}
HEDDLE_CUDA_API cudaError_t cudaStreamAttachMemAsync(cudaStream_t, void* pointer, std::size_t, unsigned) {
    return advise(pointer, 1);
}
HEDDLE_CUDA_API cudaError_t cudaStreamAttachMemAsync_ptsz(cudaStream_t, void* pointer, std::size_t, unsigned) {
    return advise(pointer, 1);
}
HEDDLE_CUDA_API cudaError_t cudaMallocPitch(void** out, std::size_t* pitch, std::size_t width, std::size_t height) {
    return api([&](State& state) {
        if (pitch == nullptr)
            return cudaErrorInvalidValue;
        *pitch = (width + kPitch - 1) / kPitch * kPitch;
        return allocate(state, out, *pitch * height);
    });
}
HEDDLE_CUDA_API cudaError_t cudaMallocHost(void** out, std::size_t bytes) {
    return allocate_host(out, bytes);
}
HEDDLE_CUDA_API cudaError_t cudaHostAlloc(void** out, std::size_t bytes, unsigned) {
    return allocate_host(out, bytes);
}
HEDDLE_CUDA_API cudaError_t cudaFreeHost(void* pointer) {
    return api([&](State& state) {
        if (pointer == nullptr)
            return cudaSuccess;
        if (state.host_memory.erase(device_address(pointer)) == 0)
            return cudaErrorInvalidValue;
        std::free(pointer);
        return cudaSuccess;
    });
}
// Pinning has no meaning here: copies take no time.
HEDDLE_CUDA_API cudaError_t cudaHostRegister(void* pointer, std::size_t, unsigned) {
    return api([&](State&) { return pointer == nullptr ? cudaErrorInvalidValue : cudaSuccess; });
}
HEDDLE_CUDA_API cudaError_t cudaHostUnregister(void* pointer) {
    return api([&](State&) { return pointer == nullptr ? cudaErrorInvalidValue : cudaSuccess; });
}
HEDDLE_CUDA_API cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
    return api([&](State& state) {
        std::uint64_t used = 0;
        for (const auto& [address, bytes] : state.device_memory)
            used += bytes;
        if (total != nullptr)
            *total = state.properties().global_bytes;
        if (free != nullptr)
            *free = state.properties().global_bytes - used;
        return cudaSuccess;
    });
}
HEDDLE_CUDA_API cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* out, const void* pointer) {
    return api([&](State& state) {
        if (out == nullptr)
            return cudaErrorInvalidValue;
        void* const p = const_cast<void*>(pointer);
        if (state.device().is_shared(device_address(pointer)))
            *out = {cudaMemoryTypeManaged, 0, p, p};
        else if (block_of(state.device_memory, device_address(pointer)) != nullptr)
            *out = {cudaMemoryTypeDevice, 0, p, nullptr};
        else if (block_of(state.host_memory, device_address(pointer)) != nullptr)
            *out = {cudaMemoryTypeHost, 0, nullptr, p};
        else
            *out = {cudaMemoryTypeUnregistered, -2, nullptr, p};
        return cudaSuccess;
    });
}

// A copy under all its names: streams make no difference, since every call completes before it returns.
#define HEDDLE_COPY(name)                                                                                              \
    HEDDLE_CUDA_API cudaError_t name(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {             \
        return copy(to, from, bytes, kind);                                                                            \
    }
#define HEDDLE_COPY_ASYNC(name)                                                                                        \
    HEDDLE_CUDA_API cudaError_t name(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,               \
                                     cudaStream_t) {                                                                   \
        return copy(to, from, bytes, kind);                                                                            \
    }
HEDDLE_COPY(cudaMemcpy)
HEDDLE_COPY(cudaMemcpy_ptds)
HEDDLE_COPY_ASYNC(cudaMemcpyAsync)
HEDDLE_COPY_ASYNC(cudaMemcpyAsync_ptsz)

#define HEDDLE_COPY_2D(name)                                                                                           \
    HEDDLE_CUDA_API cudaError_t name(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,         \
                                     std::size_t width, std::size_t height, cudaMemcpyKind kind) {                     \
        return copy_rows(to, to_pitch, from, from_pitch, width, height, kind);                                         \
    }
#define HEDDLE_COPY_2D_ASYNC(name)                                                                                     \
    HEDDLE_CUDA_API cudaError_t name(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,         \
                                     std::size_t width, std::size_t height, cudaMemcpyKind kind, cudaStream_t) {       \
        return copy_rows(to, to_pitch, from, from_pitch, width, height, kind);                                         \
    }
HEDDLE_COPY_2D(cudaMemcpy2D)
HEDDLE_COPY_2D(cudaMemcpy2D_ptds)
HEDDLE_COPY_2D_ASYNC(cudaMemcpy2DAsync)
HEDDLE_COPY_2D_ASYNC(cudaMemcpy2DAsync_ptsz)

#define HEDDLE_TO_SYMBOL(name, ...)                                                                                    \
    HEDDLE_CUDA_API cudaError_t name(const void* symbol, const void* from, std::size_t bytes, std::size_t offset,      \
                                     cudaMemcpyKind kind __VA_ARGS__) {                                                \
        return copy_to_symbol(symbol, from, bytes, offset, kind);                                                      \
    }
#define HEDDLE_FROM_SYMBOL(name, ...)                                                                                  \
    HEDDLE_CUDA_API cudaError_t name(void* to, const void* symbol, std::size_t bytes, std::size_t offset,              \
                                     cudaMemcpyKind kind __VA_ARGS__) {                                                \
        return copy_from_symbol(to, symbol, bytes, offset, kind);                                                      \
    }
HEDDLE_TO_SYMBOL(cudaMemcpyToSymbol, )
HEDDLE_TO_SYMBOL(cudaMemcpyToSymbol_ptds, )
HEDDLE_TO_SYMBOL(cudaMemcpyToSymbolAsync, , cudaStream_t)
HEDDLE_TO_SYMBOL(cudaMemcpyToSymbolAsync_ptsz, , cudaStream_t)
HEDDLE_FROM_SYMBOL(cudaMemcpyFromSymbol, )
HEDDLE_FROM_SYMBOL(cudaMemcpyFromSymbol_ptds, )
HEDDLE_FROM_SYMBOL(cudaMemcpyFromSymbolAsync, , cudaStream_t)
HEDDLE_FROM_SYMBOL(cudaMemcpyFromSymbolAsync_ptsz, , cudaStream_t)

HEDDLE_CUDA_API cudaError_t cudaGetSymbolAddress(void** out, const void* symbol) {
    return api(
        [&](State& state) { return out == nullptr ? cudaErrorInvalidValue : symbol_range(state, symbol, 0, 0, *out); });
}
HEDDLE_CUDA_API cudaError_t cudaGetSymbolSize(std::size_t* out, const void* host) {
    return api([&](State& state) {
        cudaError_t error;
        const Symbol* symbol = state.find_symbol(host, error);
        if (symbol != nullptr && out != nullptr)
            *out = symbol->bytes;
        return out == nullptr ? cudaErrorInvalidValue : error;
    });
}

#define HEDDLE_FILL(name, ...)                                                                                         \
    HEDDLE_CUDA_API cudaError_t name(void* pointer, int value, std::size_t bytes __VA_ARGS__) {                        \
        return fill(pointer, value, bytes);                                                                            \
    }
#define HEDDLE_FILL_2D(name, ...)                                                                                      \
    HEDDLE_CUDA_API cudaError_t name(void* pointer, std::size_t pitch, int value, std::size_t width,                   \
                                     std::size_t height __VA_ARGS__) {                                                 \
        return fill_rows(pointer, pitch, value, width, height);                                                        \
    }
HEDDLE_FILL(cudaMemset, )
HEDDLE_FILL(cudaMemset_ptds, )
HEDDLE_FILL(cudaMemsetAsync, , cudaStream_t)
HEDDLE_FILL(cudaMemsetAsync_ptsz, , cudaStream_t)
HEDDLE_FILL_2D(cudaMemset2D, )
HEDDLE_FILL_2D(cudaMemset2D_ptds, )
HEDDLE_FILL_2D(cudaMemset2DAsync, , cudaStream_t)
HEDDLE_FILL_2D(cudaMemset2DAsync_ptsz, , cudaStream_t)
