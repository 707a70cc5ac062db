// Integers of 128 bits in device code: what the device computes is what the host computes.
// EXPECT: 0 of 4096 differ
// EXPECT: 12345678901234567890123456789 / 1000000007 = 12345678814814816186, rest 419743487
#include <cstdio>
#include <vector>

using Wide = unsigned __int128;

struct Results {
    Wide quotient, rest, signed_quotient, signed_rest, back, product;
    double real, signed_real;
    float single;
};

__host__ __device__ Wide wide(unsigned long long high, unsigned long long low) {
    return (Wide)high << 64 | low;
}

__host__ __device__ Results compute(Wide a, Wide b) {
    Results r;
    r.quotient = a / b;
    r.rest = a % b;
    r.signed_quotient = (Wide)((__int128)a / (__int128)b);
    r.signed_rest = (Wide)((__int128)a % (__int128)b);
    r.product = a * b;
    r.real = (double)a;
    r.signed_real = (double)(__int128)a;
    r.single = (float)(a >> 1);
    r.back = (Wide)(r.real / 2) ^ (Wide)(__int128)(r.signed_real / 4);
    return r;
}

__global__ void compute_all(const Wide* in, Results* out) {
    const int i = threadIdx.x + blockIdx.x * blockDim.x;
    out[i] = compute(in[2 * i], in[2 * i + 1]);
}

bool same(const Results& x, const Results& y) {
    return x.quotient == y.quotient && x.rest == y.rest && x.signed_quotient == y.signed_quotient &&
           x.signed_rest == y.signed_rest && x.back == y.back && x.product == y.product && x.real == y.real &&
           x.signed_real == y.signed_real && x.single == y.single;
}

int main() {
    constexpr int kCount = 4096;
    std::vector<Wide> in(2 * kCount);
    unsigned long long state = 1;
    const auto next = [&] { return state = state * 6364136223846793005ull + 1442695040888963407ull; };
    for (Wide& x : in) { // of all lengths, never 0
        const unsigned long long high = next(), low = next();
        x = wide(high, low) >> (next() >> 57) | 1;
    }
    in[0] = (Wide)12345678901ull * 1000000000000000000ull + 234567890123456789ull;
    in[1] = 1000000007;
    Wide* device;
    Results* out;
    std::vector<Results> found(kCount);
    cudaMalloc(&device, in.size() * sizeof(Wide));
    cudaMalloc(&out, kCount * sizeof(Results));
    cudaMemcpy(device, in.data(), in.size() * sizeof(Wide), cudaMemcpyHostToDevice);
    compute_all<<<kCount / 64, 64>>>(device, out);
    cudaMemcpy(found.data(), out, kCount * sizeof(Results), cudaMemcpyDeviceToHost);
    int different = 0;
    for (int i = 0; i < kCount; ++i)
        different += !same(found[i], compute(in[2 * i], in[2 * i + 1]));
    std::printf("%d of %d differ\n", different, kCount);
    std::printf("12345678901234567890123456789 / 1000000007 = %llu, rest %llu\n", (unsigned long long)found[0].quotient,
                (unsigned long long)found[0].rest);
}
