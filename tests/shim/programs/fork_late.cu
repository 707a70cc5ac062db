// A process that is forked after the first use of the device cannot use it; its parent goes on.
// OPTIONS: -lcuda
// EXPECT: child: 3 3 3 3 3, driver: 3
// EXPECT: parent: 6
// ERROR: a process has forked after its first use of the device
#include <cstdio>
#include <cuda.h>
#include <cuda_runtime.h>
#include <unistd.h>

#include <sys/wait.h>

__global__ void add(int* to) {
    *to += 1;
}

int main() {
    int *device, *other = nullptr, value = 5;
    cudaMalloc(&device, sizeof *device);
    cudaMemcpy(device, &value, sizeof value, cudaMemcpyHostToDevice);
    if (fork() == 0) {
        const int allocated = cudaMalloc(&other, sizeof *other), filled = cudaMemset(device, 1, sizeof *device);
        const int copied = cudaMemcpy(&value, device, sizeof value, cudaMemcpyDeviceToHost);
        add<<<1, 1>>>(device);
        const int launched = cudaGetLastError(), ended = cudaDeviceSynchronize();
        CUdeviceptr pointer = 0;
        std::printf("child: %d %d %d %d %d, ", allocated, filled, copied, launched, ended);
        std::printf("driver: %d\n", static_cast<int>(cuMemAlloc(&pointer, 16)));
        std::fflush(stdout);
        _exit(0);
    }
    wait(nullptr);
    add<<<1, 1>>>(device);
    cudaMemcpy(&value, device, sizeof value, cudaMemcpyDeviceToHost);
    std::printf("parent: %d\n", value);
}
