// Products with symmetric, Hermitian and triangular matrices, sums, and triangular systems. What must not be read of a
// matrix is NaN.
// OPTIONS: -lcublas
// NEEDS: cublas_v2.h
// ENV: HEDDLE_OPTIONS={"functional":true}
// EXPECT: symm: ok
// EXPECT: syrk: ok
// EXPECT: syr2k: ok
// EXPECT: trmm: ok
// EXPECT: trsm: ok
// EXPECT: trsm of a batch: ok
// EXPECT: geam: ok
// EXPECT: dgmm: ok
#include "parts/blas_checks.h"

// The functions by the type of their operands
#define BY_TYPE(name)                                                                                                  \
    template <class... Arguments>                                                                                      \
    cublasStatus_t name(float, Arguments... a) {                                                                       \
        return cublasS##name(a...);                                                                                    \
    }                                                                                                                  \
    template <class... Arguments>                                                                                      \
    cublasStatus_t name(double, Arguments... a) {                                                                      \
        return cublasD##name(a...);                                                                                    \
    }                                                                                                                  \
    template <class... Arguments>                                                                                      \
    cublasStatus_t name(cuComplex, Arguments... a) {                                                                   \
        return cublasC##name(a...);                                                                                    \
    }                                                                                                                  \
    template <class... Arguments>                                                                                      \
    cublasStatus_t name(cuDoubleComplex, Arguments... a) {                                                             \
        return cublasZ##name(a...);                                                                                    \
    }
#define BY_COMPLEX_TYPE(name)                                                                                          \
    template <class Real, class... Arguments>                                                                          \
    cublasStatus_t name(Real, Arguments...) {                                                                          \
        return CUBLAS_STATUS_NOT_SUPPORTED;                                                                            \
    }                                                                                                                  \
    template <class... Arguments>                                                                                      \
    cublasStatus_t name(cuComplex, Arguments... a) {                                                                   \
        return cublasC##name(a...);                                                                                    \
    }                                                                                                                  \
    template <class... Arguments>                                                                                      \
    cublasStatus_t name(cuDoubleComplex, Arguments... a) {                                                             \
        return cublasZ##name(a...);                                                                                    \
    }
BY_TYPE(symm)
BY_TYPE(syrk)
BY_TYPE(syrkx)
BY_TYPE(syr2k)
BY_TYPE(trmm)
BY_TYPE(trsm)
BY_TYPE(trsmBatched)
BY_TYPE(geam)
BY_TYPE(dgmm)
BY_COMPLEX_TYPE(hemm)
BY_COMPLEX_TYPE(herk)
BY_COMPLEX_TYPE(her2k)
BY_COMPLEX_TYPE(herkx)

template <class T>
constexpr long double kUnit = Numbers<T>::kComplex ? 2 : 1;

// body(fill, hermitian) for the forms that a type has
template <class T, class F>
void for_forms(F body) {
    for (const cublasFillMode_t fill : kFills) {
        body(fill, std::false_type{});
        if constexpr (Numbers<T>::kComplex)
            body(fill, std::true_type{});
    }
}

