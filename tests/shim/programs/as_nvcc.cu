// What nvcc takes and clang 14 does otherwise: heddle-cc makes clang do as nvcc does.
// EXPECT: leader's value 0 wrong, by a function of the program 0 wrong, counted 4
// EXPECT: fields: ffffffff ffffffffff ff 7 7 f
// EXPECT: to bit 31: -6442450944 6442450945
// EXPECT: no return: 3 7 3 7
// EXPECT: as another type: 3f800000
// EXPECT: lane 33: 1
// EXPECT: aligned: 0 0
// EXPECT: a word of LLVM's: i32 noundef %x
#include <cstdio>

__device__ unsigned counter, wrong[2];

__device__ unsigned broadcast(unsigned value, int from) {
    return __shfl_sync(~0u, value, from);
}

// The leader's value alone is defined before it is passed to the others.
__global__ void count_warps() {
    const int lane = threadIdx.x % 32;
    unsigned mine, other;
    if (lane == 0)
        mine = atomicAdd(&counter, 1);
    mine = __shfl_sync(~0u, mine, 0);
    if (lane == 7)
        other = atomicAdd(&counter, 1);
    other = broadcast(other, 7);
    if (mine >= 4)
        atomicAdd(&wrong[0], 1);
    if (other >= 4)
        atomicAdd(&wrong[1], 1);
}

// Bits of signed numbers that reach beyond bit 63: copies of the sign.
__global__ void fields(const long long* x, unsigned long long* out) {
    out[0] = (x[0] >> 40) & 0xffffffff;
    out[1] = (x[0] >> 36) & 0xffffffffff;
    out[2] = (unsigned char)(x[0] >> 60);
    out[3] = (x[0] >> 63) & 7;
    out[4] = x[0] < 0 ? 7ull : 0ull;
    out[5] = ((unsigned long long)x[0] >> 60) & 0xff;
}

// Products and shifts to the bit that is the sign of 32 bits
__global__ void to_bit_31(const int* x, long long* out) {
    const int i = x[0] / -100;
    out[0] = (long long)((unsigned long long)i << 31);
    out[1] = i * -2147483648LL + 1;
}

__device__ int set(int* out, int i) {
    if (i & 1) {
        out[i] = 7;
        return 1;
    } else
        out[i] = 3;
}
__global__ void without_return(int* out) {
    set(out, threadIdx.x);
}

__device__ unsigned bits_behind(float* value, unsigned* bits) {
    *bits = 5;
    *value = 1;
    return *bits;
}
__global__ void as_another_type(unsigned* out) {
    out[1] = bits_behind((float*)out, out);
}

__global__ void lane_of_33(unsigned* out) {
    register unsigned lane;
    asm volatile("{ .reg .u32 copy;\n\t" // with operands
                 "mov.u32 copy, %laneid; mov.u32 %0, copy; }"
                 : "=r"(lane));
    if (threadIdx.x == 33)
        *out = lane;
}

__constant__ alignas(32) unsigned table[2] = {1, 2};
__global__ void aligned(unsigned* out) {
    __shared__ alignas(64) unsigned char bytes[3];
    bytes[0] = 0;
    out[0] = (unsigned)(unsigned long long)bytes % 64 + bytes[0];
    out[1] = (unsigned)(unsigned long long)table % 32;
}

__global__ void say() {
    std::printf("a word of LLVM's: i32 noundef %%x\n");
}

int main() {
    unsigned counted, failed[2], *out, host[4];
    count_warps<<<1, 64>>>();
    cudaMemcpyFromSymbol(&counted, counter, sizeof counted);
    cudaMemcpyFromSymbol(failed, wrong, sizeof failed);
    std::printf("leader's value %u wrong, by a function of the program %u wrong, counted %u\n", failed[0], failed[1],
                counted);

    long long x = -1;
    unsigned long long *device, found[6];
    cudaMalloc(&device, sizeof found + sizeof x);
    cudaMemcpy(device + 6, &x, sizeof x, cudaMemcpyHostToDevice);
    fields<<<1, 1>>>((long long*)device + 6, device);
    cudaMemcpy(found, device, sizeof found, cudaMemcpyDeviceToHost);
    std::printf("fields: %llx %llx %llx %llx %llx %llx\n", found[0], found[1], found[2], found[3], found[4], found[5]);

    const int number = 300; // a hundredth of it is 3
    cudaMemcpy(device + 6, &number, sizeof number, cudaMemcpyHostToDevice);
    to_bit_31<<<1, 1>>>((int*)(device + 6), (long long*)device);
    cudaMemcpy(found, device, sizeof found, cudaMemcpyDeviceToHost);
    std::printf("to bit 31: %lld %lld\n", (long long)found[0], (long long)found[1]);

    cudaMalloc(&out, sizeof host);
    without_return<<<1, 4>>>((int*)out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    std::printf("no return: %u %u %u %u\n", host[0], host[1], host[2], host[3]);
    as_another_type<<<1, 1>>>(out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    std::printf("as another type: %x\n", host[1]);
    lane_of_33<<<1, 64>>>(out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    std::printf("lane 33: %u\n", host[0]);
    aligned<<<1, 1>>>(out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    std::printf("aligned: %u %u\n", host[0], host[1]);
    say<<<1, 1>>>();
    cudaDeviceSynchronize();
}
