// Bandwidth of each level; of all but the first with all SMs and as many threads as they hold.
//
//   l1      one SM reads 16 KiB again and again, 16 bytes a thread and load
//   l2      all SMs read the same 2 MiB past their L1, each from another place on
//   dram    passes over arrays of doubles: read; write; a[i] = s * b[i]; a[i] = b[i] + s * c[i]
//
// Of these a pass is measured with two amounts of work. The difference is what counts, so that launches are not in it.

#include "measure.h"

namespace {

constexpr int kThreads = 1024;
constexpr int kOwnRounds = 64; ///< over the L1
constexpr int kOwnUnrolled = 8;
constexpr unsigned kSharedSet = (2 << 20) / 16; ///< elements that all SMs read

unsigned sms() {
    return workload::device_attribute(cudaDevAttrMultiProcessorCount);
}

// ---- caches ----

// `zero`: so that a round's addresses are not known to be those of the round before, whose values could be taken.
__global__ void read_own(const float4* data, unsigned zero, float* sums, long long* begins, long long* ends) {
    const float4* own[kOwnUnrolled];
#pragma unroll
    for (int i = 0; i < kOwnUnrolled; ++i)
        own[i] = data + (threadIdx.x + i * 32) % kThreads;
    float sum = 0;
    long long begin = 0;
#pragma unroll 1
    for (int pass = 0; pass < 2; ++pass) { // the first pass brings data and code into the caches
        __syncthreads();
        begin = clock64();
        __syncthreads(); // no warp works before all have read the clock
#pragma unroll 1
        for (int r = 0; r < kOwnRounds; ++r) {
            float4 v[kOwnUnrolled];
#pragma unroll
            for (int i = 0; i < kOwnUnrolled; ++i)
                asm volatile("ld.global.v4.f32 {%0, %1, %2, %3}, [%4];"
                             : "=f"(v[i].x), "=f"(v[i].y), "=f"(v[i].z), "=f"(v[i].w)
                             : "l"(own[i]));
#pragma unroll
            for (int i = 0; i < kOwnUnrolled; ++i)
                sum += v[i].x + v[i].y + v[i].z + v[i].w;
#pragma unroll
            for (int i = 0; i < kOwnUnrolled; ++i)
                own[i] += zero;
        }
    }
    begins[threadIdx.x] = begin;
    ends[threadIdx.x] = clock64();
    sums[threadIdx.x] = sum;
}

__global__ void read_shared_set(const float4* data, unsigned rounds, float* sums) {
    float sum = 0;
    unsigned at = blockIdx.x * 37 % gridDim.x * blockDim.x + threadIdx.x;
    for (unsigned r = 0; r < rounds; ++r) {
        float4 v;
        asm volatile("ld.global.cg.v4.f32 {%0, %1, %2, %3}, [%4];"
                     : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
                     : "l"(data + at % kSharedSet)); // a power of two: nothing beside the loads takes long
        sum += v.x + v.y + v.z + v.w;
        at += gridDim.x * blockDim.x;
    }
    sums[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// ---- streams ----

__global__ void stream_read(double* sums, const double* b, const double*, std::size_t n) {
    double sum = 0;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += std::size_t{gridDim.x} * blockDim.x)
        sum += b[i];
    if (sum == 1) // never, which the compiler does not know
        sums[0] = sum;
}
__global__ void stream_write(double* a, const double*, const double*, std::size_t n) {
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += std::size_t{gridDim.x} * blockDim.x)
        a[i] = 1;
}
__global__ void stream_scale(double* a, const double* b, const double*, std::size_t n) {
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += std::size_t{gridDim.x} * blockDim.x)
        a[i] = 3 * b[i];
}
__global__ void stream_triad(double* a, const double* b, const double* c, std::size_t n) {
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += std::size_t{gridDim.x} * blockDim.x)
        a[i] = b[i] + 3 * c[i];
}

/// Bytes a nanosecond of the work that `run(amount)` does beyond that of half the amount.
template <class Run>
double rate(std::size_t amount, double bytes_each, Run&& run) {
    validation::Timer timer;
    const auto time = [&](std::size_t n) {
        timer.begin();
        run(n);
        return timer.end();
    };
    run(amount / 2); // code and data that stay in caches
    const double half = time(amount / 2);
    return static_cast<double>(amount - amount / 2) * bytes_each / (time(amount) - half);
}

void first_level() {
    workload::DeviceArray<float4> data{std::vector<float4>(kThreads)};
    workload::DeviceArray<float> sums(kThreads);
    workload::DeviceArray<long long> begins(kThreads), ends(kThreads);
    read_own<<<1, kThreads>>>(data.data(), 0, sums.data(), begins.data(), ends.data());
    workload::finish_kernels();
    const double cycles = validation::block_cycles(begins, ends);
    validation::report("bandwidth.l1", 16.0 * kThreads * kOwnRounds * kOwnUnrolled / cycles,
                       "bytes/cycle/SM");
}

void last_level(unsigned times) {
    const unsigned blocks = 2 * sms();
    workload::DeviceArray<float> sums(std::size_t{blocks} * kThreads);
    const double bytes = 16.0 * blocks * kThreads;
    workload::DeviceArray<float4> data{std::vector<float4>(kSharedSet)};
    validation::report("bandwidth.l2", rate(8 * times, bytes, [&](std::size_t rounds) {
                           read_shared_set<<<blocks, kThreads>>>(data.data(), static_cast<unsigned>(rounds), sums.data());
                       }), "GB/s");
}

void streams(unsigned times) {
    // A pass of half the amount is at least as long as the L2 is large. Each pass goes on behind the one before, so that
    // nothing of it is in the L2, which is full of what earlier passes have left: of a write, with lines to write back.
    const std::size_t count = std::max<std::size_t>(24 << 20, 2 * workload::device_attribute(cudaDevAttrL2CacheSize)) / 8 * times;
    const std::size_t all = 2 * count; // of the three passes of rate()
    workload::DeviceArray<double> a(all), b(all), c(all);
    for (auto* const array : {&a, &b, &c})
        array->fill_bytes(0);
    const unsigned blocks = 2 * sms();
    const auto stream = [&](const char* name, auto kernel, unsigned arrays) {
        std::size_t at = 0;
        validation::report(name, rate(count, 8.0 * arrays, [&](std::size_t n) {
                               kernel<<<blocks, kThreads>>>(a.data() + at, b.data() + at, c.data() + at, n);
                               at += n;
                           }), "GB/s");
    };
    stream("bandwidth.dram.read", stream_read, 1);
    stream("bandwidth.dram.write", stream_write, 1);
    stream("bandwidth.dram.scale", stream_scale, 2);
    stream("bandwidth.dram.triad", stream_triad, 3);
}

} // namespace

int main(int count, char** words) {
    const unsigned times = validation::times_the_work(count, words);
    first_level();
    last_level(times);
    streams(times);
}
