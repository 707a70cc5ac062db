// Arithmetic of pairs of float in each rounding mode.
// ARCH: 100
// EXPECT: PASS
#include <cstdio>
#include <cuda_runtime.h>

struct Results {
    float2 fma[4], add[4], mul[4];
};

__global__ void compute(const float2* in, Results* out) {
    const float2 a = in[0], b = in[1], c = in[2];
    out->fma[0] = __ffma2_rn(a, b, c);
    out->fma[1] = __ffma2_rz(a, b, c);
    out->fma[2] = __ffma2_rd(a, b, c);
    out->fma[3] = __ffma2_ru(a, b, c);
    out->add[0] = __fadd2_rn(a, c);
    out->add[1] = __fadd2_rz(a, c);
    out->add[2] = __fadd2_rd(a, c);
    out->add[3] = __fadd2_ru(a, c);
    out->mul[0] = __fmul2_rn(a, b);
    out->mul[1] = __fmul2_rz(a, b);
    out->mul[2] = __fmul2_rd(a, b);
    out->mul[3] = __fmul2_ru(a, b);
}

int main() {
    // The first of each pair is positive, the second is its negative. e is the last place of 1.
    const float e = 0x1p-23f;
    const float2 in[] = {{1 + e, -1 - e}, {1 + e, 1 + e}, {0x1p-25f, -0x1p-25f}};
    const float low = 1 + e, high = 1 + 2 * e; // neighbours
    // The sum is 1 + e + e/4. The product is 1 + 2e + e^2; with 2^-25 it is 1 + 2e + e/4 + e^2.
    const float after = 1 + 3 * e;
    const float positive[3][4] = {{high, high, high, after}, {low, low, low, high}, {high, high, high, after}};
    const float negative[3][4] = {{high, high, after, high}, {low, low, high, low}, {high, high, after, high}};

    float2* arguments;
    Results* r;
    cudaMallocManaged(reinterpret_cast<void**>(&arguments), sizeof in);
    cudaMallocManaged(reinterpret_cast<void**>(&r), sizeof *r);
    for (int i = 0; i < 3; ++i)
        arguments[i] = in[i];
    compute<<<1, 1>>>(arguments, r);
    int bad = cudaDeviceSynchronize() != cudaSuccess;
    const float2* const got[] = {r->fma, r->add, r->mul};
    for (int operation = 0; operation < 3; ++operation)
        for (int mode = 0; mode < 4; ++mode) {
            const float2 value = got[operation][mode];
            if (value.x != positive[operation][mode] || value.y != -negative[operation][mode])
                std::printf("operation %d, mode %d: %a %a\n", operation, mode, value.x, value.y), ++bad;
        }
    if (bad == 0)
        std::puts("PASS");
    return bad != 0;
}
