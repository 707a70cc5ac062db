// Matrices of a warp (namespace nvcuda::wmma), for compilation by clang: those of compute capability 7.5 and, compiled for
// it, of 8.0 (CUDA Programming Guide, "Warp Matrix Functions"). clang's builtins print PTX's wmma instructions.
#pragma once

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuda_runtime.h"

#if defined(__cplusplus) && defined(__CUDA__)

#define HEDDLE_WMMA static __device__ inline __attribute__((always_inline)) void

namespace nvcuda::wmma {

struct row_major {};
struct col_major {};
struct matrix_a {};
struct matrix_b {};
struct accumulator {};

enum layout_t { mem_row_major, mem_col_major };

namespace precision {
struct tf32 {};
} // namespace precision

namespace experimental {
namespace precision {
struct u4 {};
struct s4 {};
struct b1 {};
} // namespace precision
enum bmmaBitOp {
    bmmaBitOpXOR = 1,
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
    bmmaBitOpAND = 2
#endif
};
enum bmmaAccumulateOp { bmmaAccumulateOpPOPC = 1 };
} // namespace experimental

namespace heddle {

// What a fragment is made of. Narrow elements lie in whole words.
template <class T>
struct Element {
    using type = T;
    using storage = T;
    static constexpr int in_storage = 1;
};
template <>
struct Element<precision::tf32> {
    using type = precision::tf32;
    using storage = float;
    static constexpr int in_storage = 1;
};
template <>
struct Element<experimental::precision::u4> {
    using type = unsigned;
    using storage = unsigned;
    static constexpr int in_storage = 8;
};
template <>
struct Element<experimental::precision::s4> {
    using type = int;
    using storage = int;
    static constexpr int in_storage = 8;
};
template <>
struct Element<experimental::precision::b1> {
    using type = unsigned;
    using storage = unsigned;
    static constexpr int in_storage = 32;
};

// Elements of a thread: each is there once, but those of half's a and b have 16 for every shape.
template <class Use, int m, int n, int k, class T>
constexpr int kElements = m * n / 32;
template <int m, int n, int k, class T>
constexpr int kElements<matrix_a, m, n, k, T> = m * k / 32;
template <int m, int n, int k, class T>
constexpr int kElements<matrix_b, m, n, k, T> = k * n / 32;
template <int m, int n, int k>
constexpr int kElements<matrix_a, m, n, k, __half> = 16;
template <int m, int n, int k>
constexpr int kElements<matrix_b, m, n, k, __half> = 16;

template <class Layout>
constexpr int kColumns = 0;
template <>
constexpr int kColumns<col_major> = 1;

template <class A, class B>
constexpr int kLayouts = 2 * kColumns<A> + kColumns<B>; // as the builtins count them

} // namespace heddle

template <class Use, int m, int n, int k, class T, class Layout = void>
class fragment {
public:
    using element_type = typename heddle::Element<T>::type;
    using storage_element_type = typename heddle::Element<T>::storage;
    static constexpr int num_elements = heddle::kElements<Use, m, n, k, T>;
    static constexpr int num_storage_elements = num_elements / heddle::Element<T>::in_storage;

