// What parts of a chip get of its L2: bytes a cycle that one SM, the SMs of a TPC, one SM of each TPC of a GPC, the SMs
// of the GPC and all SMs read past their L1, and write. All SMs have a block; those that take part wait for all first.
//
// SMs 2n and 2n + 1 are a TPC. Which SMs are a GPC is seen from clusters, whose blocks are in one: chips without
// clusters have no rows of GPCs.

#include <numeric>
#include <string>

#include "cluster_launch.h"
#include "measure.h"

namespace {

constexpr int kThreads = 1024;
constexpr int kUnrolled = 4;              ///< accesses of 16 bytes of a thread that are on their way
constexpr unsigned kSet = (2 << 20) / 16; ///< elements that all read or write; a power of two

__device__ unsigned own_sm() {
    unsigned sm = 0;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    return sm;
}

// ---- the SMs of a GPC ----

__global__ void where(unsigned* sms) {
    sms[blockIdx.x] = own_sm();
    const long long begin = clock64();
    while (clock64() - begin < 4000) { // so that other clusters go elsewhere
    }
}

bool launch_clusters(unsigned size, unsigned blocks, unsigned* sms) {
    const auto* const kernel = reinterpret_cast<const void*>(where);
    if (size > 8 && cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1) != cudaSuccess)
        return false;
    void* arguments[] = {&sms};
    if (validation::launch_clusters(kernel, size, blocks, kThreads / 2, 0, arguments) == cudaSuccess)
        return true;
    cudaGetLastError(); // a size that this chip has no room for
    return false;
}

// The GPC of each SM, as the smallest number of its SMs.
std::vector<unsigned> gpcs_of(unsigned sms) {
    std::vector<unsigned> gpc(sms);
    std::iota(gpc.begin(), gpc.end(), 0);
    for (const unsigned size : {16U, 12U, 8U, 6U, 4U, 2U}) {
        const unsigned blocks = 2 * sms / size * size;
        workload::DeviceArray<unsigned> device(blocks);
        if (!launch_clusters(size, blocks, device.data()))
            continue;
        workload::finish_kernels();
        const std::vector<unsigned> at = device.to_host();
        for (unsigned i = 0; i < blocks; ++i) {
            const unsigned a = gpc[at[i]], b = gpc[at[i / size * size]];
            std::replace(gpc.begin(), gpc.end(), std::max(a, b), std::min(a, b));
        }
    }
    return gpc;
}

// ---- rates ----

struct Work {
    const unsigned char* takes_part; ///< of each SM
    unsigned* waiting;
    float4* data;
    long long* cycles; ///< of each SM
    unsigned rounds;
};

template <bool kWrites>
__global__ void access_l2(Work work, float* sums) {
    extern __shared__ float unused[]; // so much that an SM has one block
    const unsigned sm = own_sm();
    if (threadIdx.x == 0) {
        atomicAdd(work.waiting, 1U);
        while (*static_cast<volatile unsigned*>(work.waiting) < gridDim.x) {
        }
    }
    __syncthreads();
    if (work.takes_part[sm] == 0)
        return;
    unsigned at = kSet / gridDim.x * sm + threadIdx.x; // no two SMs access the same lines at a time
    float sum = 0;
    const long long begin = clock64();
    #pragma unroll 1
    for (unsigned round = 0; round < work.rounds; ++round, at += kThreads * kUnrolled) {
        float4 v[kUnrolled];
#pragma unroll
        for (int i = 0; i < kUnrolled; ++i) {
            float4* const place = work.data + (at + i * kThreads) % kSet;
            if (kWrites)
                asm volatile("st.global.v4.f32 [%0], {%1, %1, %1, %1};" ::"l"(place), "f"(sum) : "memory");
            else
                asm volatile("ld.global.cg.v4.f32 {%0, %1, %2, %3}, [%4];"
                             : "=f"(v[i].x), "=f"(v[i].y), "=f"(v[i].z), "=f"(v[i].w)
                             : "l"(place));
        }
        if (!kWrites)
#pragma unroll
            for (int i = 0; i < kUnrolled; ++i)
                sum += v[i].x + v[i].y + v[i].z + v[i].w;
    }
    if (kWrites)
        __threadfence(); // the writes are there
    __syncthreads();
    if (threadIdx.x == 0)
        work.cycles[sm] = clock64() - begin;
    sums[sm * kThreads + threadIdx.x] = sum;
}

