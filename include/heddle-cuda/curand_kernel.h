// Random numbers in kernels: the generators XORWOW, Philox4_32_10 and MRG32k3a of cuRAND's device API, each thread with a
// state of its own. Words, uniform and normal numbers of a seed are those of NVIDIA's header; Poisson's are not.
#pragma once
#pragma GCC system_header

#include "cuda_runtime.h"
#include "detail/random_generators.h"

#ifdef __CUDA__
#include "detail/random_jumps.h"

namespace heddle::curand {

// The second number of a pair: a normal one or its exponential, whichever of the two was asked for last
enum class Kept : unsigned char { Nothing, Normal, LogNormal };
template <class Real>
struct Second {
    Real value;
    Kept kind;
};

} // namespace heddle::curand

struct curandStateXORWOW {
    heddle::rand::Xorwow generator;
    heddle::curand::Second<float> second;
    heddle::curand::Second<double> second_double;
};
struct curandStateMRG32k3a {
    heddle::rand::Mrg generator;
    heddle::curand::Second<float> second;
    heddle::curand::Second<double> second_double;
};
struct curandStatePhilox4_32_10 {
    heddle::rand::PhiloxBlock counter, output;
    uint2 key;
    unsigned at; // the next word of the output
    heddle::curand::Second<float> second;
    heddle::curand::Second<double> second_double;
};
typedef curandStateXORWOW curandStateXORWOW_t;
typedef curandStateXORWOW curandState_t;
typedef curandStateXORWOW curandState;
typedef curandStateMRG32k3a curandStateMRG32k3a_t;
typedef curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

namespace heddle::curand {

using rand::Mrg;
using rand::PhiloxBlock;
using rand::Wide;
using rand::Word;
using rand::Xorwow;

// --- XORWOW ---

// T^n of the five words, where row `jump` of the table is x^n
static __device__ inline void apply_jump(Xorwow& state, unsigned jump) {
    Word sum[5] = {}, x[5];
    Xorwow at = state;
    for (int i = 0; i < 5; ++i)
        x[i] = heddle_xorwow_jumps[jump][i];
    for (unsigned bit = 0; bit < 160; ++bit) {
        const Word taken = 0U - (x[0] & 1);
        for (int i = 0; i < 5; ++i)
            sum[i] ^= at.x[i] & taken;
        for (int i = 0; i < 4; ++i)
            x[i] = __funnelshift_r(x[i], x[i + 1], 1);
        x[4] >>= 1;
        at.next();
    }
    for (int i = 0; i < 5; ++i)
        state.x[i] = sum[i];
}
static __device__ inline void jump(Xorwow& state, Wide numbers) {
    const Word sum = state.sum + static_cast<Word>(numbers) * 362437;
    for (Wide left = numbers & 127; left != 0; --left)
        state.next();
    for (unsigned bit = 7; bit < 64; ++bit)
        if ((numbers >> bit & 1) != 0)
            apply_jump(state, bit);
    state.sum = sum;
}
// By 2^67 numbers each, which leave the sum as it is
static __device__ inline void jump_streams(Xorwow& state, Wide streams) {
    for (unsigned bit = 0; bit < 64; ++bit)
        if ((streams >> bit & 1) != 0)
            apply_jump(state, 64 + bit);
}

// --- MRG32k3a ---

// By 2^exponent numbers each
static __device__ inline void jump(Mrg& state, Wide times, int exponent) {
    if (times == 0)
        return;
    rand::MrgSteps steps = rand::MrgSteps::one();
    for (int i = 0; i < exponent; ++i)
        steps = steps.doubled();
    for (; times != 0; times >>= 1) {
        if ((times & 1) != 0)
            steps.apply(state);
        steps = steps.doubled();
    }
}

// --- Philox ---

static __device__ inline void fill(curandStatePhilox4_32_10& state) {
    state.output = rand::philox(state.counter, state.key.x, state.key.y);
}
// Adds to the counter, whose words are least first, from word `from` on.
static __device__ inline void count(PhiloxBlock& counter, Wide blocks, int from = 0) {
    for (int i = from; i < 4 && blocks != 0; ++i) {
        const Wide sum = (blocks & 0xffffffff) + counter.word[i];
        counter.word[i] = static_cast<Word>(sum);
        blocks = (blocks >> 32) + (sum >> 32);
    }
}

template <class State>
static __device__ inline void forget_second(State& state) {
    state.second = {0, Kept::Nothing};
    state.second_double = {0, Kept::Nothing};
}
// The second number of the last pair, or the first of a new one, which make() gives.
template <class Real, class Make>
static __device__ inline Real one_of_pair(Second<Real>& second, Kept kind, Make&& make) {
    if (second.kind == kind) {
        second.kind = Kept::Nothing;
        return second.value;
    }
    const auto pair = make();
    second = {pair.y, kind};
    return pair.x;
}

// --- numbers of words ---

// In (0, 1], of 53 bits
static __device__ inline double uniform_of(Word x, Word y) {
    const Wide bits = static_cast<Wide>(x) ^ static_cast<Wide>(y) << 21;
    return static_cast<double>(bits) * 0x1p-53 + 0x1p-54;
}
// Box and Muller's method: of two words, or of two of each, two normal numbers
static __device__ inline float2 normal_pair(float u, float angle) {
    float2 out;
    const float radius = sqrtf(-2 * logf(u));
    __sincosf(angle, &out.x, &out.y);
    out.x *= radius;
    out.y *= radius;
    return out;
}
static __device__ inline float2 normal_pair(Word x, Word y) {
    constexpr float kTurn = 0x1p-32f * 6.2831855f;
    return normal_pair(static_cast<float>(x) * 0x1p-32f + 0x1p-33f, static_cast<float>(y) * kTurn + kTurn / 2);
}
static __device__ inline double2 normal_pair(double u, double half_turns) {
    double2 out;
    const double radius = sqrt(-2 * log(u));
    sincospi(half_turns, &out.x, &out.y);
    out.x *= radius;
    out.y *= radius;
    return out;
}
static __device__ inline double2 normal_pair(uint4 words) {
    const Wide bits = static_cast<Wide>(words.z) ^ static_cast<Wide>(words.w) << 21;
    return normal_pair(uniform_of(words.x, words.y), static_cast<double>(bits) * 0x1p-52 + 0x1p-53);
}

} // namespace heddle::curand

