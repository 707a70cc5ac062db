// What every workload does with the CUDA runtime: check its errors, own device memory, size a grid.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <string>
#include <vector>

#include "common/command_line.h"

#define CUDA_CHECK(call) ::workload::check_cuda((call), #call, __FILE__, __LINE__)

namespace workload {

/// An error of the runtime ends the program: one line with the call, the place and the runtime's own words.
inline void check_cuda(cudaError_t error, const char* call, const char* file, int line) {
    if (error == cudaSuccess)
        return;
    std::fflush(stdout);
    std::fprintf(stderr, "%s:%d: error: %s: %s (%s)\n", file, line, call, cudaGetErrorString(error),
                 cudaGetErrorName(error));
    std::exit(EXIT_FAILURE);
}

/// Waits for the launched kernels and reports what went wrong in the launch or in them.
inline void finish_kernels() {
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaDeviceSynchronize());
}

/// `count` elements of device memory, freed with the object.
template <typename T>
class DeviceArray {
public:
    explicit DeviceArray(std::size_t count) : count_(count) {
        CUDA_CHECK(cudaMalloc(reinterpret_cast<void**>(&data_), count * sizeof(T)));
    }
    explicit DeviceArray(const std::vector<T>& values) : DeviceArray(values.size()) {
        CUDA_CHECK(cudaMemcpy(data_, values.data(), count_ * sizeof(T), cudaMemcpyHostToDevice));
    }
    ~DeviceArray() {
        cudaFree(data_);
    }
    DeviceArray(const DeviceArray&) = delete;
    DeviceArray& operator=(const DeviceArray&) = delete;

    T* data() {
        return data_;
    }
    void fill_bytes(int byte) {
        CUDA_CHECK(cudaMemset(data_, byte, count_ * sizeof(T)));
    }
    std::vector<T> to_host() const {
        std::vector<T> values(count_);
        CUDA_CHECK(cudaMemcpy(values.data(), data_, count_ * sizeof(T), cudaMemcpyDeviceToHost));
        return values;
    }

private:
    T* data_ = nullptr;
    std::size_t count_;
};

inline unsigned device_attribute(cudaDeviceAttr attribute) {
    int device = 0;
    int value = 0;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&value, attribute, device));
    return static_cast<unsigned>(value);
}

/// The most threads that a block of this device can have.
inline unsigned most_block_threads() {
    return device_attribute(cudaDevAttrMaxThreadsPerBlock);
}

/// The threads that all cores of this device hold at once, where nothing but their number limits them.
inline unsigned device_threads() {
    return device_attribute(cudaDevAttrMultiProcessorCount) * device_attribute(cudaDevAttrMaxThreadsPerMultiProcessor);
}

/// Threads of a block: what --block says, else `preferred` or the most the device takes where that is less.
inline unsigned block_threads(const Options& options, unsigned preferred = 256) {
    const unsigned most = most_block_threads();
    if (options.block > most) {
        std::fprintf(stderr, "error: --block %u: a block of this device holds at most %u threads\n", options.block,
                     most);
        std::exit(EXIT_FAILURE);
    }
    return options.block != 0 ? options.block : std::min(preferred, most);
}

/// For kernels whose blocks have one shape: ends the program where a block of this device cannot hold it.
inline void require_block_of(unsigned threads, const char* program, const char* kernel) {
    const unsigned most = most_block_threads();
    if (threads <= most)
        return;
    std::fprintf(stderr, "%s: error: %s runs in blocks of %u threads, a block of this device holds at most %u\n",
                 program, kernel, threads, most);
    std::exit(EXIT_FAILURE);
}

struct Grid {
    unsigned blocks;
    unsigned block; ///< threads of one block
    unsigned threads() const {
        return blocks * block;
    }
};

/// The grid for `items` units of work: --threads rounded up to whole blocks, one thread an item, or as many as the
/// device holds. Kernels deal their items to the threads of the grid, so any number of them does all the work.
inline Grid grid_for(const Options& options, std::uint64_t items) {
    const unsigned block = block_threads(options);
    std::uint64_t threads = options.amount.threads != 0 ? options.amount.threads : items;
    if (threads == kDeviceThreads)
        threads = device_threads();
    return {static_cast<unsigned>((threads + block - 1) / block), block};
}

/// Items in groups of at most `group`: how many groups there are.
constexpr std::size_t groups_of(std::size_t items, std::size_t group) {
    return (items + group - 1) / group;
}

/// This thread's number in the grid and the number of threads: a kernel's first item and its stride.
__device__ inline int thread_index() {
    return static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
}
__device__ inline int thread_count() {
    return static_cast<int>(gridDim.x * blockDim.x);
}

/// The items that one of a kernel's workers takes: `for (int i = share.first; i < share.end; i += share.step)`.
struct Share {
    int first;
    int end;
    int step;
};

/// Tiles are those of a static schedule in OpenMP, on whose loops MAWS section 4 models its own: contiguous, and of two
/// sizes that differ by one. Where there are fewer items than workers the first ones take one each, as in turns, and
/// their warps are full.
__device__ inline Share share_of(int items, Deal deal, int worker, int workers) {
    if (deal == Deal::Turns)
        return {worker, items, workers};
    const long long tiles = min(items, workers);
    if (worker >= tiles)
        return {items, items, 1};
    return {static_cast<int>(worker * static_cast<long long>(items) / tiles),
            static_cast<int>((worker + 1) * static_cast<long long>(items) / tiles), 1};
}

/// The same for a thread among those of the grid.
__device__ inline Share share_of(int items, Deal deal) {
    return share_of(items, deal, thread_index(), thread_count());
}

} // namespace workload
