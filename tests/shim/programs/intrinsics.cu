// Intrinsics of device code that no other program here uses.
// EXPECT: loads and stores: 15 60
// EXPECT: dot products: -9 1011 10 20
// EXPECT: means: -2 -1 2147483647 2147483648
// EXPECT: extrema: 3 4294967295 -5 4 5 18446744073709551611
// EXPECT: bits of long long: 4 -1 -5
// EXPECT: bytes reversed: 201 4030201 807060504030201, on the host: 201 4030201 807060504030201
// EXPECT: quotients: 0.75 -2.5
// EXPECT: barriers: 96 64
// EXPECT: copies: 0 1 2 3 4 5 7 7 7 9
#include <cstdio>
#include <cuda_runtime.h>

__global__ void hints(int* data) {
    data[0] = __ldca(data + 1) + __ldcg(data + 2) + __ldcs(data + 3) + __ldcv(data + 4) + __ldg(data + 5);
    __stwb(data + 6, 6);
    __stcg(data + 7, 12);
    __stcs(data + 8, 18);
    __stwt(data + 9, 24);
}

__global__ void dots(int* out) {
    const char4 a = make_char4(1, -2, 3, -4), b = make_char4(-1, 0, 0, 2); // -1 + 0 + 0 - 8
    out[0] = __dp4a(a, b, 0);
    out[1] = static_cast<int>(__dp4a(0x01020304U, 0x00010203U, 991U)); // 0*1 + 1*2 + 2*3 + 3*4 = 20
    out[2] = __dp2a_lo(make_short2(2, -3), make_char4(5, 0, 100, 100), 0);
    out[3] = __dp2a_hi(make_short2(-2, 5), make_char4(100, 100, -10, 0), 0);
}

__global__ void means(unsigned* out) { // both down and up
    out[0] = __hadd(-4, 1);
    out[1] = __rhadd(-4, 1);
    out[2] = __uhadd(0xffffffffU, 0);
    out[3] = __urhadd(0xffffffffU, 0);
}

__global__ void extrema(unsigned long long* out, unsigned long long five_below, long long four) {
    out[0] = umin(3, static_cast<unsigned>(-1));
    out[1] = umax(3, static_cast<unsigned>(-1));
    out[2] = llmin(static_cast<long long>(five_below), four);
    out[3] = llmax(static_cast<long long>(five_below), four);
    out[4] = ullmin(five_below, 5);
    out[5] = ullmax(five_below, 5);
}

__global__ void bits(long long* words) {
    atomicAnd(words, 6LL);
    atomicOr(words + 1, -2LL);
    atomicXor(words + 2, -1LL);
}

__global__ void quotients(float* single, double* twice) {
    *single = fdividef(*single, 4);
    *twice = fdivide(*twice, -2);
}

// The first two warps meet at barrier 1, all three at barrier 2: who comes behind sees what the others have counted.
__global__ void barriers(int* seen) {
    __shared__ int count[2];
    if (threadIdx.x < 2)
        count[threadIdx.x] = 0;
    __syncthreads();
    if (threadIdx.x < 64) {
        atomicAdd(count + 1, 1);
        __barrier_sync_count(1, 64);
        if (threadIdx.x == 0)
            seen[1] = count[1];
    }
    atomicAdd(count, 1);
    __barrier_sync(2);
    if (threadIdx.x == 95)
        seen[0] = count[0];
}

__global__ void copies(int* to, const int* from, size_t some, size_t others) {
    memcpy(to, from, some * sizeof *to);
    int sevens[3];
    memset(sevens, 0, sizeof sevens);
    for (size_t i = 0; i < others; ++i)
        sevens[i] += 7;
    memcpy(to + some, sevens, others * sizeof *to);
}

__host__ __device__ void reverse(unsigned long long* words) {
    words[0] = __nv_bswap16(static_cast<unsigned short>(words[0]));
    words[1] = __nv_bswap32(static_cast<unsigned>(words[1]));
    words[2] = __nv_bswap64(words[2]);
}
__global__ void reverses(unsigned long long* words) {
    __prof_trigger(1);
    reverse(words);
}

int main() {
    int* data;
    cudaMallocManaged(&data, 10 * sizeof(int));
    for (int i = 0; i < 6; ++i)
        data[i] = i;
    hints<<<1, 1>>>(data);
    cudaDeviceSynchronize();
    std::printf("loads and stores: %d %d\n", data[0], data[6] + data[7] + data[8] + data[9]);
    dots<<<1, 1>>>(data);
    cudaDeviceSynchronize();
    std::printf("dot products: %d %d %d %d\n", data[0], data[1], data[2], data[3]);
    means<<<1, 1>>>(reinterpret_cast<unsigned*>(data));
    cudaDeviceSynchronize();
    std::printf("means: %d %d %u %u\n", data[0], data[1], data[2], static_cast<unsigned>(data[3]));
    long long* words;
    cudaMallocManaged(&words, 6 * sizeof *words);
    extrema<<<1, 1>>>(reinterpret_cast<unsigned long long*>(words), -5ULL, 4);
    cudaDeviceSynchronize();
    std::printf("extrema: %lld %lld %lld %lld %lld %llu\n", words[0], words[1], words[2], words[3], words[4],
                static_cast<unsigned long long>(words[5]));
    words[0] = 12;
    words[1] = 1;
    words[2] = 4;
    bits<<<1, 1>>>(words);
    cudaDeviceSynchronize();
    std::printf("bits of long long: %lld %lld %lld\n", words[0], words[1], words[2]);
    unsigned long long here[] = {0x0102, 0x01020304, 0x0102030405060708};
    auto* there = reinterpret_cast<unsigned long long*>(words);
    for (int i = 0; i < 3; ++i)
        there[i] = here[i];
    reverse(here);
    reverses<<<1, 1>>>(there);
    cudaDeviceSynchronize();
    std::printf("bytes reversed: %llx %llx %llx, on the host: %llx %llx %llx\n", there[0], there[1], there[2], here[0],
                here[1], here[2]);
    auto* single = reinterpret_cast<float*>(data);
    auto* twice = reinterpret_cast<double*>(words);
    *single = 3;
    *twice = 5;
    quotients<<<1, 1>>>(single, twice);
    cudaDeviceSynchronize();
    std::printf("quotients: %g %g\n", static_cast<double>(*single), *twice);
    barriers<<<1, 96>>>(data);
    cudaDeviceSynchronize();
    std::printf("barriers: %d %d\n", data[0], data[1]);
    int* from;
    cudaMallocManaged(&from, 6 * sizeof *from);
    for (int i = 0; i < 6; ++i)
        from[i] = i;
    data[9] = 9;
    copies<<<1, 1>>>(data, from, 6, 3);
    cudaDeviceSynchronize();
    std::printf("copies:");
    for (int i = 0; i < 10; ++i)
        std::printf(" %d", data[i]);
    std::printf("\n");
}