// --- the begin ---

static __device__ inline void skipahead(unsigned long long n, curandStateXORWOW_t* state) {
    heddle::curand::jump(state->generator, n);
}
static __device__ inline void skipahead_sequence(unsigned long long n, curandStateXORWOW_t* state) {
    heddle::curand::jump_streams(state->generator, n);
}
static __device__ inline void skipahead(unsigned long long n, curandStateMRG32k3a_t* state) {
    heddle::curand::jump(state->generator, n, 0);
}
static __device__ inline void skipahead_subsequence(unsigned long long n, curandStateMRG32k3a_t* state) {
    heddle::curand::jump(state->generator, n, 76);
}
static __device__ inline void skipahead_sequence(unsigned long long n, curandStateMRG32k3a_t* state) {
    heddle::curand::jump(state->generator, n, 127);
}
static __device__ inline void skipahead(unsigned long long n, curandStatePhilox4_32_10_t* state) {
    const unsigned long long words = state->at + (n & 3);
    heddle::curand::count(state->counter, (n >> 2) + (words >> 2));
    state->at = words & 3;
    heddle::curand::fill(*state);
}
static __device__ inline void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10_t* state) {
    heddle::curand::count(state->counter, n, 2);
    heddle::curand::fill(*state);
}

static __device__ inline void curand_init(unsigned long long seed, unsigned long long subsequence,
                                          unsigned long long offset, curandStateXORWOW_t* state) {
    const unsigned low = 1099087573U * (static_cast<unsigned>(seed) ^ 0xaad26b49U);
    const unsigned high = 2591861531U * (static_cast<unsigned>(seed >> 32) ^ 0xf7dcefddU);
    state->generator = {{123456789U + low, 362436069U ^ low, 521288629U + high, 88675123U ^ high, 5783321U + low},
                        6615241U + high + low};
    skipahead_sequence(subsequence, state);
    skipahead(offset, state);
    heddle::curand::forget_second(*state);
}
static __device__ inline void curand_init(unsigned long long seed, unsigned long long subsequence,
                                          unsigned long long offset, curandStateMRG32k3a_t* state) {
    using heddle::rand::Mrg;
    state->generator = {{12345, 12345, 12345}, {12345, 12345, 12345}};
    if (seed != 0) {
        const unsigned long long low = static_cast<unsigned>(seed) ^ 0x55555555U;
        const unsigned long long high = static_cast<unsigned>(seed >> 32) ^ 0xaaaaaaaaU;
        for (int i = 0; i < 3; ++i) {
            unsigned& x = state->generator.x[i];
            unsigned& y = state->generator.y[i];
            x = static_cast<unsigned>((i == 1 ? high : low) * x % Mrg::kM1);
            y = static_cast<unsigned>((i == 1 ? low : high) * y % Mrg::kM2);
        }
    }
    skipahead_subsequence(subsequence, state);
    skipahead(offset, state);
    heddle::curand::forget_second(*state);
}
static __device__ inline void curand_init(unsigned long long seed, unsigned long long subsequence,
                                          unsigned long long offset, curandStatePhilox4_32_10_t* state) {
    state->counter = {{0, 0, static_cast<unsigned>(subsequence), static_cast<unsigned>(subsequence >> 32)}};
    state->key = make_uint2(static_cast<unsigned>(seed), static_cast<unsigned>(seed >> 32));
    state->at = 0;
    skipahead(offset, state);
    heddle::curand::forget_second(*state);
}

