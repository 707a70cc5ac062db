// Programs' usual ways to order accesses, for checker_test.py: none of them has an error. `patterns NAME` runs one of
// them; its exit status is 1 when the result is wrong.
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>
#include <vector>

namespace {

constexpr int kBlock = 128, kGrid = 8, kItems = kBlock * kGrid;

// Shared memory, then shuffles, then the last warp by __syncwarp().
__global__ void reduction(const int* in, int* out) {
    __shared__ int s[kBlock];
    const int t = threadIdx.x;
    s[t] = in[blockIdx.x * kBlock + t];
    __syncthreads();
    for (int n = kBlock / 2; n >= 32; n /= 2) {
        if (t < n)
            s[t] += s[t + n];
        __syncthreads();
    }
    if (t < 32) {
        for (int n = 16; n > 0; n /= 2) {
            int v = s[t];
            __syncwarp();
            if (t < n)
                v += s[t + n];
            __syncwarp();
            s[t] = v;
            __syncwarp();
        }
        const int sum = s[0];
        const int same = __shfl_sync(~0U, sum, 0);
        if (t == 0)
            atomicAdd(out, same);
    }
}

// threadFenceReduction: the block that comes last sums what all blocks have left.
__device__ unsigned arrived;
__global__ void last_block(const int* in, volatile int* partial, int* out) {
    __shared__ int s[kBlock];
    __shared__ bool last;
    const int t = threadIdx.x;
    s[t] = in[blockIdx.x * kBlock + t];
    __syncthreads();
    for (int n = kBlock / 2; n > 0; n /= 2) {
        if (t < n)
            s[t] += s[t + n];
        __syncthreads();
    }
    if (t == 0) {
        partial[blockIdx.x] = s[0];
        __threadfence();
        last = atomicInc(&arrived, kGrid) == kGrid - 1;
    }
    __syncthreads();
    if (!last)
        return;
    if (t == 0) {
        int sum = 0;
        for (int i = 0; i < kGrid; ++i)
            sum += partial[i];
        out[0] = sum;
    }
}

// The same with plain accesses, and a fence of each thread before the barrier.
__global__ void fences_before_barrier(const int* in, int* partial, int* out) {
    __shared__ bool last;
    const int t = threadIdx.x;
    partial[blockIdx.x * kBlock + t] = in[blockIdx.x * kBlock + t];
    __threadfence();
    __syncthreads();
    if (t == 0)
        last = atomicAdd(&arrived, 1) == kGrid - 1;
    __syncthreads();
    if (last && t == 0) {
        int sum = 0;
        for (int i = 0; i < kItems; ++i)
            sum += partial[i];
        out[0] = sum;
    }
}

// Hillis and Steele, in two buffers.
__global__ void scan(const int* in, int* out) {
    __shared__ int s[2][kBlock];
    const int t = threadIdx.x;
    int from = 0;
    s[0][t] = in[t];
    __syncthreads();
    for (int n = 1; n < kBlock; n *= 2) {
        s[1 - from][t] = s[from][t] + (t >= n ? s[from][t - n] : 0);
        from = 1 - from;
        __syncthreads();
    }
    if (t == kBlock - 1)
        out[0] = s[from][t];
}

__global__ void histogram(const int* in, int* bins) {
    __shared__ int s[16];
    const int t = threadIdx.x;
    if (t < 16)
        s[t] = 0;
    __syncthreads();
    atomicAdd(&s[in[blockIdx.x * kBlock + t] % 16], 1);
    __syncthreads();
    if (t < 16)
        atomicAdd(&bins[t], s[t]);
}

// Bytes of one word belong to different threads.
__global__ void bytes_of_words(const int* in, int* out) {
    __shared__ unsigned char s[kBlock];
    const int t = threadIdx.x;
    s[t] = static_cast<unsigned char>(in[t]);
    __syncthreads();
    if (t == 0) {
        int sum = 0;
        for (int i = 0; i < kBlock; ++i)
            sum += s[i];
        out[0] = sum;
    }
}

// A block takes the sum of all blocks before it from the nearest of them that has one (Merrill and Garland).
struct Status {
    int flag, aggregate, prefix;
};
__global__ void look_back(const int* in, volatile Status* status, int* out) {
    __shared__ int s[kBlock];
    __shared__ int before;
    const int t = threadIdx.x, b = static_cast<int>(blockIdx.x);
    s[t] = in[b * kBlock + t];
    __syncthreads();
    for (int n = kBlock / 2; n > 0; n /= 2) {
        if (t < n)
            s[t] += s[t + n];
        __syncthreads();
    }
    if (t == 0) {
        status[b].aggregate = s[0];
        __threadfence();
        status[b].flag = 1;
        int sum = 0;
        for (int i = b - 1; i >= 0; --i) {
            int flag;
            do {
                flag = status[i].flag;
            } while (flag == 0);
            __threadfence();
            if (flag == 2) {
                sum += status[i].prefix;
                break;
            }
            sum += status[i].aggregate;
        }
        before = sum;
        status[b].prefix = sum + s[0];
        __threadfence();
        status[b].flag = 2;
    }
    __syncthreads();
    if (b == kGrid - 1 && t == 0)
        out[0] = before + s[0];
}

// A barrier of all blocks, made by hand; then each block reads what the next one has written.
__device__ void grid_barrier(int* count, int goal) {
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(count, 1);
        while (atomicAdd(count, 0) < goal) {
        }
        __threadfence();
    }
    __syncthreads();
}
__global__ void grid(const int* in, int* middle, int* count, int* out) {
    const int i = static_cast<int>(blockIdx.x) * kBlock + static_cast<int>(threadIdx.x);
    middle[i] = in[i];
    grid_barrier(count, kGrid);
    atomicAdd(out, middle[(i + kBlock) % kItems]);
    grid_barrier(count, 2 * kGrid);
    middle[(i + kBlock) % kItems] = 0;
}

