// Barrier objects and bulk copies of Hopper.
//
//   latency.object          one thread arrives and waits for the phase
//   latency.object_relay    from the arrival of a warp to another one that waits, in turns
//   latency.bulk_copy       128 bytes, L2 to shared memory, from the issue to the end of the wait
//   latency.tensor_copy     1 KiB by a map of the tensor, likewise
//   latency.bulk_store      128 bytes, shared memory to L2, until they are written
//   bandwidth.bulk_copy     of one SM, 8 copies of 8 KiB on their way; .all: of each of all SMs
//   bandwidth.tensor_copy   likewise, boxes of 64 x 64 elements
//   bandwidth.bulk_store    likewise

#include <cuda_bf16.h>

#include "kernels/tensor_map.h"

namespace {

constexpr unsigned kRounds = 64;     ///< of a latency
constexpr unsigned kStages = 8;      ///< copies on their way
constexpr unsigned kPiece = 8 << 10; ///< bytes of a copy
constexpr unsigned kLines = 8192;    ///< of 128 bytes: 1 MiB, that lies in the L2

// ---- latencies ----

template <class Step>
__device__ long long cycles_of(Step&& step) {
    long long begin = 0;
#pragma unroll 1
    for (unsigned round = 0; round < 2 * kRounds; ++round) {
        if (round == kRounds) // code and data are in the caches
            begin = clock64();
        step(round);
    }
    return clock64() - begin;
}

__global__ void wait_for_own(long long* cycles) {
    __shared__ uint64_t object;
    init(&object, 1);
    *cycles = cycles_of([&](unsigned round) {
        arrive(&object);
        wait(&object, round & 1);
    });
}

__global__ void relay(long long* cycles) {
    __shared__ uint64_t objects[2];
    if (threadIdx.x == 0) {
        init(&objects[0], 1);
        init(&objects[1], 1);
    }
    __syncthreads();
    if (threadIdx.x == 0)
        *cycles = cycles_of([&](unsigned round) {
            arrive(&objects[0]);
            wait(&objects[1], round & 1);
        });
    else if (threadIdx.x == 32)
        cycles_of([&](unsigned round) {
            wait(&objects[0], round & 1);
            arrive(&objects[1]);
        });
}

__device__ void load_line(void* to, const void* from, unsigned bytes, uint64_t* object) {
    if (HAS_WARPGROUPS)
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                         shared_address(to)),
                     "l"(from), "r"(bytes), "r"(shared_address(object))
                     : "memory");
}

__device__ void store_line(void* to, const void* from, unsigned bytes) {
    if (HAS_WARPGROUPS)
        asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;\n"
                     "cp.async.bulk.commit_group;" ::"l"(to),
                     "r"(shared_address(from)), "r"(bytes)
                     : "memory");
}

template <unsigned kGroups>
__device__ void wait_for_writes() {
    if (HAS_WARPGROUPS)
        asm volatile("cp.async.bulk.wait_group %0;" ::"n"(kGroups) : "memory");
}

__global__ void copy_once(const unsigned char* data, long long* cycles) {
    __shared__ __align__(128) unsigned char line[128];
    __shared__ uint64_t object;
    init(&object, 1);
    show_objects();
    *cycles = cycles_of([&](unsigned round) {
        expect(&object, sizeof line);
        load_line(line, data, sizeof line, &object);
        wait(&object, round & 1);
    });
}

__global__ void copy_box_once(const CUtensorMap* map, long long* cycles) {
    __shared__ __align__(1024) unsigned char box[1024];
    __shared__ uint64_t object;
    init(&object, 1);
    show_objects();
    *cycles = cycles_of([&](unsigned round) {
        expect(&object, sizeof box);
        load(box, map, 0, 0, &object);
        wait(&object, round & 1);
    });
}

__global__ void store_once(unsigned char* data, long long* cycles) {
    __shared__ __align__(128) unsigned char line[128];
    line[0] = 0;
    show_shared();
    *cycles = cycles_of([&](unsigned) {
        store_line(data, line, sizeof line);
        wait_for_writes<0>();
    });
}

template <class Launch>
void latency(const char* name, double each, Launch&& launch) {
    workload::DeviceArray<long long> cycles(1);
    launch(cycles.data());
    workload::finish_kernels();
    validation::report(name, static_cast<double>(cycles.to_host()[0]) / kRounds * each, "cycles");
}

// ---- rates ----

struct Pieces {
    unsigned char data[kStages][kPiece];
    uint64_t full[kStages];
};

