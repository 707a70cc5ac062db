// Products of general matrices: types, transpositions, leading dimensions, factors, batches. The bound of the error is
// that of docs/cuda-libraries.md: (k + 2) epsilon times the sum of magnitudes, doubled for complex numbers.
// OPTIONS: -lcublas
// NEEDS: cublas_v2.h
// ENV: HEDDLE_OPTIONS={"functional":true}
// EXPECT: Sgemm: ok
// EXPECT: Dgemm: ok
// EXPECT: Cgemm: ok
// EXPECT: Zgemm: ok
// EXPECT: Hgemm: ok
// EXPECT: GemmEx: ok
// EXPECT: bytes: ok
// EXPECT: batches: ok
// EXPECT: groups: ok
// EXPECT: special values: ok
// EXPECT: statuses: ok
#include "parts/blas_checks.h"

struct Sizes {
    long m, n, k;
    cublasOperation_t of_a, of_b;
    long lda, ldb, ldc;
    Sizes(long m_, long n_, long k_, cublasOperation_t a = CUBLAS_OP_N, cublasOperation_t b = CUBLAS_OP_N,
          long more = 0)
        : m(m_), n(n_), k(k_), of_a(a), of_b(b), lda((a == CUBLAS_OP_N ? m : k) + more),
          ldb((b == CUBLAS_OP_N ? k : n) + 2 * more), ldc(m + 3 * more) {}
    long size_a() const {
        return lda * (of_a == CUBLAS_OP_N ? k : m);
    }
    long size_b() const {
        return ldb * (of_b == CUBLAS_OP_N ? n : k);
    }
    long size_c() const {
        return ldc * n;
    }
};

// Holds c against alpha op(a) op(b) + beta old. `S`: the type of sums
template <class S, class In, class Out>
void compare(Verdict& verdict, const Sizes& s, Wide alpha, const In* a, const In* b, Wide beta, const Out* old,
             const Out* c) {
    const std::vector<In> va(a, a + s.size_a()), vb(b, b + s.size_b());
    for (long j = 0; j < s.n; ++j)
        for (long i = 0; i < s.ldc; ++i) {
            const long to = i + j * s.ldc;
            if (i >= s.m) {
                verdict.expect(wide(c[to]) == wide(old[to]), "an element between columns has changed");
                continue;
            }
            Wide sum = 0;
            long double size = 0;
            for (long k = 0; k < s.k && alpha != Wide(0); ++k) {
                const Wide x = at(va, s.lda, s.of_a, i, k), y = at(vb, s.ldb, s.of_b, k, j);
                sum += x * y;
                size += magnitude(x) * magnitude(y);
            }
            Wide want = alpha * sum;
            size *= magnitude(alpha);
            if (beta != Wide(0)) {
                want += beta * wide(old[to]);
                size += magnitude(beta) * magnitude(wide(old[to]));
            }
            const long double rounded = sizeof(Out) < sizeof(S) ? epsilon<Out>() * magnitude(want) : 0;
            verdict.expect_near(
                wide(c[to]), want,
                static_cast<long double>(s.k + 2) * epsilon<S>() * size * (Numbers<S>::kComplex ? 2 : 1) + rounded);
        }
}

template <class T, class F>
void types(cublasHandle_t handle, const char* name, F gemm) {
    Verdict verdict(name);
    const T alpha = number<T>(0.75, -0.5), beta = number<T>(-1.25, 0.25);
    const OnDevice<T> factors(std::vector<T>{alpha, beta}); // for the large ones
    for (const bool large : {false, true})
        for (const cublasOperation_t of_a : kOperations)
            for (const cublasOperation_t of_b : kOperations) {
                const Sizes s = large ? Sizes(70, 37, 19, of_a, of_b, 1) : Sizes(17, 5, 21, of_a, of_b, 2);
                const auto a = random_numbers<T>(s.size_a()), b = random_numbers<T>(s.size_b()),
                           c = random_numbers<T>(s.size_c());
                const OnDevice<T> da(a), db(b), dc(c);
                CHECK(cublasSetPointerMode(handle, large ? CUBLAS_POINTER_MODE_DEVICE : CUBLAS_POINTER_MODE_HOST));
                CHECK(gemm(handle, of_a, of_b, s.m, s.n, s.k, large ? factors.data() : &alpha, da.data(), s.lda,
                           db.data(), s.ldb, large ? factors.data() + 1 : &beta, dc.data(), s.ldc));
                using S = std::conditional_t<sizeof(T) == 2, float, T>;
                compare<S>(verdict, s, wide(alpha), a.data(), b.data(), wide(beta), c.data(), dc.content().data());
            }
}