// --- words ---

static __device__ inline unsigned int curand(curandStateXORWOW_t* state) {
    return state->generator.next();
}
// From MRG32k3a's range, 1 to m1, to all words
static __device__ inline unsigned int curand(curandStateMRG32k3a_t* state) {
    return static_cast<unsigned>((state->generator.next() + 1.0) * 1.000000048662);
}
static __device__ inline unsigned int curand(curandStatePhilox4_32_10_t* state) {
    const unsigned word = state->output.word[state->at++];
    if (state->at == 4) {
        heddle::curand::count(state->counter, 1);
        heddle::curand::fill(*state);
        state->at = 0;
    }
    return word;
}
static __device__ inline uint4 curand4(curandStatePhilox4_32_10_t* state) {
    unsigned word[8];
    for (int i = 0; i < 4; ++i)
        word[i] = state->output.word[i];
    heddle::curand::count(state->counter, 1);
    heddle::curand::fill(*state);
    for (int i = 0; i < 4; ++i)
        word[4 + i] = state->output.word[i];
    const unsigned at = state->at;
    return make_uint4(word[at], word[at + 1], word[at + 2], word[at + 3]);
}

// --- uniform numbers ---

// In (0, 1]
static __device__ inline float curand_uniform(curandStateXORWOW_t* state) {
    return heddle::rand::Xorwow::uniform(curand(state));
}
static __device__ inline float curand_uniform(curandStatePhilox4_32_10_t* state) {
    return heddle::rand::Xorwow::uniform(curand(state));
}
static __device__ inline float4 curand_uniform4(curandStatePhilox4_32_10_t* state) {
    using heddle::rand::Xorwow;
    const uint4 x = curand4(state);
    return make_float4(Xorwow::uniform(x.x), Xorwow::uniform(x.y), Xorwow::uniform(x.z), Xorwow::uniform(x.w));
}
static __device__ inline double curand_uniform_double(curandStateXORWOW_t* state) {
    const unsigned x = curand(state), y = curand(state);
    return heddle::curand::uniform_of(x, y);
}
static __device__ inline double curand_uniform_double(curandStateMRG32k3a_t* state) {
    return (state->generator.next() + 1.0) * (1.0 / heddle::rand::Mrg::kM1);
}
static __device__ inline float curand_uniform(curandStateMRG32k3a_t* state) {
    return static_cast<float>(curand_uniform_double(state));
}
// Of 32 bits: curand_uniform2_double() gives 53
static __device__ inline double curand_uniform_double(curandStatePhilox4_32_10_t* state) {
    return curand(state) * 0x1p-32 + 0x1p-32;
}
static __device__ inline double2 curand_uniform2_double(curandStatePhilox4_32_10_t* state) {
    const uint4 x = curand4(state);
    return make_double2(heddle::curand::uniform_of(x.x, x.y), heddle::curand::uniform_of(x.z, x.w));
}

