// The generators of random numbers that libcurand and curand_kernel.h have in common. Compiled for the device and for the
// host.
#pragma once
#pragma GCC system_header

#ifdef __CUDA__
#define HEDDLE_RAND __host__ __device__ inline
#else
#include <cmath>
#define HEDDLE_RAND inline
#endif

namespace heddle::rand {

using Word = unsigned;
using Wide = unsigned long long;

// Marsaglia, "Xorshift RNGs" (2003): five words shifted and combined, and a sum that is added.
struct Xorwow {
    static constexpr int kWords = 6; // of the state
    Word x[5], sum;

    HEDDLE_RAND Word next() {
        const Word t = x[0] ^ (x[0] >> 2);
        for (int i = 0; i < 4; ++i)
            x[i] = x[i + 1];
        x[4] = (x[4] ^ (x[4] << 4)) ^ (t ^ (t << 1));
        sum += 362437;
        return x[4] + sum;
    }
    // In (0, 1]
    HEDDLE_RAND static float uniform(Word word) {
        return static_cast<float>(word) * 0x1p-32f + 0x1p-33f;
    }
};

// L'Ecuyer, "Good parameters and implementations for combined multiple recursive random number generators" (1999).
// A word is below m1.
struct Mrg {
    static constexpr int kWords = 6;
    static constexpr Wide kM1 = 4294967087, kM2 = 4294944443;
    Word x[3], y[3]; // oldest first

    HEDDLE_RAND Word next() {
        const Wide p = (1403580 * static_cast<Wide>(x[1]) + 810728 * (kM1 - x[0])) % kM1;
        const Wide q = (527612 * static_cast<Wide>(y[2]) + 1370589 * (kM2 - y[0])) % kM2;
        x[0] = x[1], x[1] = x[2], x[2] = static_cast<Word>(p);
        y[0] = y[1], y[1] = y[2], y[2] = static_cast<Word>(q);
        return static_cast<Word>(p > q ? p - q - 1 : p + kM1 - q - 1);
    }
    // In (0, 1)
    HEDDLE_RAND static float uniform(Word word) {
        return static_cast<float>((word + 1.0) * (1.0 / (kM1 + 1)));
    }
};

// Some steps of the two recurrences of MRG32k3a at once, each a matrix modulo its number
struct MrgSteps {
    using Matrix = Wide[3][3];
    Matrix x, y;

    static HEDDLE_RAND MrgSteps one() {
        return {{{0, 1, 0}, {0, 0, 1}, {Mrg::kM1 - 810728, 1403580, 0}},
                {{0, 1, 0}, {0, 0, 1}, {Mrg::kM2 - 1370589, 0, 527612}}};
    }
    [[nodiscard]] HEDDLE_RAND MrgSteps doubled() const {
        MrgSteps out;
        square(x, Mrg::kM1, out.x);
        square(y, Mrg::kM2, out.y);
        return out;
    }
    HEDDLE_RAND void apply(Mrg& state) const {
        multiply(x, Mrg::kM1, state.x);
        multiply(y, Mrg::kM2, state.y);
    }

private:
    static HEDDLE_RAND void square(const Matrix& matrix, Wide modulus, Matrix& out) {
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) {
                out[i][j] = 0;
                for (int k = 0; k < 3; ++k)
                    out[i][j] = (out[i][j] + matrix[i][k] * matrix[k][j] % modulus) % modulus;
            }
    }
    static HEDDLE_RAND void multiply(const Matrix& matrix, Wide modulus, Word (&x)[3]) {
        const Wide old[3] = {x[0], x[1], x[2]};
        for (int i = 0; i < 3; ++i) {
            Wide sum = 0;
            for (int k = 0; k < 3; ++k)
                sum = (sum + matrix[i][k] * old[k] % modulus) % modulus;
            x[i] = static_cast<Word>(sum);
        }
    }
};

// Salmon and others, "Parallel random numbers: as easy as 1, 2, 3" (2011): four words of a counter and a key, ten
// rounds
struct PhiloxBlock {
    Word word[4];
};
HEDDLE_RAND PhiloxBlock philox(PhiloxBlock counter, Word key_0, Word key_1) {
    for (int round = 0; round < 10; ++round) {
        const Wide p = static_cast<Wide>(0xd2511f53) * counter.word[0];
        const Wide q = static_cast<Wide>(0xcd9e8d57) * counter.word[2];
        counter = {{static_cast<Word>(q >> 32) ^ counter.word[1] ^ key_0, static_cast<Word>(q),
                    static_cast<Word>(p >> 32) ^ counter.word[3] ^ key_1, static_cast<Word>(p)}};
        key_0 += 0x9e3779b9;
        key_1 += 0xbb67ae85;
    }
    return counter;
}

// Poisson's distribution: the inverse of the distribution function, searched from the mean on in both directions. One
// uniform number takes as many steps as the root of the mean.
HEDDLE_RAND Word poisson_at(double uniform, double mean) {
    const double mode = floor(mean);
    double rest = uniform, up = mode, down = mode;
    double of_up = exp(mode * log(mean) - mean - lgamma(mode + 1)), of_down = of_up;
    Word found = static_cast<Word>(mode);
    rest -= of_up;
    while (rest > 0 && (of_up > 0 || of_down > 0)) {
        up += 1;
        of_up *= mean / up;
        rest -= of_up;
        found = static_cast<Word>(up);
        if (rest <= 0)
            break;
        of_down = down > 0 ? of_down * (down / mean) : 0;
        down = down > 0 ? down - 1 : down;
        rest -= of_down;
        if (of_down > 0)
            found = static_cast<Word>(down);
    }
    return found;
}

} // namespace heddle::rand