// One thread keeps kStages copies on their way; the cycles from the end of copy `copies / 2` to that of the last one.
template <class Copy>
__device__ long long cycles_of_copies(unsigned copies, Copy&& copy) {
    extern __shared__ __align__(1024) unsigned char shared[];
    Pieces& pieces = *reinterpret_cast<Pieces*>(shared);
    for (uint64_t& full : pieces.full)
        init(&full, 1);
    show_objects();
    long long begin = 0;
#pragma unroll 1
    for (unsigned i = 0; i < copies + kStages; ++i) {
        const unsigned stage = i % kStages;
        if (i >= kStages)
            wait(&pieces.full[stage], i / kStages - 1 & 1);
        if (i == copies / 2 + kStages)
            begin = clock64();
        if (i < copies) {
            expect(&pieces.full[stage], kPiece);
            copy(pieces.data[stage], i + blockIdx.x * 5, &pieces.full[stage]);
        }
    }
    return clock64() - begin;
}

__global__ void copy_many(const unsigned char* data, unsigned copies, long long* cycles) {
    cycles[blockIdx.x] = cycles_of_copies(copies, [&](unsigned char* to, unsigned piece, uint64_t* full) {
        load_line(to, data + piece * kPiece % (kLines * 128), kPiece, full);
    });
}

__global__ void copy_boxes(const CUtensorMap* map, unsigned copies, long long* cycles) {
    cycles[blockIdx.x] = cycles_of_copies(copies, [&](unsigned char* to, unsigned piece, uint64_t* full) {
        load(to, map, 0, static_cast<int>(piece * 64 % kLines), full);
    });
}

__global__ void store_many(unsigned char* data, unsigned copies, long long* cycles) {
    extern __shared__ __align__(1024) unsigned char shared[];
    Pieces& pieces = *reinterpret_cast<Pieces*>(shared);
    long long begin = 0;
#pragma unroll 1
    for (unsigned i = 0; i < copies; ++i) {
        if (i == copies / 2 + 1)
            begin = clock64();
        store_line(data + (i + blockIdx.x * 5) * kPiece % (kLines * 128), pieces.data[i % kStages], kPiece);
        wait_for_writes<kStages - 1>();
    }
    wait_for_writes<0>();
    cycles[blockIdx.x] = clock64() - begin;
}

// Bytes a cycle and SM, of one SM and of each of all.
template <class Kernel, class Source>
void bandwidth(const std::string& name, Kernel* kernel, Source source) {
    constexpr unsigned kCopies = 64;
    validation::allow_shared(kernel, sizeof(Pieces));
    for (const unsigned blocks : {1U, workload::device_attribute(cudaDevAttrMultiProcessorCount)}) {
        workload::DeviceArray<long long> cycles(blocks);
        kernel<<<blocks, 1, sizeof(Pieces)>>>(source, kCopies, cycles.data());
        kernel<<<blocks, 1, sizeof(Pieces)>>>(source, kCopies, cycles.data());
        workload::finish_kernels();
        double sum = 0;
        for (const long long took : cycles.to_host())
            sum += static_cast<double>(took);
        validation::report((name + (blocks > 1 ? ".all" : "")).c_str(), (kCopies / 2.0 - 1) * kPiece * blocks / sum,
                           "bytes/cycle/SM");
    }
}

} // namespace

int main() {
    if (!validation::has_warpgroups())
        return 0;
    workload::DeviceArray<__nv_bfloat16> data(std::size_t{kLines} * 64);
    data.fill_bytes(0);
    auto* const bytes = reinterpret_cast<unsigned char*>(data.data());
    const auto map = [&](cuuint32_t lines) {
        return validation::tensor_map(CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, data.data(), {64, kLines}, {64}, {64, lines});
    };
    workload::DeviceArray<CUtensorMap> maps(std::vector<CUtensorMap>{map(8), map(64)});
    latency("latency.object", 1, [](long long* cycles) { wait_for_own<<<1, 1>>>(cycles); });
    latency("latency.object_relay", 0.5, [](long long* cycles) { relay<<<1, 64>>>(cycles); });
    latency("latency.bulk_copy", 1, [&](long long* cycles) { copy_once<<<1, 1>>>(bytes, cycles); });
    latency("latency.tensor_copy", 1, [&](long long* cycles) { copy_box_once<<<1, 1>>>(maps.data(), cycles); });
    latency("latency.bulk_store", 1, [&](long long* cycles) { store_once<<<1, 1>>>(bytes, cycles); });
    bandwidth("bandwidth.bulk_copy", copy_many, static_cast<const unsigned char*>(bytes));
    bandwidth("bandwidth.tensor_copy", copy_boxes, static_cast<const CUtensorMap*>(maps.data() + 1));
    bandwidth("bandwidth.bulk_store", store_many, bytes);
}
