// Atomic operations on vectors of float and on values of 16 bytes.
// ARCH: 90
// EXPECT: float2: 65 130, before the last 63 126
// EXPECT: float4: 33 66 99 132, before the last 31 62 93 124
// EXPECT: steps of 16 bytes: 64 -64, last seen 63 -63
// EXPECT: exchange: took 64 -64, left 7 9; unequal: kept 7 9
// EXPECT: in shared memory: 32 64
#include <algorithm>
#include <cstdio>
#include <cuda_runtime.h>

namespace own {
struct alignas(16) Pair {
    long long up, down;
};
} // namespace own
using own::Pair;

struct Memory {
    float4 four;
    float2 two;
    float two_before[64], four_before[32][4];
    Pair pair, seen, taken, kept, shared;
    float two_second[64];
};

// Both parts change at once, or not at all.
__device__ Pair step(Pair* p) {
    Pair assumed{0, 0};
    while (true) {
        const Pair found = atomicCAS(p, assumed, Pair{assumed.up + 1, assumed.down - 1});
        if (found.up == assumed.up && found.down == assumed.down)
            return found;
        assumed = found;
    }
}

__global__ void count(Memory* m) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float2 before =
        i % 2 == 0 ? atomicAdd(&m->two, make_float2(1, 2)) : atomicAdd_system(&m->two, make_float2(1, 2));
    m->two_before[i] = before.x;
    m->two_second[i] = before.y;
    if (blockIdx.x == 0) {
        const float4 old = atomicAdd_block(&m->four, make_float4(1, 2, 3, 4));
        m->four_before[i][0] = old.x, m->four_before[i][1] = old.y;
        m->four_before[i][2] = old.z, m->four_before[i][3] = old.w;
    }
    const Pair found = step(&m->pair);
    if (found.up == 63)
        m->seen = found;

    __shared__ Pair local;
    if (threadIdx.x == 0)
        local = Pair{0, 0};
    __syncthreads();
    Pair assumed{0, 0};
    while (true) {
        const Pair now = atomicCAS_block(&local, assumed, Pair{assumed.up + 1, assumed.down + 2});
        if (now.up == assumed.up)
            break;
        assumed = now;
    }
    __syncthreads();
    if (i == 0)
        m->shared = local;
}
__global__ void exchange(Memory* m) {
    m->taken = atomicExch(&m->pair, Pair{7, 9});
    m->kept = atomicCAS_system(&m->pair, Pair{7, 8}, Pair{1, 1}); // one half is equal
}

int main() {
    Memory* m;
    cudaMallocManaged(reinterpret_cast<void**>(&m), sizeof *m);
    *m = Memory{};
    m->two = make_float2(1, 2);
    m->four = make_float4(1, 2, 3, 4);
    count<<<2, 32>>>(m);
    cudaDeviceSynchronize();
    const auto last = [](const float* values, int n) { return *std::max_element(values, values + n); };
    std::printf("float2: %g %g, before the last %g %g\n", m->two.x, m->two.y, last(m->two_before, 64) - 1,
                last(m->two_second, 64) - 2);
    float four[4] = {};
    for (const auto& before : m->four_before)
        for (int k = 0; k < 4; ++k)
            four[k] = std::max(four[k], before[k] - (k + 1));
    std::printf("float4: %g %g %g %g, before the last %g %g %g %g\n", m->four.x, m->four.y, m->four.z, m->four.w,
                four[0], four[1], four[2], four[3]);
    std::printf("steps of 16 bytes: %lld %lld, last seen %lld %lld\n", m->pair.up, m->pair.down, m->seen.up,
                m->seen.down);
    exchange<<<1, 1>>>(m);
    cudaDeviceSynchronize();
    std::printf("exchange: took %lld %lld, left %lld %lld; unequal: kept %lld %lld\n", m->taken.up, m->taken.down,
                m->pair.up, m->pair.down, m->kept.up, m->kept.down);
    std::printf("in shared memory: %lld %lld\n", m->shared.up, m->shared.down);
}