    alignas(num_storage_elements % 2 == 0 || sizeof(storage_element_type) == 8 ? 8 : 4)
        storage_element_type x[num_storage_elements];
};

template <class Use, int m, int n, int k, class T, class Layout, class Value>
HEDDLE_WMMA fill_fragment(fragment<Use, m, n, k, T, Layout>& f, const Value& value) {
    using Storage = typename fragment<Use, m, n, k, T, Layout>::storage_element_type;
#pragma unroll
    for (int i = 0; i < f.num_storage_elements; ++i)
        f.x[i] = static_cast<Storage>(value);
}

// Where the builtins have words.
#define HEDDLE_WMMA_INTS(f) reinterpret_cast<int*>((f).x)
#define HEDDLE_WMMA_CONST_INTS(f) reinterpret_cast<const int*>((f).x)

// A builtin LOAD that reads matrices USE of T into fragments.
#define HEDDLE_WMMA_LOAD(USE, M, N, K, T, MEMORY, LOAD)                                                                \
    template <class Layout>                                                                                            \
    HEDDLE_WMMA load_matrix_sync(fragment<USE, M, N, K, T, Layout>& f, const MEMORY* p, unsigned ldm) {                \
        LOAD(HEDDLE_WMMA_INTS(f), reinterpret_cast<const int*>(p), ldm, heddle::kColumns<Layout>);                     \
    }

// The same of accumulators, and STORE, which writes them; as words of type WORD.
#define HEDDLE_WMMA_ACCUMULATOR(M, N, K, T, WORD, LOAD, STORE)                                                         \
    HEDDLE_WMMA load_matrix_sync(fragment<accumulator, M, N, K, T>& f, const T* p, unsigned ldm, layout_t layout) {    \
        const auto* const from = reinterpret_cast<const WORD*>(p);                                                     \
        auto* const to = reinterpret_cast<WORD*>(f.x);                                                                 \
        if (layout == mem_row_major)                                                                                   \
            LOAD(to, from, ldm, 0);                                                                                    \
        else                                                                                                           \
            LOAD(to, from, ldm, 1);                                                                                    \
    }                                                                                                                  \
    HEDDLE_WMMA store_matrix_sync(T* p, const fragment<accumulator, M, N, K, T>& f, unsigned ldm, layout_t layout) {   \
        auto* const to = reinterpret_cast<WORD*>(p);                                                                   \
        auto* const from = const_cast<WORD*>(reinterpret_cast<const WORD*>(f.x));                                      \
        if (layout == mem_row_major)                                                                                   \
            STORE(to, from, ldm, 0);                                                                                   \
        else                                                                                                           \
            STORE(to, from, ldm, 1);                                                                                   \
    }

#define HEDDLE_WMMA_HALF_PRODUCT(M, N, K, D, C, D_WORD, C_WORD, MULTIPLY)                                              \
    template <class A, class B>                                                                                        \
    HEDDLE_WMMA mma_sync(fragment<accumulator, M, N, K, D>& d, const fragment<matrix_a, M, N, K, __half, A>& a,        \
                         const fragment<matrix_b, M, N, K, __half, B>& b,                                              \
                         const fragment<accumulator, M, N, K, C>& c) {                                                 \
        MULTIPLY(reinterpret_cast<D_WORD*>(d.x), HEDDLE_WMMA_CONST_INTS(a), HEDDLE_WMMA_CONST_INTS(b),                 \
                 reinterpret_cast<const C_WORD*>(c.x), (heddle::kLayouts<A, B>), 0);                                   \
    }

#define HEDDLE_WMMA_HALF(M, N, K, NAME)                                                                                \
    HEDDLE_WMMA_LOAD(matrix_a, M, N, K, __half, __half, NAME##_ld_a)                                                   \
    HEDDLE_WMMA_LOAD(matrix_b, M, N, K, __half, __half, NAME##_ld_b)                                                   \
    HEDDLE_WMMA_ACCUMULATOR(M, N, K, __half, int, NAME##_ld_c_f16, NAME##_st_c_f16)                                    \
    HEDDLE_WMMA_ACCUMULATOR(M, N, K, float, float, NAME##_ld_c_f32, NAME##_st_c_f32)                                   \
    HEDDLE_WMMA_HALF_PRODUCT(M, N, K, __half, __half, int, int, NAME##_mma_f16f16)                                     \
    HEDDLE_WMMA_HALF_PRODUCT(M, N, K, float, float, float, float, NAME##_mma_f32f32)                                   \
    HEDDLE_WMMA_HALF_PRODUCT(M, N, K, float, __half, float, int, NAME##_mma_f32f16)                                    \
    HEDDLE_WMMA_HALF_PRODUCT(M, N, K, __half, float, int, float, NAME##_mma_f16f32)

HEDDLE_WMMA_HALF(16, 16, 16, __hmma_m16n16k16)
HEDDLE_WMMA_HALF(32, 8, 16, __hmma_m32n8k16)
HEDDLE_WMMA_HALF(8, 32, 16, __hmma_m8n32k16)

#define HEDDLE_WMMA_BYTES(M, N, K, T, NAME, TYPE)                                                                      \
    HEDDLE_WMMA_LOAD(matrix_a, M, N, K, T, T, NAME##_ld_a_##TYPE)                                                      \
    HEDDLE_WMMA_LOAD(matrix_b, M, N, K, T, T, NAME##_ld_b_##TYPE)                                                      \
    template <class A, class B>                                                                                        \
    HEDDLE_WMMA mma_sync(fragment<accumulator, M, N, K, int>& d, const fragment<matrix_a, M, N, K, T, A>& a,           \
                         const fragment<matrix_b, M, N, K, T, B>& b, const fragment<accumulator, M, N, K, int>& c,     \
                         bool satf = false) {                                                                          \
        if (satf)                                                                                                      \
            NAME##_mma_##TYPE(d.x, HEDDLE_WMMA_CONST_INTS(a), HEDDLE_WMMA_CONST_INTS(b), c.x,                          \
                              (heddle::kLayouts<A, B>), 1);                                                            \
        else                                                                                                           \
            NAME##_mma_##TYPE(d.x, HEDDLE_WMMA_CONST_INTS(a), HEDDLE_WMMA_CONST_INTS(b), c.x,                          \
                              (heddle::kLayouts<A, B>), 0);                                                            \
    }

#define HEDDLE_WMMA_INTEGERS(M, N, K, NAME)                                                                            \
    HEDDLE_WMMA_ACCUMULATOR(M, N, K, int, int, NAME##_ld_c, NAME##_st_c_i32)                                           \
    HEDDLE_WMMA_BYTES(M, N, K, signed char, NAME, s8)                                                                  \
    HEDDLE_WMMA_BYTES(M, N, K, unsigned char, NAME, u8)

HEDDLE_WMMA_INTEGERS(16, 16, 16, __imma_m16n16k16)
HEDDLE_WMMA_INTEGERS(32, 8, 16, __imma_m32n8k16)
HEDDLE_WMMA_INTEGERS(8, 32, 16, __imma_m8n32k16)

// Narrow types: a by rows, b by columns.
#define HEDDLE_WMMA_NARROW_LOADS(K, T, LOAD_A, LOAD_B)                                                                 \
    HEDDLE_WMMA load_matrix_sync(fragment<matrix_a, 8, 8, K, T, row_major>& f, const void* p, unsigned ldm) {          \
        LOAD_A(HEDDLE_WMMA_INTS(f), static_cast<const int*>(p), ldm, 0);                                               \
    }                                                                                                                  \
    HEDDLE_WMMA load_matrix_sync(fragment<matrix_b, 8, 8, K, T, col_major>& f, const void* p, unsigned ldm) {          \
        LOAD_B(HEDDLE_WMMA_INTS(f), static_cast<const int*>(p), ldm, 1);                                               \
    }

#define HEDDLE_WMMA_NIBBLES(T, TYPE)                                                                                   \
    HEDDLE_WMMA_NARROW_LOADS(32, T, __imma_m8n8k32_ld_a_##TYPE, __imma_m8n8k32_ld_b_##TYPE)                            \
    HEDDLE_WMMA mma_sync(fragment<accumulator, 8, 8, 32, int>& d, const fragment<matrix_a, 8, 8, 32, T, row_major>& a, \
                         const fragment<matrix_b, 8, 8, 32, T, col_major>& b,                                          \
                         const fragment<accumulator, 8, 8, 32, int>& c, bool satf = false) {                           \
        if (satf)                                                                                                      \
            __imma_m8n8k32_mma_##TYPE(d.x, HEDDLE_WMMA_CONST_INTS(a), HEDDLE_WMMA_CONST_INTS(b), c.x, 1, 1);           \
        else                                                                                                           \
            __imma_m8n8k32_mma_##TYPE(d.x, HEDDLE_WMMA_CONST_INTS(a), HEDDLE_WMMA_CONST_INTS(b), c.x, 1, 0);           \
    }

HEDDLE_WMMA_ACCUMULATOR(8, 8, 32, int, int, __imma_m8n8k32_ld_c, __imma_m8n8k32_st_c_i32)
HEDDLE_WMMA_NIBBLES(experimental::precision::s4, s4)
HEDDLE_WMMA_NIBBLES(experimental::precision::u4, u4)

HEDDLE_WMMA_ACCUMULATOR(8, 8, 128, int, int, __bmma_m8n8k128_ld_c, __bmma_m8n8k128_st_c_i32)
HEDDLE_WMMA_NARROW_LOADS(128, experimental::precision::b1, __bmma_m8n8k128_ld_a_b1, __bmma_m8n8k128_ld_b_b1)

HEDDLE_WMMA bmma_sync(fragment<accumulator, 8, 8, 128, int>& d,
                      const fragment<matrix_a, 8, 8, 128, experimental::precision::b1, row_major>& a,
                      const fragment<matrix_b, 8, 8, 128, experimental::precision::b1, col_major>& b,
                      const fragment<accumulator, 8, 8, 128, int>& c,
                      experimental::bmmaBitOp operation = experimental::bmmaBitOpXOR,
                      experimental::bmmaAccumulateOp = experimental::bmmaAccumulateOpPOPC) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
    if (operation == experimental::bmmaBitOpAND)
        return __bmma_m8n8k128_mma_and_popc_b1(d.x, HEDDLE_WMMA_CONST_INTS(a), HEDDLE_WMMA_CONST_INTS(b), c.x, 1);
#endif
    (void)operation;
    __bmma_m8n8k128_mma_xor_popc_b1(d.x, HEDDLE_WMMA_CONST_INTS(a), HEDDLE_WMMA_CONST_INTS(b), c.x, 1);
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800

static __device__ inline float __float_to_tf32(float in) {
    unsigned out;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(out) : "f"(in));
    return __uint_as_float(out);
}

// Products of T that are summed in f32.
#define HEDDLE_WMMA_TO_FLOAT(M, N, K, T, MEMORY, NAME)                                                                 \
    HEDDLE_WMMA_LOAD(matrix_a, M, N, K, T, MEMORY, NAME##_ld_a)                                                        \
    HEDDLE_WMMA_LOAD(matrix_b, M, N, K, T, MEMORY, NAME##_ld_b)                                                        \
    template <class A, class B>                                                                                        \
    HEDDLE_WMMA mma_sync(fragment<accumulator, M, N, K, float>& d, const fragment<matrix_a, M, N, K, T, A>& a,         \
                         const fragment<matrix_b, M, N, K, T, B>& b, const fragment<accumulator, M, N, K, float>& c) { \
        NAME##_mma_f32(d.x, HEDDLE_WMMA_CONST_INTS(a), HEDDLE_WMMA_CONST_INTS(b), c.x, (heddle::kLayouts<A, B>), 0);   \
    }

HEDDLE_WMMA_TO_FLOAT(16, 16, 16, __nv_bfloat16, __nv_bfloat16, __mma_bf16_m16n16k16)
HEDDLE_WMMA_TO_FLOAT(32, 8, 16, __nv_bfloat16, __nv_bfloat16, __mma_bf16_m32n8k16)
HEDDLE_WMMA_TO_FLOAT(8, 32, 16, __nv_bfloat16, __nv_bfloat16, __mma_bf16_m8n32k16)

HEDDLE_WMMA_TO_FLOAT(16, 16, 8, precision::tf32, float, __mma_tf32_m16n16k8)
HEDDLE_WMMA_ACCUMULATOR(16, 16, 8, float, float, __mma_tf32_m16n16k8_ld_c, __mma_m16n16k8_st_c_f32)

template <class Layout>
HEDDLE_WMMA load_matrix_sync(fragment<matrix_a, 8, 8, 4, double, Layout>& f, const double* p, unsigned ldm) {
    __dmma_m8n8k4_ld_a(f.x, p, ldm, heddle::kColumns<Layout>);
}
template <class Layout>
HEDDLE_WMMA load_matrix_sync(fragment<matrix_b, 8, 8, 4, double, Layout>& f, const double* p, unsigned ldm) {
    __dmma_m8n8k4_ld_b(f.x, p, ldm, heddle::kColumns<Layout>);
}
HEDDLE_WMMA_ACCUMULATOR(8, 8, 4, double, double, __dmma_m8n8k4_ld_c, __dmma_m8n8k4_st_c_f64)
template <class A, class B>
HEDDLE_WMMA mma_sync(fragment<accumulator, 8, 8, 4, double>& d, const fragment<matrix_a, 8, 8, 4, double, A>& a,
                     const fragment<matrix_b, 8, 8, 4, double, B>& b, const fragment<accumulator, 8, 8, 4, double>& c) {
    __dmma_m8n8k4_mma_f64(d.x, a.x, b.x, c.x, (heddle::kLayouts<A, B>), 0);
}

#undef HEDDLE_WMMA_TO_FLOAT

#endif

} // namespace nvcuda::wmma

#undef HEDDLE_WMMA
#undef HEDDLE_WMMA_INTS
#undef HEDDLE_WMMA_CONST_INTS
#undef HEDDLE_WMMA_LOAD
#undef HEDDLE_WMMA_ACCUMULATOR
#undef HEDDLE_WMMA_HALF_PRODUCT
#undef HEDDLE_WMMA_HALF
#undef HEDDLE_WMMA_BYTES
#undef HEDDLE_WMMA_INTEGERS
#undef HEDDLE_WMMA_NARROW_LOADS
#undef HEDDLE_WMMA_NIBBLES

#endif
