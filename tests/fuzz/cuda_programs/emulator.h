// A plain reference of CUDA for g++: runs the blocks of a kernel one after the other, each thread as a coroutine. A
// thread runs until it waits for others, at a barrier of its block or an operation of its warp.
#pragma once
#include <algorithm>
#include <array>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
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

// Computes with another rounding mode, out of the compiler's sight.
template <typename F>
__attribute__((noinline)) auto rounded(int mode, F compute) {
    std::fesetround(mode);
    volatile auto result = compute();
    std::fesetround(FE_TONEAREST);
    return result;
}

// A number as an integer: out of range is the nearest that there is.
template <typename T, typename F>
T saturated(int mode, F value) {
    const F whole = rounded(mode, [value] {
        volatile F v = value;
        return std::nearbyint(v);
    });
    const F limit = std::ldexp(F(1), std::numeric_limits<T>::digits);
    return whole >= limit                             ? std::numeric_limits<T>::max()
           : whole < F(std::numeric_limits<T>::min()) ? std::numeric_limits<T>::min()
                                                      : static_cast<T>(whole);
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

#define ATOMIC(name, combine)                                                                                          \
    template <typename T>                                                                                              \
    T name(T* address, T value) {                                                                                      \
        const T old = *address;                                                                                        \
        *address = combine;                                                                                            \
        return old;                                                                                                    \
    }
ATOMIC(atomicAdd, static_cast<T>(old + value))
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

inline int __popc(unsigned x) {
    return __builtin_popcount(x);
}
inline int __popcll(unsigned long long x) {
    return __builtin_popcountll(x);
}
inline int __clz(int x) {
    return x == 0 ? 32 : __builtin_clz(x);
}
inline int __clzll(long long x) {
    return x == 0 ? 64 : __builtin_clzll(x);
}
inline int __ffs(int x) {
    return __builtin_ffs(x);
}
inline int __ffsll(long long x) {
    return __builtin_ffsll(x);
}
inline unsigned long long __brevll(unsigned long long x) {
    unsigned long long reversed = 0;
    for (int i = 0; i < 64; ++i)
        reversed |= (x >> i & 1) << (63 - i);
    return reversed;
}
inline unsigned __brev(unsigned x) {
    return __brevll(x) >> 32;
}
inline int __mulhi(int a, int b) {
    return static_cast<long long>(a) * b >> 32;
}
inline unsigned __umulhi(unsigned a, unsigned b) {
    return static_cast<unsigned long long>(a) * b >> 32;
}
inline long long __mul64hi(long long a, long long b) {
    return static_cast<__int128>(a) * b >> 64;
}
inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
    return static_cast<unsigned __int128>(a) * b >> 64;
}
inline int __mul24(int a, int b) {
    const auto low = [](int x) { return static_cast<long long>(static_cast<int>(static_cast<unsigned>(x) << 8) >> 8); };
    return static_cast<int>(low(a) * low(b));
}
inline unsigned __umul24(unsigned a, unsigned b) {
    return (a & 0xFFFFFF) * (b & 0xFFFFFF);
}
inline unsigned __sad(int a, int b, unsigned c) {
    return static_cast<unsigned>(std::abs(static_cast<long long>(a) - b)) + c;
}
inline unsigned __usad(unsigned a, unsigned b, unsigned c) {
    return (a > b ? a - b : b - a) + c;
}
inline int __hadd(int a, int b) {
    return (static_cast<long long>(a) + b) >> 1;
}
inline int __rhadd(int a, int b) {
    return (static_cast<long long>(a) + b + 1) >> 1;
}
inline unsigned __uhadd(unsigned a, unsigned b) {
    return (static_cast<unsigned long long>(a) + b) >> 1;
}
inline unsigned __urhadd(unsigned a, unsigned b) {
    return (static_cast<unsigned long long>(a) + b + 1) >> 1;
}
inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned n) {
    return (static_cast<unsigned long long>(high) << 32 | low) >> (n & 31);
}
inline unsigned __funnelshift_l(unsigned low, unsigned high, unsigned n) {
    return (static_cast<unsigned long long>(high) << 32 | low) << (n & 31) >> 32;
}
inline unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned n) {
    return (static_cast<unsigned long long>(high) << 32 | low) >> std::min(n, 32u);
}
inline unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned n) {
    return n >= 32 ? low : __funnelshift_l(low, high, n);
}
inline unsigned __byte_perm(unsigned a, unsigned b, unsigned selector) {
    const unsigned long long bytes = static_cast<unsigned long long>(b) << 32 | a;
    unsigned result = 0;
    for (int i = 0; i < 4; ++i)
        result |= static_cast<unsigned>(bytes >> (8 * (selector >> 4 * i & 7)) & 0xFF) << (8 * i);
    return result;
}
// Lanes of a word, each combined on its own: `part(a, b)` gets the bits of a lane.
template <typename F>
unsigned simd(int bits, unsigned a, unsigned b, F part) {
    const unsigned mask = (1u << bits) - 1;
    unsigned result = 0;
    for (int i = 0; i < 32; i += bits)
        result |= (static_cast<unsigned>(part(a >> i & mask, b >> i & mask)) & mask) << i;
    return result;
}
inline unsigned __vadd4(unsigned a, unsigned b) {
    return simd(8, a, b, [](unsigned x, unsigned y) { return x + y; });
}
inline unsigned __vsub2(unsigned a, unsigned b) {
    return simd(16, a, b, [](unsigned x, unsigned y) { return x - y; });
}
inline unsigned __vminu4(unsigned a, unsigned b) {
    return simd(8, a, b, [](unsigned x, unsigned y) { return std::min(x, y); });
}
inline unsigned __vmaxs2(unsigned a, unsigned b) {
    return simd(16, a, b, [](short x, short y) { return std::max(x, y); });
}
inline unsigned __vabsdiffu4(unsigned a, unsigned b) {
    return simd(8, a, b, [](unsigned x, unsigned y) { return x > y ? x - y : y - x; });
}
inline unsigned __vcmpgts2(unsigned a, unsigned b) {
    return simd(16, a, b, [](short x, short y) { return x > y ? 0xFFFFu : 0u; });
}
inline unsigned __vaddss4(unsigned a, unsigned b) {
    return simd(8, a, b, [](signed char x, signed char y) { return std::clamp(x + y, -128, 127); });
}

