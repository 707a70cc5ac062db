// libcu++, which comes with nvcc, and with Debian for clang: atomics of all scopes, tuples, arrays, limits; what
// programs ask of their compiler.
// NEEDS: cuda/std/atomic
// EXPECT: no error
// EXPECT: atomics 202 315 64
// EXPECT: values 32830 32893
// EXPECT: device code by nvcc's names: 1 1
#include <cstdio>
#include <new>

#include <cuda/atomic>
#include <cuda/std/array>
#include <cuda/std/limits>
#include <cuda/std/tuple>

#ifdef __CUDACC__
#define BOTH_SIDES __host__ __device__
#else
#define BOTH_SIDES
#endif

BOTH_SIDES constexpr int twice(int x) {
    return 2 * x;
}

using OfSystem = cuda::atomic<int, cuda::thread_scope_system>;

__global__ void use(int* out, OfSystem* sum, unsigned long long* most, int* count) {
    __shared__ int mirror[64];
    mirror[threadIdx.x] = threadIdx.x;
    __syncthreads();
    sum->fetch_add(3, cuda::std::memory_order_acq_rel);
    cuda::atomic_ref<unsigned long long, cuda::thread_scope_device>(*most).fetch_max(threadIdx.x * 5ULL);
    const cuda::std::tuple<int, float> pair(threadIdx.x, 0.5F);
    const cuda::std::array<int, 3> factors{1, twice(1), 3};
    out[threadIdx.x] =
        cuda::std::get<0>(pair) * factors[1] + mirror[63 - threadIdx.x] + cuda::std::numeric_limits<short>::max();
    cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_block);
    cuda::atomic_ref<int, cuda::thread_scope_block> counted(*count);
    for (int seen = counted.load(); !counted.compare_exchange_weak(seen, seen + 1);)
        ;
}

template <class T>
T* shared_with_host(std::size_t count = 1) {
    void* memory = nullptr;
    cudaMallocManaged(&memory, count * sizeof(T));
    return static_cast<T*>(memory);
}

int main() {
    int* const out = shared_with_host<int>(64);
    OfSystem* const sum = new (shared_with_host<OfSystem>()) OfSystem(10);
    auto* const most = shared_with_host<unsigned long long>();
    int* const count = shared_with_host<int>();
    use<<<1, 64>>>(out, sum, most, count);
    std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    std::printf("atomics %d %llu %d\n", sum->load(), *most, *count);
    std::printf("values %d %d\n", out[0], out[63]);
#if defined(__CUDACC__) && defined(__CUDA_ARCH_LIST__)
    std::printf("device code by nvcc's names: %d %d\n", __CUDACC__, __CUDA_ARCH_LIST__ == 750);
#endif
}
