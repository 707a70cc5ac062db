// Hashes of windows that slide over data, as a store does that looks for content it has already: SHA-1 of 64 bytes from
// every fourth byte on, a thread a window. A block brings its piece of the data to shared memory once, from which its
// windows, of which 16 share each byte, are read; there each thread also has the 16 words of its message schedule.
//
// The shape is that of STO of the GPGPU-Sim suite: 384 blocks (PRO Table II) of 128 threads. Windows of 64 bytes, which
// with their padding are two blocks of the hash, and 4 bytes between them are chosen. The check is exact; the reference
// pads and hashes bytes, and must itself hash the example "abc" of FIPS 180.

#include <array>
#include <cstdint>

#include "common/check.h"
#include "common/command_line.h"
#include "common/device.h"
#include "common/random.h"

constexpr unsigned kThreads = 128;
constexpr int kWindowWords = 16;
constexpr int kDigestWords = 5;

// ---- device ----

__device__ inline unsigned rotate_left(unsigned word, int bits) {
    return word << bits | word >> (32 - bits);
}

/// The state of the hash, and this thread's circular schedule of 16 words, which lie `stride` apart.
struct Hash {
    unsigned a;
    unsigned b;
    unsigned c;
    unsigned d;
    unsigned e;
    unsigned* schedule;
    int stride;

    __device__ __forceinline__ unsigned& word(int i) const {
        return schedule[(i & 15) * stride];
    }

    /// Word `i` of the extended schedule.
    __device__ __forceinline__ unsigned extended(int i) const {
        const unsigned next = rotate_left(word(i + 13) ^ word(i + 8) ^ word(i + 2) ^ word(i), 1);
        word(i) = next;
        return next;
    }

    __device__ __forceinline__ void turn(unsigned mixed, unsigned constant, unsigned next_word) {
        const unsigned sum = rotate_left(a, 5) + mixed + e + constant + next_word;
        e = d;
        d = c;
        c = rotate_left(b, 30);
        b = a;
        a = sum;
    }

    /// All 80 rounds. Unrolled by 5, after which the roles of the five words are as before.
    __device__ __forceinline__ void compress() {
        const Hash before = *this;
#pragma unroll 5
        for (int i = 0; i < 20; ++i)
            turn((b & c) | (~b & d), 0x5a827999u, i < 16 ? word(i) : extended(i));
#pragma unroll 5
        for (int i = 20; i < 40; ++i)
            turn(b ^ c ^ d, 0x6ed9eba1u, extended(i));
#pragma unroll 5
        for (int i = 40; i < 60; ++i)
            turn((b & c) | (b & d) | (c & d), 0x8f1bbcdcu, extended(i));
#pragma unroll 5
        for (int i = 60; i < 80; ++i)
            turn(b ^ c ^ d, 0xca62c1d6u, extended(i));
        a += before.a;
        b += before.b;
        c += before.c;
        d += before.d;
        e += before.e;
    }
};

/// `data` has `windows` + kWindowWords - 1 words.
__global__ void hash_windows(unsigned* digests, const unsigned* data, int windows) {
    extern __shared__ unsigned shared[];
    const int thread = static_cast<int>(threadIdx.x);
    const int threads = static_cast<int>(blockDim.x);
    const int first = static_cast<int>(blockIdx.x) * threads;
    unsigned* const piece = shared;
    unsigned* const schedules = shared + threads + kWindowWords - 1;
    for (int i = thread; i < threads + kWindowWords - 1 && first + i < windows + kWindowWords - 1; i += threads)
        piece[i] = __byte_perm(data[first + i], 0, 0x0123); // SHA-1 has the first byte on top
    __syncthreads();
    if (first + thread >= windows)
        return;
    Hash hash{0x67452301u, 0xefcdab89u, 0x98badcfeu, 0x10325476u, 0xc3d2e1f0u, schedules + thread, threads};
#pragma unroll 1
    for (int part = 0; part < 2; ++part) { // the window; then a bit that ends it, and its length in bits
#pragma unroll 1
        for (int i = 0; i < kWindowWords; ++i)
            hash.word(i) = part == 0 ? piece[thread + i] : i == 0 ? 0x80000000u : i == 15 ? kWindowWords * 32u : 0u;
        hash.compress();
    }
    unsigned* const digest = digests + (first + thread) * kDigestWords;
    digest[0] = hash.a;
    digest[1] = hash.b;
    digest[2] = hash.c;
    digest[3] = hash.d;
    digest[4] = hash.e;
}

