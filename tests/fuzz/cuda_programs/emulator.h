// A plain reference of CUDA for g++: runs the blocks of a kernel one after the other, each thread as a coroutine. A
// thread runs until it waits for others, at a barrier of its block or an operation of its warp.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <type_traits>
#include <ucontext.h>
#include <vector>

#define __global__
#define __device__
#define __host__
#define __constant__
#define __shared__ static
#define __noinline__ __attribute__((noinline))
#define __forceinline__ inline
#define __launch_bounds__(...)

struct uint3 {
    unsigned x, y, z;
};
struct dim3 {
    unsigned x, y, z;
    dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
};
#define VECTORS(type, name)                                                                                            \
    struct alignas(2 * sizeof(type)) name##2 {                                                                         \
        type x, y;                                                                                                     \
    };                                                                                                                 \
    struct alignas(4 * sizeof(type) > 16 ? 16 : 4 * sizeof(type)) name##4 {                                            \
        type x, y, z, w;                                                                                               \
    };                                                                                                                 \
    inline name##2 make_##name##2(type x, type y) {                                                                    \
        return {x, y};                                                                                                 \
    }                                                                                                                  \
    inline name##4 make_##name##4(type x, type y, type z, type w) {                                                    \
        return {x, y, z, w};                                                                                           \
    }
VECTORS(signed char, char)
VECTORS(unsigned char, uchar)
VECTORS(short, short)
VECTORS(unsigned short, ushort)
VECTORS(int, int)
VECTORS(unsigned, uint)
VECTORS(float, float)
VECTORS(long long, longlong)
VECTORS(unsigned long long, ulonglong)
VECTORS(double, double)

inline uint3 threadIdx, blockIdx;
inline dim3 blockDim, gridDim;

namespace emulator {

constexpr unsigned warp_size = 32;
constexpr std::size_t stack_bytes = 256 << 10;

using Value = std::array<unsigned char, 16>;

// What the threads of a warp have brought to an operation, and which of them were there.
template <typename T>
struct Gathered {
    unsigned present = 0;
    std::array<T, warp_size> values{};
};

// Threads of a warp that wait for each other with the same mask.
struct Meeting {
    unsigned arrived = 0, generation = 0;
    std::array<Value, warp_size> values{};
    Gathered<Value> result;
};

struct Warp {
    unsigned live = 0;
    std::map<unsigned, Meeting> meetings;
};

struct Barrier {
    unsigned arrived = 0, generation = 0, count = 0;
    unsigned result = 0, participants = 0;
};

struct Thread {
    ucontext_t context;
    std::unique_ptr<char[]> stack{new char[stack_bytes]};
    uint3 index;
    bool ended = false;
};

struct Block {
    std::vector<Thread> threads;
    std::vector<Warp> warps;
    Barrier barrier;
    unsigned live = 0, current = 0;
    bool progress = false;
    ucontext_t scheduler;
    const std::function<void()>* kernel = nullptr;
};
inline Block block;
inline std::vector<unsigned char> dynamic_shared;

inline void yield() {
    swapcontext(&block.threads[block.current].context, &block.scheduler);
}
inline unsigned lane() {
    return block.current % warp_size;
}

inline void run_thread() {
    (*block.kernel)();
    block.threads[block.current].ended = true;
    block.warps[block.current / warp_size].live &= ~(1u << lane());
    --block.live;
    block.progress = true;
    yield();
}

inline void start(unsigned number) {
    Thread& thread = block.threads[number];
    thread.ended = false;
    thread.index = {number % blockDim.x, number / blockDim.x % blockDim.y, number / blockDim.x / blockDim.y};
    getcontext(&thread.context);
    thread.context.uc_stack.ss_sp = thread.stack.get();
    thread.context.uc_stack.ss_size = stack_bytes;
    makecontext(&thread.context, run_thread, 0);
    block.warps[number / warp_size].live |= 1u << number % warp_size;
}

inline void run_block() {
    const unsigned number = blockDim.x * blockDim.y * blockDim.z;
    if (block.threads.size() < number)
        block.threads.resize(number);
    block.warps.assign((number + warp_size - 1) / warp_size, {});
    block.barrier = {};
    block.live = number;
    for (unsigned i = 0; i < number; ++i)
        start(i);
    for (bool first = true; block.live != 0; first = false) {
        block.progress = first;
        for (block.current = 0; block.current < number; ++block.current) {
            Thread& thread = block.threads[block.current];
            threadIdx = thread.index;
            if (!thread.ended)
                swapcontext(&block.scheduler, &thread.context);
        }
        if (!block.progress) {
            std::fprintf(stderr, "reference: the threads of a block wait for each other for ever\n");
            std::exit(1);
        }
    }
}

inline void launch(dim3 grid, dim3 shape, std::size_t shared_bytes, const std::function<void()>& kernel) {
    gridDim = grid;
    blockDim = shape;
    block.kernel = &kernel;
    for (blockIdx.z = 0; blockIdx.z < grid.z; ++blockIdx.z)
        for (blockIdx.y = 0; blockIdx.y < grid.y; ++blockIdx.y)
            for (blockIdx.x = 0; blockIdx.x < grid.x; ++blockIdx.x) {
                dynamic_shared.assign(shared_bytes, 0xA5);
                run_block();
            }
}

// The values of all threads of `mask`, when all that live have come.
inline Gathered<Value> gather(unsigned mask, const Value& value) {
    Warp& warp = block.warps[block.current / warp_size];
    Meeting& meeting = warp.meetings[mask];
    meeting.values[lane()] = value;
    meeting.arrived |= 1u << lane();
    for (const unsigned generation = meeting.generation; meeting.generation == generation;)
        if ((meeting.arrived & warp.live) == (mask & warp.live)) {
            meeting.result = {meeting.arrived, meeting.values};
            meeting.arrived = 0;
            ++meeting.generation;
            block.progress = true;
        } else {
            yield();
        }
    return meeting.result;
}

template <typename T>
Gathered<T> gather_as(unsigned mask, const T& value) {
    Value bytes{};
    std::memcpy(bytes.data(), &value, sizeof value);
    const auto all = gather(mask, bytes);
    Gathered<T> gathered{all.present};
    for (unsigned i = 0; i < warp_size; ++i)
        std::memcpy(&gathered.values[i], all.values[i].data(), sizeof(T));
    return gathered;
}

template <typename T, typename F>
T reduce(unsigned mask, T value, F combine) {
    const auto gathered = gather_as(mask, value);
    T sum{};
    bool first = true;
    for (unsigned i = 0; i < warp_size; ++i)
        if (gathered.present >> i & 1) {
            sum = first ? gathered.values[i] : combine(sum, gathered.values[i]);
            first = false;
        }
    return sum;
}

inline Barrier meet(bool predicate) {
    Barrier& barrier = block.barrier;
    ++barrier.arrived;
    barrier.count += predicate;
    for (const unsigned generation = barrier.generation; barrier.generation == generation;)
        if (barrier.arrived == block.live) {
            barrier.result = barrier.count;
            barrier.participants = barrier.arrived;
            barrier.arrived = barrier.count = 0;
            ++barrier.generation;
            block.progress = true;
        } else {
            yield();
        }
    return barrier;
}

} // namespace emulator

