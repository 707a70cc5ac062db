// Random numbers in kernels (curand_kernel.h): states of seeds, subsequences and offsets, words, and what is made of
// them. The values are those of NVIDIA's header.
// NEEDS: curand_kernel.h
// EXPECT: xorwow 0 d4be75e7 170db6e7 197fc14a 5efa1547 c217329a 3fc29761 0876970a 3dff2eee
// EXPECT: 0.77027 -0.3130 -0.6397 2.3321 3.2787
// EXPECT: 0.017179007 2.147640114 1.667941432 -0.168078051
// EXPECT: xorwow 1 2f753df7 01b3852b 6291f102 25a08355 69f29ebc 52f8ece6 84bd31c5 fd1146af
// EXPECT: 0.51395 -0.4989 1.6298 1.0155 1.8926
// EXPECT: 0.115461715 0.766315536 -1.412393152 -1.499605490
// EXPECT: xorwow 39 fb2b6fa7 a039301d 6694cf0b 20a4b2af 81fdcba7 703f5603 e503b8a7 4c232d3e
// EXPECT: 0.90347 0.1604 -0.8907 -1.4874 3.7204
// EXPECT: 0.221268371 2.058249290 -0.779050236 -0.473448086
// EXPECT: philox 0 2090b348 da7cf0ab 4401906f cbca470e 9eeede35 bef06ddd 15e8d4c6 a90eaec3
// EXPECT: 0.16587 0.0745 -1.1243 -1.7409 2.2577
// EXPECT: 0.579218089 2.377530263 -0.409431740 -1.371694538
// EXPECT: philox 1 05d21ab9 2a6abec2 3ab8b469 16a270b8 a680fbbb 5194eaa3 0ebc8344 e728f201
// EXPECT: 0.20002 0.4761 -1.4790 -0.3651 1.1657
// EXPECT: 0.044774778 0.936443745 0.469655235 1.538554662
// EXPECT: philox 39 c7c13115 1d53de1a dfeebcf4 ee8bc475 0d90be7c b46e46a0 b144e596 7881cc8b
// EXPECT: 0.39832 -0.1283 -1.0280 1.5550 4.1081
// EXPECT: 0.766855481 -0.380857028 -1.913974716 -0.063923853
// EXPECT: mrg32k3a 0 f6a5aafa 60626b7e 07ecf8fb 6f2542f5 49a9870e 607f9521 f70c193c 15f84fdf
// EXPECT: 0.37466 -0.0520 -1.3869 -1.9450 2.5444
// EXPECT: 0.471699555 2.384749382 0.745546458 -0.061419841
// EXPECT: mrg32k3a 1 073f3361 1147cd15 086342dc dcf32679 a69dc7c8 9aad7531 7f0967d3 936e769c
// EXPECT: 0.38893 0.3838 -0.1950 -0.9237 1.7447
// EXPECT: 0.598994207 -0.905641107 0.855618214 1.037257533
// EXPECT: mrg32k3a 39 71202883 7b1abed9 2b7d98ba 313c3836 aa84e3d3 1daf3cbb b9ff4247 315ef113
// EXPECT: 0.68274 -1.2226 0.3196 1.2257 2.0089
// EXPECT: 0.891853589 0.077742702 -2.092840763 -1.526700697
// EXPECT: four: 166dcfd4 07140ae0 8d109294 16ee840d, 0.6636 -0.8469 -0.1525 -0.3027, 0.609376179 0.225304775
// EXPECT: poisson 0.5: 1
// EXPECT: poisson 30: 1
// EXPECT: no error
#include <cstdio>
#include <curand_kernel.h>

struct alignas(16) Numbers {
    unsigned words[8];
    float uniform, normal[3], log_normal;
    double uniform_double, normal_double[3];
};

template <class State>
__global__ void draw(Numbers* out, unsigned long long seed) {
    State state;
    Numbers& mine = out[threadIdx.x];
    curand_init(seed + threadIdx.x % 3, threadIdx.x, threadIdx.x * 1000003ULL, &state);
    for (int i = 0; i < 5; ++i)
        mine.words[i] = curand(&state);
    skipahead(12345678901ULL, &state);
    mine.words[5] = curand(&state);
    skipahead_sequence(threadIdx.x * 77ULL, &state);
    mine.words[6] = curand(&state);
    mine.uniform = curand_uniform(&state);
    for (float& each : mine.normal) // the third leaves a second one
        each = curand_normal(&state);
    mine.log_normal = curand_log_normal(&state, 1.F, 0.5F);
    mine.uniform_double = curand_uniform_double(&state);
    for (double& each : mine.normal_double)
        each = curand_normal_double(&state);
    mine.words[7] = curand(&state);
}

__global__ void draw_four(uint4* words, float4* normal, double2* uniform) {
    curandStatePhilox4_32_10_t state;
    curand_init(99, 2, 3, &state);
    *words = curand4(&state);
    *normal = curand_normal4(&state);
    *uniform = curand_uniform2_double(&state);
}

// Mean and variance of Poisson's distribution are one number.
__global__ void count(double* sums, double lambda) {
    curandState state;
    curand_init(5, threadIdx.x, 0, &state);
    double sum = 0, squares = 0;
    for (int i = 0; i < 100; ++i) {
        const double x = curand_poisson(&state, lambda);
        sum += x;
        squares += x * x;
    }
    atomicAdd(&sums[0], sum);
    atomicAdd(&sums[1], squares);
}

template <class State>
void print(const char* name, Numbers* numbers, unsigned long long seed) {
    draw<State><<<1, 40>>>(numbers, seed);
    cudaDeviceSynchronize();
    for (const int thread : {0, 1, 39}) {
        const Numbers& n = numbers[thread];
        std::printf("%s %d", name, thread);
        for (const unsigned word : n.words)
            std::printf(" %08x", word);
        std::printf("\n%.5f %.4f %.4f %.4f %.4f", n.uniform, n.normal[0], n.normal[1], n.normal[2], n.log_normal);
        std::printf("\n%.9f %.9f %.9f %.9f\n", n.uniform_double, n.normal_double[0], n.normal_double[1],
                    n.normal_double[2]);
    }
}

int main() {
    Numbers* numbers = nullptr;
    cudaMallocManaged(&numbers, 40 * sizeof *numbers);
    print<curandState>("xorwow", numbers, 0x123456789abcULL);
    print<curandStatePhilox4_32_10_t>("philox", numbers, 1234);
    print<curandStateMRG32k3a_t>("mrg32k3a", numbers, 77777777777ULL);
    uint4* const words = reinterpret_cast<uint4*>(numbers);
    float4* const normal = reinterpret_cast<float4*>(numbers + 1);
    double2* const uniform = reinterpret_cast<double2*>(numbers + 2);
    draw_four<<<1, 1>>>(words, normal, uniform);
    cudaDeviceSynchronize();
    std::printf("four: %08x %08x %08x %08x, %.4f %.4f %.4f %.4f, %.9f %.9f\n", words->x, words->y, words->z, words->w,
                normal->x, normal->y, normal->z, normal->w, uniform->x, uniform->y);
    double* const sums = reinterpret_cast<double*>(numbers);
    for (const double lambda : {0.5, 30.0}) {
        sums[0] = sums[1] = 0;
        count<<<1, 256>>>(sums, lambda);
        cudaDeviceSynchronize();
        const double mean = sums[0] / 25600, variance = sums[1] / 25600 - mean * mean;
        std::printf("poisson %g: %d\n", lambda,
                    mean > 0.98 * lambda && mean < 1.02 * lambda && variance > 0.95 * lambda &&
                        variance < 1.05 * lambda);
    }
    std::printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
