// Blocks of a cluster, two of them unless the name says more.
//
//   latency.cluster_load      a chain through the shared memory of the other block
//   latency.cluster_relay     from an arrival at an object of the other block to this one's, which waits for it
//   latency.cluster_barrier   arrival and wait at the barrier of the cluster; .8: of eight blocks
//   bandwidth.cluster_load    what each block reads of the other's shared memory, 16 bytes a thread; .all: all SMs
//   bandwidth.multicast       what each block gets when each copies half of the boxes for both; .all: all SMs

#include <cuda_bf16.h>

#include "kernels/tensor_map.h"

namespace {

constexpr unsigned kRounds = 64;
constexpr unsigned kThreads = 1024;

__device__ uint32_t mapped(const void* p, uint32_t block) {
    uint32_t out = 0;
    if (HAS_WARPGROUPS)
        asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(out) : "r"(shared_address(p)), "r"(block));
    return out;
}

// ---- latencies ----

__global__ void chase(long long* cycles) {
    __shared__ uint32_t next[32];
    const uint32_t rank = rank_in_cluster(), other = mapped(next, rank ^ 1);
    meet_cluster(); // the other block's memory is there
    if (HAS_WARPGROUPS && rank == 0 && threadIdx.x == 0)
        for (unsigned i = 0; i < 32; ++i)
            asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(other + 4 * i), "r"(other + 4 * ((i + 1) % 32))
                         : "memory");
    meet_cluster();
    if (rank == 0 && threadIdx.x == 0) {
        uint32_t at = other;
        long long begin = 0;
#pragma unroll 1
        for (unsigned round = 0; round < 2 * kRounds; ++round) {
            if (round == kRounds)
                begin = clock64();
            if (HAS_WARPGROUPS)
                asm volatile("ld.shared::cluster.u32 %0, [%0];" : "+r"(at)::"memory");
        }
        cycles[0] = clock64() - begin + (at == 1);
    }
    meet_cluster();
}

__global__ void relay(long long* cycles) {
    __shared__ uint64_t object;
    const uint32_t rank = rank_in_cluster();
    if (threadIdx.x == 0) {
        init(&object, 1);
        show_objects();
    }
    meet_cluster();
    if (threadIdx.x == 0) {
        long long begin = 0;
#pragma unroll 1
        for (unsigned round = 0; round < 2 * kRounds; ++round) {
            if (round == kRounds)
                begin = clock64();
            if (rank == 0)
                arrive_at(&object, 1);
            wait(&object, round & 1);
            if (rank == 1)
                arrive_at(&object, 0);
        }
        if (rank == 0)
            cycles[0] = clock64() - begin;
    }
    meet_cluster();
}

__global__ void meet(long long* cycles) {
    long long begin = 0;
#pragma unroll 1
    for (unsigned round = 0; round < 2 * kRounds; ++round) {
        if (round == kRounds)
            begin = clock64();
        meet_cluster();
    }
    if (blockIdx.x == 0 && threadIdx.x == 0)
        cycles[0] = clock64() - begin;
}

// ---- rates ----

__global__ void read_other(long long* cycles, float* sums) {
    extern __shared__ float4 own[];
    constexpr unsigned kUnrolled = 4;
    for (unsigned i = threadIdx.x; i < kUnrolled * kThreads; i += kThreads)
        own[i] = {};
    const uint32_t other = mapped(own + threadIdx.x, rank_in_cluster() ^ 1);
    float sum = 0;
    long long begin = 0;
#pragma unroll 1
    for (unsigned round = 0; round < 2 * kRounds / kUnrolled; ++round) {
        if (round == 0 || round == kRounds / kUnrolled) {
            meet_cluster();
            begin = clock64();
        }
        float4 v[kUnrolled] = {};
#pragma unroll
        for (unsigned i = 0; i < kUnrolled; ++i)
            if (HAS_WARPGROUPS)
                asm volatile("ld.shared::cluster.v4.f32 {%0, %1, %2, %3}, [%4];"
                             : "=f"(v[i].x), "=f"(v[i].y), "=f"(v[i].z), "=f"(v[i].w)
                             : "r"(other + i * kThreads * 16));
#pragma unroll
        for (unsigned i = 0; i < kUnrolled; ++i)
            sum += v[i].x + v[i].y + v[i].z + v[i].w;
    }
    __syncthreads();
    if (threadIdx.x == 0)
        cycles[blockIdx.x] = clock64() - begin;
    sums[blockIdx.x * kThreads + threadIdx.x] = sum;
    meet_cluster();
}