#define LAUNCH(kernel, grid, shape, shared_bytes, stream, ...)                                                         \
    emulator::launch(grid, shape, shared_bytes, [&] { kernel(__VA_ARGS__); })
#define DYNAMIC_SHARED(type, name) type* name = reinterpret_cast<type*>(emulator::dynamic_shared.data())

inline void __syncthreads() {
    emulator::meet(false);
}
inline int __syncthreads_count(int p) {
    return emulator::meet(p != 0).result;
}
inline int __syncthreads_or(int p) {
    return emulator::meet(p != 0).result != 0;
}
inline int __syncthreads_and(int p) {
    const auto barrier = emulator::meet(p != 0);
    return barrier.result == barrier.participants;
}

inline void __syncwarp(unsigned mask) {
    emulator::gather(mask, {});
}
template <typename T>
T __shfl_sync(unsigned mask, T value, int source, int width = 32) {
    const unsigned segment = emulator::lane() & ~(width - 1u);
    return emulator::gather_as(mask, value).values[segment | (source & (width - 1u))];
}
template <typename T>
T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32) {
    const int source = static_cast<int>(emulator::lane()) - static_cast<int>(delta);
    const int segment = emulator::lane() & ~(width - 1u);
    return emulator::gather_as(mask, value).values[source < segment ? emulator::lane() : source];
}
template <typename T>
T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32) {
    const unsigned source = emulator::lane() + delta, last = emulator::lane() | (width - 1u);
    return emulator::gather_as(mask, value).values[source > last ? emulator::lane() : source];
}
template <typename T>
T __shfl_xor_sync(unsigned mask, T value, int bits, int width = 32) {
    const unsigned source = emulator::lane() ^ bits, last = emulator::lane() | (width - 1u);
    return emulator::gather_as(mask, value).values[source > last ? emulator::lane() : source];
}
inline unsigned __ballot_sync(unsigned mask, int predicate) {
    return emulator::reduce(mask, predicate != 0 ? 1u << emulator::lane() : 0u, std::bit_or<>());
}
inline int __any_sync(unsigned mask, int predicate) {
    return __ballot_sync(mask, predicate) != 0;
}
inline int __all_sync(unsigned mask, int predicate) {
    return __ballot_sync(mask, !predicate) == 0;
}
namespace emulator {
template <typename T>
unsigned equal_to(const T& value, const Gathered<T>& gathered) {
    unsigned equal = 0;
    for (unsigned i = 0; i < warp_size; ++i)
        equal |= (gathered.present >> i & 1 && gathered.values[i] == value ? 1u : 0u) << i;
    return equal;
}
} // namespace emulator
template <typename T>
unsigned __match_any_sync(unsigned mask, T value) {
    return emulator::equal_to(value, emulator::gather_as(mask, value));
}
template <typename T>
unsigned __match_all_sync(unsigned mask, T value, int* all) {
    const auto gathered = emulator::gather_as(mask, value);
    *all = emulator::equal_to(value, gathered) == gathered.present;
    return *all ? mask : 0;
}
#define REDUCE(name, type, combine)                                                                                    \
    inline type name(unsigned mask, type value) {                                                                      \
        return emulator::reduce(mask, value, [](type a, type b) -> type { return combine; });                          \
    }
