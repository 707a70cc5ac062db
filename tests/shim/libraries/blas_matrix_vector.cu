// Products of a matrix and a vector, updates of rank one and two, and triangular systems with one vector
// OPTIONS: -lcublas
// NEEDS: cublas_v2.h
// ENV: HEDDLE_OPTIONS={"functional":true}
// EXPECT: gemv: ok
// EXPECT: gemv of a batch: ok
// EXPECT: symv: ok
// EXPECT: trmv and trsv: ok
// EXPECT: rank one and two: ok
// EXPECT: special values: ok
#include "parts/blas_checks.h"

struct Steps {
    long x, y;
};
constexpr Steps kSteps[] = {{1, 1}, {2, -3}, {-1, 2}};

long place(long i, long n, long step) {
    return step > 0 ? i * step : (i - n + 1) * step;
}
long extent(long n, long step) {
    return (n - 1) * std::abs(step) + 1;
}
template <class T>
constexpr long double kUnit = Numbers<T>::kComplex ? 2 : 1;

// Holds y against alpha op(a) x + beta old; element(i, j) of op(a)
template <class S, class T, class Y, class F>
void compare(Verdict& verdict, long rows, long columns, Wide alpha, F element, const T* x, long step_x, Wide beta,
             const Y* old, const Y* y, long step_y) {
    for (long i = 0; i < rows; ++i) {
        Wide sum = 0;
        long double size = 0;
        for (long j = 0; j < columns; ++j) {
            const Wide a = element(i, j), b = wide(x[place(j, columns, step_x)]);
            sum += a * b;
            size += magnitude(a) * magnitude(b);
        }
        const long to = place(i, rows, step_y);
        Wide want = alpha * sum;
        size *= magnitude(alpha);
        if (beta != Wide(0)) {
            want += beta * wide(old[to]);
            size += magnitude(beta) * magnitude(wide(old[to]));
        }
        const long double rounded = sizeof(Y) < sizeof(S) ? epsilon<Y>() * magnitude(want) : 0;
        verdict.expect_near(wide(y[to]), want,
                            static_cast<long double>(columns + 2) * epsilon<S>() * size * kUnit<S> + rounded);
    }
}

template <class T, class Gemv>
void test_gemv(cublasHandle_t handle, Verdict& verdict, Gemv gemv) {
    const long m = 45, n = 140, lda = m + 2;
    const T alpha = number<T>(1.5, 0.5), beta = number<T>(-0.5, 1);
    const auto a = random_numbers<T>(lda * n);
    const OnDevice<T> da(a);
    for (const cublasOperation_t operation : kOperations)
        for (const Steps s : kSteps) {
            const long rows = operation == CUBLAS_OP_N ? m : n, columns = operation == CUBLAS_OP_N ? n : m;
            const auto x = random_numbers<T>(extent(columns, s.x)), y = random_numbers<T>(extent(rows, s.y));
            const OnDevice<T> dx(x), dy(y);
            CHECK(gemv(handle, operation, m, n, &alpha, da.data(), lda, dx.data(), s.x, &beta, dy.data(), s.y));
            compare<T>(
                verdict, rows, columns, wide(alpha), [&](long i, long j) { return at(a, lda, operation, i, j); },
                x.data(), s.x, wide(beta), y.data(), dy.content().data(), s.y);
        }
}