constexpr unsigned kStages = 8, kPiece = 8 << 10, kLines = 8192;

struct Pieces {
    unsigned char data[kStages][kPiece];
    uint64_t full[kStages];
};

// Each block copies every second piece, to both.
__global__ void receive(const CUtensorMap* map, long long* cycles) {
    extern __shared__ __align__(1024) unsigned char shared[];
    Pieces& pieces = *reinterpret_cast<Pieces*>(shared);
    const uint32_t rank = rank_in_cluster();
    for (uint64_t& full : pieces.full)
        init(&full, 1);
    show_objects();
    long long begin = 0;
#pragma unroll 1
    for (unsigned group = 0; group < 16; ++group) { // of kStages pieces; both blocks have room for them
        for (uint64_t& full : pieces.full)
            expect(&full, kPiece);
        meet_cluster();
        if (group == 8)
            begin = clock64();
        for (unsigned stage = rank; stage < kStages; stage += 2)
            load_for(3, pieces.data[stage], map,
                     0, static_cast<int>((group * kStages + stage + blockIdx.x / 2 * 5) * 64 % kLines),
                     &pieces.full[stage]);
        for (uint64_t& full : pieces.full)
            wait(&full, group & 1);
    }
    cycles[blockIdx.x] = clock64() - begin;
    meet_cluster();
}

template <class... Parameters>
void launch_clusters(void (*kernel)(Parameters...), unsigned size, unsigned blocks, unsigned threads, unsigned shared,
                     Parameters... arguments) {
    validation::allow_shared(kernel, shared);
    validation::launch_in_clusters<Parameters...>(kernel, size, blocks, threads, shared, arguments...);
    workload::finish_kernels();
}

void latency(const char* name, double each, void (*kernel)(long long*), unsigned size, unsigned threads) {
    workload::DeviceArray<long long> cycles(1);
    launch_clusters<long long*>(kernel, size, size, threads, 0, cycles.data());
    validation::report(name, static_cast<double>(cycles.to_host()[0]) / kRounds * each, "cycles");
}

double mean_of(const workload::DeviceArray<long long>& cycles) {
    double sum = 0;
    const auto all = cycles.to_host();
    for (const long long took : all)
        sum += static_cast<double>(took);
    return sum / static_cast<double>(all.size());
}

} // namespace

int main() {
    if (!validation::has_warpgroups())
        return 0;
    latency("latency.cluster_load", 1, chase, 2, 32);
    latency("latency.cluster_relay", 0.5, relay, 2, 32);
    latency("latency.cluster_barrier", 1, meet, 2, 32);
    latency("latency.cluster_barrier.8", 1, meet, 8, 32);
    workload::DeviceArray<__nv_bfloat16> data(std::size_t{kLines} * 64);
    data.fill_bytes(0);
    workload::DeviceArray<CUtensorMap> map(std::vector<CUtensorMap>{
        validation::tensor_map(CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, data.data(), {64, kLines}, {64}, {64, 64})});
    for (const unsigned blocks : {2U, workload::device_attribute(cudaDevAttrMultiProcessorCount) / 2 * 2}) {
        const std::string which = blocks > 2 ? ".all" : "";
        workload::DeviceArray<long long> cycles(blocks);
        workload::DeviceArray<float> sums(std::size_t{blocks} * kThreads);
        launch_clusters<long long*, float*>(read_other, 2, blocks, kThreads, 4 * kThreads * sizeof(float4),
                                            cycles.data(), sums.data());
        validation::report(("bandwidth.cluster_load" + which).c_str(),
                           kRounds * kThreads * sizeof(float4) / mean_of(cycles), "bytes/cycle/SM");
        for (int pass = 0; pass < 2; ++pass) // the data are in the L2 in the second one
            launch_clusters<const CUtensorMap*, long long*>(receive, 2, blocks, 1, sizeof(Pieces), map.data(),
                                                            cycles.data());
        validation::report(("bandwidth.multicast" + which).c_str(), 8.0 * kStages * kPiece / mean_of(cycles),
                           "bytes/cycle/SM");
    }
}
