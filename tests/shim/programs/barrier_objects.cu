// Barriers and pipelines of libcu++, from compute capability 8.0 on objects in shared memory: a block loads rows with
// asynchronous copies, one ahead of the other, and sums up what another thread has got.
// NOT-WITH: clang++
// OPTIONS: --diag-suppress=20054
// ARCH: 80
// EXPECT: barrier ok
// EXPECT: pipeline ok
#include <cooperative_groups.h>
#include <cstdio>

#include <cuda/barrier>
#include <cuda/pipeline>

namespace {

namespace cg = cooperative_groups;

constexpr int kThreads = 96, kRows = 6, kBytes = kThreads * sizeof(int);

__global__ void by_barrier(const int* in, int* out) {
    __shared__ alignas(16) int row[kThreads];
    __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
    const auto block = cg::this_thread_block();
    if (block.thread_rank() == 0)
        init(&barrier, kThreads);
    block.sync();
    int sum = 0;
    for (int i = 0; i < kRows; ++i) {
        cuda::memcpy_async(block, row, in + i * kThreads, cuda::aligned_size_t<16>(kBytes), barrier);
        barrier.arrive_and_wait();
        sum += row[kThreads - 1 - threadIdx.x];
        auto token = barrier.arrive(); // the row may be written again when all have read it
        barrier.wait(std::move(token));
    }
    out[threadIdx.x] = sum;
}

__global__ void by_pipeline(const int* in, int* out) {
    __shared__ alignas(16) int row[2][kThreads];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    const auto block = cg::this_thread_block();
    auto pipeline = cuda::make_pipeline(block, &state);
    int sum = 0;
    for (int i = 0, sent = 0; i < kRows; ++i) {
        for (; sent < kRows && sent < i + 2; ++sent) {
            pipeline.producer_acquire();
            cuda::memcpy_async(block, row[sent % 2], in + sent * kThreads, kBytes, pipeline);
            pipeline.producer_commit();
        }
        pipeline.consumer_wait();
        sum += row[i % 2][kThreads - 1 - threadIdx.x];
        pipeline.consumer_release();
    }
    out[threadIdx.x] = sum;
}

void check(const char* what, void (*kernel)(const int*, int*), const int* in, int* out) {
    kernel<<<1, kThreads>>>(in, out);
    bool ok = cudaDeviceSynchronize() == cudaSuccess;
    for (int t = 0; t < kThreads; ++t) {
        int sum = 0;
        for (int i = 0; i < kRows; ++i)
            sum += in[i * kThreads + kThreads - 1 - t];
        ok = ok && out[t] == sum;
    }
    std::printf("%s %s\n", what, ok ? "ok" : "wrong");
}

} // namespace

int main() {
    int *in = nullptr, *out = nullptr;
    cudaMallocManaged(&in, kRows * kBytes);
    cudaMallocManaged(&out, kBytes);
    for (int i = 0; i < kRows * kThreads; ++i)
        in[i] = i * 7919 % 1009;
    check("barrier", by_barrier, in, out);
    check("pipeline", by_pipeline, in, out);
}
