// Decryption by the Advanced Encryption Standard, 128-bit keys, in cipher block chaining mode, so that every block can
// be decrypted for itself. Byte by byte, as FIPS 197 section 5.3 has it: the state is in a thread's private memory, the
// inverse S-box in shared memory, and products in the field are computed. The threads are persistent and stride over
// the blocks.
//
// The reference is the inverse: the host encrypts a random text, and the device must give it back.

#include <array>

#include "common/check.h"
#include "common/command_line.h"
#include "common/device.h"
#include "common/random.h"

constexpr int kBlockBytes = 16;
constexpr int kBlockWords = kBlockBytes / 4;
constexpr int kRounds = 10;
constexpr int kKeyBytes = (kRounds + 1) * kBlockBytes; ///< of all rounds

// ---- device ----

__constant__ unsigned round_keys[kKeyBytes / 4];
__constant__ unsigned char inverse_box[256];

/// Twice a byte, in the field of FIPS 197 section 4.2.
__device__ inline unsigned twice(unsigned byte) {
    return (byte << 1 ^ ((byte & 0x80) != 0 ? 0x1b : 0)) & 0xff;
}

/// InvMixColumns of one column.
__device__ inline void unmix(unsigned char* column) {
    unsigned by9[4];
    unsigned by11[4];
    unsigned by13[4];
    unsigned by14[4];
#pragma unroll
    for (int row = 0; row < 4; ++row) {
        const unsigned by1 = column[row];
        const unsigned by2 = twice(by1);
        const unsigned by4 = twice(by2);
        const unsigned by8 = twice(by4);
        by9[row] = by8 ^ by1;
        by11[row] = by8 ^ by2 ^ by1;
        by13[row] = by8 ^ by4 ^ by1;
        by14[row] = by8 ^ by4 ^ by2;
    }
#pragma unroll
    for (int row = 0; row < 4; ++row)
        column[row] =
            static_cast<unsigned char>(by14[row] ^ by11[(row + 1) % 4] ^ by13[(row + 2) % 4] ^ by9[(row + 3) % 4]);
}

/// AddRoundKey.
__device__ inline void add_key(unsigned* state, int round) {
    for (int word = 0; word < kBlockWords; ++word)
        state[word] ^= round_keys[round * kBlockWords + word];
}

/// `cipher` begins with the initial vector, one block, and `plain` has one block less.
__global__ void decrypt(uint4* plain, const uint4* cipher, int blocks) {
    __shared__ unsigned char inverse[256];
    for (unsigned i = threadIdx.x; i < 256; i += blockDim.x)
        inverse[i] = inverse_box[i];
    __syncthreads();

    for (int block = workload::thread_index(); block < blocks; block += workload::thread_count()) {
        const uint4 encrypted = cipher[block + 1];
        unsigned words[kBlockWords] = {encrypted.x, encrypted.y, encrypted.z, encrypted.w};
        unsigned shifted_words[kBlockWords];
        unsigned char* const state = reinterpret_cast<unsigned char*>(words);
        unsigned char* const shifted = reinterpret_cast<unsigned char*>(shifted_words);
        add_key(words, kRounds);
#pragma unroll 1
        for (int round = kRounds - 1; round >= 0; --round) {
            // InvShiftRows moves a byte of row r, i % 4, r columns on.
#pragma unroll 1
            for (int i = 0; i < kBlockBytes; ++i)
                shifted[(i + 4 * (i % 4)) % kBlockBytes] = inverse[state[i]];
            for (int word = 0; word < kBlockWords; ++word)
                words[word] = shifted_words[word];
            add_key(words, round);
            if (round != 0) {
#pragma unroll 1
                for (int column = 0; column < kBlockWords; ++column)
                    unmix(state + 4 * column);
            }
        }
        const uint4 before = cipher[block];
        plain[block] = make_uint4(words[0] ^ before.x, words[1] ^ before.y, words[2] ^ before.z, words[3] ^ before.w);
    }
}

// ---- reference ----

namespace {

using Byte = std::uint8_t;
using Bytes = std::vector<Byte>;
using Key = std::array<Byte, kBlockBytes>;

/// The product in the field, by the bits of `b`.
Byte product(unsigned a, unsigned b) {
    unsigned sum = 0;
    for (; b != 0; b >>= 1) {
        if ((b & 1) != 0)
            sum ^= a;
        a <<= 1;
        if (a > 0xff)
            a ^= 0x11b;
    }
    return static_cast<Byte>(sum);
}

/// FIPS 197 section 5.1.1: the multiplicative inverse, then an affine map over its bits.
std::array<Byte, 256> substitution_box() {
    std::array<Byte, 256> box{};
    for (unsigned value = 0; value < 256; ++value) {
        unsigned inverse = 0;
        for (unsigned other = 1; other < 256; ++other) {
            if (product(value, other) == 1)
                inverse = other;
        }
        const unsigned twofold = inverse << 8 | inverse;
        box[value] = static_cast<Byte>(inverse ^ twofold >> 4 ^ twofold >> 5 ^ twofold >> 6 ^ twofold >> 7 ^ 0x63);
    }
    return box;
}

class Cipher {
public:
    explicit Cipher(const Key& key) : box_(substitution_box()), keys_(key.begin(), key.end()) {
        Byte constant = 1;
        while (keys_.size() < kKeyBytes) {
            std::array<Byte, 4> word{};
            std::copy(keys_.end() - 4, keys_.end(), word.begin());
            if (keys_.size() % kBlockBytes == 0) {
                std::rotate(word.begin(), word.begin() + 1, word.end());
                for (Byte& byte : word)
                    byte = box_[byte];
                word[0] ^= constant;
                constant = product(constant, 2);
            }
            for (const Byte byte : word)
                keys_.push_back(byte ^ keys_[keys_.size() - kBlockBytes]);
        }
    }

