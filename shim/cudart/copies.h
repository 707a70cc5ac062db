// Copies and fills, done at once.
#pragma once

#include "graph.h"
#include "state.h"

namespace heddle::cudart {

struct Direction {
    bool from_device, to_device;
};
// Of a copy: by the addresses where the program leaves it to them. An error where they are not of the kind.
cudaError_t direction(State& state, const void* to, const void* from, cudaMemcpyKind kind, Direction& out);
void copy_row(State& state, void* to, const void* from, std::size_t bytes, Direction d);

// The address of `bytes` bytes at `offset` of a __device__ or __constant__ variable.
cudaError_t symbol_range(State& state, const void* host, std::size_t offset, std::size_t bytes, void*& out);

cudaError_t copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind);
cudaError_t copy_volume(const cudaMemcpy3DParms* what);
// `height` rows of `width` elements of 1, 2 or 4 bytes.
cudaError_t fill_elements(void* pointer, std::size_t pitch, unsigned value, unsigned element, std::size_t width,
                          std::size_t height);

} // namespace heddle::cudart

// A call under all its names. It is done when it returns, but in a stream that is captured. `task`: its description in
// a graph.
#define HEDDLE_STREAMED(name, type, call, ...)                                                                         \
    HEDDLE_STREAMED_AS(name, type, Work([=] { return call; }), call, __VA_ARGS__)
#define HEDDLE_STREAMED_AS(name, type, task, call, ...)                                                                \
    HEDDLE_CUDA_API cudaError_t name(__VA_ARGS__) {                                                                    \
        return call;                                                                                                   \
    }                                                                                                                  \
    HEDDLE_CUDA_API cudaError_t name##_ptds(__VA_ARGS__) {                                                             \
        return call;                                                                                                   \
    }                                                                                                                  \
    HEDDLE_CUDA_API cudaError_t name##Async(__VA_ARGS__, cudaStream_t stream) {                                        \
        return in_stream(                                                                                              \
            stream, type, [=] { return Task(task); }, [=] { return call; });                                           \
    }                                                                                                                  \
    HEDDLE_CUDA_API cudaError_t name##Async_ptsz(__VA_ARGS__, cudaStream_t stream) {                                   \
        return in_stream(                                                                                              \
            stream, type, [=] { return Task(task); }, [=] { return call; });                                           \
    }
