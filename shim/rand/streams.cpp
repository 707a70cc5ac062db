#include "streams.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace heddle::rand {

namespace {

// Some steps of XORWOW without its sum, on 160 bits: what each bit alone becomes.
class BitMatrix {
public:
    using Bits = std::array<Word, 5>;
    static constexpr unsigned kBits = 160;

    static BitMatrix one() {
        BitMatrix out;
        for (unsigned bit = 0; bit < kBits; ++bit) {
            Xorwow state{};
            state.x[bit / 32] = Word{1} << bit % 32;
            (void)state.next();
            std::copy(std::begin(state.x), std::end(state.x), out.of_bit_[bit].begin());
        }
        return out;
    }
    [[nodiscard]] Bits operator*(const Bits& bits) const {
        Bits out{};
        for (unsigned bit = 0; bit < kBits; ++bit)
            if ((bits[bit / 32] >> bit % 32 & 1) != 0)
                for (std::size_t i = 0; i < out.size(); ++i)
                    out[i] ^= of_bit_[bit][i];
        return out;
    }
    [[nodiscard]] BitMatrix doubled() const {
        BitMatrix out;
        for (unsigned bit = 0; bit < kBits; ++bit)
            out.of_bit_[bit] = *this * of_bit_[bit];
        return out;
    }

private:
    std::array<Bits, kBits> of_bit_{};
};

Xorwow apply(const BitMatrix& matrix, Xorwow state, Wide numbers) {
    BitMatrix::Bits bits;
    std::copy(std::begin(state.x), std::end(state.x), bits.begin());
    bits = matrix * bits;
    std::copy(bits.begin(), bits.end(), std::begin(state.x));
    state.sum += static_cast<Word>(numbers) * 362437;
    return state;
}

Mrg apply(const MrgSteps& steps, Mrg state, Wide) {
    steps.apply(state);
    return state;
}

template <class Matrix>
Matrix power_of_two(int exponent) {
    Matrix out = Matrix::one();
    for (int i = 0; i < exponent; ++i)
        out = out.doubled();
    return out;
}

template <class Matrix, class State>
State jump_by(State state, Wide numbers) {
    Matrix matrix = Matrix::one();
    for (int bit = 0; numbers >> bit != 0; ++bit) {
        if ((numbers >> bit & 1) != 0)
            state = apply(matrix, state, Wide{1} << bit);
        if (bit == 63)
            break;
        matrix = matrix.doubled();
    }
    return state;
}

// Distances of at least 2^32 leave the sum of XORWOW as it is.
constexpr int kXorwowDistance = 67, kMrgDistance = 76;

template <class Matrix, class State>
std::vector<Word> all_streams(State first, Wide offset, const Matrix& distance) {
    std::vector<Word> out(std::size_t{kStreams} * State::kWords);
    first = jump_by<Matrix>(first, offset / kStreams);
    for (unsigned stream = 0; stream < kStreams; ++stream) {
        State state = first;
        if (stream < offset % kStreams)
            (void)state.next();
        const Word* const words = reinterpret_cast<const Word*>(&state);
        for (std::size_t i = 0; i < State::kWords; ++i)
            out[i * kStreams + stream] = words[i];
        first = apply(distance, first, 0);
    }
    return out;
}

// Steele, Lea and Flood's SplitMix64, a generator that spreads the bits of a seed
class SplitMix {
public:
    explicit SplitMix(Wide seed) : state_(seed) {}
    Wide next() {
        Wide z = state_ += 0x9e3779b97f4a7c15;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
        z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
        return z ^ (z >> 31);
    }

private:
    Wide state_;
};

} // namespace

Xorwow jump(const Xorwow& state, Wide numbers) {
    return jump_by<BitMatrix>(state, numbers);
}
Mrg jump(const Mrg& state, Wide numbers) {
    return jump_by<MrgSteps>(state, numbers);
}
Xorwow jump_power(const Xorwow& state, int exponent) {
    return apply(power_of_two<BitMatrix>(exponent), state, exponent < 32 ? Wide{1} << exponent : 0);
}
Mrg jump_power(const Mrg& state, int exponent) {
    return apply(power_of_two<MrgSteps>(exponent), state, 0);
}

Xorwow xorwow_of(Wide seed) {
    Xorwow out{{123456789, 362436069, 521288629, 88675123, 5783321}, 6615241};
    if (seed == 0)
        return out;
    SplitMix words(seed);
    for (Word& each : out.x)
        each = static_cast<Word>(words.next() >> 32);
    out.sum = static_cast<Word>(words.next() >> 32);
    out.x[0] |= out.x[1] == 0 && out.x[2] == 0 && out.x[3] == 0 && out.x[4] == 0; // zeros alone would stay zeros
    return out;
}

Mrg mrg_of(Wide seed) {
    Mrg out{{12345, 12345, 12345}, {12345, 12345, 12345}};
    if (seed == 0)
        return out;
    SplitMix words(seed);
    for (Word& each : out.x)
        each = static_cast<Word>(1 + words.next() % (Mrg::kM1 - 1));
    for (Word& each : out.y)
        each = static_cast<Word>(1 + words.next() % (Mrg::kM2 - 1));
    return out;
}

std::vector<Word> streams_of(Xorwow first, Wide offset) {
    static const auto distance = power_of_two<BitMatrix>(kXorwowDistance);
    return all_streams(first, offset, distance);
}
std::vector<Word> streams_of(Mrg first, Wide offset) {
    static const auto distance = power_of_two<MrgSteps>(kMrgDistance);
    return all_streams(first, offset, distance);
}

} // namespace heddle::rand
