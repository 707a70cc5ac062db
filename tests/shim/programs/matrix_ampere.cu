// Matrices of a warp of bf16, tf32 and f64: every shape and layout of compute capability 8.0 against sums on the host.
// ARCH: 80
// EXPECT: ok
#include <cmath>
#include <cstring>
#include <cuda_bf16.h>

#include "matrix_checks.h"

namespace {

template <>
struct Value<__nv_bfloat16> {
    static __nv_bfloat16 of(int v) {
        return __float2bfloat16(static_cast<float>(v));
    }
    static int to_int(__nv_bfloat16 v) {
        return static_cast<int>(__bfloat162float(v));
    }
};
template <>
struct Memory<precision::tf32> {
    using type = float;
};

// One product of numbers with all their digits; tf32's are rounded first.
template <int m, int n, int k, class T, class C>
__global__ void multiply_any(const InMemory<T>* a, const InMemory<T>* b, const C* c, C* d) {
    fragment<matrix_a, m, n, k, T, row_major> fa;
    fragment<matrix_b, m, n, k, T, col_major> fb;
    fragment<accumulator, m, n, k, C> fc;
    load_matrix_sync(fa, a, k);
    load_matrix_sync(fb, b, k);
    load_matrix_sync(fc, c, n, mem_row_major);
    if constexpr (sizeof(InMemory<T>) == sizeof(float)) {
        for (int i = 0; i < fa.num_elements; ++i)
            fa.x[i] = __float_to_tf32(fa.x[i]);
        for (int i = 0; i < fb.num_elements; ++i)
            fb.x[i] = __float_to_tf32(fb.x[i]);
    }
    mma_sync(fc, fa, fb, fc);
    store_matrix_sync(d, fc, n, mem_row_major);
}

double wide(__nv_bfloat16 v) {
    return __bfloat162float(v);
}
double wide(double v) {
    return v;
}
double wide(float v) { // rounded to tf32, ties away from zero
    unsigned bits;
    std::memcpy(&bits, &v, sizeof bits);
    bits = (bits + 0x1000) & ~0x1fffU;
    std::memcpy(&v, &bits, sizeof bits);
    return v;
}

// Products of bf16 and tf32 are exact in f64, and rounded to f32 when they are added: what f32 gives.
float multiply_add(double a, double b, float c) {
    return static_cast<float>(a * b) + c;
}
double multiply_add(double a, double b, double c) {
    return std::fma(a, b, c);
}

template <class T, class From>
std::vector<T> fractions(unsigned seed, std::size_t count) {
    std::vector<T> out;
    for (std::size_t i = 0; i < count; ++i) {
        seed = seed * 1664525 + 1013904223;
        const unsigned more = seed * 22695477 + 1;
        out.push_back(T(static_cast<From>(seed / 4294967296.0 + more / 18446744073709551616.0 - 0.5)));
    }
    return out;
}

// From c on in the order of k.
template <int m, int n, int k, class T, class From, class C>
void check_digits(const char* what) {
    OnDevice<InMemory<T>> a(fractions<InMemory<T>, From>(1, m * k)), b(fractions<InMemory<T>, From>(2, k * n));
    OnDevice<C> c(fractions<C, C>(3, m * n)), d(std::vector<C>(m * n));
    multiply_any<m, n, k, T, C><<<1, 32>>>(a.data, b.data, c.data, d.data);
    d.fetch();
    for (int i = 0; i < m; ++i)
        for (int j = 0; j < n; ++j) {
            C sum = c.host[i * n + j];
            for (int p = 0; p < k; ++p)
                sum = multiply_add(wide(a.host[i * k + p]), wide(b.host[j * k + p]), sum);
            if (d.host[i * n + j] != sum) {
                std::printf("%s (%d, %d): %.17g, not %.17g\n", what, i, j, static_cast<double>(d.host[i * n + j]),
                            static_cast<double>(sum));
                ++failures;
            }
        }
}

// Sums of the bits that two lines share.
__global__ void shared_bits(const unsigned* words, int* d) {
    namespace precision = experimental::precision;
    fragment<matrix_a, 8, 8, 128, precision::b1, row_major> a;
    fragment<matrix_b, 8, 8, 128, precision::b1, col_major> b;
    fragment<accumulator, 8, 8, 128, int> c, other;
    load_matrix_sync(a, words, 128);
    load_matrix_sync(b, words + 32, 128);
    fill_fragment(c, 3);
    bmma_sync(other, a, b, c, experimental::bmmaBitOpXOR);
    bmma_sync(c, a, b, c, experimental::bmmaBitOpAND, experimental::bmmaAccumulateOpPOPC);
    store_matrix_sync(d, c, 8, mem_row_major);
    store_matrix_sync(d + 64, other, 8, mem_row_major);
}
void check_bits() {
    std::vector<unsigned> values(64);
    unsigned seed = 7;
    for (unsigned& v : values)
        v = seed = seed * 1664525 + 1013904223;
    OnDevice<unsigned> words(values);
    OnDevice<int> d(std::vector<int>(128));
    shared_bits<<<1, 32>>>(words.data, d.data);
    d.fetch();
    for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 8; ++j) {
            int both = 3, one = 3;
            for (int p = 0; p < 4; ++p) {
                both += __builtin_popcount(values[i * 4 + p] & values[32 + j * 4 + p]);
                one += __builtin_popcount(values[i * 4 + p] ^ values[32 + j * 4 + p]);
            }
            if (d.host[i * 8 + j] != both || d.host[64 + i * 8 + j] != one) {
                std::printf("bits (%d, %d): %d, %d, not %d, %d\n", i, j, d.host[i * 8 + j], d.host[64 + i * 8 + j],
                            both, one);
                ++failures;
            }
        }
}

} // namespace

int main() {
    check_bits();
    check_layouts<16, 16, 16, __nv_bfloat16, float, float>("bf16 m16n16k16");
    check_layouts<32, 8, 16, __nv_bfloat16, float, float>("bf16 m32n8k16");
    check_layouts<8, 32, 16, __nv_bfloat16, float, float>("bf16 m8n32k16");
    check_layouts<16, 16, 8, precision::tf32, float, float>("tf32");
    check_layouts<8, 8, 4, double, double, double>("f64");
    check_digits<16, 16, 16, __nv_bfloat16, float, float>("bf16 digits");
    check_digits<16, 16, 8, precision::tf32, float, float>("tf32 digits");
    check_digits<8, 8, 4, double, double, double>("f64 digits");
    if (failures == 0)
        std::puts("ok");
    return failures == 0 ? 0 : 1;
}
