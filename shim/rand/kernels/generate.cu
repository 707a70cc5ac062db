// The kernels of libcurand: for streams a thread for each stream, for a counter a thread for each block of four words
#include "generators.h"

#define HEDDLE_GENERATE(name, Kind)                                                                                    \
    extern "C" __global__ void rand_xorwow_##name(heddle::rand::StreamRequest request) {                               \
        heddle::rand::of_stream<heddle::rand::Xorwow, heddle::rand::Kind>(request,                                     \
                                                                          blockIdx.x * blockDim.x + threadIdx.x);      \
    }                                                                                                                  \
    extern "C" __global__ void rand_mrg32k3a_##name(heddle::rand::StreamRequest request) {                             \
        heddle::rand::of_stream<heddle::rand::Mrg, heddle::rand::Kind>(request,                                        \
                                                                       blockIdx.x * blockDim.x + threadIdx.x);         \
    }                                                                                                                  \
    extern "C" __global__ void rand_philox_##name(heddle::rand::CounterRequest request) {                              \
        const unsigned long long first = static_cast<unsigned long long>(blockIdx.x) * blockDim.x + threadIdx.x;       \
        const unsigned long long words = request.first_word % 4 + request.groups * heddle::rand::Kind::kWords;         \
        const unsigned long long threads = static_cast<unsigned long long>(gridDim.x) * blockDim.x;                    \
        for (unsigned long long block = first; block < (words + 3) / 4; block += threads)                              \
            heddle::rand::of_block<heddle::rand::Kind>(request, block);                                                \
    }
HEDDLE_GENERATE(words, Words)
HEDDLE_GENERATE(uniform_f32, UniformF32)
HEDDLE_GENERATE(uniform_f64, UniformF64)
HEDDLE_GENERATE(normal_f32, NormalF32)
HEDDLE_GENERATE(normal_f64, NormalF64)
HEDDLE_GENERATE(lognormal_f32, LogNormalF32)
HEDDLE_GENERATE(lognormal_f64, LogNormalF64)
HEDDLE_GENERATE(poisson, Poisson)
