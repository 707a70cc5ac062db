// AES-128 encryption of independent blocks of 16 bytes (ECB). A thread has a column of four bytes; the state lies in
// shared memory, where the threads of a column find the others' bytes after each round. Substitution and mixing of a
// byte are one look-up in tables of 256 words, which every block of threads copies to shared memory.
//
// The shape is that of AES of the GPGPU-Sim suite: 257 blocks (PRO Table II) of 256 threads, so 263,168 bytes. There
// the tables are textures. The reference works on bytes, by the definition in FIPS 197, and must itself encrypt the
// example in appendix C.1 of it. The check is exact.

#include <array>
#include <cstdint>

#include "common/check.h"
#include "common/command_line.h"
#include "common/device.h"
#include "common/random.h"

constexpr int kRounds = 10;
constexpr int kTables = 4; ///< one for every row of the state
constexpr int kTableWords = 256;
constexpr std::size_t kBytes = 16; ///< of a block of the cipher

// ---- device ----

/// Columns of the round keys; row 0 of a column is its lowest byte, here as everywhere.
__constant__ unsigned round_keys[(kRounds + 1) * 4];

/// `columns` of the text, four a cipher block; a block of threads has whole ones.
__global__ void encrypt(unsigned* out, const unsigned* in, const unsigned* tables, int columns) {
    __shared__ unsigned table[kTables * kTableWords];
    extern __shared__ unsigned states[]; // two of the block of threads: before and after a round
    const int thread = static_cast<int>(threadIdx.x);
    const int threads = static_cast<int>(blockDim.x);
    for (int i = thread; i < kTables * kTableWords; i += threads)
        table[i] = tables[i];

    const int column = workload::thread_index();
    const int row0 = thread;
    const int row1 = (thread & ~3) + ((thread + 1) & 3); // columns that the shift of rows brings into this one
    const int row2 = (thread & ~3) + ((thread + 2) & 3);
    const int row3 = (thread & ~3) + ((thread + 3) & 3);
    unsigned* state = states;
    unsigned* next = states + threads;
    if (column < columns)
        state[thread] = in[column] ^ round_keys[thread & 3];
    __syncthreads();
#pragma unroll 1
    for (int round = 1; round < kRounds; ++round) {
        next[thread] = table[state[row0] & 255] ^ table[kTableWords + (state[row1] >> 8 & 255)] ^
                       table[2 * kTableWords + (state[row2] >> 16 & 255)] ^
                       table[3 * kTableWords + (state[row3] >> 24)] ^ round_keys[round * 4 + (thread & 3)];
        __syncthreads();
        unsigned* const before = state;
        state = next;
        next = before;
    }
    if (column < columns) { // the last round does not mix: each table has the byte alone at two places
        const unsigned bytes = (table[2 * kTableWords + (state[row0] & 255)] & 0xff) |
                               (table[3 * kTableWords + (state[row1] >> 8 & 255)] & 0xff00) |
                               (table[state[row2] >> 16 & 255] & 0xff0000) |
                               (table[kTableWords + (state[row3] >> 24)] & 0xff000000);
        out[column] = bytes ^ round_keys[kRounds * 4 + (thread & 3)];
    }
}

