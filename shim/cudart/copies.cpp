// Copies and fills of memory and of variables. Everything is done when the call returns, and takes no simulated time.
#include "copies.h"

#include <cstring>
#include <vector>

#include <fmt/format.h>

#include "array_copies.h"

using namespace heddle::cudart;

namespace {

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

// One end of a copy in three dimensions: where its first row begins, and how far apart rows and slices are.
struct Volume {
    std::byte* begin;
    std::size_t row, slice;
};
Volume volume_at(const cudaPitchedPtr& memory, const cudaPos& at) {
    const std::size_t slice = memory.pitch * memory.ysize;
    return {static_cast<std::byte*>(memory.ptr) + at.z * slice + at.y * memory.pitch + at.x, memory.pitch, slice};
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
        if (width > pitch && height > 1) // a single row has no pitch
            return cudaErrorInvalidValue;
        for (std::size_t row = 0; row < height; ++row)
            state.device().fill(device_address(pointer) + row * pitch, value, width);
        return cudaSuccess;
    });
}

cudaError_t fill_volume(const cudaPitchedPtr& memory, int value, const cudaExtent& extent) {
    const Volume volume = volume_at(memory, {0, 0, 0});
    cudaError_t error = cudaSuccess;
    for (std::size_t z = 0; error == cudaSuccess && z < extent.depth; ++z)
        error = fill_rows(volume.begin + z * volume.slice, volume.row, value, extent.width, extent.height);
    return error;
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

cudaMemsetParams fill_of_rows(void* pointer, std::size_t pitch, int value, std::size_t width, std::size_t height) {
    return {pointer, pitch, static_cast<unsigned char>(value), 1, width, height};
}

// Copies of a captured stream. Where there is no such range, the error is that of the launch.
Task task_of_symbol_copy(const void* symbol, const void* from, std::size_t bytes, std::size_t offset,
                         cudaMemcpyKind kind) {
    Task task = Work([=] { return copy_to_symbol(symbol, from, bytes, offset, kind); });
    (void)describe_copy_to_symbol(task, symbol, from, bytes, offset, kind);
    return task;
}
Task task_of_symbol_read(void* to, const void* symbol, std::size_t bytes, std::size_t offset, cudaMemcpyKind kind) {
    Task task = Work([=] { return copy_from_symbol(to, symbol, bytes, offset, kind); });
    (void)describe_copy_from_symbol(task, to, symbol, bytes, offset, kind);
    return task;
}

} // namespace

