// Events tell simulated time: the same for the same work, proportional to clock(), and none between idle events.
// EXPECT: PASS
#include <cstdio>
#include <cuda_runtime.h>
__global__ void work(float* p, long long* cycles) {
    const long long begin = clock64();
    float x = p[threadIdx.x];
    for (int i = 0; i < 1000; ++i)
        x = x * 1.0001f + 0.5f;
    p[threadIdx.x] = x;
    if (threadIdx.x == 0)
        *cycles = clock64() - begin;
}
int main() {
    float* p;
    long long *cycles, counted;
    cudaMalloc((void**)&p, 128);
    cudaMalloc((void**)&cycles, 8);
    cudaEvent_t e[4];
    for (cudaEvent_t& each : e)
        cudaEventCreate(&each);
    for (int i = 0; i < 3; ++i) {
        cudaEventRecord(e[i]);
        if (i < 2)
            work<<<1, 32>>>(p, cycles);
    }
    cudaEventRecord(e[3]);
    cudaEventSynchronize(e[3]);
    float first, second, idle;
    cudaEventElapsedTime(&first, e[0], e[1]);
    cudaEventElapsedTime(&second, e[1], e[2]);
    cudaEventElapsedTime(&idle, e[2], e[3]);
    cudaMemcpy(&counted, cycles, 8, cudaMemcpyDeviceToHost);
    int khz = 0;
    cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, 0);
    const double cycles_of_first = double(first) * khz;
    if (idle != 0 || first <= 0 || second <= 0 || second > 1.1f * first)
        std::printf("times %g %g %g ms\n", first, second, idle);
    else if (counted < 1000 || cycles_of_first < double(counted) || cycles_of_first > counted + 2000.0)
        std::printf("%lld cycles counted, %g by the events\n", counted, cycles_of_first);
    else
        std::puts("PASS");
}
