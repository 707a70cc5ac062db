// The sum of the absolute values of random numbers: cuRAND's numbers are in (0, 1], so it is about half of their count.
#include <cstdio>
#include <cublas_v2.h>
#include <curand.h>

int main() {
    constexpr int kCount = 4096;
    float* values = nullptr;
    float sum = 0;
    cudaMalloc(&values, kCount * sizeof(float));
    curandGenerator_t generator;
    curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT);
    curandGenerateUniform(generator, values, kCount);
    cublasHandle_t handle;
    cublasCreate(&handle);
    cublasSasum(handle, kCount, values, 1, &sum);
    std::printf("%s\n", sum > 0.45f * kCount && sum < 0.55f * kCount ? "PASS" : "FAIL");
    cublasDestroy(handle);
    curandDestroyGenerator(generator);
    cudaFree(values);
    return sum > 0.45f * kCount && sum < 0.55f * kCount ? 0 : 1;
}