namespace {

using Key = std::array<std::uint8_t, 16>;
using Text = std::vector<std::uint8_t>;

// ---- tables and keys of the device ----

/// The S-box, by logarithms to the base 3 in GF(256).
std::array<std::uint8_t, 256> make_sbox() {
    std::array<std::uint8_t, 256> power{};
    std::array<unsigned, 256> logarithm{};
    unsigned value = 1;
    for (unsigned i = 0; i < 255; ++i) {
        power[i] = static_cast<std::uint8_t>(value);
        logarithm[value] = i;
        value ^= value << 1 ^ (value & 0x80 ? 0x11b : 0);
    }
    std::array<std::uint8_t, 256> sbox{};
    for (unsigned i = 0; i < 256; ++i) {
        const unsigned inverse = i == 0 ? 0 : power[(255 - logarithm[i]) % 255];
        const unsigned twice = inverse << 8 | inverse; // rotations of a byte are shifts of this
        sbox[i] = static_cast<std::uint8_t>(inverse ^ twice >> 7 ^ twice >> 6 ^ twice >> 5 ^ twice >> 4 ^ 0x63);
    }
    return sbox;
}

unsigned rotate_left(unsigned word, unsigned bits) {
    return bits == 0 ? word : word << bits | word >> (32 - bits);
}

/// What a byte of the state contributes to its column: 2, 1, 1 and 3 times its substitute, from its own row on.
std::vector<unsigned> make_tables(const std::array<std::uint8_t, 256>& sbox) {
    std::vector<unsigned> tables(kTables * kTableWords);
    for (unsigned byte = 0; byte < kTableWords; ++byte) {
        const unsigned once = sbox[byte];
        const unsigned twice = once << 1 ^ (once & 0x80 ? 0x11b : 0);
        const unsigned column = twice | once << 8 | once << 16 | (twice ^ once) << 24;
        for (unsigned row = 0; row < kTables; ++row)
            tables[row * kTableWords + byte] = rotate_left(column, 8 * row);
    }
    return tables;
}

std::vector<unsigned> expand_key(const Key& key, const std::array<std::uint8_t, 256>& sbox) {
    std::vector<unsigned> columns;
    for (std::size_t i = 0; i < 4; ++i)
        columns.push_back(key[4 * i] | key[4 * i + 1] << 8 | key[4 * i + 2] << 16 |
                          static_cast<unsigned>(key[4 * i + 3]) << 24);
    unsigned constant = 1;
    for (std::size_t i = 4; i < (kRounds + 1) * 4; ++i) {
        unsigned word = columns[i - 1];
        if (i % 4 == 0) {
            word = rotate_left(word, 24);
            word = sbox[word & 255] | sbox[word >> 8 & 255] << 8 | sbox[word >> 16 & 255] << 16 |
                   static_cast<unsigned>(sbox[word >> 24]) << 24;
            word ^= constant;
            constant = constant << 1 ^ (constant & 0x80 ? 0x11b : 0);
        }
        columns.push_back(columns[i - 4] ^ word);
    }
    return columns;
}

/// Text of whole cipher blocks; bytes of a column lie in a word in the order of memory, so the host is little-endian.
Text encrypt_on_device(const Text& text, const Key& key, unsigned blocks, unsigned block) {
    const std::array<std::uint8_t, 256> sbox = make_sbox();
    const std::vector<unsigned> keys = expand_key(key, sbox);
    const std::size_t columns = text.size() / 4;
    workload::DeviceArray<std::uint8_t> in(text);
    workload::DeviceArray<std::uint8_t> out(text.size());
    workload::DeviceArray<unsigned> tables(make_tables(sbox));
    CUDA_CHECK(cudaMemcpyToSymbol(round_keys, keys.data(), keys.size() * sizeof(unsigned)));
    out.fill_bytes(0);
    encrypt<<<blocks, block, 2 * block * sizeof(unsigned)>>>(reinterpret_cast<unsigned*>(out.data()),
                                                             reinterpret_cast<const unsigned*>(in.data()),
                                                             tables.data(), static_cast<int>(columns));
    workload::finish_kernels();
    return out.to_host();
}

// ---- reference ----

/// FIPS 197, byte by byte.
class Cipher {
public:
    explicit Cipher(const Key& key) {
        for (unsigned byte = 0; byte < 256; ++byte)
            substitute_[byte] = substitute_of(byte);
        schedule_.assign(key.begin(), key.end());
        std::uint8_t constant = 1;
        while (schedule_.size() < kBytes * (kRounds + 1)) {
            std::array<std::uint8_t, 4> word{};
            std::copy(schedule_.end() - 4, schedule_.end(), word.begin());
            if (schedule_.size() % kBytes == 0) {
                word = {substitute_[word[1]], substitute_[word[2]], substitute_[word[3]], substitute_[word[0]]};
                word[0] ^= constant;
                constant = product(constant, 2);
            }
            for (const std::uint8_t byte : word)
                schedule_.push_back(schedule_[schedule_.size() - kBytes] ^ byte);
        }
    }