template <class T>
void test_symm(cublasHandle_t handle, Verdict& verdict) {
    const long m = 19, n = 37, ldb = m + 1, ldc = m + 2;
    const T alpha = number<T>(1.5, 0.5), beta = number<T>(-0.5, 0.25);
    for (const cublasSideMode_t side : {CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT})
        for_forms<T>([&](cublasFillMode_t fill, auto hermitian) {
            const long order = side == CUBLAS_SIDE_LEFT ? m : n, lda = order + 1;
            const Kind kind = hermitian ? Kind::kHermitian : Kind::kSymmetric;
            const auto a = triangle<T>(order, lda, fill, false), b = random_numbers<T>(ldb * n),
                       c = random_numbers<T>(ldc * n);
            const OnDevice<T> da(a), db(b), dc(c);
            if constexpr (hermitian)
                CHECK(
                    hemm(T{}, handle, side, fill, m, n, &alpha, da.data(), lda, db.data(), ldb, &beta, dc.data(), ldc));
            else
                CHECK(
                    symm(T{}, handle, side, fill, m, n, &alpha, da.data(), lda, db.data(), ldb, &beta, dc.data(), ldc));
            const auto have = dc.content();
            for (long j = 0; j < n; ++j)
                for (long i = 0; i < m; ++i) {
                    Wide sum = 0;
                    long double size = 0;
                    for (long k = 0; k < order; ++k) {
                        const bool left = side == CUBLAS_SIDE_LEFT;
                        const Wide of_a = left ? stored(a, lda, fill, kind, i, k) : stored(a, lda, fill, kind, k, j);
                        const Wide of_b = wide(left ? b[k + j * ldb] : b[i + k * ldb]);
                        sum += of_a * of_b;
                        size += magnitude(of_a) * magnitude(of_b);
                    }
                    const Wide old = wide(beta) * wide(c[i + j * ldc]);
                    size = size * magnitude(wide(alpha)) + magnitude(old);
                    verdict.expect_near(wide(have[i + j * ldc]), wide(alpha) * sum + old,
                                        static_cast<long double>(order + 2) * epsilon<T>() * size * kUnit<T>);
                }
        });
}

