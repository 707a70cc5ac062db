// Latency of memory: one thread follows a chain of addresses, each of which is loaded from the place before. The places
// are 128 bytes apart, in a random order that goes once round all of them.
//
//   l1      16 KiB, twice round          l2        2 MiB, of which the SM has read each place past the L1
//   l2_28mib, l2_40mib  28 and 40 MiB, twice round: more than one half of an L2 with two halves
//   dram    64 MiB, never read before    constant  1 KiB of constant memory       shared  4 KiB of shared memory
//   atomic  one thread, each increment with the result of the one before      barrier  one warp

#include <numeric>
#include <random>

#include "measure.h"

namespace {

constexpr unsigned kPitch = 128;
constexpr unsigned kConstants = 128; ///< of 8 bytes
__constant__ unsigned long long constants[kConstants];

__global__ void follow(const void* start, unsigned warm_steps, unsigned steps, long long* cycles,
                       const void** reached) {
    const void* at = start;
    for (unsigned i = 0; i < warm_steps; ++i)
        asm volatile("ld.global.u64 %0, [%0];" : "+l"(at));
    long long begin = 0;
    unsigned count = 8; // brings the code into the instruction cache
#pragma unroll 1
    for (int pass = 0; pass < 2; ++pass) {
        begin = clock64();
#pragma unroll 1
        for (unsigned i = 0; i < count; i += 8) {
#pragma unroll
            for (int k = 0; k < 8; ++k)
                asm volatile("ld.global.u64 %0, [%0];" : "+l"(at));
        }
        count = steps;
    }
    *cycles = clock64() - begin;
    *reached = at;
}

__global__ void read_past_l1(const char* data, unsigned places, unsigned* sum) {
    unsigned value = 0, mine = 0;
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < places; i += gridDim.x * blockDim.x) {
        asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(value) : "l"(data + std::size_t{i} * kPitch));
        mine += value;
    }
    atomicAdd(sum, mine);
}

__global__ void constant_address(unsigned long long* address) {
    asm volatile("{ .reg .u64 a; cvta.to.const.u64 %0, %1; }" : "=l"(*address) : "l"(&constants[0]));
}

__global__ void follow_constants(unsigned long long start, unsigned steps, long long* cycles,
                                 unsigned long long* reached) {
    unsigned long long at = start;
    long long begin = 0;
#pragma unroll 1
    for (int pass = 0; pass < 2; ++pass) {
        begin = clock64();
#pragma unroll 1
        for (unsigned i = 0; i < steps; i += 8) {
#pragma unroll
            for (int k = 0; k < 8; ++k)
                asm volatile("ld.const.u64 %0, [%0];" : "+l"(at));
        }
    }
    *cycles = clock64() - begin;
    *reached = at;
}

__global__ void follow_shared(unsigned steps, long long* cycles, unsigned* reached) {
    constexpr unsigned kWords = 1024;
    __shared__ unsigned next[kWords];
    unsigned base;
    asm volatile("{ .reg .u64 a; cvta.to.shared.u64 a, %1; cvt.u32.u64 %0, a; }" : "=r"(base) : "l"(&next[0]));
    for (unsigned i = 0; i < kWords; ++i)
        next[i] = base + (i + 33) % kWords * 4;
    unsigned at = base;
    long long begin = 0;
#pragma unroll 1
    for (int pass = 0; pass < 2; ++pass) {
        begin = clock64();
#pragma unroll 1
        for (unsigned i = 0; i < steps; i += 8) {
#pragma unroll
            for (int k = 0; k < 8; ++k)
                asm volatile("ld.shared.u32 %0, [%0];" : "+r"(at));
        }
    }
    *cycles = clock64() - begin;
    *reached = at;
}

__global__ void add_in_turn(unsigned* word, unsigned steps, long long* cycles) {
    unsigned value = 1;
    long long begin = 0;
#pragma unroll 1
    for (int pass = 0; pass < 2; ++pass) {
        begin = clock64();
#pragma unroll 1
        for (unsigned i = 0; i < steps; ++i)
            asm volatile("atom.global.inc.u32 %0, [%1], %0;" : "+r"(value) : "l"(word)); // compilers combine additions
    }
    *cycles = clock64() - begin;
    word[1] = value;
}

__global__ void barriers(unsigned steps, long long* cycles) {
    long long begin = 0;
#pragma unroll 1
    for (int pass = 0; pass < 2; ++pass) {
        begin = clock64();
#pragma unroll 1
        for (unsigned i = 0; i < steps; i += 8) {
#pragma unroll
            for (int k = 0; k < 8; ++k)
                __syncthreads();
        }
    }
    if (threadIdx.x == 0)
        *cycles = clock64() - begin;
}