// .release and .acquire instead of fences: the data behind a lock.
__global__ void lock(const int* in, int* word, int* out) {
    if (threadIdx.x != 0)
        return;
    for (bool done = false; !done;) {
        int old;
        asm volatile("atom.acquire.gpu.global.cas.b32 %0, [%1], 0, 1;" : "=r"(old) : "l"(word) : "memory");
        if (old != 0)
            continue;
        for (int i = 0; i < kBlock; ++i)
            out[0] += in[blockIdx.x * kBlock + i];
        asm volatile("st.release.gpu.global.u32 [%0], 0;" ::"l"(word) : "memory");
        done = true;
    }
}

// Copies of the next tile while the last one is summed.
__global__ void copies(const int* in, int* out) {
    __shared__ int s[2][kBlock];
    const int t = threadIdx.x;
    const auto fetch = [&](int tile) {
        const auto to = static_cast<unsigned>(__cvta_generic_to_shared(&s[tile % 2][t]));
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(in + tile * kBlock + t) : "memory");
        asm volatile("cp.async.commit_group;" ::: "memory");
    };
    fetch(0);
    int sum = 0;
    for (int tile = 0; tile < kGrid; ++tile) {
        if (tile + 1 < kGrid) {
            fetch(tile + 1);
            asm volatile("cp.async.wait_group 1;" ::: "memory");
        } else {
            asm volatile("cp.async.wait_all;" ::: "memory");
        }
        __syncthreads();
        sum += s[tile % 2][(t + 7) % kBlock];
        __syncthreads();
    }
    atomicAdd(out, sum);
}

// One warp produces, the others consume, by two barrier objects.
__global__ void barrier_objects(const int* in, int* out) {
    __shared__ int s[kBlock];
    __shared__ unsigned long long full, empty;
    const int t = threadIdx.x;
    const auto full_at = static_cast<unsigned>(__cvta_generic_to_shared(&full));
    const auto empty_at = static_cast<unsigned>(__cvta_generic_to_shared(&empty));
    if (t == 0) {
        asm volatile("mbarrier.init.shared.b64 [%0], 32;" ::"r"(full_at) : "memory");
        asm volatile("mbarrier.init.shared.b64 [%0], 96;" ::"r"(empty_at) : "memory");
    }
    __syncthreads();
    const auto arrive = [](unsigned at) {
        asm volatile("{ .reg .b64 %%state; mbarrier.arrive.shared.b64 %%state, [%0]; }" ::"r"(at) : "memory");
    };
    const auto wait = [](unsigned at, int parity) {
        unsigned done = 0;
        while (done == 0)
            asm volatile(
                "{ .reg .pred %%p; mbarrier.test_wait.parity.shared.b64 %%p, [%1], %2; selp.u32 %0, 1, 0, %%p; }"
                : "=r"(done)
                : "r"(at), "r"(parity)
                : "memory");
    };
    int sum = 0;
    for (int round = 0; round < kGrid; ++round) {
        if (t < 32) {
            if (round > 0)
                wait(empty_at, (round - 1) % 2);
            for (int i = t; i < kBlock; i += 32)
                s[i] = in[round * kBlock + i];
            arrive(full_at);
        } else {
            wait(full_at, round % 2);
            sum += s[t] + (t < 64 ? s[t - 32] : 0);
            arrive(empty_at);
        }
    }
    atomicAdd(out, sum);
}

