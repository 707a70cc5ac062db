// The generators of random numbers and what is made of their numbers. Compiled for the device, and for generators whose
// numbers the host computes.
#pragma once

#include "detail/random_generators.h"

namespace heddle::rand {

// The words of a block one after the other, from word `at` on
struct Philox {
    PhiloxBlock block;
    int at;

    HEDDLE_RAND Word next() {
        return block.word[at++];
    }
    HEDDLE_RAND static float uniform(Word word) {
        return Xorwow::uniform(word);
    }
};

// --- what is made of words: kWords words become kNumbers numbers ---

// Parameters of a distribution: mean and deviation of a normal one, or the mean of Poisson's
struct Distribution {
    double mean, deviation;
};

// In (0, 1], of 53 bits
template <class Source>
HEDDLE_RAND double uniform_f64(Source& source) {
    const Wide high = source.next(), low = source.next();
    return static_cast<double>(((high << 32 | low) >> 11) + 1) * 0x1p-53;
}

struct Words {
    using Number = Word;
    static constexpr int kWords = 1, kNumbers = 1;
    template <class Source>
    static HEDDLE_RAND void make(Source& source, const Distribution&, Number* out) {
        out[0] = source.next();
    }
};
struct UniformF32 {
    using Number = float;
    static constexpr int kWords = 1, kNumbers = 1;
    template <class Source>
    static HEDDLE_RAND void make(Source& source, const Distribution&, Number* out) {
        out[0] = Source::uniform(source.next());
    }
};
struct UniformF64 {
    using Number = double;
    static constexpr int kWords = 2, kNumbers = 1;
    template <class Source>
    static HEDDLE_RAND void make(Source& source, const Distribution&, Number* out) {
        out[0] = uniform_f64(source);
    }
};

// Box and Muller's method: two uniform numbers become two normal ones.
HEDDLE_RAND void box_muller(float u, float v, float* out) {
    const float radius = sqrtf(-2 * logf(u)), angle = 6.28318531f * v;
    out[0] = radius * cosf(angle);
    out[1] = radius * sinf(angle);
}
HEDDLE_RAND void box_muller(double u, double v, double* out) {
    const double radius = sqrt(-2 * log(u)), angle = 6.283185307179586 * v;
    out[0] = radius * cos(angle);
    out[1] = radius * sin(angle);
}
struct NormalF32 {
    using Number = float;
    static constexpr int kWords = 2, kNumbers = 2;
    template <class Source>
    static HEDDLE_RAND void make(Source& source, const Distribution& d, Number* out) {
        const float u = Source::uniform(source.next()), v = Source::uniform(source.next());
        box_muller(u, v, out);
        for (int i = 0; i < 2; ++i)
            out[i] = static_cast<float>(d.mean) + static_cast<float>(d.deviation) * out[i];
    }
};
struct NormalF64 {
    using Number = double;
    static constexpr int kWords = 4, kNumbers = 2;
    template <class Source>
    static HEDDLE_RAND void make(Source& source, const Distribution& d, Number* out) {
        const double u = uniform_f64(source), v = uniform_f64(source);
        box_muller(u, v, out);
        for (int i = 0; i < 2; ++i)
            out[i] = d.mean + d.deviation * out[i];
    }
};
struct LogNormalF32 : NormalF32 {
    template <class Source>
    static HEDDLE_RAND void make(Source& source, const Distribution& d, Number* out) {
        NormalF32::make(source, d, out);
        out[0] = expf(out[0]), out[1] = expf(out[1]);
    }
};
struct LogNormalF64 : NormalF64 {
    template <class Source>
    static HEDDLE_RAND void make(Source& source, const Distribution& d, Number* out) {
        NormalF64::make(source, d, out);
        out[0] = exp(out[0]), out[1] = exp(out[1]);
    }
};

struct Poisson {
    using Number = Word;
    static constexpr int kWords = 2, kNumbers = 1;
    template <class Source>
    static HEDDLE_RAND void make(Source& source, const Distribution& d, Number* out) {
        out[0] = poisson_at(uniform_f64(source), d.mean);
    }
};

// --- the order of numbers ---

// A request for groups of numbers, each made by one make(). Streams give the groups in turn: group i is of stream
// (first_stream + i) modulo kStreams. Word w of the state of stream s is at states[w * kStreams + s].
constexpr unsigned kStreams = 4096;
struct StreamRequest {
    void* out;
    Wide groups;
    unsigned first_stream;
    Word* states;
    Distribution distribution;
};
// A counter gives the words: group i has the words from first_word + i * kWords on, of which no group begins elsewhere
// than at a multiple of kWords. Word w is in block w / 4.
struct CounterRequest {
    void* out;
    Wide groups, first_word;
    Word key[2];
    Distribution distribution;
};

// All groups of one stream
template <class Source, class Kind>
HEDDLE_RAND void of_stream(const StreamRequest& request, unsigned stream) {
    Wide group = (stream + kStreams - request.first_stream) % kStreams;
    if (group >= request.groups)
        return;
    Source source;
    Word* const words = reinterpret_cast<Word*>(&source);
    for (int i = 0; i < Source::kWords; ++i)
        words[i] = request.states[static_cast<unsigned>(i) * kStreams + stream];
    auto* const out = static_cast<typename Kind::Number*>(request.out);
    for (; group < request.groups; group += kStreams)
        Kind::make(source, request.distribution, out + group * Kind::kNumbers);
    for (int i = 0; i < Source::kWords; ++i)
        request.states[static_cast<unsigned>(i) * kStreams + stream] = words[i];
}

// All groups of one block of four words, counted from the first block of the request
template <class Kind>
HEDDLE_RAND void of_block(const CounterRequest& request, Wide number) {
    const Wide block = request.first_word / 4 + number;
    const PhiloxBlock words =
        philox({{static_cast<Word>(block), static_cast<Word>(block >> 32), 0, 0}}, request.key[0], request.key[1]);
    auto* const out = static_cast<typename Kind::Number*>(request.out);
    for (int at = 0; at < 4; at += Kind::kWords) {
        const Wide word = block * 4 + static_cast<Wide>(at);
        if (word < request.first_word || (word - request.first_word) / Kind::kWords >= request.groups)
            continue;
        Philox source{words, at};
        Kind::make(source, request.distribution, out + (word - request.first_word) / Kind::kWords * Kind::kNumbers);
    }
}

} // namespace heddle::rand