/// The places of a round trip over `places`, as the index of the next place of each.
std::vector<unsigned> round_trip(unsigned places) {
    std::vector<unsigned> order(places);
    std::iota(order.begin(), order.end(), 0U);
    std::mt19937 random(1);
    for (unsigned i = places - 1; i != 0; --i) // a library's shuffle may differ from another's
        std::swap(order[i], order[random() % (i + 1)]);
    std::vector<unsigned> next(places);
    for (unsigned i = 0; i < places; ++i)
        next[order[i]] = order[(i + 1) % places];
    return next;
}

enum class Warm { ByTheChain, PastTheL1, No };

void global(const char* name, std::size_t bytes, Warm warm, unsigned steps) {
    const auto places = static_cast<unsigned>(bytes / kPitch);
    workload::DeviceArray<char> memory(bytes);
    const std::vector<unsigned> next = round_trip(places);
    std::vector<char> image(bytes);
    for (unsigned i = 0; i < places; ++i)
        *reinterpret_cast<const void**>(&image[std::size_t{i} * kPitch]) =
            memory.data() + std::size_t{next[i]} * kPitch;
    CUDA_CHECK(cudaMemcpy(memory.data(), image.data(), bytes, cudaMemcpyHostToDevice));
    workload::DeviceArray<unsigned> sum(1);
    sum.fill_bytes(0);
    if (warm == Warm::No) // a copy leaves its end in the L2; more than any L2 holds, written behind it, takes its place
        workload::DeviceArray<char>(256 << 20).fill_bytes(0);
    if (warm == Warm::PastTheL1)
        read_past_l1<<<1, 1024>>>(memory.data(), places, sum.data()); // on the SM of the chain
    workload::DeviceArray<long long> cycles(1);
    workload::DeviceArray<const void*> reached(1);
    follow<<<1, 1>>>(memory.data(), warm == Warm::ByTheChain ? 2 * places : 0, steps, cycles.data(), reached.data());
    workload::finish_kernels();
    validation::report(name, static_cast<double>(cycles.to_host()[0]) / steps, "cycles");
}

void on_chip() {
    constexpr unsigned kSteps = 512;
    workload::DeviceArray<long long> cycles(1);
    workload::DeviceArray<unsigned long long> address(1), reached(1);
    constant_address<<<1, 1>>>(address.data());
    workload::finish_kernels();
    const unsigned long long base = address.to_host()[0];
    std::vector<unsigned long long> chain(kConstants);
    for (unsigned i = 0; i < kConstants; ++i)
        chain[i] = base + (i + 9) % kConstants * 8;
    CUDA_CHECK(cudaMemcpyToSymbol(constants, chain.data(), kConstants * 8));
    follow_constants<<<1, 1>>>(base, kSteps, cycles.data(), reached.data());
    workload::finish_kernels();
    validation::report("latency.constant", static_cast<double>(cycles.to_host()[0]) / kSteps, "cycles");

    workload::DeviceArray<unsigned> words(2);
    follow_shared<<<1, 1>>>(kSteps, cycles.data(), words.data());
    workload::finish_kernels();
    validation::report("latency.shared", static_cast<double>(cycles.to_host()[0]) / kSteps, "cycles");

    barriers<<<1, 32>>>(kSteps, cycles.data());
    workload::finish_kernels();
    validation::report("latency.barrier", static_cast<double>(cycles.to_host()[0]) / kSteps, "cycles");

    add_in_turn<<<1, 1>>>(words.data(), kSteps / 2, cycles.data());
    workload::finish_kernels();
    validation::report("latency.atomic", static_cast<double>(cycles.to_host()[0]) / (kSteps / 2), "cycles");
}

} // namespace

int main() {
    on_chip();
    global("latency.l1", 16 << 10, Warm::ByTheChain, 1024);
    global("latency.l2", 2 << 20, Warm::PastTheL1, 1024);
    global("latency.dram", 64 << 20, Warm::No, 1024); // before what may be at the same addresses is in the L2
    const int l2 = workload::device_attribute(cudaDevAttrL2CacheSize);
    if (l2 > 28 << 20)
        global("latency.l2_28mib", 28 << 20, Warm::ByTheChain, 1024);
    if (l2 > 40 << 20)
        global("latency.l2_40mib", 40 << 20, Warm::ByTheChain, 1024);
}