// Named barriers between producers and consumers.
__global__ void named_barriers(const int* in, int* out) {
    __shared__ int s[kBlock];
    const int t = threadIdx.x;
    if (t < 64) {
        s[t] = in[t];
        s[t + 64] = in[t + 64];
        asm volatile("bar.arrive 1, 128;" ::: "memory");
    } else {
        asm volatile("bar.sync 1, 128;" ::: "memory");
        atomicAdd(out, s[t] + s[t - 64]);
    }
}

// nvcc copies a structure with holes as large as its member as a vector.
struct alignas(16) Padded {
    int value;
};
__global__ void padded(const int* in, int* out) {
    __shared__ Padded values[kBlock];
    values[threadIdx.x].value = in[threadIdx.x];
    __syncthreads();
    const auto from = static_cast<unsigned>(__cvta_generic_to_shared(&values[kBlock - 1 - threadIdx.x]));
    int copy[4];
    asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(copy[0]), "=r"(copy[1]), "=r"(copy[2]), "=r"(copy[3])
                 : "r"(from));
    atomicAdd(out, copy[0]);
}

} // namespace

int main(int argc, char** argv) {
    if (argc != 2)
        return 2;
    const auto is = [&](const char* name) { return std::strcmp(argv[1], name) == 0; };
    std::vector<int> values(kItems);
    int all = 0, first = 0;
    for (int i = 0; i < kItems; ++i) {
        values[i] = i % 13;
        all += values[i];
        first += i < kBlock ? values[i] : 0;
    }
    int *in, *out, *middle, *word;
    cudaMalloc(&in, kItems * 4);
    cudaMalloc(&out, 64);
    cudaMalloc(&middle, kItems * 4);
    cudaMalloc(&word, 4);
    cudaMemcpy(in, values.data(), kItems * 4, cudaMemcpyHostToDevice);
    cudaMemset(out, 0, 64);
    cudaMemset(word, 0, 4);
    int expected = all;
    if (is("reduction"))
        reduction<<<kGrid, kBlock>>>(in, out);
    else if (is("last_block"))
        last_block<<<kGrid, kBlock>>>(in, middle, out);
    else if (is("fences_before_barrier"))
        fences_before_barrier<<<kGrid, kBlock>>>(in, middle, out);
    else if (is("scan"))
        scan<<<1, kBlock>>>(in, out), expected = first;
    else if (is("histogram")) // of values 0 to 12; 1024 = 78 * 13 + 10
        histogram<<<kGrid, kBlock>>>(in, out), expected = 79;
    else if (is("bytes_of_words"))
        bytes_of_words<<<1, kBlock>>>(in, out), expected = first;
    else if (is("padded"))
        padded<<<1, kBlock>>>(in, out), expected = first;
    else if (is("look_back")) {
        cudaMemset(middle, 0, kGrid * sizeof(Status));
        look_back<<<kGrid, kBlock>>>(in, reinterpret_cast<Status*>(middle), out);
    } else if (is("grid"))
        grid<<<kGrid, kBlock>>>(in, middle, word, out);
    else if (is("lock"))
        lock<<<kGrid, kBlock>>>(in, word, out);
    else if (is("copies"))
        copies<<<1, kBlock>>>(in, out);
    else if (is("barrier_objects"))
        barrier_objects<<<1, kBlock>>>(in, out);
    else if (is("named_barriers"))
        named_barriers<<<1, kBlock>>>(in, out), expected = first;
    else
        return 2;
    int result = 0;
    cudaMemcpy(&result, out, 4, cudaMemcpyDeviceToHost);
    cudaFree(in);
    cudaFree(out);
    cudaFree(middle);
    cudaFree(word);
    if (result != expected)
        std::printf("%d, not %d\n", result, expected);
    return result == expected ? 0 : 1;
}