namespace {

std::vector<unsigned> hash_on_device(const std::vector<unsigned>& data, std::size_t windows, unsigned blocks,
                                     unsigned block) {
    workload::DeviceArray<unsigned> words(data);
    workload::DeviceArray<unsigned> digests(windows * kDigestWords);
    digests.fill_bytes(0);
    const std::size_t shared = (block + kWindowWords - 1 + std::size_t{block} * 16) * sizeof(unsigned);
    hash_windows<<<blocks, block, shared>>>(digests.data(), words.data(), static_cast<int>(windows));
    workload::finish_kernels();
    return digests.to_host();
}

// ---- reference ----

using Digest = std::vector<unsigned>;

/// FIPS 180-4: the whole schedule of 80 words, and functions chosen by round.
void add_block(Digest& state, const std::uint8_t* bytes) {
    const auto rotated = [](unsigned word, unsigned bits) { return word << bits | word >> (32 - bits); };
    std::array<unsigned, 80> words{};
    for (std::size_t i = 0; i < 64; ++i)
        words[i / 4] = words[i / 4] << 8 | bytes[i];
    for (std::size_t i = 16; i < words.size(); ++i)
        words[i] = rotated(words[i - 3] ^ words[i - 8] ^ words[i - 14] ^ words[i - 16], 1);
    Digest v = state;
    for (std::size_t i = 0; i < words.size(); ++i) {
        constexpr unsigned kConstants[] = {0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6};
        const unsigned choice = v[3] ^ (v[1] & (v[2] ^ v[3]));
        const unsigned parity = v[1] ^ v[2] ^ v[3];
        const unsigned majority = (v[1] & (v[2] | v[3])) | (v[2] & v[3]);
        const unsigned mixed = i < 20 ? choice : i >= 40 && i < 60 ? majority : parity;
        v = {rotated(v[0], 5) + mixed + v[4] + kConstants[i / 20] + words[i], v[0], rotated(v[1], 30), v[2], v[3]};
    }
    for (std::size_t i = 0; i < state.size(); ++i)
        state[i] += v[i];
}

Digest reference(std::vector<std::uint8_t> message) {
    const std::uint64_t bits = message.size() * 8;
    message.push_back(0x80);
    while (message.size() % 64 != 56)
        message.push_back(0);
    for (int shift = 56; shift >= 0; shift -= 8)
        message.push_back(static_cast<std::uint8_t>(bits >> shift));
    Digest state{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
    for (std::size_t i = 0; i < message.size(); i += 64)
        add_block(state, &message[i]);
    return state;
}

} // namespace

int main(int argc, char** argv) {
    workload::CommandLine line("sto", "SHA-1 of windows that slide over data",
                               {{"pro", {384 * kThreads, 0, 1}, {16 * kThreads, 0, 1}}});
    line.size("windows", 1, 1u << 22).seed();
    const workload::Options options = line.parse(argc, argv);

    const std::size_t windows = options.amount.size;
    workload::Random random(options.seed);
    std::vector<unsigned> data(windows + kWindowWords - 1);
    for (unsigned& word : data)
        word = static_cast<unsigned>(random.next());
    const unsigned block = workload::block_threads(options, kThreads);
    const auto blocks = static_cast<unsigned>(workload::groups_of(windows, block));
    const std::vector<unsigned> got = hash_on_device(data, windows, blocks, block);

    workload::Check check;
    check.equal("FIPS 180 'abc'", reference({'a', 'b', 'c'}),
                {0xa9993e36, 0x4706816a, 0xba3e2571, 0x7850c26c, 0x9cd0d89d});
    const auto* const bytes = reinterpret_cast<const std::uint8_t*>(data.data());
    for (std::size_t window = 0; window < windows; ++window) {
        const std::uint8_t* const begin = bytes + window * sizeof(unsigned);
        const Digest expected = reference({begin, begin + kWindowWords * sizeof(unsigned)});
        for (std::size_t i = 0; i < expected.size(); ++i)
            check.equal("digest", window * kDigestWords + i, got[window * kDigestWords + i], expected[i]);
    }
    std::printf("sto: %u blocks of %u threads, %zu windows of %zu bytes\n", blocks, block, windows,
                kWindowWords * sizeof(unsigned));
    return check.finish();
}
