// Copies to, from and between CUDA arrays. A row goes through a buffer of the host: arrays have their texels in tiles.
#include "array_copies.h"

#include <algorithm>
#include <vector>

#include "arrays.h"
#include "copies.h"

using namespace heddle::cudart;

namespace {

// One end of a copy: an array, or memory.
struct End {
    const cudaArray* array = nullptr;
    std::size_t x = 0, y = 0, z = 0; // in the array; x counts bytes
    std::byte* memory = nullptr;     // where the first row begins
    std::size_t pitch = 0, slice = 0;

    [[nodiscard]] const void* somewhere() const { // for the direction of the copy
        return array != nullptr ? reinterpret_cast<const void*>(array->texels.begin) : memory;
    }
};
struct Box {
    std::size_t width, height, depth; // bytes, rows, slices
};

End memory_end(const void* memory, std::size_t pitch, std::size_t slice = 0) {
    return {.memory = static_cast<std::byte*>(const_cast<void*>(memory)), .pitch = pitch, .slice = slice};
}

std::size_t row_bytes(const cudaArray& array) {
    return std::size_t{array.texels.width} * array.texels.format.bytes();
}

cudaError_t check(const End& end, const Box& box) {
    if (end.array == nullptr) {
        if (end.memory == nullptr)
            return cudaErrorInvalidValue;
        return box.width > end.pitch && (box.height > 1 || box.depth > 1) ? cudaErrorInvalidPitchValue : cudaSuccess;
    }
    const auto fits = [](std::size_t at, std::size_t size, std::size_t limit) {
        return at <= limit && size <= limit - at;
    };
    const auto& texels = end.array->texels;
    const bool inside = fits(end.x, box.width, row_bytes(*end.array)) && fits(end.y, box.height, texels.height) &&
                        fits(end.z, box.depth, texels.depth);
    return inside ? cudaSuccess : cudaErrorInvalidValue;
}

// Calls f(device address, offset in the row, bytes) for the pieces of a row of an array.
template <class F>
void for_each_piece(const End& end, std::size_t bytes, std::size_t y, std::size_t z, F&& f) {
    end.array->texels.for_each_piece(end.x, bytes, static_cast<std::uint32_t>(end.y + y),
                                     static_cast<std::uint32_t>(end.z + z), f);
}

void read_row(State& state, std::byte* to, const End& from, std::size_t bytes, std::size_t y, std::size_t z,
              bool device) {
    if (from.array == nullptr)
        return copy_row(state, to, from.memory + z * from.slice + y * from.pitch, bytes, {device, false});
    for_each_piece(from, bytes, y, z, [&](heddle::Address at, std::uint64_t offset, std::uint64_t piece) {
        state.device().read(to + offset, at, piece);
    });
}

void write_row(State& state, const End& to, const std::byte* from, std::size_t bytes, std::size_t y, std::size_t z,
               bool device) {
    if (to.array == nullptr)
        return copy_row(state, to.memory + z * to.slice + y * to.pitch, from, bytes, {false, device});
    for_each_piece(to, bytes, y, z, [&](heddle::Address at, std::uint64_t offset, std::uint64_t piece) {
        state.device().write(at, from + offset, piece);
    });
}

cudaError_t copy_box(State& state, const End& to, const End& from, const Box& box, cudaMemcpyKind kind) {
    if (box.width == 0 || box.height == 0 || box.depth == 0)
        return cudaSuccess;
    Direction d{};
    for (const cudaError_t error : {check(to, box), check(from, box)})
        if (error != cudaSuccess)
            return error;
    if (const cudaError_t error = direction(state, to.somewhere(), from.somewhere(), kind, d); error != cudaSuccess)
        return error;
    if ((from.array != nullptr && !d.from_device) || (to.array != nullptr && !d.to_device))
        return cudaErrorInvalidMemcpyDirection;
    std::vector<std::byte> row(box.width);
    for (std::size_t z = 0; z < box.depth; ++z)
        for (std::size_t y = 0; y < box.height; ++y) {
            read_row(state, row.data(), from, box.width, y, z, d.from_device);
            write_row(state, to, row.data(), box.width, y, z, d.to_device);
        }
    return cudaSuccess;
}

// An array's end of a copy, from byte x of row y on. Null array: there is none.
End array_end(State& state, cudaArray_const_t array, std::size_t x, std::size_t y, std::size_t z = 0) {
    return {.array = find_array(state, array), .x = x, .y = y, .z = z};
}

cudaError_t copy_2d_to(cudaArray_t to, std::size_t x, std::size_t y, const void* from, std::size_t pitch,
                       std::size_t width, std::size_t height, cudaMemcpyKind kind) {
    return api([&](State& state) {
        const End end = array_end(state, to, x, y);
        if (end.array == nullptr)
            return cudaErrorInvalidResourceHandle;
        return copy_box(state, end, memory_end(from, pitch), {width, height, 1}, kind);
    });
}

cudaError_t copy_2d_from(void* to, std::size_t pitch, cudaArray_const_t from, std::size_t x, std::size_t y,
                         std::size_t width, std::size_t height, cudaMemcpyKind kind) {
    return api([&](State& state) {
        const End end = array_end(state, from, x, y);
        if (end.array == nullptr)
            return cudaErrorInvalidResourceHandle;
        return copy_box(state, memory_end(to, pitch), end, {width, height, 1}, kind);
    });
}

cudaError_t copy_2d_between(cudaArray_t to, std::size_t to_x, std::size_t to_y, cudaArray_const_t from,
                            std::size_t from_x, std::size_t from_y, std::size_t width, std::size_t height,
                            cudaMemcpyKind kind) {
    return api([&](State& state) {
        const End a = array_end(state, to, to_x, to_y), b = array_end(state, from, from_x, from_y);
        if (a.array == nullptr || b.array == nullptr)
            return cudaErrorInvalidResourceHandle;
        return copy_box(state, a, b, {width, height, 1}, kind);
    });
}

// So many bytes, row after row, that begin somewhere in an array: calls f(end, offset, bytes) for each row's part.
template <class F>
cudaError_t for_each_row(State& state, cudaArray_const_t array, std::size_t x, std::size_t y, std::size_t bytes,
                         F&& f) {
    const cudaArray* const found = find_array(state, array);
    if (found == nullptr)
        return cudaErrorInvalidResourceHandle;
    const std::size_t row = row_bytes(*found);
    if (x > row || y >= found->texels.height || bytes > (found->texels.height - y) * row - x)
        return cudaErrorInvalidValue;
    for (std::size_t done = 0; done < bytes;) {
        const std::size_t part = std::min(bytes - done, row - x);
        if (const cudaError_t error = f(End{.array = found, .x = x, .y = y++}, done, part); error != cudaSuccess)
            return error;
        done += part;
        x = 0;
    }
    return cudaSuccess;
}

cudaError_t copy_to(cudaArray_t to, std::size_t x, std::size_t y, const void* from, std::size_t bytes,
                    cudaMemcpyKind kind) {
    return api([&](State& state) {
        return for_each_row(state, to, x, y, bytes, [&](const End& end, std::size_t offset, std::size_t part) {
            return copy_box(state, end, memory_end(static_cast<const std::byte*>(from) + offset, part), {part, 1, 1},
                            kind);
        });
    });
}

cudaError_t copy_from(void* to, cudaArray_const_t from, std::size_t x, std::size_t y, std::size_t bytes,
                      cudaMemcpyKind kind) {
    return api([&](State& state) {
        return for_each_row(state, from, x, y, bytes, [&](const End& end, std::size_t offset, std::size_t part) {
            return copy_box(state, memory_end(static_cast<std::byte*>(to) + offset, part), end, {part, 1, 1}, kind);
        });
    });
}

cudaError_t copy_between(cudaArray_t to, std::size_t to_x, std::size_t to_y, cudaArray_const_t from, std::size_t from_x,
                         std::size_t from_y, std::size_t bytes, cudaMemcpyKind kind) {
    if (kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
        return record(cudaErrorInvalidMemcpyDirection);
    std::vector<std::byte> texels(bytes);
    const cudaError_t error = copy_from(texels.data(), from, from_x, from_y, bytes, cudaMemcpyDeviceToHost);
    return error != cudaSuccess ? error : copy_to(to, to_x, to_y, texels.data(), bytes, cudaMemcpyHostToDevice);
}

} // namespace

cudaError_t heddle::cudart::copy_array_volume(const cudaMemcpy3DParms& what) {
    return api([&](State& state) {
        // Where an array takes part the extent counts its texels; positions count those of their end, or bytes.
        std::size_t element = 0;
        const auto end_of = [&](cudaArray_t array, const cudaPitchedPtr& memory, const cudaPos& at) -> End {
            if (array == nullptr)
                return memory_end(static_cast<std::byte*>(memory.ptr) + at.z * memory.pitch * memory.ysize +
                                      at.y * memory.pitch + at.x,
                                  memory.pitch, memory.pitch * memory.ysize);
            End end = array_end(state, array, 0, at.y, at.z);
            if (end.array != nullptr) {
                const std::size_t bytes = end.array->texels.format.bytes();
                end.x = at.x * bytes;
                element = element == 0 || element == bytes ? bytes : 0;
            }
            return end;
        };
        const End from = end_of(what.srcArray, what.srcPtr, what.srcPos);
        const bool known = what.srcArray == nullptr || from.array != nullptr;
        const End to = end_of(what.dstArray, what.dstPtr, what.dstPos);
        if (!known || (what.dstArray != nullptr && to.array == nullptr))
            return cudaErrorInvalidResourceHandle;
        if ((what.srcArray != nullptr && what.srcPtr.ptr != nullptr) ||
            (what.dstArray != nullptr && what.dstPtr.ptr != nullptr) || element == 0)
            return cudaErrorInvalidValue;
        return copy_box(state, to, from, {what.extent.width * element, what.extent.height, what.extent.depth},
                        what.kind);
    });
}

HEDDLE_STREAMED(cudaMemcpy2DToArray, cudaGraphNodeTypeMemcpy, copy_2d_to(to, x, y, from, pitch, width, height, kind),
                cudaArray_t to, std::size_t x, std::size_t y, const void* from, std::size_t pitch, std::size_t width,
                std::size_t height, cudaMemcpyKind kind)
HEDDLE_STREAMED(cudaMemcpy2DFromArray, cudaGraphNodeTypeMemcpy,
                copy_2d_from(to, pitch, from, x, y, width, height, kind), void* to, std::size_t pitch,
                cudaArray_const_t from, std::size_t x, std::size_t y, std::size_t width, std::size_t height,
                cudaMemcpyKind kind)
HEDDLE_STREAMED(cudaMemcpyToArray, cudaGraphNodeTypeMemcpy, copy_to(to, x, y, from, bytes, kind), cudaArray_t to,
                std::size_t x, std::size_t y, const void* from, std::size_t bytes, cudaMemcpyKind kind)
HEDDLE_STREAMED(cudaMemcpyFromArray, cudaGraphNodeTypeMemcpy, copy_from(to, from, x, y, bytes, kind), void* to,
                cudaArray_const_t from, std::size_t x, std::size_t y, std::size_t bytes, cudaMemcpyKind kind)

// Copies between arrays have no asynchronous form.
#define HEDDLE_BETWEEN(name, call, ...)                                                                                \
    HEDDLE_CUDA_API cudaError_t name(__VA_ARGS__) {                                                                    \
        return call;                                                                                                   \
    }                                                                                                                  \
    HEDDLE_CUDA_API cudaError_t name##_ptds(__VA_ARGS__) {                                                             \
        return call;                                                                                                   \
    }
HEDDLE_BETWEEN(cudaMemcpy2DArrayToArray, copy_2d_between(to, to_x, to_y, from, from_x, from_y, width, height, kind),
               cudaArray_t to, std::size_t to_x, std::size_t to_y, cudaArray_const_t from, std::size_t from_x,
               std::size_t from_y, std::size_t width, std::size_t height, cudaMemcpyKind kind)
HEDDLE_BETWEEN(cudaMemcpyArrayToArray, copy_between(to, to_x, to_y, from, from_x, from_y, bytes, kind), cudaArray_t to,
               std::size_t to_x, std::size_t to_y, cudaArray_const_t from, std::size_t from_x, std::size_t from_y,
               std::size_t bytes, cudaMemcpyKind kind)
