// Calls a function of second.cu.
#include <cstdio>

__device__ int twice(int);

__global__ void call(int* result) {
    *result = twice(21);
}

int main() {
    int* device = nullptr;
    int result = 0;
    cudaMalloc(&device, sizeof(int));
    call<<<1, 1>>>(device);
    cudaMemcpy(&result, device, sizeof(int), cudaMemcpyDeviceToHost);
    std::printf("%d\n", result);
    return result == 42 ? 0 : 1;
}
