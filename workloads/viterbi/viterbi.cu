// Decoding of a convolutional code by the algorithm of Viterbi: rate 1/2, constraint length 3, generators 7 and 5. The
// stream is cut into frames of 256 steps, each of which begins and, by two zeros at its end, ends in state 0. A thread
// decodes a frame at a time; which of its two predecessors each of the four states keeps in each step fills 128 bytes,
// the private memory of a thread in LWM11 Table 1.
//
// A state is the last two bits that went in, the newer one above. Words of all frames are interleaved, so that threads
// of a warp read neighbouring ones; steps, and the bits of a step, lie from the lowest bit of a word up.

#include <array>

#include "common/check.h"
#include "common/command_line.h"
#include "common/device.h"
#include "common/random.h"

constexpr int kStates = 4;
constexpr int kSteps = 256; ///< of a frame
constexpr int kTail = 2;    ///< zeros at the end of a frame
constexpr int kFrameBits = 2 * kSteps;
constexpr int kWordBits = 32;
constexpr int kFrameWords = kFrameBits / kWordBits;
constexpr int kDataWords = kSteps / kWordBits;
constexpr int kStepsOfWord = kWordBits / kStates; ///< steps whose decisions fill a word
constexpr int kUnreachable = 1 << 20;             ///< more than any frame has errors

// ---- device ----

/// The two bits that the encoder sends when `bit` goes in, of which generator 7 makes the lower one.
__device__ inline unsigned encoded(unsigned state, unsigned bit) {
    const unsigned window = bit << 2 | state;
    return (__popc(window & 7) & 1) | (__popc(window & 5) & 1) << 1;
}

/// One step: `errors` of each state's best path so far, given the two bits received. Returns which states keep the
/// predecessor whose older bit is 1.
__device__ inline unsigned advance(int (&errors)[kStates], unsigned received) {
    int next[kStates];
    unsigned kept = 0;
#pragma unroll
    for (unsigned state = 0; state < kStates; ++state) {
        const unsigned from = (state & 1) << 1;
        const unsigned bit = state >> 1;
        const int with_zero = errors[from] + __popc(received ^ encoded(from, bit));
        const int with_one = errors[from + 1] + __popc(received ^ encoded(from + 1, bit));
        if (with_one < with_zero) {
            next[state] = with_one;
            kept |= 1u << state;
        } else {
            next[state] = with_zero;
        }
    }
#pragma unroll
    for (int state = 0; state < kStates; ++state)
        errors[state] = next[state];
    return kept;
}

__global__ void decode(unsigned* data, const unsigned* received, int frames) {
    for (int frame = workload::thread_index(); frame < frames; frame += workload::thread_count()) {
        unsigned kept[kSteps / kStepsOfWord];
        int errors[kStates] = {0, kUnreachable, kUnreachable, kUnreachable};
        unsigned bits = 0;
#pragma unroll 1
        for (int word = 0; word < kSteps / kStepsOfWord; ++word) {
            if (word % 2 == 0)
                bits = received[word / 2 * frames + frame];
            unsigned decisions = 0;
#pragma unroll 1
            for (int step = 0; step < kStepsOfWord; ++step) {
                decisions |= advance(errors, bits & 3) << (kStates * step);
                bits >>= 2;
            }
            kept[word] = decisions;
        }

        unsigned state = 0;
        unsigned decoded = 0;
#pragma unroll 1
        for (int step = kSteps - 1; step >= 0; --step) {
            decoded = decoded << 1 | state >> 1;
            const unsigned older =
                kept[step / kStepsOfWord] >> (step % kStepsOfWord * kStates + static_cast<int>(state));
            state = (state & 1) << 1 | (older & 1);
            if (step % kWordBits == 0)
                data[step / kWordBits * frames + frame] = decoded;
        }
    }
}

// ---- reference ----

