// One source that makes compilers print many parts of PTX: structs by value, recursion, calls through
// pointers, initialised variables, strings, vectors, local arrays, dense switches, inline assembly.
#ifdef __clang__
#include "samples.h"
#else
#include <cstdio>
#endif

struct Body {
    float x, y, z;
    int id;
};
struct Link {
    const int* to;
    float weight;
    double exact;
};
typedef int (*Op)(int);

__constant__ float weights[4] = {0.5f, -1.25f, 3.0f, 1e-3f};
__device__ int table[2][3] = {{1, 2, 3}, {-4, 5}};
__device__ Link links[2] = {{&table[1][2], 1.5f, 0.1}, {0, -2.f, -7.25}};
__device__ double ratio = 0.3333;
__device__ unsigned char bytes[5] = {1, 2, 255};
__device__ unsigned counter;
extern __shared__ float dynamic[];

__device__ __noinline__ float blend(Body b, float t) {
    return b.x * t + b.y * (1.f - t) + b.z;
}
__device__ __noinline__ int fib(int n) {
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}
__device__ __noinline__ Body turn(Body b) {
    Body r = {b.y, b.z, b.x, b.id + 1};
    return r;
}
__device__ __noinline__ int twice(int a) {
    return 2 * a;
}
__device__ __noinline__ int square(int a) {
    return a * a;
}
__device__ Op ops[2] = {twice, square};

static __device__ float inlined(float a, const float* p) {
    return a * p[0] + p[1];
}

extern "C" __global__ void mix(const Body* in, float* out, int n, Body extra, char c) {
    __shared__ float tile[64];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    tile[threadIdx.x & 63] = i < n ? in[i].x : 0.f;
    dynamic[threadIdx.x] = weights[i & 3];
    __syncthreads();
    if (i < n) {
        Body b = turn(in[i]);
        out[i] = blend(b, tile[(threadIdx.x + 1) & 63]) + extra.z + dynamic[0] + c + fib(b.id);
    }
}

extern "C" __global__ void __launch_bounds__(128, 2) pick(int* data, int n) {
    int i = threadIdx.x, r = 0;
    int local[8];
    for (int k = 0; k < 8; ++k)
        local[k] = data[k * n + i];
    switch (data[i]) {
    case 0:
        r = 3;
        break;
    case 1:
        r = local[i & 7];
        break;
    case 2:
        r = ops[i & 1](i);
        break;
    case 3:
        r = table[i & 1][2];
        break;
    case 4:
        r = *links[i & 1].to;
        break;
    case 5:
        r = (int)ratio;
        break;
    default:
        r = -1;
    }
    unsigned mask;
    asm volatile("{\n\t.reg .pred p;\n\tsetp.ne.s32 p, %1, 0;\n\tvote.sync.ballot.b32 %0, p, 0xffffffff;\n\t}"
                 : "=r"(mask)
                 : "r"(r));
    data[i] = r + mask + bytes[i & 3];
    while (data[i] > 0 && i < n) {
        data[i] -= i + 1;
        if (data[i + 1] == 7)
            break;
    }
    asm volatile("{ .reg .pred p; setp.eq.s32 p, %0, 1; @!p bra DONE; st.global.u32 [%1+4], 9; DONE: }" ::"r"(r),
                 "l"(data));
}

extern "C" __global__ void wide(const float4* in, float4* out, double* d, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 v = in[i];
    v.x = inlined(v.y, &in[n].x) + weights[n];
    v.w = v.x / v.z;
    out[i] = v;
    d[i] = d[i] * 0.1 + ratio;
    int other;
    asm volatile("{ .reg .pred p; shfl.sync.bfly.b32 %0|p, %1, 1, 31, -1; @p add.s32 %0, %0, 1; }"
                 : "=r"(other)
                 : "r"(i));
    if (other == n)
        printf("%d of \"%s\"\n", i, "wide");
}

extern "C" __global__ void jump(int* data) {
    int v = data[threadIdx.x];
    switch (v) {
    case 0:
        asm volatile("bar.sync 0;");
        data[1] = 7;
        break;
    case 1:
        v = twice(v);
        break;
    case 2:
        data[3] = v;
        break;
    case 3:
        v = square(v);
        break;
    case 4:
        data[v] = 4;
        data[5] = 1;
        break;
    case 5:
        v = fib(v);
        break;
    case 6:
        data[9] = data[8];
        break;
    case 7:
        v = data[v + 1];
        break;
    }
    data[threadIdx.x] = v;
}