cudaError_t heddle::cudart::symbol_range(State& state, const void* host, std::size_t offset, std::size_t bytes,
                                         void*& out) {
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

cudaError_t heddle::cudart::direction(State& state, const void* to, const void* from, cudaMemcpyKind kind,
                                      Direction& out) {
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

void heddle::cudart::copy_row(State& state, void* to, const void* from, std::size_t bytes, Direction d) {
    if (d.from_device && d.to_device)
        state.device().copy(device_address(to), device_address(from), bytes);
    else if (d.to_device)
        state.device().write(device_address(to), from, bytes);
    else if (d.from_device)
        state.device().read(to, device_address(from), bytes);
    else
        std::memmove(to, from, bytes);
}

cudaError_t heddle::cudart::copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
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

cudaError_t heddle::cudart::copy_volume(const cudaMemcpy3DParms* what) {
    if (what == nullptr)
        return record(cudaErrorInvalidValue);
    if (what->srcArray != nullptr || what->dstArray != nullptr)
        return copy_array_volume(*what);
    const cudaExtent& extent = what->extent;
    if (what->srcPtr.ptr == nullptr || what->dstPtr.ptr == nullptr)
        return record(cudaErrorInvalidValue);
    const Volume from = volume_at(what->srcPtr, what->srcPos), to = volume_at(what->dstPtr, what->dstPos);
    cudaError_t error = cudaSuccess;
    for (std::size_t z = 0; error == cudaSuccess && z < extent.depth; ++z)
        error = copy_rows(to.begin + z * to.slice, to.row, from.begin + z * from.slice, from.row, extent.width,
                          extent.height, what->kind);
    return error;
}

cudaError_t heddle::cudart::fill_elements(void* pointer, std::size_t pitch, unsigned value, unsigned element,
                                          std::size_t width, std::size_t height) {
    if (element == 1)
        return fill_rows(pointer, pitch, static_cast<int>(value), width, height);
    return api([&](State& state) {
        if (width * element > pitch && height > 1)
            return cudaErrorInvalidValue;
        if (!state.device().owns(device_address(pointer)))
            return cudaErrorInvalidValue;
        std::vector<std::byte> row(width * element);
        for (std::size_t i = 0; i < width; ++i)
            std::memcpy(row.data() + i * element, &value, element); // the low bytes
        for (std::size_t y = 0; y < height; ++y)
            state.device().write(device_address(pointer) + y * pitch, row.data(), row.size());
        return cudaSuccess;
    });
}

HEDDLE_STREAMED_AS(cudaMemcpy, cudaGraphNodeTypeMemcpy, copy_of_bytes(to, from, bytes, kind),
                   copy(to, from, bytes, kind), void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind)
HEDDLE_STREAMED_AS(cudaMemcpy2D, cudaGraphNodeTypeMemcpy,
                   copy_of_rows(to, to_pitch, from, from_pitch, width, height, kind),
                   copy_rows(to, to_pitch, from, from_pitch, width, height, kind), void* to, std::size_t to_pitch,
                   const void* from, std::size_t from_pitch, std::size_t width, std::size_t height, cudaMemcpyKind kind)
HEDDLE_STREAMED_AS(cudaMemcpyToSymbol, cudaGraphNodeTypeMemcpy, task_of_symbol_copy(symbol, from, bytes, offset, kind),
                   copy_to_symbol(symbol, from, bytes, offset, kind), const void* symbol, const void* from,
                   std::size_t bytes, std::size_t offset, cudaMemcpyKind kind)
HEDDLE_STREAMED_AS(cudaMemcpyFromSymbol, cudaGraphNodeTypeMemcpy, task_of_symbol_read(to, symbol, bytes, offset, kind),
                   copy_from_symbol(to, symbol, bytes, offset, kind), void* to, const void* symbol, std::size_t bytes,
                   std::size_t offset, cudaMemcpyKind kind)
HEDDLE_STREAMED_AS(cudaMemset, cudaGraphNodeTypeMemset, fill_of_rows(pointer, 0, value, bytes, 1),
                   fill(pointer, value, bytes), void* pointer, int value, std::size_t bytes)
HEDDLE_STREAMED_AS(cudaMemset2D, cudaGraphNodeTypeMemset, fill_of_rows(pointer, pitch, value, width, height),
                   fill_rows(pointer, pitch, value, width, height), void* pointer, std::size_t pitch, int value,
                   std::size_t width, std::size_t height)
HEDDLE_STREAMED(cudaMemset3D, cudaGraphNodeTypeMemset, fill_volume(memory, value, extent), cudaPitchedPtr memory,
                int value, cudaExtent extent)

// What is to be copied may be gone when a graph is launched.
static cudaError_t copy_volume_in(cudaStream_t stream, const cudaMemcpy3DParms* what) {
    if (what == nullptr)
        return record(cudaErrorInvalidValue);
    return in_stream(
        stream, cudaGraphNodeTypeMemcpy, [&] { return Task(*what); }, [&] { return copy_volume(what); });
}
HEDDLE_CUDA_API cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* what) {
    return copy_volume(what);
}
HEDDLE_CUDA_API cudaError_t cudaMemcpy3D_ptds(const cudaMemcpy3DParms* what) {
    return copy_volume(what);
}
HEDDLE_CUDA_API cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* what, cudaStream_t stream) {
    return copy_volume_in(stream, what);
}
HEDDLE_CUDA_API cudaError_t cudaMemcpy3DAsync_ptsz(const cudaMemcpy3DParms* what, cudaStream_t stream) {
    return copy_volume_in(stream, what);
}

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
