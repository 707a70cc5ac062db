// Kernels with one error each, for checker_test.py: `bugs NAME` runs the kernel of that name. A comment "@NAME" marks
// the lines that a report has to name: "@NAME-first" the earlier access, "@NAME-second" the later one, "@NAME" both.
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

namespace {

__global__ void shared_race(int* out) {
    __shared__ int s[64];
    const int t = threadIdx.x;
    s[t] = t;                 // @shared_race-first
    out[t] = s[(t + 1) % 64]; // @shared_race-second
}

__global__ void warp_race(int* out) {
    __shared__ int s[32];
    const int t = threadIdx.x;
    s[t] = 3 * t; // @warp_race-first
    if (t < 16)
        out[t] = s[t + 16]; // @warp_race-second
}

__global__ void global_race(int* out) {
    if (threadIdx.x == 0)
        out[0] = static_cast<int>(blockIdx.x); // @global_race
}

__global__ void missing_fence(int* out, int* data, int* flag) {
    if (threadIdx.x != 0)
        return;
    if (blockIdx.x == 0) {
        data[0] = 42; // @missing_fence-first
        atomicExch(flag, 1);
    } else {
        while (atomicAdd(flag, 0) == 0) {
        }
        out[0] = data[0]; // @missing_fence-second
    }
}

__global__ void block_scope(int* out) {
    if (threadIdx.x == 0)
        asm volatile("red.relaxed.cta.global.add.u32 [%0], 1;" ::"l"(out) : "memory"); // @block_scope
}

__global__ void uninitialised_shared(int* out) {
    __shared__ int s[64];
    const int t = threadIdx.x;
    if (t < 32)
        s[t] = t;
    __syncthreads();
    out[t] = s[t]; // @uninitialised_shared-second
}

__global__ void uninitialised_global(int* out, const int* in) {
    out[threadIdx.x] = in[threadIdx.x]; // @uninitialised_global-second
}

__global__ void uninitialised_local(int* out, int n) {
    volatile int a[8];
    a[n & 7] = 1;
    out[threadIdx.x] = a[(n + 1) & 7]; // @uninitialised_local-second
}

__global__ void divergent_barrier(int* out) {
    const int t = threadIdx.x;
    if (t < 32) {
        out[t] = 1;
        __syncthreads(); // @divergent_barrier-first
        out[t] += 2;
    } else {
        out[t] = 5;
        __syncthreads(); // @divergent_barrier-second
        out[t] -= 1;
    }
}

__global__ void exited_threads(int* out) {
    const int t = threadIdx.x;
    if (t >= 32)
        return;
    out[t] = 1;
    __syncthreads(); // @exited_threads-first
    out[t] += 1;
} // @exited_threads-second

__global__ void wrong_count(int* out) {
    const int t = threadIdx.x;
    if (t < 32)
        asm volatile("bar.arrive 1, 64;" ::: "memory"); // @wrong_count
    else
        asm volatile("bar.arrive 1, 96;" ::: "memory"); // @wrong_count
    out[t] = t;
}

__global__ void stuck_barrier(int* out) {
    const int t = threadIdx.x;
    out[t] = t;
    if (t < 32)
        asm volatile("bar.sync 1, 64;" ::: "memory"); // @stuck_barrier-first
    out[t] += 1;
}

__global__ void wrong_mask(int* out) {
    __syncwarp(0xffff); // @wrong_mask-second
    out[threadIdx.x] = 1;
}

__global__ void copy_without_wait(int* out, const int* in) {
    __shared__ int s[32];
    const int t = threadIdx.x;
    const auto to = static_cast<unsigned>(__cvta_generic_to_shared(&s[t]));
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(in + t)); // @copy_without_wait-first
    asm volatile("cp.async.commit_group;" ::: "memory");
    out[t] = s[t]; // @copy_without_wait-second
}

__global__ void out_of_bounds(int* out) {
    out[threadIdx.x + 1000] = 1;
}

__global__ void fill(int* out) {
    out[threadIdx.x] = 1;
}

} // namespace

int main(int argc, char** argv) {
    if (argc != 2)
        return 2;
    const auto is = [&](const char* name) { return std::strcmp(argv[1], name) == 0; };
    int *out, *in, *flag;
    cudaMalloc(&out, 1024);
    cudaMalloc(&in, 1024);
    cudaMalloc(&flag, 4);
    cudaMemset(out, 0, 1024);
    cudaMemset(in, 0, 128);
    cudaMemset(flag, 0, 4);
    if (is("shared_race"))
        shared_race<<<1, 64>>>(out);
    else if (is("warp_race"))
        warp_race<<<1, 32>>>(out);
    else if (is("global_race"))
        global_race<<<2, 32>>>(out);
    else if (is("missing_fence"))
        missing_fence<<<2, 32>>>(out, in, flag);
    else if (is("block_scope"))
        block_scope<<<2, 32>>>(out);
    else if (is("uninitialised_shared"))
        uninitialised_shared<<<1, 64>>>(out);
    else if (is("uninitialised_global"))
        uninitialised_global<<<1, 64>>>(out, in);
    else if (is("uninitialised_local"))
        uninitialised_local<<<1, 32>>>(out, 3);
    else if (is("divergent_barrier"))
        divergent_barrier<<<1, 64>>>(out);
    else if (is("exited_threads"))
        exited_threads<<<1, 64>>>(out);
    else if (is("wrong_count"))
        wrong_count<<<1, 64>>>(out);
    else if (is("stuck_barrier"))
        stuck_barrier<<<1, 64>>>(out);
    else if (is("wrong_mask"))
        wrong_mask<<<1, 32>>>(out);
    else if (is("copy_without_wait"))
        copy_without_wait<<<1, 32>>>(out, in);
    else if (is("out_of_bounds"))
        out_of_bounds<<<1, 1>>>(out);
    else if (is("leak"))
        fill<<<1, 32>>>(out);
    else
        return 2;
    const bool failed = cudaDeviceSynchronize() != cudaSuccess;
    cudaFree(out);
    cudaFree(flag);
    if (!is("leak"))
        cudaFree(in);
    return failed && !is("stuck_barrier") && !is("out_of_bounds") ? 3 : 0;
}