namespace {

using Bits = std::vector<std::uint8_t>; ///< one a byte

/// A shift register: what went in last is bit 2.
class Encoder {
public:
    explicit Encoder(unsigned state = 0) : state_(state) {}
    std::array<std::uint8_t, 2> next(unsigned bit) {
        const unsigned newest = bit;
        const unsigned older = state_ >> 1;
        const unsigned oldest = state_ & 1;
        state_ = newest << 1 | older;
        return {static_cast<std::uint8_t>(newest ^ older ^ oldest), static_cast<std::uint8_t>(newest ^ oldest)};
    }
    unsigned state() const {
        return state_;
    }

private:
    unsigned state_;
};

/// Forward over the transitions of every state; of two paths with as many errors, the one from the lower state stays.
Bits reference(const std::uint8_t* received) {
    struct Step {
        std::array<int, kStates> errors;
        std::array<unsigned, kStates> from{};
    };
    std::vector<Step> steps(kSteps + 1);
    for (Step& step : steps)
        step.errors.fill(kUnreachable);
    steps[0].errors[0] = 0;
    for (std::size_t t = 0; t < kSteps; ++t) {
        for (unsigned from = 0; from < kStates; ++from) {
            for (unsigned bit = 0; bit < 2; ++bit) {
                Encoder encoder(from);
                const std::array<std::uint8_t, 2> sent = encoder.next(bit);
                const int errors =
                    steps[t].errors[from] + (sent[0] != received[2 * t]) + (sent[1] != received[2 * t + 1]);
                // From a state that no path has reached yet there are too many errors to be kept.
                Step& next = steps[t + 1];
                if (errors < next.errors[encoder.state()]) {
                    next.errors[encoder.state()] = errors;
                    next.from[encoder.state()] = from;
                }
            }
        }
    }
    Bits data(kSteps);
    unsigned state = 0;
    for (std::size_t t = kSteps; t-- > 0;) {
        data[t] = static_cast<std::uint8_t>(state >> 1);
        state = steps[t + 1].from[state];
    }
    return data;
}

// ---- input ----

struct Transmission {
    Bits data;
    Bits received;
};

/// One bit of kNoise is flipped on its way.
Transmission transmit(std::size_t frames, workload::Random& random) {
    constexpr std::uint32_t kNoise = 32;
    Transmission result;
    for (std::size_t frame = 0; frame < frames; ++frame) {
        Encoder encoder;
        for (int step = 0; step < kSteps; ++step) {
            const std::uint32_t bit = step < kSteps - kTail ? random.below(2) : 0;
            result.data.push_back(static_cast<std::uint8_t>(bit));
            for (const std::uint8_t sent : encoder.next(bit))
                result.received.push_back(sent ^ static_cast<std::uint8_t>(random.below(kNoise) == 0));
        }
    }
    return result;
}

/// Frames of `words` words each, interleaved.
std::vector<unsigned> interleave(const Bits& bits, std::size_t frames, std::size_t words) {
    std::vector<unsigned> packed(frames * words);
    for (std::size_t i = 0; i < bits.size(); ++i) {
        const std::size_t word = i / kWordBits;
        packed[word % words * frames + word / words] |= unsigned{bits[i]} << i % kWordBits;
    }
    return packed;
}

} // namespace

int main(int argc, char** argv) {
    workload::CommandLine line("viterbi", "Decoding of a convolutional code by the algorithm of Viterbi",
                               {{"lwm", {4 << 20, 1024, 1}, {128 << 10, 1024, 1}}});
    line.size("encoded bits, rounded up to whole frames of 512", 1, 1u << 28).threads().block().seed();
    const workload::Options options = line.parse(argc, argv);

    const std::size_t frames = (options.amount.size + kFrameBits - 1) / kFrameBits;
    workload::Random random(options.seed);
    const Transmission sent = transmit(frames, random);
    const workload::Grid grid = workload::grid_for(options, frames);
    workload::DeviceArray<unsigned> received(interleave(sent.received, frames, kFrameWords));
    workload::DeviceArray<unsigned> data(frames * kDataWords);
    data.fill_bytes(0xff); // a word that no thread writes shall not pass
    decode<<<grid.blocks, grid.block>>>(data.data(), received.data(), static_cast<int>(frames));
    workload::finish_kernels();

    Bits expected;
    for (std::size_t frame = 0; frame < frames; ++frame) {
        const Bits decoded = reference(sent.received.data() + frame * kFrameBits);
        expected.insert(expected.end(), decoded.begin(), decoded.end());
    }
    workload::Check check;
    check.equal("data", data.to_host(), interleave(expected, frames, kDataWords));
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < expected.size(); ++i)
        wrong += expected[i] != sent.data[i];
    std::printf("viterbi: %u threads, %zu encoded bits in %zu frames, %zu of %zu data bits decoded wrong\n",
                grid.threads(), frames * kFrameBits, frames, wrong, sent.data.size());
    return check.finish();
}
