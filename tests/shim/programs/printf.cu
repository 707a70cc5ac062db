// printf and assert of device code.
// EXPECT: int -3, unsigned 4294967293, hex ff, char x, percent %
// EXPECT: long -5000000000, float 0.50, double 1.500000e+10, wide    7, left 7   |
// EXPECT: text abc and def, 3 arguments
// EXPECT: half of 5: 2.5
// EXPECT: thread 0 of block 0
// EXPECT: thread 1 of block 0
// EXPECT: thread 2 of block 0
// EXPECT: true: no error
// EXPECT: before
// EXPECT: false: device-side assert triggered
// ERROR: printf.cu:36: void check(int): assertion 'n < 4' failed
// ERROR: block (0,0,0) thread (4,0,0)
#include <cassert>
#include <cstdio>
#include <cuda_runtime.h>

__device__ const char* words[] = {"abc", "def"};

__global__ void kinds(int n) {
    printf("int %d, unsigned %u, hex %x, char %c, percent %%\n", n, n, 255, 'x');
    printf("long %ld, float %.2f, double %e, wide %*d, left %-4d|\n", -5000000000l, 0.5f, 1.5e10, 4, 7, 7);
    const int given = printf("");
    printf("text %s and %s, %d arguments\n", words[0], words[1], given + 3);
    if (n < 0)
        printf("half of %d: %g\n", 5, 2.5);
}
__global__ void everyone() {
    printf("thread %d of block %d\n", threadIdx.x, blockIdx.x);
}

__global__ void check(int n) {
    n += threadIdx.x;
    if (n == 0)
        printf("before\n");
    assert(n < 4);
}

int main() {
    kinds<<<1, 1>>>(-3);
    everyone<<<1, 3>>>();
    check<<<1, 3>>>(1);
    std::printf("true: %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    check<<<1, 5>>>(0);
    std::printf("false: %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