template <class T, class Y, class A, class Batched, class Strided>
void test_batched(cublasHandle_t handle, Verdict& verdict, Batched batched, Strided strided) {
    const long m = 20, n = 11, lda = m + 1, count = 3, step_x = 2, step_y = -1;
    const A alpha = number<A>(2), beta = number<A>(0.5);
    const auto a = random_numbers<T>(count * lda * n);
    const long size_x = 60, size_y = 40;
    const auto x = random_numbers<T>(count * size_x);
    const auto y = random_numbers<Y>(count * size_y);
    const OnDevice<T> da(a), dx(x);
    for (const cublasOperation_t operation : {CUBLAS_OP_N, CUBLAS_OP_T})
        for (const bool by_pointers : {false, true}) {
            const OnDevice<Y> dy(y);
            std::vector<const T*> as, xs;
            std::vector<Y*> ys;
            for (long i = 0; i < count; ++i) {
                as.push_back(da.data() + i * lda * n);
                xs.push_back(dx.data() + i * size_x);
                ys.push_back(dy.data() + i * size_y);
            }
            const OnDevice<const T*> pa(as), px(xs);
            const OnDevice<Y*> py(ys);
            if (by_pointers)
                CHECK(batched(handle, operation, m, n, &alpha, pa.data(), lda, px.data(), step_x, &beta, py.data(),
                              step_y, count));
            else
                CHECK(strided(handle, operation, m, n, &alpha, da.data(), lda, lda * n, dx.data(), step_x, size_x,
                              &beta, dy.data(), step_y, size_y, count));
            const auto have = dy.content();
            const long rows = operation == CUBLAS_OP_N ? m : n, columns = operation == CUBLAS_OP_N ? n : m;
            for (long i = 0; i < count; ++i) {
                const std::vector<T> of_batch(a.begin() + i * lda * n, a.begin() + (i + 1) * lda * n);
                compare<A>(
                    verdict, rows, columns, wide(alpha),
                    [&](long r, long c) { return at(of_batch, lda, operation, r, c); }, x.data() + i * size_x, step_x,
                    wide(beta), y.data() + i * size_y, have.data() + i * size_y, step_y);
            }
        }
}

template <class T, class Symv>
void test_symv(cublasHandle_t handle, Verdict& verdict, Kind kind, Symv symv) {
    const long n = 37, lda = n + 1;
    const T alpha = number<T>(1.5, 0.5), beta = number<T>(-0.5, 1);
    for (const cublasFillMode_t fill : kFills)
        for (const Steps s : kSteps) {
            const auto a = triangle<T>(n, lda, fill, false), x = random_numbers<T>(extent(n, s.x)),
                       y = random_numbers<T>(extent(n, s.y));
            const OnDevice<T> da(a), dx(x), dy(y);
            CHECK(symv(handle, fill, n, &alpha, da.data(), lda, dx.data(), s.x, &beta, dy.data(), s.y));
            compare<T>(
                verdict, n, n, wide(alpha), [&](long i, long j) { return stored(a, lda, fill, kind, i, j); }, x.data(),
                s.x, wide(beta), y.data(), dy.content().data(), s.y);
        }
}

// op(a) x by trmv, and x again by trsv
template <class T, class Trmv, class Trsv>
void test_triangular(cublasHandle_t handle, Verdict& verdict, Trmv trmv, Trsv trsv) {
    const long n = 40, lda = n + 1;
    for (const cublasFillMode_t fill : kFills)
        for (const cublasOperation_t operation : kOperations)
            for (const cublasDiagType_t diagonal : {CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT})
                for (const long step : {1L, -2L}) {
                    const bool unit = diagonal == CUBLAS_DIAG_UNIT;
                    const Kind kind = unit ? Kind::kUnitTriangular : Kind::kTriangular;
                    auto a = triangle<T>(n, lda, fill, unit);
                    for (long j = 0; j < n; ++j) // so that solutions do not grow
                        for (long i = 0; i < n; ++i)
                            if (i != j)
                                a[i + j * lda] =
                                    number<T>(wide(a[i + j * lda]).real() / 16, wide(a[i + j * lda]).imag() / 16);
                    const auto x = random_numbers<T>(extent(n, step));
                    const OnDevice<T> da(a), dx(x);
                    CHECK(trmv(handle, fill, operation, diagonal, n, da.data(), lda, dx.data(), step));
                    const auto product = dx.content();
                    compare<T>(
                        verdict, n, n, 1,
                        [&](long i, long j) {
                            if (operation == CUBLAS_OP_N)
                                return stored(a, lda, fill, kind, i, j);
                            const Wide value = stored(a, lda, fill, kind, j, i);
                            return operation == CUBLAS_OP_C ? std::conj(value) : value;
                        },
                        x.data(), step, 0, x.data(), product.data(), step);
                    CHECK(trsv(handle, fill, operation, diagonal, n, da.data(), lda, dx.data(), step));
                    const auto again = dx.content();
                    for (long i = 0; i < n; ++i)
                        verdict.expect_near(wide(again[place(i, n, step)]), wide(x[place(i, n, step)]),
                                            400 * epsilon<T>());
                }
}