class Rates {
public:
    Rates(unsigned sms, unsigned times)
        : sms_(sms), rounds_(8 * times), waiting_(1), data_(std::vector<float4>(kSet)), cycles_(sms), sums_(std::size_t{sms} * kThreads) {
        const unsigned most = workload::device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin);
        shared_ = most / 2 + 4096;
        for (const auto kernel : {access_l2<false>, access_l2<true>})
            CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared_)));
    }
    void report(const char* part, const std::vector<unsigned>& members) {
        validation::report(("network.read." + std::string(part)).c_str(), rate<false>(members), "bytes/cycle");
        validation::report(("network.write." + std::string(part)).c_str(), rate<true>(members), "bytes/cycle");
    }

private:
    // Of the work of the second half of the rounds, by the slowest SM.
    template <bool kWrites>
    double rate(const std::vector<unsigned>& members) {
        std::vector<unsigned char> part(sms_);
        for (const unsigned sm : members)
            part[sm] = 1;
        cycles<kWrites>(part, 2 * rounds_); // data, code and pages are there
        const double begin = cycles<kWrites>(part, rounds_), end = cycles<kWrites>(part, 2 * rounds_);
        return static_cast<double>(rounds_) * kUnrolled * kThreads * sizeof(float4) *
               static_cast<double>(members.size()) / (end - begin);
    }
    template <bool kWrites>
    double cycles(const std::vector<unsigned char>& part, unsigned rounds) {
        workload::DeviceArray<unsigned char> takes_part(part);
        waiting_.fill_bytes(0);
        cycles_.fill_bytes(0);
        access_l2<kWrites><<<sms_, kThreads, shared_>>>(
            {takes_part.data(), waiting_.data(), data_.data(), cycles_.data(), rounds}, sums_.data());
        workload::finish_kernels();
        const std::vector<long long> took = cycles_.to_host();
        return static_cast<double>(*std::max_element(took.begin(), took.end()));
    }

    unsigned sms_, rounds_, shared_ = 0;
    workload::DeviceArray<unsigned> waiting_;
    workload::DeviceArray<float4> data_;
    workload::DeviceArray<long long> cycles_;
    workload::DeviceArray<float> sums_;
};

} // namespace

int main(int count, char** words) {
    const unsigned sms = workload::device_attribute(cudaDevAttrMultiProcessorCount);
    Rates rates(sms, validation::times_the_work(count, words));
    rates.report("sm", {0});
    rates.report("tpc", {0, 1});
    std::vector<unsigned> all(sms);
    std::iota(all.begin(), all.end(), 0);
    rates.report("all", all);
    if (workload::device_attribute(cudaDevAttrComputeCapabilityMajor) < 9)
        return 0;
    const std::vector<unsigned> gpc = gpcs_of(sms);
    // The largest: clusters do not show the whole of a GPC of which parts have no way to each other.
    const auto size_of = [&](unsigned sm) { return std::count(gpc.begin(), gpc.end(), gpc[sm]); };
    const unsigned largest = *std::max_element(all.begin(), all.end(), [&](unsigned a, unsigned b) {
        return size_of(a) < size_of(b);
    });
    std::vector<unsigned> of_largest, first_of_tpcs;
    for (const unsigned sm : all)
        if (gpc[sm] == gpc[largest]) {
            of_largest.push_back(sm);
            if (sm % 2 == 0)
                first_of_tpcs.push_back(sm);
        }
    rates.report("tpcs_of_gpc", first_of_tpcs);
    rates.report("gpc", of_largest);
    validation::report("network.gpc_sms", static_cast<double>(of_largest.size()), "SMs");
}