    void encrypt(Byte* block) const {
        add_key(block, 0);
        for (int round = 1; round <= kRounds; ++round) {
            Byte shifted[kBlockBytes];
            for (int column = 0; column < 4; ++column) {
                for (int row = 0; row < 4; ++row)
                    shifted[4 * column + row] = box_[block[4 * ((column + row) % 4) + row]];
            }
            for (int i = 0; i < kBlockBytes; ++i) {
                const Byte* const column = shifted + i / 4 * 4;
                block[i] = round == kRounds
                               ? shifted[i]
                               : static_cast<Byte>(product(column[i % 4], 2) ^ product(column[(i + 1) % 4], 3) ^
                                                   column[(i + 2) % 4] ^ column[(i + 3) % 4]);
            }
            add_key(block, round);
        }
    }

    const Bytes& keys() const {
        return keys_;
    }
    const std::array<Byte, 256>& box() const {
        return box_;
    }

private:
    void add_key(Byte* block, int round) const {
        for (int i = 0; i < kBlockBytes; ++i)
            block[i] ^= keys_[static_cast<std::size_t>(round * kBlockBytes + i)];
    }

    std::array<Byte, 256> box_;
    Bytes keys_; ///< of all rounds
};

/// The example of FIPS 197 appendix C.1: the host's own cipher must be right.
void check_example(workload::Check& check) {
    Key key{};
    Byte block[kBlockBytes];
    for (unsigned i = 0; i < kBlockBytes; ++i) {
        key[i] = static_cast<Byte>(i);
        block[i] = static_cast<Byte>(0x11 * i);
    }
    constexpr Byte kExpected[kBlockBytes] = {0x69, 0xc4, 0xe0, 0xd8, 0x6a, 0x7b, 0x04, 0x30,
                                             0xd8, 0xcd, 0xb7, 0x80, 0x70, 0xb4, 0xc5, 0x5a};
    Cipher(key).encrypt(block);
    for (std::size_t i = 0; i < kBlockBytes; ++i)
        check.equal("example", i, block[i], kExpected[i]);
}

/// The initial vector, then what `plain` becomes after it.
Bytes encrypt_chain(const Cipher& cipher, const Key& vector, const Bytes& plain) {
    Bytes result(vector.begin(), vector.end());
    for (std::size_t i = 0; i < plain.size(); i += kBlockBytes) {
        for (std::size_t byte = i; byte < i + kBlockBytes; ++byte)
            result.push_back(plain[byte] ^ result[byte]);
        cipher.encrypt(&result[i + kBlockBytes]);
    }
    return result;
}

Bytes decrypt_on_device(const Cipher& cipher, const Bytes& encrypted, const workload::Grid& grid) {
    std::array<Byte, 256> inverse{};
    for (unsigned value = 0; value < 256; ++value)
        inverse[cipher.box()[value]] = static_cast<Byte>(value);
    CUDA_CHECK(cudaMemcpyToSymbol(round_keys, cipher.keys().data(), kKeyBytes));
    CUDA_CHECK(cudaMemcpyToSymbol(inverse_box, inverse.data(), inverse.size()));

    workload::DeviceArray<Byte> device_encrypted(encrypted);
    workload::DeviceArray<Byte> plain(encrypted.size() - kBlockBytes);
    plain.fill_bytes(0);
    decrypt<<<grid.blocks, grid.block>>>(reinterpret_cast<uint4*>(plain.data()),
                                         reinterpret_cast<const uint4*>(device_encrypted.data()),
                                         static_cast<int>(encrypted.size() / kBlockBytes - 1));
    workload::finish_kernels();
    return plain.to_host();
}

} // namespace

int main(int argc, char** argv) {
    workload::CommandLine line("decrypt", "Decryption by the Advanced Encryption Standard",
                               {{"lwm", {256 << 10, 1024, 1}, {16 << 10, 1024, 1}}});
    line.size("bytes to decrypt, rounded up to whole blocks of 16", 1, 1u << 28).threads().block().seed();
    const workload::Options options = line.parse(argc, argv);

    workload::Random random(options.seed);
    const auto random_byte = [&] { return static_cast<Byte>(random.below(256)); };
    Key key{};
    Key vector{};
    std::generate(key.begin(), key.end(), random_byte);
    std::generate(vector.begin(), vector.end(), random_byte);
    const std::size_t blocks = (options.amount.size + kBlockBytes - 1) / kBlockBytes;
    Bytes plain(blocks * kBlockBytes);
    std::generate(plain.begin(), plain.end(), random_byte);

    const Cipher cipher(key);
    const workload::Grid grid = workload::grid_for(options, blocks);
    const Bytes got = decrypt_on_device(cipher, encrypt_chain(cipher, vector, plain), grid);

    workload::Check check;
    check_example(check);
    check.equal("byte", got, plain);
    std::printf("decrypt: %u threads, %zu bytes in %zu blocks\n", grid.threads(), plain.size(), blocks);
    return check.finish();
}
