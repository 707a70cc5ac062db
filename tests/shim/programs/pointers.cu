// Calls through pointers: of functions, from a table, from the host, and of virtual functions.
// EXPECT: table: 0 2 4 6 4 10 36 14 16
// EXPECT: from the host: 12
// EXPECT: shapes: 0 4 3 36 7 100
// EXPECT: to nothing: cudaErrorLaunchFailure
// ERROR: a call of a function that has no body here, or through a pointer to no function that it could be
#include <cstdio>
#include <cuda_runtime.h>
#include <new>

typedef int (*Operation)(int);
__device__ __noinline__ int twice(int x) {
    return 2 * x;
}
__device__ __noinline__ int square(int x) {
    return x * x;
}
__device__ __noinline__ int same(int x) {
    return x;
}
__device__ Operation table[] = {twice, square, same};
__device__ Operation chosen = square;

// Lanes of one warp call different functions.
__global__ void by_table(int* out) {
    const int i = threadIdx.x;
    out[i] = table[i % 3 == 0 && i % 2 == 0 ? (i % 4 == 0 ? 2 : 1) : i % 8 == 4 ? 2 : 0](i);
}
__global__ void by_argument(int* out, Operation operation) {
    out[threadIdx.x] = operation(static_cast<int>(threadIdx.x) + 2) + (threadIdx.x == 1 ? 3 : 0);
}

struct Shape {
    __device__ virtual int area() const = 0;
    __device__ virtual int corners() const {
        return 0;
    }
};
struct Square : Shape {
    int side;
    __device__ explicit Square(int side) : side(side) {}
    __device__ int area() const override {
        return side * side;
    }
};
struct Strip : Shape {
    int length;
    __device__ explicit Strip(int length) : length(length) {}
    __device__ int area() const override {
        return length + corners();
    }
    __device__ int corners() const override {
        return length > 4 ? 1 : 0;
    }
};
__global__ void areas(int* out) {
    __shared__ long long memory[32][2];
    const int i = threadIdx.x;
    Shape* shape;
    if (i % 2 == 1)
        shape = new (memory[i]) Square(2 * (i == 5 ? 5 : i));
    else
        shape = new (memory[i]) Strip(i + i / 2);
    __syncthreads();
    out[i] = shape->area();
}

int main() {
    int* out;
    cudaMallocManaged(&out, 32 * sizeof(int));
    by_table<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    std::printf("table:");
    for (int i = 0; i < 9; ++i)
        std::printf(" %d", out[i]);
    Operation operation = nullptr;
    cudaMemcpyFromSymbol(&operation, chosen, sizeof operation);
    by_argument<<<1, 2>>>(out, operation);
    cudaDeviceSynchronize();
    std::printf("\nfrom the host: %d\nshapes:", out[1]);
    areas<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    for (int i = 0; i < 6; ++i)
        std::printf(" %d", out[i]);
    by_argument<<<1, 1>>>(out, nullptr);
    std::printf("\nto nothing: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