// syrk, syrkx and syr2k: the other triangle of c keeps its values.
template <class T>
void test_rank_k(cublasHandle_t handle, Verdict& of_one, Verdict& of_two) {
    const long n = 21, k = 18, ldc = n + 1;
    const T alpha = number<T>(0.5, 0.75);
    using R = RealOf<T>;
    const R real_alpha = R(0.5), real_beta = R(-1);
    const T beta = number<T>(-1);
    const OnDevice<R> real_factors(std::vector<R>{real_alpha, real_beta});
    for_forms<T>([&](cublasFillMode_t fill, auto hermitian) {
        for (const cublasOperation_t operation : {CUBLAS_OP_N, hermitian ? CUBLAS_OP_C : CUBLAS_OP_T})
            for (int form = 0; form < 3; ++form) { // a a^T; a b^T; both products
                const long lda = (operation == CUBLAS_OP_N ? n : k) + 1;
                const auto a = random_numbers<T>(lda * std::max(n, k));
                const auto b = form == 0 ? a : random_numbers<T>(lda * std::max(n, k));
                auto c = random_numbers<T>(ldc * n);
                const OnDevice<T> da(a), db(b), dc(c);
                if constexpr (hermitian) {
                    if (form == 0) {
                        CHECK(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
                        CHECK(herk(T{}, handle, fill, operation, n, k, real_factors.data(), da.data(), lda,
                                   real_factors.data() + 1, dc.data(), ldc));
                        CHECK(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
                    } else if (form == 1)
                        CHECK(herkx(T{}, handle, fill, operation, n, k, &alpha, da.data(), lda, db.data(), lda,
                                    &real_beta, dc.data(), ldc));
                    else
                        CHECK(her2k(T{}, handle, fill, operation, n, k, &alpha, da.data(), lda, db.data(), lda,
                                    &real_beta, dc.data(), ldc));
                } else {
                    if (form == 0)
                        CHECK(syrk(T{}, handle, fill, operation, n, k, &alpha, da.data(), lda, &beta, dc.data(), ldc));
                    else if (form == 1)
                        CHECK(syrkx(T{}, handle, fill, operation, n, k, &alpha, da.data(), lda, db.data(), lda, &beta,
                                    dc.data(), ldc));
                    else
                        CHECK(syr2k(T{}, handle, fill, operation, n, k, &alpha, da.data(), lda, db.data(), lda, &beta,
                                    dc.data(), ldc));
                }
                const auto have = dc.content();
                const auto turned = [&](Wide x) { return hermitian ? std::conj(x) : x; };
                const Wide first = hermitian && form == 0 ? wide(real_alpha) : wide(alpha);
                for (long j = 0; j < n; ++j)
                    for (long i = 0; i < n; ++i) {
                        Wide want = wide(c[i + j * ldc]);
                        long double size = magnitude(want);
                        if (i == j || (i > j) == (fill == CUBLAS_FILL_MODE_LOWER)) {
                            Wide sum = 0;
                            const auto add = [&](Wide factor, Wide x, Wide y) {
                                sum += factor * x * turned(y);
                                size += magnitude(factor) * magnitude(x) * magnitude(y);
                            };
                            for (long l = 0; l < k; ++l) {
                                add(first, at(a, lda, operation, i, l), at(b, lda, operation, j, l));
                                if (form == 2)
                                    add(turned(first), at(b, lda, operation, i, l), at(a, lda, operation, j, l));
                            }
                            want = sum - want;
                            if (hermitian && i == j)
                                want = want.real();
                        }
                        (form == 2 ? of_two : of_one)
                            .expect_near(wide(have[i + j * ldc]), want,
                                         static_cast<long double>(k + 2) * epsilon<T>() * size * kUnit<T>);
                    }
            }
    });
}

// body(side, fill, operation, diagonal, kind)
template <class F>
void for_triangles(F body) {
    for (const cublasSideMode_t side : {CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT})
        for (const cublasFillMode_t fill : kFills)
            for (const cublasOperation_t operation : kOperations)
                for (const cublasDiagType_t diagonal : {CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT})
                    body(side, fill, operation, diagonal,
                         diagonal == CUBLAS_DIAG_UNIT ? Kind::kUnitTriangular : Kind::kTriangular);
}

// Element (i, j) of op(a)
template <class T>
Wide of_triangle(const std::vector<T>& a, long lda, cublasFillMode_t fill, Kind kind, cublasOperation_t operation,
                 long i, long j) {
    if (operation == CUBLAS_OP_N)
        return stored(a, lda, fill, kind, i, j);
    const Wide value = stored(a, lda, fill, kind, j, i);
    return operation == CUBLAS_OP_C ? std::conj(value) : value;
}

// op(a) x or x op(a)
template <class T>
Wide product(cublasSideMode_t side, long order, const std::vector<T>& a, long lda, cublasFillMode_t fill, Kind kind,
             cublasOperation_t operation, const T* x, long ldx, long i, long j, long double& size) {
    Wide sum = 0;
    size = 0;
    for (long k = 0; k < order; ++k) {
        const bool left = side == CUBLAS_SIDE_LEFT;
        const Wide of_a =
            left ? of_triangle(a, lda, fill, kind, operation, i, k) : of_triangle(a, lda, fill, kind, operation, k, j);
        const Wide of_x = wide(left ? x[k + j * ldx] : x[i + k * ldx]);
        sum += of_a * of_x;
        size += magnitude(of_a) * magnitude(of_x);
    }
    return sum;
}

template <class T>
void test_trmm(cublasHandle_t handle, Verdict& verdict) {
    const long m = 18, n = 7, ldb = m + 1;
    const T alpha = number<T>(2, 1);
    for_triangles([&](auto side, auto fill, auto operation, auto diagonal, Kind kind) {
        const long order = side == CUBLAS_SIDE_LEFT ? m : n, lda = order + 2;
        const auto a = triangle<T>(order, lda, fill, diagonal == CUBLAS_DIAG_UNIT), b = random_numbers<T>(ldb * n);
        for (const bool in_place : {false, true}) {
            const OnDevice<T> da(a), db(b), dc(b);
            T* const to = in_place ? db.data() : dc.data();
            CHECK(trmm(T{}, handle, side, fill, operation, diagonal, m, n, &alpha, da.data(), lda, db.data(), ldb, to,
                       ldb));
            const auto have = (in_place ? db : dc).content();
            for (long j = 0; j < n; ++j)
                for (long i = 0; i < m; ++i) {
                    long double size;
                    const Wide sum = product(side, order, a, lda, fill, kind, operation, b.data(), ldb, i, j, size);
                    verdict.expect_near(wide(have[i + j * ldb]), wide(alpha) * sum,
                                        static_cast<long double>(order + 2) * epsilon<T>() * 3 * size * kUnit<T>);
                }
        }
    });
}

// The residual op(a) x - alpha b of a solution is within (n + 4) epsilon times the sum of magnitudes.
template <class T>
void expect_solution(Verdict& verdict, cublasSideMode_t side, cublasFillMode_t fill, Kind kind,
                     cublasOperation_t operation, long m, long n, const std::vector<T>& a, long lda, Wide alpha,
                     const T* b, const T* x, long ldb) {
    const long order = side == CUBLAS_SIDE_LEFT ? m : n;
    for (long j = 0; j < n; ++j)
        for (long i = 0; i < m; ++i) {
            long double size;
            const Wide sum = product(side, order, a, lda, fill, kind, operation, x, ldb, i, j, size);
            const Wide want = alpha * wide(b[i + j * ldb]);
            verdict.expect_near(sum, want,
                                static_cast<long double>(order + 4) * epsilon<T>() * (size + magnitude(want)) * 2 *
                                    kUnit<T>);
        }
}

template <class T>
void test_trsm(cublasHandle_t handle, Verdict& verdict, Verdict& of_batch) {
    const long m = 38, n = 35, ldb = m + 1;
    const T alpha = number<T>(0.5, -0.25);
    for_triangles([&](auto side, auto fill, auto operation, auto diagonal, Kind kind) {
        const long order = side == CUBLAS_SIDE_LEFT ? m : n, lda = order + 2;
        auto a = triangle<T>(order, lda, fill, diagonal == CUBLAS_DIAG_UNIT);
        for (long j = 0; j < order; ++j) // so that solutions do not grow
            for (long i = 0; i < order; ++i)
                if (i != j)
                    a[i + j * lda] = number<T>(wide(a[i + j * lda]).real() / 8, wide(a[i + j * lda]).imag() / 8);
        const auto b = random_numbers<T>(ldb * n);
        const OnDevice<T> da(a), db(b);
        CHECK(trsm(T{}, handle, side, fill, operation, diagonal, m, n, &alpha, da.data(), lda, db.data(), ldb));
        expect_solution(verdict, side, fill, kind, operation, m, n, a, lda, wide(alpha), b.data(), db.content().data(),
                        ldb);
        const OnDevice<T> first(b), second(b);
        const OnDevice<const T*> as(std::vector<const T*>{da.data(), da.data()});
        const OnDevice<T*> bs(std::vector<T*>{first.data(), second.data()});
        CHECK(
            trsmBatched(T{}, handle, side, fill, operation, diagonal, m, n, &alpha, as.data(), lda, bs.data(), ldb, 2));
        for (const auto* const each : {&first, &second})
            for (long i = 0; i < ldb * n; ++i)
                of_batch.expect(wide(each->content()[i]) == wide(db.content()[i]), "not as the solution of one");
    });
}

// With alpha = 0 the solution is 0, and neither a nor b is read.
void test_zero(cublasHandle_t handle, Verdict& verdict) {
    const long n = 35;
    const std::vector<float> nan(n * n, std::nanf(""));
    const OnDevice<float> da(nan), db(nan);
    const float zero = 0;
    CHECK(cublasStrsm(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT, n, n, &zero,
                      da.data(), n, db.data(), n));
    verdict.expect(db.content() == std::vector<float>(n * n, 0), "alpha = 0");
}

template <class T>
void test_elements(cublasHandle_t handle, Verdict& of_sum, Verdict& of_scale) {
    const long m = 34, n = 9, ld = 36;
    const T alpha = number<T>(2, -1), beta = number<T>(0.5, 1), zero = number<T>(0);
    const auto a = random_numbers<T>(ld * 36), b = random_numbers<T>(ld * 36);
    const std::vector<T> nan(ld * 36, number<T>(std::nan(""), std::nan("")));
    const OnDevice<T> da(a), db(b), dnan(nan);
    for (const cublasOperation_t of_a : kOperations)
        for (const cublasOperation_t of_b : kOperations) {
            const OnDevice<T> dc(nan);
            CHECK(geam(T{}, handle, of_a, of_b, m, n, &alpha, da.data(), ld, &beta, db.data(), ld, dc.data(), ld));
            const auto have = dc.content();
            CHECK(geam(T{}, handle, of_a, of_b, m, n, &alpha, da.data(), ld, &zero, dnan.data(), ld, dc.data(), ld));
            const auto of_one = dc.content();
            for (long j = 0; j < n; ++j)
                for (long i = 0; i < m; ++i) {
                    const Wide x = wide(alpha) * at(a, ld, of_a, i, j), y = wide(beta) * at(b, ld, of_b, i, j);
                    of_sum.expect_near(wide(have[i + j * ld]), x + y, 24 * epsilon<T>());
                    of_sum.expect_near(wide(of_one[i + j * ld]), x, 12 * epsilon<T>());
                }
        }
    const OnDevice<T> in_place(a);
    CHECK(geam(T{}, handle, CUBLAS_OP_N, CUBLAS_OP_T, m, n, &alpha, in_place.data(), ld, &beta, db.data(), ld,
               in_place.data(), ld));
    of_sum.expect_near(wide(in_place.content()[5 + 3 * ld]),
                       wide(alpha) * wide(a[5 + 3 * ld]) + wide(beta) * wide(b[3 + 5 * ld]), 24 * epsilon<T>());
    of_sum.expect(geam(T{}, handle, CUBLAS_OP_T, CUBLAS_OP_N, m, n, &alpha, in_place.data(), ld, &beta, db.data(), ld,
                       in_place.data(), ld) == CUBLAS_STATUS_INVALID_VALUE,
                  "a transposed matrix in place");
    for (const cublasSideMode_t side : {CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT})
        for (const long step : {1L, 2L, -1L}) {
            const OnDevice<T> dc(nan);
            CHECK(dgmm(T{}, handle, side, m, n, da.data(), ld, db.data(), step, dc.data(), ld));
            const auto have = dc.content();
            const long count = side == CUBLAS_SIDE_LEFT ? m : n;
            for (long j = 0; j < n; ++j)
                for (long i = 0; i < m; ++i) {
                    const long at_x = side == CUBLAS_SIDE_LEFT ? i : j;
                    const Wide x = wide(b[step > 0 ? at_x * step : (at_x - count + 1) * step]);
                    of_scale.expect_near(wide(have[i + j * ld]), x * wide(a[i + j * ld]), 6 * epsilon<T>());
                }
        }
}

template <class F>
void for_types(F body) {
    body(float{});
    body(double{});
    body(cuComplex{});
    body(cuDoubleComplex{});
}

int main() {
    cublasHandle_t handle;
    CHECK(cublasCreate(&handle));
    {
        Verdict verdict("symm");
        for_types([&](auto type) { test_symm<decltype(type)>(handle, verdict); });
    }
    {
        Verdict of_two("syr2k"), of_one("syrk"); // reported in the opposite order
        for_types([&](auto type) { test_rank_k<decltype(type)>(handle, of_one, of_two); });
    }
    {
        Verdict verdict("trmm");
        for_types([&](auto type) { test_trmm<decltype(type)>(handle, verdict); });
    }
    {
        Verdict of_batch("trsm of a batch"), verdict("trsm");
        for_types([&](auto type) { test_trsm<decltype(type)>(handle, verdict, of_batch); });
        test_zero(handle, verdict);
    }
    Verdict of_scale("dgmm"), of_sum("geam");
    for_types([&](auto type) { test_elements<decltype(type)>(handle, of_sum, of_scale); });
    CHECK(cublasDestroy(handle));
    return 0;
}
