// y = a x + y: saxpy [ELEMENTS ...], of which the last counts. Prints PASS when the result is right.
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void saxpy(int n, float a, const float* x, float* y) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n)
        y[i] += a * x[i];
}

int main(int argc, char** argv) {
    const int n = argc > 1 ? std::atoi(argv[argc - 1]) : 256;
    const std::size_t bytes = static_cast<std::size_t>(n) * sizeof(float);
    std::vector<float> x(static_cast<std::size_t>(n), 3), y(static_cast<std::size_t>(n), 1);
    float *dx = nullptr, *dy = nullptr;
    cudaMalloc(&dx, bytes);
    cudaMalloc(&dy, bytes);
    cudaMemcpy(dx, x.data(), bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(dy, y.data(), bytes, cudaMemcpyHostToDevice);
    saxpy<<<(n + 127) / 128, 128>>>(n, 2, dx, dy);
    if (cudaMemcpy(y.data(), dy, bytes, cudaMemcpyDeviceToHost) != cudaSuccess)
        return 1;
    for (const float value : y)
        if (value != 7)
            return std::puts("FAIL"), 1;
    std::puts("PASS");
}
