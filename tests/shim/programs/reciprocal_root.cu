// __frsqrt_rn is 1 / sqrt(x), rounded to nearest: held against exact integers.
// EXPECT: wrong on the device: 0 of 40000
// EXPECT: wrong as two roundings to double and one to float: 0
// EXPECT: special: inf -inf 0 nan nan nan
#include <cmath>
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

__global__ void roots(const float* in, float* out, int n) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n)
        out[i] = __frsqrt_rn(in[i]);
}

// Whether y is the float next to 1 / sqrt(x), both positive: as integers, (n - 1/2) ulp < 1 / sqrt(m) < (n + 1/2) ulp,
// squared. Below a power of two the ulp is half as much.
bool is_nearest(float x, float y) {
    int ex, ey;
    auto m = static_cast<unsigned long long>(std::ldexp(std::frexp(x, &ex), 24)); // x = m 2^ex
    ex -= 24;
    if (ex % 2 != 0) {
        m *= 2;
        ex -= 1;
    }
    const auto n = static_cast<unsigned long long>(std::ldexp(std::frexp(y, &ey), 24)); // y = n 2^ey
    const int ulp = ey - 24 + ex / 2;                                                   // of 1 / sqrt(m)
    using Big = unsigned __int128;
    const Big one = Big{1} << (4 - 2 * ulp); // 1, in quarters of an ulp, squared
    const Big low = 4 * Big{n} - (n == 1U << 23 ? 1 : 2), high = 4 * Big{n} + 2;
    return low * low * m < one && one < high * high * m;
}

int main() {
    const int n = 40000;
    float *in, *out;
    cudaMallocManaged(&in, n * sizeof *in);
    cudaMallocManaged(&out, n * sizeof *out);
    unsigned seed = 5;
    for (int i = 0; i < n; ++i) {
        seed = seed * 1664525 + 1013904223;
        unsigned bits = seed % 0x7f800000U; // positive and finite
        bits += bits == 0 ? 1 : 0;
        std::memcpy(in + i, &bits, sizeof bits);
    }
    roots<<<(n + 255) / 256, 256>>>(in, out, n);
    cudaDeviceSynchronize();
    int wrong = 0;
    for (int i = 0; i < n; ++i)
        wrong += is_nearest(in[i], out[i]) ? 0 : 1;
    std::printf("wrong on the device: %d of %d\n", wrong, n);

    // What heddle's header computes, for every significand at an odd and an even exponent.
    wrong = 0;
    for (float x = 1; x < 4; x = std::nextafter(x, 4.0f))
        wrong += is_nearest(x, static_cast<float>(1 / std::sqrt(static_cast<double>(x)))) ? 0 : 1;
    std::printf("wrong as two roundings to double and one to float: %d\n", wrong);

    const float special[] = {0, -0.0f, INFINITY, -1, -INFINITY, NAN};
    std::memcpy(in, special, sizeof special);
    roots<<<1, 6>>>(in, out, 6);
    cudaDeviceSynchronize();
    std::printf("special:");
    for (int i = 0; i < 6; ++i)
        std::isnan(out[i]) ? std::printf(" nan") : std::printf(" %g", static_cast<double>(out[i]));
    std::printf("\n");
}
