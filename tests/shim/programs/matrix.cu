// Matrices of a warp: every shape, type and layout of compute capability 7.5 against sums on the host.
// EXPECT: ok
#include "matrix_checks.h"

namespace {

template <int m, int n, int k>
void check_shape(const char* what) {
    check_layouts<m, n, k, __half, float, float>(what);
    check_layouts<m, n, k, __half, __half, __half>(what);
    check_layouts<m, n, k, __half, __half, float>(what);
    check_layouts<m, n, k, __half, float, __half>(what);
    check_layouts<m, n, k, signed char, int, int>(what);
    check_layouts<m, n, k, unsigned char, int, int>(what);
}

__global__ void narrow(const unsigned* words, int* d) {
    namespace precision = experimental::precision;
    fragment<matrix_a, 8, 8, 32, precision::s4, row_major> a;
    fragment<matrix_b, 8, 8, 32, precision::s4, col_major> b;
    fragment<accumulator, 8, 8, 32, int> c;
    load_matrix_sync(a, words, 32);
    load_matrix_sync(b, words + 32, 32);
    fill_fragment(c, 5);
    mma_sync(c, a, b, c);
    store_matrix_sync(d, c, 8, mem_row_major);
    fragment<matrix_a, 8, 8, 128, precision::b1, row_major> x;
    fragment<matrix_b, 8, 8, 128, precision::b1, col_major> y;
    fragment<accumulator, 8, 8, 128, int> z;
    load_matrix_sync(x, words, 128);
    load_matrix_sync(y, words + 32, 128);
    fill_fragment(z, -1);
    bmma_sync(z, x, y, z);
    store_matrix_sync(d + 64, z, 8, mem_col_major);
}

void check_narrow() {
    std::vector<unsigned> values(64);
    unsigned seed = 5;
    for (unsigned& v : values)
        v = seed = seed * 1664525 + 1013904223;
    OnDevice<unsigned> words(values);
    OnDevice<int> d(std::vector<int>(128));
    narrow<<<1, 32>>>(words.data, d.data);
    d.fetch();
    const auto nibble = [&](int line, int p) {
        const int v = static_cast<int>(values[line * 4 + p / 8] >> (4 * (p % 8))) & 15;
        return v < 8 ? v : v - 16;
    };
    for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 8; ++j) {
            int sum = 5, bits = -1;
            for (int p = 0; p < 32; ++p)
                sum += nibble(i, p) * nibble(8 + j, p);
            for (int p = 0; p < 4; ++p)
                bits += __builtin_popcount(values[i * 4 + p] ^ values[32 + j * 4 + p]);
            if (d.host[i * 8 + j] != sum || d.host[64 + j * 8 + i] != bits) {
                std::printf("narrow (%d, %d): %d, %d, not %d, %d\n", i, j, d.host[i * 8 + j], d.host[64 + j * 8 + i],
                            sum, bits);
                ++failures;
            }
        }
}

// One warp a tile of 16 x 8, by the instructions of PTX themselves.
__global__ void by_instructions(const __half* a, const __half* b, float* d, int n, int k) {
    __shared__ __align__(16) __half tile_a[16][8];
    __shared__ __align__(16) __half tile_b[8][8];
    const unsigned lane = threadIdx.x;
    const unsigned row = static_cast<unsigned>(__cvta_generic_to_shared(&tile_a[lane % 16][0]));
    const unsigned line = static_cast<unsigned>(__cvta_generic_to_shared(&tile_b[lane % 8][0]));
    float sum[4] = {0, 0, 0, 0};
    for (int p = 0; p < k; p += 8) {
        for (unsigned i = lane; i < 128; i += 32)
            tile_a[i / 8][i % 8] = a[(blockIdx.y * 16 + i / 8) * k + p + i % 8];
        for (unsigned i = lane; i < 64; i += 32)
            tile_b[i / 8][i % 8] = b[(p + i / 8) * n + blockIdx.x * 8 + i % 8];
        __syncwarp();
        unsigned a0, a1, b0;
        asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
                     : "=r"(a0), "=r"(a1)
                     : "r"(row)
                     : "memory");
        asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];" : "=r"(b0) : "r"(line) : "memory");
        asm volatile(
            "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
            : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
            : "r"(a0), "r"(a1), "r"(b0));
        __syncwarp();
    }
    float* const to = d + (blockIdx.y * 16 + lane / 4) * n + blockIdx.x * 8 + lane % 4 * 2;
    to[0] = sum[0];
    to[1] = sum[1];
    to[8 * n] = sum[2];
    to[8 * n + 1] = sum[3];
}

// Sums in f32 from 0 on in the order of k: what the host does to the same exact products.
void check_instructions() {
    const int m = 32, n = 24, k = 40;
    std::vector<__half> va(m * k), vb(k * n);
    unsigned seed = 9;
    for (std::vector<__half>* v : {&va, &vb})
        for (__half& value : *v) {
            seed = seed * 1664525 + 1013904223;
            value = __float2half(static_cast<float>(seed >> 16) / 65536.0F - 0.5F);
        }
    OnDevice<__half> a(va), b(vb);
    OnDevice<float> d(std::vector<float>(m * n));
    by_instructions<<<dim3(n / 8, m / 16), 32>>>(a.data, b.data, d.data, n, k);
    d.fetch();
    for (int i = 0; i < m; ++i)
        for (int j = 0; j < n; ++j) {
            float sum = 0;
            for (int p = 0; p < k; ++p)
                sum += __half2float(va[i * k + p]) * __half2float(vb[p * n + j]);
            if (d.host[i * n + j] != sum) {
                std::printf("instructions (%d, %d): %.9g, not %.9g\n", i, j, d.host[i * n + j], sum);
                ++failures;
            }
        }
}

} // namespace

int main() {
    check_shape<16, 16, 16>("m16n16k16");
    check_shape<32, 8, 16>("m32n8k16");
    check_shape<8, 32, 16>("m8n32k16");
    check_narrow();
    check_instructions();
    if (failures == 0)
        std::puts("ok");
    return failures == 0 ? 0 : 1;
}
