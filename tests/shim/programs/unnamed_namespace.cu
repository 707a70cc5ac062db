// The host writes variables of unnamed namespaces that device code only reads.
// EXPECT: PASS
#include <cstdio>
#include <cuda_runtime.h>

namespace {
__constant__ unsigned factors[4];
__device__ unsigned offset = 7;
} // namespace
namespace table {
namespace {
__constant__ unsigned bits[2][2];
}
} // namespace table

__global__ void look_up(unsigned* out) {
    const unsigned t = threadIdx.x;
    out[t] = factors[t] * 100 + offset * 10 + table::bits[t / 2][t % 2];
}

int main() {
    const unsigned f[4] = {1, 2, 3, 4}, o = 5, b[2][2] = {{6, 7}, {8, 9}};
    unsigned *out, result[4];
    bool right = cudaMemcpyToSymbol(factors, f, sizeof f) == cudaSuccess;
    right = right && cudaMemcpyToSymbol(offset, &o, sizeof o) == cudaSuccess;
    right = right && cudaMemcpyToSymbol(table::bits, b, sizeof b) == cudaSuccess;
    cudaMalloc(reinterpret_cast<void**>(&out), sizeof result);
    look_up<<<1, 4>>>(out);
    right = right && cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost) == cudaSuccess;
    for (unsigned i = 0; i < 4; ++i)
        right = right && result[i] == f[i] * 100 + o * 10 + b[i / 2][i % 2];
    std::puts(right ? "PASS" : "FAIL");
}
