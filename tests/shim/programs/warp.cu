// Warp operations, votes, block reductions, bit operations and atomics, each against plain arithmetic.
// EXPECT: PASS
#include <cstdio>
#include <cuda_runtime.h>

struct Sums {
    int i;
    unsigned u, inc, dec, bits_or, bits_and, bits_xor, cas;
    unsigned long long ull, most;
    float f;
    double d;
    int least;
    unsigned short narrow[2];
};
__device__ Sums sums;

__global__ void operations(unsigned* out) {
    const unsigned lane = threadIdx.x % 32, all = 0xffffffffu;
    unsigned ok = 0;
    auto expect = [&ok, bit = 0u](bool condition) mutable { ok |= (condition ? 0u : 1u) << bit++; };
    expect(__shfl_sync(all, lane * 3, 5) == 15);
    expect(__shfl_up_sync(all, lane, 2) == (lane < 2 ? lane : lane - 2));
    expect(__shfl_down_sync(all, lane, 2) == (lane > 29 ? lane : lane + 2));
    expect(__shfl_xor_sync(all, lane, 5) == (lane ^ 5));
    expect(__shfl_sync(all, int(lane), 2, 8) == int(lane / 8 * 8 + 2));
    expect(__shfl_down_sync(all, lane * 0.5f, 1) == (lane == 31 ? 15.5f : lane * 0.5f + 0.5f));
    expect(__shfl_xor_sync(all, lane * 0.5, 1) == (lane ^ 1) * 0.5);
    expect(__shfl_sync(all, (unsigned long long)lane << 40, 7) == 7ull << 40);
    expect(__ballot_sync(all, lane & 1) == 0xaaaaaaaau);
    expect(__any_sync(all, lane == 9) && !__all_sync(all, lane == 9) && __all_sync(all, lane < 32));
    expect(__activemask() == all);
    expect(__match_any_sync(all, lane % 4) == 0x11111111u << lane % 4);
    expect(__match_any_sync(all, (unsigned long long)(lane & 1) << 40) == 0x55555555u << (lane & 1));
    expect(__match_any_sync(all, lane < 8 ? 0.5 : -0.5) == (lane < 8 ? 0xffu : 0xffffff00u));
    int same;
    expect(__match_all_sync(all, lane, &same) == 0 && same == 0);
    expect(__match_all_sync(all, 7.5f, &same) == all && same == 1);
    __syncwarp();
    expect(__syncthreads_count(threadIdx.x < 40) == 40);
    expect(__syncthreads_or(threadIdx.x == 50) && !__syncthreads_and(threadIdx.x == 50));
    expect(__popc(0xf0f0u) == 8 && __clz(1) == 31 && __clz(0) == 32 && __ffs(8) == 4 && __ffs(0) == 0);
    expect(__brev(1) == 0x80000000u && __umulhi(0x80000000u, 6) == 3 && __mulhi(-2, 1 << 30) == -1);
    expect(__fns(0xb4u, 0, 2) == 4 && __fns(0xb4u, 7, -2) == 5); // of the bits 2, 4, 5 and 7
    expect(__byte_perm(0x33221100u, 0x77665544u, 0x5140) == 0x55114400u);
    expect(__byte_perm(0x33229100u, 0x77665544u, 0xFFFFD9C8u) == 0x55914400u); // of each digit three bits count
    expect(__funnelshift_l(0x80000000u, 1, 1) == 3 && __mul24(5, -7) == -35 && __umul24(5, 7) == 35);
    expect(__float_as_int(1.0f) == 0x3f800000 && __int_as_float(0x40000000) == 2.0f);
    expect(__fadd_rd(1.0f, 1e-9f) == 1.0f && __fadd_ru(1.0f, 1e-9f) > 1.0f && __float2int_rn(2.5f) == 2);
    expect(__float2int_ru(2.1f) == 3 && __float2int_rd(-2.1f) == -3 && __float2int_rz(-2.9f) == -2);
    expect(__fsqrt_rn(9.0f) == 3.0f && __frcp_rn(4.0f) == 0.25f && __saturatef(3.0f) == 1.0f);
    expect(__double2hiint(1.0) == 0x3ff00000 && __hiloint2double(0x40000000, 0) == 2.0 && __popcll(~0ull) == 64);
    out[blockIdx.x * blockDim.x + threadIdx.x] = ok;

    atomicAdd(&sums.i, -2);
    atomicSub(&sums.u, 1u);
    atomicAdd(&sums.ull, 1ull << 33);
    atomicAdd(&sums.f, 0.25f);
    atomicAdd(&sums.d, 0.125);
    atomicInc(&sums.inc, 9);
    atomicDec(&sums.dec, 9);
    atomicOr(&sums.bits_or, 1u << lane);
    atomicAnd(&sums.bits_and, ~(1u << lane));
    atomicXor(&sums.bits_xor, threadIdx.x);
    atomicMax(&sums.most, (unsigned long long)threadIdx.x << 32);
    atomicMin(&sums.least, -int(threadIdx.x));
    atomicCAS(&sums.cas, 0u, 77u);
    atomicCAS(&sums.narrow[1], (unsigned short)threadIdx.x, (unsigned short)(threadIdx.x + 1)); // in some order
}

int main() {
    unsigned *out, bits[128];
    cudaMalloc((void**)&out, sizeof bits);
    Sums s = {};
    s.bits_and = ~0u;
    cudaMemcpyToSymbol(sums, &s, sizeof s);
    operations<<<2, 64>>>(out);
    cudaMemcpy(bits, out, sizeof bits, cudaMemcpyDeviceToHost);
    int bad = cudaGetLastError() != cudaSuccess;
    for (int i = 0; i < 128; ++i)
        if (bits[i] != 0)
            std::printf("thread %d: expectations %#x failed\n", i, bits[i]), ++bad;
    cudaMemcpyFromSymbol(&s, sums, sizeof s);
    const bool right = s.i == -256 && s.u == 0u - 128 && s.ull == 128ull << 33 && s.f == 32.0f && s.d == 16.0 &&
                       s.inc == 128 % 10 && s.dec == 2 && s.bits_or == ~0u && s.bits_and == 0 && s.bits_xor == 0 &&
                       s.most == 63ull << 32 && s.least == -63 && s.cas == 77 && s.narrow[0] == 0 && s.narrow[1] >= 1;
    if (!right)
        std::printf("atomics: %d %u %llu %g %g %u %u %x %x %x %llx %d %u\n", s.i, s.u, s.ull, s.f, s.d, s.inc, s.dec,
                    s.bits_or, s.bits_and, s.bits_xor, s.most, s.least, s.cas);
    if (bad == 0 && right)
        std::puts("PASS");
    return bad != 0 || !right;
}