REDUCE(__reduce_add_sync, unsigned, a + b)
REDUCE(__reduce_min_sync, unsigned, std::min(a, b))
REDUCE(__reduce_max_sync, unsigned, std::max(a, b))
REDUCE(__reduce_and_sync, unsigned, a& b)
REDUCE(__reduce_or_sync, unsigned, a | b)
REDUCE(__reduce_xor_sync, unsigned, a ^ b)
REDUCE(__reduce_min_sync, int, std::min(a, b))
REDUCE(__reduce_max_sync, int, std::max(a, b))

namespace emulator {
template <typename T>
T sum_of(T a, T b) {
    if constexpr (std::is_integral_v<T>) // signed ones wrap around, as on a GPU
        return static_cast<T>(static_cast<std::make_unsigned_t<T>>(a) + static_cast<std::make_unsigned_t<T>>(b));
    else
        return a + b;
}
} // namespace emulator

#define ATOMIC(name, combine)                                                                                          \
    template <typename T>                                                                                              \
    T name(T* address, T value) {                                                                                      \
        const T old = *address;                                                                                        \
        *address = combine;                                                                                            \
        return old;                                                                                                    \
    }
ATOMIC(atomicAdd, emulator::sum_of(old, value))
ATOMIC(atomicMin, std::min(old, value))
ATOMIC(atomicMax, std::max(old, value))
ATOMIC(atomicAnd, old& value)
ATOMIC(atomicOr, old | value)
ATOMIC(atomicXor, old ^ value)
ATOMIC(atomicExch, value)
ATOMIC(atomicInc, old >= value ? 0 : old + 1)
template <typename T>
T atomicCAS(T* address, T compare, T value) {
    const T old = *address;
    *address = old == compare ? value : old;
    return old;
}
template <typename T>
T __ldg(const T* address) {
    return *address;
}

#include "emulated_intrinsics.h"

using cudaStream_t = int;
enum { cudaSuccess, cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost };
inline int cudaStreamCreate(cudaStream_t* stream) {
    return *stream = 0;
}
inline int cudaDeviceSynchronize() {
    return 0;
}
inline int cudaGetLastError() {
    return 0;
}
inline const char* cudaGetErrorString(int) {
    return "none";
}
template <typename T>
int cudaMalloc(T** memory, std::size_t bytes) {
    *memory = static_cast<T*>(std::malloc(bytes));
    return 0;
}
template <typename T>
int cudaMallocManaged(T** memory, std::size_t bytes) {
    return cudaMalloc(memory, bytes);
}
inline int cudaMemcpy(void* to, const void* from, std::size_t bytes, int) {
    return std::memcpy(to, from, bytes), 0;
}
inline int cudaMemset(void* to, int value, std::size_t bytes) {
    return std::memset(to, value, bytes), 0;
}
template <typename T>
int cudaMemcpyToSymbol(T& symbol, const void* from, std::size_t bytes) {
    return std::memcpy(&symbol, from, bytes), 0;
}
template <typename T>
int cudaMemcpyFromSymbol(void* to, T& symbol, std::size_t bytes) {
    return std::memcpy(to, &symbol, bytes), 0;
}
