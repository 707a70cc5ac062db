// Copies to shared memory beside the code, and barriers with an arrival and a wait, by the functions of cuda_pipeline.h
// and cuda_awbarrier.h and by cooperative groups.
// ARCH: 80
// ENV: HEDDLE_MACHINE=a100
// EXPECT: no error
// EXPECT: tiles 130816
// EXPECT: filled 1 2 3 0
// EXPECT: barrier 2016 2016, most 16383
// EXPECT: dropped 31 1
// EXPECT: classes 5 7 0 0, batches 0 1
// EXPECT: groups 496 120, with a pipeline 496 830
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda_awbarrier.h>
#include <cuda_pipeline.h>

#include <cooperative_groups/memcpy_async.h>

constexpr int kTile = 64, kTiles = 8;

// Two tiles at a time: one on its way, one in use.
__global__ void add_tiles(const int* in, int* sum) {
    __shared__ int tiles[2][kTile];
    const int i = threadIdx.x;
    __pipeline_memcpy_async(&tiles[0][i], &in[i], sizeof(int));
    __pipeline_commit();
    for (int t = 0; t < kTiles; ++t) {
        if (t + 1 < kTiles)
            __pipeline_memcpy_async(&tiles[(t + 1) % 2][i], &in[(t + 1) * kTile + i], sizeof(int));
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        atomicAdd(sum, tiles[t % 2][kTile - 1 - i]);
        __syncthreads();
    }
}

__global__ void fill(const int4* in, int4* out) {
    __shared__ int4 part;
    __pipeline_memcpy_async(&part, in, sizeof part, 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    *out = part;
}

// All threads give a value, then each reads those of the others; twice.
__global__ void exchange(int* sums, unsigned* most) {
    __shared__ __mbarrier_t barrier;
    __shared__ int values[64];
    if (threadIdx.x == 0)
        __mbarrier_init(&barrier, blockDim.x);
    __syncthreads();
    for (int round = 0; round < 2; ++round) {
        values[threadIdx.x] = threadIdx.x;
        const __mbarrier_token_t token = __mbarrier_arrive(&barrier);
        while (!__mbarrier_test_wait(&barrier, token))
            ;
        int sum = 0;
        for (int value : values)
            sum += value;
        if (threadIdx.x == 17)
            sums[round] = sum;
        __syncthreads();
        values[threadIdx.x] = 0;
        __syncthreads();
    }
    *most = __mbarrier_maximum_count();
}

// Half of the threads leave: later phases need the arrivals of the others alone.
__global__ void drop(int* out) {
    __shared__ __mbarrier_t barrier;
    __shared__ int last;
    if (threadIdx.x == 0)
        __mbarrier_init(&barrier, blockDim.x);
    __syncthreads();
    if (threadIdx.x >= 32) {
        __mbarrier_arrive_and_drop(&barrier);
        return;
    }
    const __mbarrier_token_t first = __mbarrier_arrive(&barrier);
    while (!__mbarrier_test_wait(&barrier, first))
        ;
    if (threadIdx.x == 31)
        last = 31;
    const __mbarrier_token_t second = __mbarrier_arrive(&barrier);
    while (!__mbarrier_test_wait(&barrier, second))
        ;
    if (threadIdx.x == 0) {
        out[0] = last;
        out[1] = __mbarrier_test_wait(&barrier, second);
    }
}

__global__ void by_classes(const int* in, int* out) {
    using namespace nvcuda::experimental;
    __shared__ awbarrier barrier;
    __shared__ int one;
    __shared__ __align__(16) int four[4];
    if (threadIdx.x == 0)
        init(&barrier, blockDim.x);
    __syncthreads();
    pipeline copies;
    if (threadIdx.x == 0) {
        memcpy_async(one, in[5], copies);
        out[4] = copies.commit();
        memcpy_async(segment<4>(four), segment<2>(in + 6), copies);
        out[5] = copies.commit();
        copies.wait_prior<0>();
    }
    barrier.arrive_and_wait();
    if (threadIdx.x == 1) {
        out[0] = one;
        out[1] = four[1];
        out[2] = four[2];
        out[3] = four[3];
    }
}

__global__ void by_groups(const int* in, int* out) {
    namespace cg = cooperative_groups;
    __shared__ __align__(16) int whole[32];
    __shared__ int odd[16];
    const cg::thread_block block = cg::this_thread_block();
    cg::memcpy_async(block, whole, in, sizeof whole);
    cg::memcpy_async(block, odd, in, sizeof(int) * 16);
    cg::wait_prior<1>(block);
    int sum = 0;
    for (int value : whole)
        sum += value;
    cg::wait(block);
    int of_odd = 0;
    for (int value : odd)
        of_odd += value;
    __shared__ int by_pipeline[2][32];
    nvcuda::experimental::pipeline copies;
    cg::memcpy_async(block, by_pipeline[0], 32, in, 32, copies);
    cg::memcpy_async(block, by_pipeline[1], 32, in + 32, 20, copies);
    cg::wait(block, copies, 0);
    int of_first = 0, of_second = 0;
    for (int value : by_pipeline[0])
        of_first += value;
    cg::wait_prior<0>(block, copies);
    for (int i = 0; i < 20; ++i)
        of_second += by_pipeline[1][i];
    if (threadIdx.x == 0) {
        out[0] = sum;
        out[1] = of_odd;
        out[2] = of_first;
        out[3] = of_second;
    }
}

int main() {
    int *in = nullptr, *out = nullptr;
    cudaMallocManaged(&in, sizeof(int) * kTile * kTiles);
    cudaMallocManaged(&out, sizeof(int) * 64);
    for (int i = 0; i < kTile * kTiles; ++i)
        in[i] = i;
    add_tiles<<<1, kTile>>>(in, out);
    fill<<<1, 1>>>(reinterpret_cast<const int4*>(in + 4), reinterpret_cast<int4*>(out + 4));
    exchange<<<1, 64>>>(out + 8, reinterpret_cast<unsigned*>(out + 10));
    drop<<<1, 64>>>(out + 12);
    by_classes<<<1, 64>>>(in, out + 16);
    by_groups<<<1, 64>>>(in, out + 24);
    std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    std::printf("tiles %d\n", out[0]);
    std::printf("filled %d %d %d %d\n", out[4] - 3, out[5] - 3, out[6] - 3, out[7]);
    std::printf("barrier %d %d, most %d\n", out[8], out[9], out[10]);
    std::printf("dropped %d %d\n", out[12], out[13]);
    std::printf("classes %d %d %d %d, batches %d %d\n", out[16], out[17], out[18], out[19], out[20], out[21]);
    std::printf("groups %d %d, with a pipeline %d %d\n", out[24], out[25], out[26], out[27]);
}
