// Cycles that an access of a warp takes of the L1 or of shared memory, by the distance of its lanes: lane i reads word
// i * stride. 32 warps of one SM read, all from the cache; cycles are those of the SM for each instruction.

#include "measure.h"

namespace {

constexpr int kThreads = 1024;
constexpr int kRounds = 16;
constexpr int kUnrolled = 16;
constexpr unsigned kLine = 32;                        ///< words: an access this far away takes as many cycles
constexpr unsigned kWords = (34 + kUnrolled) * kLine;

// `zero`: so that a round's addresses are not known to be those of the round before, whose values could be taken.
template <bool kShared>
__global__ void read(const unsigned* words, unsigned stride, unsigned zero, long long* begins, long long* ends, unsigned* sums) {
    __shared__ unsigned copy[kWords];
    for (unsigned i = threadIdx.x; i < kWords; i += blockDim.x)
        copy[i] = words[i];
    __syncthreads();
    const unsigned* from = (kShared ? copy : words) + threadIdx.x % 32 * stride;
    unsigned shared_address = 0;
    asm volatile("{ .reg .u64 a; cvta.to.shared.u64 a, %1; cvt.u32.u64 %0, a; }"
                 : "=r"(shared_address)
                 : "l"(&copy[threadIdx.x % 32 * stride]));
    unsigned sum = 0;
    long long begin = 0;
#pragma unroll 1
    for (int pass = 0; pass < 2; ++pass) { // the first pass brings data and code into the caches
        __syncthreads();
        begin = clock64();
        __syncthreads(); // no warp works before all have read the clock
#pragma unroll 1
        for (int round = 0; round < kRounds; ++round) {
            unsigned value[kUnrolled];
#pragma unroll
            for (int i = 0; i < kUnrolled; ++i) {
                if (kShared)
                    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(value[i]) : "r"(shared_address + i * kLine * 4));
                else
                    asm volatile("ld.global.u32 %0, [%1];" : "=r"(value[i]) : "l"(from + i * kLine));
            }
#pragma unroll
            for (int i = 0; i < kUnrolled; ++i)
                sum ^= value[i];
            from += zero;
            shared_address += zero;
        }
    }
    begins[threadIdx.x] = begin;
    ends[threadIdx.x] = clock64();
    sums[threadIdx.x] = sum;
}

template <bool kShared>
void measure(const char* memory, unsigned stride) {
    workload::DeviceArray<unsigned> words(std::vector<unsigned>(kWords, 1)), sums(kThreads);
    workload::DeviceArray<long long> begins(kThreads), ends(kThreads);
    read<kShared><<<1, kThreads>>>(words.data(), stride, 0, begins.data(), ends.data(), sums.data());
    workload::finish_kernels();
    const double cycles = validation::block_cycles(begins, ends);
    char name[64];
    std::snprintf(name, sizeof name, "%s.stride.%u", memory, stride);
    validation::report(name, cycles / (kThreads / 32 * kRounds * kUnrolled), "cycles/load/SM");
}

} // namespace

int main() {
    for (const unsigned stride : {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13, 15, 16, 31, 32, 33})
        measure<false>("l1", stride);
    for (const unsigned stride : {1, 2, 4, 8, 16, 32, 33})
        measure<true>("shared", stride);
}