enum class Update { kGer, kGerc, kSyr, kHer, kSyr2, kHer2 };
template <class T, class F>
void test_update(cublasHandle_t handle, Verdict& verdict, Update form, F update) {
    const bool general = form == Update::kGer || form == Update::kGerc;
    const bool hermitian = form == Update::kHer || form == Update::kHer2;
    const bool two = form == Update::kSyr2 || form == Update::kHer2;
    const long m = 34, n = general ? 35 : m, lda = m + 1;
    const Wide alpha(1.5, Numbers<T>::kComplex && form != Update::kHer ? 0.5 : 0);
    for (const cublasFillMode_t fill : kFills)
        for (const Steps s : kSteps) {
            const auto x = random_numbers<T>(extent(m, s.x)), y = random_numbers<T>(extent(n, s.y)),
                       a = random_numbers<T>(lda * n);
            const OnDevice<T> dx(x), dy(y), da(a);
            CHECK(update(fill, m, n, dx.data(), s.x, dy.data(), s.y, da.data(), lda));
            const auto have = da.content();
            const auto& right = general || two ? y : x;
            const long step = general || two ? s.y : s.x;
            const auto turned = [&](Wide v) { return hermitian || form == Update::kGerc ? std::conj(v) : v; };
            for (long j = 0; j < n; ++j)
                for (long i = 0; i < m; ++i) {
                    Wide want = wide(a[i + j * lda]);
                    if (general || i == j || (i > j) == (fill == CUBLAS_FILL_MODE_LOWER)) {
                        want += alpha * wide(x[place(i, m, s.x)]) * turned(wide(right[place(j, n, step)]));
                        if (two)
                            want += turned(alpha) * wide(y[place(i, n, s.y)]) * turned(wide(x[place(j, m, s.x)]));
                        if (hermitian && i == j)
                            want = want.real();
                    }
                    verdict.expect_near(wide(have[i + j * lda]), want, 16 * kUnit<T> * epsilon<T>());
                }
        }
    (void)handle;
}