template <typename To, typename From>
To bits_as(From from) {
    static_assert(sizeof(To) == sizeof(From));
    To to;
    std::memcpy(&to, &from, sizeof to);
    return to;
}
inline unsigned __float_as_uint(float x) {
    return bits_as<unsigned>(x);
}
inline float __uint_as_float(unsigned x) {
    return bits_as<float>(x);
}
inline long long __double_as_longlong(double x) {
    return bits_as<long long>(x);
}
inline double __longlong_as_double(long long x) {
    return bits_as<double>(x);
}

#define ROUNDED_BINARY(name, type, mode, operation)                                                                    \
    inline type name(type a, type b) {                                                                                 \
        return emulator::rounded(mode, [=] { return volatile_of(a) operation b; });                                    \
    }
#define ROUNDED_UNARY(name, from, to, mode, function)                                                                  \
    inline to name(from a) {                                                                                           \
        return emulator::rounded(mode, [=] { return function(volatile_of(a)); });                                      \
    }
#define SATURATED(name, from, to, mode)                                                                                \
    inline to name(from a) {                                                                                           \
        return emulator::saturated<to>(mode, a);                                                                       \
    }
#define ROUNDED(suffix, mode)                                                                                          \
    ROUNDED_BINARY(__fadd_##suffix, float, mode, +)                                                                    \
    ROUNDED_BINARY(__fmul_##suffix, float, mode, *)                                                                    \
    ROUNDED_BINARY(__fdiv_##suffix, float, mode, /)                                                                    \
    ROUNDED_BINARY(__dadd_##suffix, double, mode, +)                                                                   \
    ROUNDED_BINARY(__dmul_##suffix, double, mode, *)                                                                   \
    ROUNDED_BINARY(__ddiv_##suffix, double, mode, /)                                                                   \
    ROUNDED_UNARY(__fsqrt_##suffix, float, float, mode, sqrtf)                                                         \
    ROUNDED_UNARY(__dsqrt_##suffix, double, double, mode, sqrt)                                                        \
    ROUNDED_UNARY(__double2float_##suffix, double, float, mode, static_cast<float>)                                    \
    ROUNDED_UNARY(__int2float_##suffix, int, float, mode, static_cast<float>)                                          \
    ROUNDED_UNARY(__ll2float_##suffix, long long, float, mode, static_cast<float>)                                     \
    ROUNDED_UNARY(__ll2double_##suffix, long long, double, mode, static_cast<double>)                                  \
    SATURATED(__float2int_##suffix, float, int, mode)                                                                  \
    SATURATED(__float2uint_##suffix, float, unsigned, mode)                                                            \
    SATURATED(__float2ll_##suffix, float, long long, mode)                                                             \
    SATURATED(__double2int_##suffix, double, int, mode)                                                                \
    SATURATED(__double2ull_##suffix, double, unsigned long long, mode)
template <typename T>
T volatile_of(T value) {
    volatile T hidden = value;
    return hidden;
}
ROUNDED(rn, FE_TONEAREST)
ROUNDED(rz, FE_TOWARDZERO)
ROUNDED(ru, FE_UPWARD)
ROUNDED(rd, FE_DOWNWARD)

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
