// A small program for the commands of the pages that name a program of the reader's.
#include <cstdio>
#include <vector>

__global__ void scale(float* values, int count, float factor) {
    const int at = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (at < count)
        values[at] *= factor;
}

int main() {
    std::vector<float> values(1000, 2.0f);
    float* device = nullptr;
    cudaMalloc(&device, values.size() * sizeof(float));
    cudaMemcpy(device, values.data(), values.size() * sizeof(float), cudaMemcpyHostToDevice);
    scale<<<4, 256>>>(device, static_cast<int>(values.size()), 1.5f);
    cudaMemcpy(values.data(), device, values.size() * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(device);
    for (const float value : values)
        if (value != 3.0f) {
            std::printf("FAIL: %g\n", static_cast<double>(value));
            return 1;
        }
    std::printf("PASS\n");
}