// With beta = 0 nothing of y is read, with alpha = 0 nothing of a and x. Factors may be in memory of the device.
void test_special(cublasHandle_t handle) {
    Verdict verdict("special values");
    const std::vector<float> nan(64, std::nanf("")), factors{0, 1}, ones(64, 1);
    const OnDevice<float> dnan(nan), y(nan), dones(ones), dfactors(factors);
    CHECK(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
    const float *const zero = dfactors.data(), *const one = dfactors.data() + 1;
    for (const cublasOperation_t operation : kOperations) {
        CHECK(cublasSgemv(handle, operation, 8, 8, one, dones.data(), 8, dones.data(), 1, zero, y.data(), 1));
        verdict.expect(y.content()[7] == 8, "old values are read with beta = 0");
        CHECK(cublasSgemv(handle, operation, 8, 8, zero, dnan.data(), 8, dnan.data(), 1, one, y.data(), 1));
        verdict.expect(y.content()[7] == 8, "the matrix is read with alpha = 0");
    }
    CHECK(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
    const float f = 1;
    const auto call = [&](int m, int lda, int incx, int incy) {
        return cublasSgemv(handle, CUBLAS_OP_N, m, 2, &f, dones.data(), lda, dones.data(), incx, &f, y.data(), incy);
    };
    verdict.expect(call(-1, 1, 1, 1) == CUBLAS_STATUS_INVALID_VALUE, "m = -1");
    verdict.expect(call(4, 3, 1, 1) == CUBLAS_STATUS_INVALID_VALUE, "lda");
    verdict.expect(call(4, 4, 0, 1) == CUBLAS_STATUS_INVALID_VALUE, "incx = 0");
    verdict.expect(call(4, 4, 1, 0) == CUBLAS_STATUS_INVALID_VALUE, "incy = 0");
    verdict.expect(call(0, 1, 1, 1) == CUBLAS_STATUS_SUCCESS, "m = 0");
}

#define CALL(name) [](auto... a) { return cublas##name(a...); }
#define GENERAL_UPDATE(T, name)                                                                                        \
    [&](auto, long m, long n, auto x, long sx, auto y, long sy, auto a, long lda) {                                    \
        const T alpha = number<T>(1.5, 0.5);                                                                           \
        return cublas##name(handle, m, n, &alpha, x, sx, y, sy, a, lda);                                               \
    }
#define UPDATE(A, name)                                                                                                \
    [&](auto fill, long m, long, auto x, long sx, auto, long, auto a, long lda) {                                      \
        const A alpha = number<A>(1.5, 0.5);                                                                           \
        return cublas##name(handle, fill, m, &alpha, x, sx, a, lda);                                                   \
    }
#define UPDATE_OF_TWO(T, name)                                                                                         \
    [&](auto fill, long m, long, auto x, long sx, auto y, long sy, auto a, long lda) {                                 \
        const T alpha = number<T>(1.5, 0.5);                                                                           \
        return cublas##name(handle, fill, m, &alpha, x, sx, y, sy, a, lda);                                            \
    }
#define UPDATES(T, S)                                                                                                  \
    test_update<T>(handle, verdict, Update::kSyr, UPDATE(T, S##syr));                                                  \
    test_update<T>(handle, verdict, Update::kSyr2, UPDATE_OF_TWO(T, S##syr2));

int main() {
    cublasHandle_t handle;
    CHECK(cublasCreate(&handle));
    {
        Verdict verdict("gemv");
        test_gemv<float>(handle, verdict, CALL(Sgemv));
        test_gemv<double>(handle, verdict, CALL(Dgemv));
        test_gemv<cuComplex>(handle, verdict, CALL(Cgemv));
        test_gemv<cuDoubleComplex>(handle, verdict, CALL(Zgemv));
    }
    {
        Verdict verdict("gemv of a batch");
        test_batched<float, float, float>(handle, verdict, CALL(SgemvBatched), CALL(SgemvStridedBatched));
        test_batched<cuDoubleComplex, cuDoubleComplex, cuDoubleComplex>(handle, verdict, CALL(ZgemvBatched),
                                                                        CALL(ZgemvStridedBatched));
        test_batched<__half, __half, float>(handle, verdict, CALL(HSHgemvBatched), CALL(HSHgemvStridedBatched));
        test_batched<__half, float, float>(handle, verdict, CALL(HSSgemvBatched), CALL(HSSgemvStridedBatched));
        test_batched<__nv_bfloat16, __nv_bfloat16, float>(handle, verdict, CALL(TSTgemvBatched),
                                                          CALL(TSTgemvStridedBatched));
        test_batched<__nv_bfloat16, float, float>(handle, verdict, CALL(TSSgemvBatched), CALL(TSSgemvStridedBatched));
    }
    {
        Verdict verdict("symv");
        test_symv<float>(handle, verdict, Kind::kSymmetric, CALL(Ssymv));
        test_symv<double>(handle, verdict, Kind::kSymmetric, CALL(Dsymv));
        test_symv<cuComplex>(handle, verdict, Kind::kSymmetric, CALL(Csymv));
        test_symv<cuComplex>(handle, verdict, Kind::kHermitian, CALL(Chemv));
        test_symv<cuDoubleComplex>(handle, verdict, Kind::kHermitian, CALL(Zhemv));
    }
    {
        Verdict verdict("trmv and trsv");
        test_triangular<float>(handle, verdict, CALL(Strmv), CALL(Strsv));
        test_triangular<double>(handle, verdict, CALL(Dtrmv), CALL(Dtrsv));
        test_triangular<cuComplex>(handle, verdict, CALL(Ctrmv), CALL(Ctrsv));
        test_triangular<cuDoubleComplex>(handle, verdict, CALL(Ztrmv), CALL(Ztrsv));
    }
    {
        Verdict verdict("rank one and two");
        test_update<float>(handle, verdict, Update::kGer, GENERAL_UPDATE(float, Sger));
        test_update<double>(handle, verdict, Update::kGer, GENERAL_UPDATE(double, Dger));
        test_update<cuComplex>(handle, verdict, Update::kGer, GENERAL_UPDATE(cuComplex, Cgeru));
        test_update<cuDoubleComplex>(handle, verdict, Update::kGerc, GENERAL_UPDATE(cuDoubleComplex, Zgerc));
        UPDATES(float, S)
        UPDATES(double, D)
        UPDATES(cuComplex, C)
        UPDATES(cuDoubleComplex, Z)
        test_update<cuComplex>(handle, verdict, Update::kHer, UPDATE(float, Cher));
        test_update<cuDoubleComplex>(handle, verdict, Update::kHer, UPDATE(double, Zher));
        test_update<cuComplex>(handle, verdict, Update::kHer2, UPDATE_OF_TWO(cuComplex, Cher2));
        test_update<cuDoubleComplex>(handle, verdict, Update::kHer2, UPDATE_OF_TWO(cuDoubleComplex, Zher2));
    }
    test_special(handle);
    CHECK(cublasDestroy(handle));
    return 0;
}