    void encrypt(std::uint8_t* state) const {
        add_key(state, 0);
        for (std::size_t round = 1; round <= kRounds; ++round) {
            const std::vector<std::uint8_t> old(state, state + kBytes);
            for (std::size_t i = 0; i < kBytes; ++i) // the byte at row i % 4 comes from as many columns on
                state[i] = substitute_[old[(i + 4 * (i % 4)) % kBytes]];
            if (round != kRounds)
                mix(state);
            add_key(state, round);
        }
    }

private:
    static std::uint8_t product(unsigned a, unsigned b) {
        unsigned result = 0;
        for (; b != 0; b >>= 1) {
            if (b & 1)
                result ^= a;
            a = a << 1 ^ (a >= 128 ? 0x11b : 0);
        }
        return static_cast<std::uint8_t>(result);
    }

    static std::uint8_t substitute_of(unsigned byte) {
        unsigned inverse = 0;
        for (unsigned other = 1; other < 256; ++other) {
            if (product(byte, other) == 1)
                inverse = other;
        }
        unsigned result = 0;
        for (unsigned bit = 0; bit < 8; ++bit) {
            const unsigned sum = inverse >> bit ^ inverse >> (bit + 4) % 8 ^ inverse >> (bit + 5) % 8 ^
                                 inverse >> (bit + 6) % 8 ^ inverse >> (bit + 7) % 8 ^ 0x63u >> bit;
            result |= (sum & 1) << bit;
        }
        return static_cast<std::uint8_t>(result);
    }

    static void mix(std::uint8_t* state) {
        for (std::size_t column = 0; column < kBytes; column += 4) {
            const std::vector<std::uint8_t> old(state + column, state + column + 4);
            for (std::size_t row = 0; row < 4; ++row)
                state[column + row] =
                    product(old[row], 2) ^ product(old[(row + 1) % 4], 3) ^ old[(row + 2) % 4] ^ old[(row + 3) % 4];
        }
    }

    void add_key(std::uint8_t* state, std::size_t round) const {
        for (std::size_t i = 0; i < kBytes; ++i)
            state[i] ^= schedule_[round * kBytes + i];
    }

    std::array<std::uint8_t, 256> substitute_{};
    std::vector<std::uint8_t> schedule_;
};

/// Key and text count up; the result is printed in the standard.
void check_cipher(workload::Check& check) {
    Key key{};
    Text text(kBytes);
    for (std::size_t i = 0; i < kBytes; ++i) {
        key[i] = static_cast<std::uint8_t>(i);
        text[i] = static_cast<std::uint8_t>(i * 0x11);
    }
    Cipher(key).encrypt(text.data());
    check.equal("FIPS 197 C.1", text,
                {0x69, 0xc4, 0xe0, 0xd8, 0x6a, 0x7b, 0x04, 0x30, 0xd8, 0xcd, 0xb7, 0x80, 0x70, 0xb4, 0xc5, 0x5a});
}

void refuse(const char* option, unsigned long long value, const char* what, std::size_t multiple) {
    std::fprintf(stderr, "aes: error: %s %llu: the number of %s must be a multiple of %zu\n", option, value, what,
                 multiple);
    std::exit(EXIT_FAILURE);
}

} // namespace

int main(int argc, char** argv) {
    workload::CommandLine line("aes", "AES-128 encryption", {{"pro", {257 * 1024, 0, 1}, {64 * 1024, 0, 1}}});
    line.size("bytes, a multiple of 16", 1, 1u << 26).block().seed();
    const workload::Options options = line.parse(argc, argv);
    if (options.amount.size % kBytes != 0)
        refuse("--size", options.amount.size, "bytes", kBytes);
    const unsigned block = workload::block_threads(options);
    if (block % 4 != 0)
        refuse("--block", block, "threads", 4);

    workload::Random random(options.seed);
    Key key{};
    for (std::uint8_t& byte : key)
        byte = static_cast<std::uint8_t>(random.next());
    Text text(options.amount.size);
    for (std::uint8_t& byte : text)
        byte = static_cast<std::uint8_t>(random.next());

    const auto blocks = static_cast<unsigned>(workload::groups_of(text.size() / 4, block));
    const Text got = encrypt_on_device(text, key, blocks, block);
    const Cipher cipher(key);
    for (std::size_t i = 0; i < text.size(); i += kBytes)
        cipher.encrypt(&text[i]);
    workload::Check check;
    check_cipher(check);
    check.equal("byte", got, text);
    std::printf("aes: %u blocks of %u threads, %zu bytes\n", blocks, block, text.size());
    return check.finish();
}