template <class In, class Out, class S>
void extended(cublasHandle_t handle, Verdict& verdict, const char* context, cudaDataType in, cudaDataType out,
              cublasComputeType_t compute) {
    verdict.context = context;
    CHECK(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
    const S alpha = number<S>(0.5, 0.25), beta = number<S>(2, 0);
    const Sizes s(33, 40, 18, CUBLAS_OP_T, CUBLAS_OP_N, 1);
    const auto a = random_numbers<In>(s.size_a()), b = random_numbers<In>(s.size_b());
    const auto c = random_numbers<Out>(s.size_c());
    const OnDevice<In> da(a), db(b);
    const OnDevice<Out> dc(c);
    CHECK(cublasGemmEx(handle, s.of_a, s.of_b, s.m, s.n, s.k, &alpha, da.data(), in, s.lda, db.data(), in, s.ldb, &beta,
                       dc.data(), out, s.ldc, compute, CUBLAS_GEMM_DEFAULT));
    using Sum = std::conditional_t<sizeof(S) == 2, float, S>;
    compare<Sum>(verdict, s, wide(alpha), a.data(), b.data(), wide(beta), c.data(), dc.content().data());
}

void test_extended(cublasHandle_t handle) {
    Verdict verdict("GemmEx");
    extended<__half, __half, __half>(handle, verdict, "f16 16F", CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_16F);
    extended<__half, __half, float>(handle, verdict, "f16 32F", CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_32F);
    extended<__half, float, float>(handle, verdict, "f16 f32", CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_32F);
    extended<__nv_bfloat16, __nv_bfloat16, float>(handle, verdict, "bf16", CUDA_R_16BF, CUDA_R_16BF,
                                                  CUBLAS_COMPUTE_32F);
    extended<__nv_bfloat16, float, float>(handle, verdict, "bf16 f32", CUDA_R_16BF, CUDA_R_32F, CUBLAS_COMPUTE_32F);
    extended<float, float, float>(handle, verdict, "f32", CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32);
    extended<double, double, double>(handle, verdict, "f64", CUDA_R_64F, CUDA_R_64F, CUBLAS_COMPUTE_64F);
    extended<cuComplex, cuComplex, cuComplex>(handle, verdict, "c32", CUDA_C_32F, CUDA_C_32F, CUBLAS_COMPUTE_32F);
    extended<cuDoubleComplex, cuDoubleComplex, cuDoubleComplex>(handle, verdict, "c64", CUDA_C_64F, CUDA_C_64F,
                                                                CUBLAS_COMPUTE_64F);
}

template <class Out, class S>
void bytes(cublasHandle_t handle, Verdict& verdict, cudaDataType out, cublasComputeType_t compute) {
    const long m = 20, n = 36, k = 40;
    std::vector<signed char> a(m * k), b(k * n);
    for (auto* const matrix : {&a, &b})
        for (auto& each : *matrix)
            each = static_cast<signed char>(randomness()());
    const std::vector<Out> c(m * n, Out(7));
    const OnDevice<signed char> da(a), db(b);
    const OnDevice<Out> dc(c);
    const OnDevice<S> factors(std::vector<S>{3, -2});
    CHECK(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
    CHECK(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, factors.data(), da.data(), CUDA_R_8I, m, db.data(),
                       CUDA_R_8I, k, factors.data() + 1, dc.data(), out, m, compute, CUBLAS_GEMM_DEFAULT));
    CHECK(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
    const auto have = dc.content();
    for (long j = 0; j < n; ++j)
        for (long i = 0; i < m; ++i) {
            int sum = 0;
            for (long l = 0; l < k; ++l)
                sum += a[i + l * m] * b[l + j * k];
            verdict.expect(have[i + j * m] == static_cast<Out>(3 * sum - 14), "a sum of bytes is not exact");
        }
}

void test_bytes(cublasHandle_t handle) {
    Verdict verdict("bytes");
    bytes<int, int>(handle, verdict, CUDA_R_32I, CUBLAS_COMPUTE_32I);
    bytes<float, float>(handle, verdict, CUDA_R_32F, CUBLAS_COMPUTE_32F);
}

// A batch by strides (of b zero: one matrix for all), by pointers, and by pointers with 64-bit dimensions
void test_batches(cublasHandle_t handle) {
    Verdict verdict("batches");
    const long count = 3;
    const Sizes s(9, 12, 7, CUBLAS_OP_N, CUBLAS_OP_T, 1);
    const auto a = random_numbers<float>(count * s.size_a()), b = random_numbers<float>(s.size_b()),
               c = random_numbers<float>(count * s.size_c());
    const OnDevice<float> da(a), db(b);
    const float alpha = 2, beta = 0.5f;
    std::vector<const float*> as, bs;
    for (long i = 0; i < count; ++i) {
        as.push_back(da.data() + i * s.size_a());
        bs.push_back(db.data());
    }
    for (int form = 0; form < 4; ++form) {
        const OnDevice<float> dc(c);
        std::vector<float*> cs;
        for (long i = 0; i < count; ++i)
            cs.push_back(dc.data() + i * s.size_c());
        const OnDevice<const float*> pa(as), pb(bs);
        const OnDevice<float*> pc(cs);
        const auto* const va = reinterpret_cast<const void* const*>(pa.data());
        const auto* const vb = reinterpret_cast<const void* const*>(pb.data());
        if (form == 0)
            CHECK(cublasSgemmStridedBatched(handle, s.of_a, s.of_b, s.m, s.n, s.k, &alpha, da.data(), s.lda, s.size_a(),
                                            db.data(), s.ldb, 0, &beta, dc.data(), s.ldc, s.size_c(), count));
        else if (form == 1)
            CHECK(cublasSgemmBatched(handle, s.of_a, s.of_b, s.m, s.n, s.k, &alpha, pa.data(), s.lda, pb.data(), s.ldb,
                                     &beta, pc.data(), s.ldc, count));
        else if (form == 2)
            CHECK(cublasGemmStridedBatchedEx(handle, s.of_a, s.of_b, s.m, s.n, s.k, &alpha, da.data(), CUDA_R_32F,
                                             s.lda, s.size_a(), db.data(), CUDA_R_32F, s.ldb, 0, &beta, dc.data(),
                                             CUDA_R_32F, s.ldc, s.size_c(), count, CUBLAS_COMPUTE_32F,
                                             CUBLAS_GEMM_DEFAULT));
        else
            CHECK(cublasGemmBatchedEx_64(handle, s.of_a, s.of_b, s.m, s.n, s.k, &alpha, va, CUDA_R_32F, s.lda, vb,
                                         CUDA_R_32F, s.ldb, &beta, reinterpret_cast<void* const*>(pc.data()),
                                         CUDA_R_32F, s.ldc, count, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
        const auto have = dc.content();
        for (long i = 0; i < count; ++i)
            compare<float>(verdict, s, 2, a.data() + i * s.size_a(), b.data(), 0.5, c.data() + i * s.size_c(),
                           have.data() + i * s.size_c());
    }
}

// Two groups of a batch: of two matrices and of one, with sizes and factors of their own
void test_groups(cublasHandle_t handle) {
    Verdict verdict("groups");
    const Sizes sizes[] = {Sizes(5, 6, 7, CUBLAS_OP_T, CUBLAS_OP_N, 1), Sizes(20, 3, 9)};
    const int counts[] = {2, 1};
    std::vector<double> all[3][3];
    std::vector<OnDevice<double>*> memory;
    std::vector<const double*> as, bs;
    std::vector<double*> cs;
    for (int i = 0; i < 3; ++i) {
        const Sizes& s = sizes[i / 2];
        const long lengths[] = {s.size_a(), s.size_b(), s.size_c()};
        for (int j = 0; j < 3; ++j) {
            all[i][j] = random_numbers<double>(lengths[j]);
            memory.push_back(new OnDevice<double>(all[i][j]));
        }
        as.push_back(memory[3 * i]->data());
        bs.push_back(memory[3 * i + 1]->data());
        cs.push_back(memory[3 * i + 2]->data());
    }
    const OnDevice<const double*> pa(as), pb(bs);
    const OnDevice<double*> pc(cs);
    int m[2], n[2], k[2], lda[2], ldb[2], ldc[2];
    cublasOperation_t of_a[2], of_b[2];
    for (int i = 0; i < 2; ++i) {
        m[i] = sizes[i].m, n[i] = sizes[i].n, k[i] = sizes[i].k;
        lda[i] = sizes[i].lda, ldb[i] = sizes[i].ldb, ldc[i] = sizes[i].ldc;
        of_a[i] = sizes[i].of_a, of_b[i] = sizes[i].of_b;
    }
    const double alpha[] = {2, -1}, beta[] = {0.5, 3};
    CHECK(cublasDgemmGroupedBatched(handle, of_a, of_b, m, n, k, alpha, pa.data(), lda, pb.data(), ldb, beta, pc.data(),
                                    ldc, 2, counts));
    for (int i = 0; i < 3; ++i)
        compare<double>(verdict, sizes[i / 2], alpha[i / 2], all[i][0].data(), all[i][1].data(), beta[i / 2],
                        all[i][2].data(), memory[3 * i + 2]->content().data());
    for (OnDevice<double>* const each : memory)
        delete each;
}

// With alpha = 0 nothing of a and b is read, with beta = 0 nothing of c: NaN there has no effect. Factors may be in
// memory of the device.
void test_special(cublasHandle_t handle) {
    Verdict verdict("special values");
    const Sizes s(6, 35, 4);
    const std::vector<float> nan(300, std::nanf("")), factors{0, 1};
    const auto a = random_numbers<float>(s.size_a()), b = random_numbers<float>(s.size_b());
    const OnDevice<float> da(a), db(b), dnan(nan), dc(nan), dfactors(factors);
    const float zero = 0, one = 1;
    for (const bool on_device : {false, true}) {
        CHECK(cublasSetPointerMode(handle, on_device ? CUBLAS_POINTER_MODE_DEVICE : CUBLAS_POINTER_MODE_HOST));
        const float* const p0 = on_device ? dfactors.data() : &zero;
        const float* const p1 = on_device ? dfactors.data() + 1 : &one;
        CHECK(cublasSgemm(handle, s.of_a, s.of_b, s.m, s.n, s.k, p1, da.data(), s.lda, db.data(), s.ldb, p0, dc.data(),
                          s.ldc));
        const auto product = dc.content();
        compare<float>(verdict, s, 1, a.data(), b.data(), 0, nan.data(), product.data());
        CHECK(cublasSgemm(handle, s.of_a, s.of_b, s.m, s.n, s.k, p0, dnan.data(), s.lda, dnan.data(), s.ldb, p1,
                          dc.data(), s.ldc));
        for (long i = 0; i < s.size_c(); ++i)
            verdict.expect(dc.content()[i] == product[i], "c has changed by 0 a b");
        CHECK(
            cublasSgemm(handle, s.of_a, s.of_b, s.m, s.n, 0, p1, nullptr, s.lda, nullptr, s.ldb, p0, dc.data(), s.ldc));
        verdict.expect(dc.content()[0] == 0, "a product of depth 0 is not 0");
    }
    CHECK(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
}

void test_statuses(cublasHandle_t handle) {
    Verdict verdict("statuses");
    const OnDevice<float> memory(std::vector<float>(16, 1));
    float* const p = memory.data();
    const float one = 1;
    const auto call = [&](cublasHandle_t h, int m, int n, int k, int lda, int ldb, int ldc, const float* factor) {
        return static_cast<int>(
            cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_T, m, n, k, factor, p, lda, p, ldb, &one, p, ldc));
    };
    verdict.expect(call(nullptr, 1, 1, 1, 1, 1, 1, &one) == CUBLAS_STATUS_NOT_INITIALIZED, "a null handle");
    verdict.expect(call(handle, -1, 1, 1, 1, 1, 1, &one) == CUBLAS_STATUS_INVALID_VALUE, "m = -1");
    verdict.expect(call(handle, 1, -1, 1, 1, 1, 1, &one) == CUBLAS_STATUS_INVALID_VALUE, "n = -1");
    verdict.expect(call(handle, 1, 1, -1, 1, 1, 1, &one) == CUBLAS_STATUS_INVALID_VALUE, "k = -1");
    verdict.expect(call(handle, 4, 2, 1, 3, 2, 4, &one) == CUBLAS_STATUS_INVALID_VALUE, "lda");
    verdict.expect(call(handle, 2, 4, 1, 2, 3, 2, &one) == CUBLAS_STATUS_INVALID_VALUE, "ldb");
    verdict.expect(call(handle, 4, 2, 1, 4, 2, 3, &one) == CUBLAS_STATUS_INVALID_VALUE, "ldc");
    verdict.expect(call(handle, 4, 2, 1, 4, 2, 4, nullptr) == CUBLAS_STATUS_INVALID_VALUE, "alpha");
    verdict.expect(call(handle, 0, 2, 1, 1, 2, 1, &one) == CUBLAS_STATUS_SUCCESS, "m = 0");
    verdict.expect(call(handle, 2, 0, 1, 2, 1, 2, &one) == CUBLAS_STATUS_SUCCESS, "n = 0");
    verdict.expect(memory.content() == std::vector<float>(16, 1), "a call without work has changed memory");
}

int main() {
    cublasHandle_t handle;
    CHECK(cublasCreate(&handle));
    types<float>(handle, "Sgemm", [](auto... arguments) { return cublasSgemm(arguments...); });
    types<double>(handle, "Dgemm", [](auto... arguments) { return cublasDgemm(arguments...); });
    types<cuComplex>(handle, "Cgemm", [](auto... arguments) { return cublasCgemm(arguments...); });
    types<cuDoubleComplex>(handle, "Zgemm", [](auto... arguments) { return cublasZgemm(arguments...); });
    types<__half>(handle, "Hgemm", [](auto... arguments) { return cublasHgemm(arguments...); });
    test_extended(handle);
    test_bytes(handle);
    test_batches(handle);
    test_groups(handle);
    test_special(handle);
    test_statuses(handle);
    CHECK(cublasDestroy(handle));
    return 0;
}
