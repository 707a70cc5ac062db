// Pointers of libcu++ that say how the memory behind them is used; a program that asks for the compiler's version.
// NEEDS: cuda/annotated_ptr
// ARCH: 80
// EXPECT: wrong: 0
// EXPECT: of the version: 1
#include <cstdio>

#include <cuda/annotated_ptr>

__global__ void reverse(const int* in, int* out) {
    cuda::annotated_ptr<const int, cuda::access_property::persisting> from(in);
    cuda::annotated_ptr<int, cuda::access_property::streaming> to(out);
    __shared__ int memory[32];
    cuda::annotated_ptr<int, cuda::access_property::shared> shared(memory);
    shared[threadIdx.x] = from[threadIdx.x];
    __syncthreads();
    const int* const known = cuda::associate_access_property(in, cuda::access_property::streaming());
    to[threadIdx.x] = shared[31 - threadIdx.x] + known[0];
}

int main() {
    int *in, *out, wrong = 0;
    cudaMallocManaged(&in, 32 * sizeof(int));
    cudaMallocManaged(&out, 32 * sizeof(int));
    for (int i = 0; i < 32; ++i)
        in[i] = i + 5;
    reverse<<<1, 32>>>(in, out);
    cudaDeviceSynchronize();
    for (int i = 0; i < 32; ++i)
        wrong += out[i] != (31 - i) + 5 + 5;
    std::printf("wrong: %d\n", wrong);
    std::printf("of the version: %d\n", __CUDACC_VER_MAJOR__ * 1000 + __CUDACC_VER_MINOR__ * 10 == CUDART_VERSION &&
                                            CUDART_VERSION >= 12000 && __CUDACC_VER_BUILD__ > 0);
}