// --- normal numbers ---

template <class State>
static __device__ inline float2 curand_normal2(State* state) {
    const unsigned x = curand(state), y = curand(state);
    return heddle::curand::normal_pair(x, y);
}
static __device__ inline float2 curand_normal2(curandStateMRG32k3a_t* state) {
    const float u = curand_uniform(state), v = curand_uniform(state) * 6.2831855f;
    return heddle::curand::normal_pair(u, v);
}
template <class State>
static __device__ inline double2 curand_normal2_double(State* state) {
    const unsigned x = curand(state), y = curand(state), z = curand(state), w = curand(state);
    return heddle::curand::normal_pair(make_uint4(x, y, z, w));
}
static __device__ inline double2 curand_normal2_double(curandStatePhilox4_32_10_t* state) {
    return heddle::curand::normal_pair(curand4(state));
}
static __device__ inline double2 curand_normal2_double(curandStateMRG32k3a_t* state) {
    const double u = curand_uniform_double(state), v = curand_uniform_double(state) * 2;
    return heddle::curand::normal_pair(u, v);
}
static __device__ inline float4 curand_normal4(curandStatePhilox4_32_10_t* state) {
    const uint4 x = curand4(state);
    const float2 a = heddle::curand::normal_pair(x.x, x.y), b = heddle::curand::normal_pair(x.z, x.w);
    return make_float4(a.x, a.y, b.x, b.y);
}
template <class State>
static __device__ inline float curand_normal(State* state) {
    return heddle::curand::one_of_pair(state->second, heddle::curand::Kept::Normal,
                                       [&] { return curand_normal2(state); });
}
template <class State>
static __device__ inline double curand_normal_double(State* state) {
    return heddle::curand::one_of_pair(state->second_double, heddle::curand::Kept::Normal,
                                       [&] { return curand_normal2_double(state); });
}

template <class State>
static __device__ inline float2 curand_log_normal2(State* state, float mean, float stddev) {
    const float2 x = curand_normal2(state);
    return make_float2(expf(mean + stddev * x.x), expf(mean + stddev * x.y));
}
static __device__ inline float4 curand_log_normal4(curandStatePhilox4_32_10_t* state, float mean, float stddev) {
    const float4 x = curand_normal4(state);
    return make_float4(expf(mean + stddev * x.x), expf(mean + stddev * x.y), expf(mean + stddev * x.z),
                       expf(mean + stddev * x.w));
}
template <class State>
static __device__ inline double2 curand_log_normal2_double(State* state, double mean, double stddev) {
    const double2 x = curand_normal2_double(state);
    return make_double2(exp(mean + stddev * x.x), exp(mean + stddev * x.y));
}

template <class State>
static __device__ inline float curand_log_normal(State* state, float mean, float stddev) {
    return heddle::curand::one_of_pair(state->second, heddle::curand::Kept::LogNormal,
                                       [&] { return curand_log_normal2(state, mean, stddev); });
}
template <class State>
static __device__ inline double curand_log_normal_double(State* state, double mean, double stddev) {
    return heddle::curand::one_of_pair(state->second_double, heddle::curand::Kept::LogNormal,
                                       [&] { return curand_log_normal2_double(state, mean, stddev); });
}

// --- Poisson's distribution ---

template <class State>
static __device__ inline unsigned int curand_poisson(State* state, double lambda) {
    return heddle::rand::poisson_at(curand_uniform_double(state), lambda);
}
static __device__ inline uint4 curand_poisson4(curandStatePhilox4_32_10_t* state, double lambda) {
    unsigned out[4];
    for (unsigned& each : out)
        each = curand_poisson(state, lambda);
    return make_uint4(out[0], out[1], out[2], out[3]);
}
#endif
