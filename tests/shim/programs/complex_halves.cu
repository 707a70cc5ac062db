// __hcmadd: a product of complex numbers in half precision and a sum.
// ARCH: 80
// EXPECT: half: 5.75 -1.25, rounded twice 1 1
// EXPECT: bfloat16: 5.75 -1.25, rounded twice 1 1
#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

template <class Pair>
__global__ void products(const Pair* in, Pair* out) {
    out[0] = __hcmadd(in[0], in[1], in[2]);
    out[1] = __hcmadd(in[3], in[3], in[4]);
}

// `big` + 1 is half way to the next number, which is odd.
template <class Pair>
void check(const char* name, Pair (*pair)(float, float), float big) {
    Pair *in, *out;
    cudaMallocManaged(reinterpret_cast<void**>(&in), 5 * sizeof *in);
    cudaMallocManaged(reinterpret_cast<void**>(&out), 2 * sizeof *out);
    // (1.5 - 2i) (3 + 0.5i) + 0.25 + 4i
    in[0] = pair(1.5f, -2);
    in[1] = pair(3, 0.5f);
    in[2] = pair(0.25f, 4);
    // (1 + i)^2 + big i: both 1 that are added to `big` are lost, one after the other.
    in[3] = pair(1, 1);
    in[4] = pair(0, big);
    products<<<1, 1>>>(in, out);
    cudaDeviceSynchronize();
    std::printf("%s: %g %g, rounded twice %d %d\n", name, __low2float(out[0]), __high2float(out[0]),
                __low2float(out[1]) == 0, __high2float(out[1]) == big);
}

int main() {
    check<__half2>("half", __floats2half2_rn, 2048);
    check<__nv_bfloat162>("bfloat16", __floats2bfloat162_rn, 256);
}
