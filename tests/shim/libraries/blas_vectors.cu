// Operations on vectors and reductions: types, steps of both signs, factors and results on the host and on the device.
// OPTIONS: -lcublas
// NEEDS: cublas_v2.h
// ENV: HEDDLE_OPTIONS={"functional":true}
// EXPECT: axpy: ok
// EXPECT: scal: ok
// EXPECT: copy and swap: ok
// EXPECT: rot: ok
// EXPECT: rotm: ok
// EXPECT: rotg: ok
// EXPECT: rotmg: ok
// EXPECT: dot: ok
// EXPECT: nrm2 and asum: ok
// EXPECT: amax and amin: ok
// EXPECT: types of the caller: ok
#include "parts/blas_checks.h"

struct Steps {
    long x, y;
};
constexpr Steps kSteps[] = {{1, 1}, {2, 3}, {-1, 2}, {3, -2}, {-2, -1}};

// Where element i of n is
long place(long i, long n, long step) {
    return step > 0 ? i * step : (i - n + 1) * step;
}
long extent(long n, long step) {
    return (n - 1) * std::abs(step) + 1;
}
template <class T>
constexpr long double kUnit = Numbers<T>::kComplex ? 2 : 1;

// A factor or a result on the host or on the device
template <class T>
class Number {
public:
    Number(cublasHandle_t handle, T value, bool on_device) : value_(value), on_device_(on_device), memory_({value}) {
        CHECK(cublasSetPointerMode(handle, on_device ? CUBLAS_POINTER_MODE_DEVICE : CUBLAS_POINTER_MODE_HOST));
    }
    T* pointer() {
        return on_device_ ? memory_.data() : &value_;
    }
    T value() const {
        return on_device_ ? memory_.content()[0] : value_;
    }

private:
    T value_;
    bool on_device_;
    OnDevice<T> memory_;
};

template <class T, class Axpy>
void test_axpy(cublasHandle_t handle, Verdict& verdict, Axpy axpy) {
    const long n = 300;
    const T factor = number<T>(1.5, -0.75);
    for (const Steps s : kSteps)
        for (const bool on_device : {false, true}) {
            Number<T> alpha(handle, factor, on_device);
            const auto x = random_numbers<T>(extent(n, s.x)), y = random_numbers<T>(extent(n, s.y));
            const OnDevice<T> dx(x), dy(y);
            CHECK(axpy(handle, n, alpha.pointer(), dx.data(), s.x, dy.data(), s.y));
            const auto have = dy.content();
            auto want = std::vector<Wide>(y.size());
            for (std::size_t i = 0; i < y.size(); ++i)
                want[i] = wide(y[i]);
            for (long i = 0; i < n; ++i)
                want[place(i, n, s.y)] += wide(factor) * wide(x[place(i, n, s.x)]);
            for (std::size_t i = 0; i < y.size(); ++i)
                verdict.expect_near(wide(have[i]), want[i], 3 * kUnit<T> * epsilon<T>());
        }
}

template <class T, class A, class Scal>
void test_scal(cublasHandle_t handle, Verdict& verdict, A factor, Scal scal) {
    const long n = 300;
    for (const long step : {1L, 3L})
        for (const bool on_device : {false, true}) {
            Number<A> alpha(handle, factor, on_device);
            const auto x = random_numbers<T>(extent(n, step));
            const OnDevice<T> dx(x);
            CHECK(scal(handle, n, alpha.pointer(), dx.data(), step));
            const auto have = dx.content();
            for (long i = 0; i < static_cast<long>(x.size()); ++i)
                verdict.expect_near(wide(have[i]), i % step == 0 ? wide(factor) * wide(x[i]) : wide(x[i]),
                                    3 * kUnit<T> * epsilon<T>());
            CHECK(scal(handle, n, alpha.pointer(), dx.data(), -1)); // nothing to do
            verdict.expect(wide(dx.content()[0]) == wide(have[0]), "a negative step is not empty");
        }
}

template <class T, class Copy, class Swap>
void test_copy(cublasHandle_t handle, Verdict& verdict, Copy copy, Swap swap) {
    const long n = 100;
    for (const Steps s : kSteps) {
        const auto x = random_numbers<T>(extent(n, s.x)), y = random_numbers<T>(extent(n, s.y));
        const OnDevice<T> dx(x), dy(y), to(y);
        CHECK(swap(handle, n, dx.data(), s.x, dy.data(), s.y));
        CHECK(copy(handle, n, dy.data(), s.y, to.data(), s.y));
        const auto have_x = dx.content(), have_y = dy.content(), have = to.content();
        for (long i = 0; i < n; ++i) {
            verdict.expect(wide(have_x[place(i, n, s.x)]) == wide(y[place(i, n, s.y)]), "swap: x");
            verdict.expect(wide(have_y[place(i, n, s.y)]) == wide(x[place(i, n, s.x)]), "swap: y");
            verdict.expect(wide(have[place(i, n, s.y)]) == wide(have_y[place(i, n, s.y)]), "copy");
        }
    }
}

template <class T, class S, class Rot>
void test_rot(cublasHandle_t handle, Verdict& verdict, S sine, Rot rot) {
    using R = RealOf<T>;
    const long n = 70;
    for (const Steps s : kSteps)
        for (const bool on_device : {false, true}) {
            Number<R> c(handle, R(0.6), on_device);
            Number<S> of_s(handle, sine, on_device);
            const auto x = random_numbers<T>(extent(n, s.x)), y = random_numbers<T>(extent(n, s.y));
            const OnDevice<T> dx(x), dy(y);
            CHECK(rot(handle, n, dx.data(), s.x, dy.data(), s.y, c.pointer(), of_s.pointer()));
            const auto have_x = dx.content(), have_y = dy.content();
            for (long i = 0; i < n; ++i) {
                const Wide a = wide(x[place(i, n, s.x)]), b = wide(y[place(i, n, s.y)]), cosine = wide(R(0.6));
                verdict.expect_near(wide(have_x[place(i, n, s.x)]), cosine * a + wide(sine) * b, 8 * epsilon<T>());
                verdict.expect_near(wide(have_y[place(i, n, s.y)]), cosine * b - std::conj(wide(sine)) * a,
                                    8 * epsilon<T>());
            }
        }
}

template <class T, class Rotm>
void test_rotm(cublasHandle_t handle, Verdict& verdict, Rotm rotm) {
    const long n = 40;
    for (const int flag : {-2, -1, 0, 1}) {
        const std::vector<T> numbers{T(flag), T(0.5), T(-0.25), T(2), T(1.5)};
        const T h11 = flag == -1 || flag == 1 ? numbers[1] : T(1), h22 = flag == -1 || flag == 1 ? numbers[4] : T(1);
        const T h21 = flag == -2 ? T(0) : flag == 1 ? T(-1) : numbers[2];
        const T h12 = flag == -2 ? T(0) : flag == 1 ? T(1) : numbers[3];
        const OnDevice<T> on_device(numbers);
        for (const bool device : {false, true}) {
            CHECK(cublasSetPointerMode(handle, device ? CUBLAS_POINTER_MODE_DEVICE : CUBLAS_POINTER_MODE_HOST));
            const auto x = random_numbers<T>(n), y = random_numbers<T>(2 * n);
            const OnDevice<T> dx(x), dy(y);
            CHECK(rotm(handle, n, dx.data(), 1, dy.data(), 2, device ? on_device.data() : numbers.data()));
            const auto have_x = dx.content(), have_y = dy.content();
            for (long i = 0; i < n; ++i) {
                verdict.expect_near(wide(have_x[i]), wide(h11) * wide(x[i]) + wide(h12) * wide(y[2 * i]),
                                    8 * epsilon<T>());
                verdict.expect_near(wide(have_y[2 * i]), wide(h21) * wide(x[i]) + wide(h22) * wide(y[2 * i]),
                                    8 * epsilon<T>());
            }
        }
    }
}

// The rotation turns (a, b) to (r, 0) and is one: c^2 + |s|^2 = 1.
template <class T, class S, class Rotg>
void test_rotg(cublasHandle_t handle, Verdict& verdict, Rotg rotg) {
    using R = RealOf<T>;
    const T cases[][2] = {{number<T>(3, 1), number<T>(-4, 2)},
                          {number<T>(-4), number<T>(3)},
                          {number<T>(0), number<T>(2, 1)},
                          {number<T>(1, 1), number<T>(0)},
                          {number<T>(0), number<T>(0)}};
    for (const auto& each : cases)
        for (const bool device : {false, true}) {
            Number<T> a(handle, each[0], device), b(handle, each[1], device);
            Number<R> c(handle, R(0), device);
            Number<S> s(handle, S{}, device);
            CHECK(rotg(handle, a.pointer(), b.pointer(), c.pointer(), s.pointer()));
            const Wide cosine = wide(c.value()), sine = wide(s.value()), x = wide(each[0]), y = wide(each[1]);
            verdict.expect_near(cosine * cosine + std::norm(sine), 1, 8 * epsilon<T>());
            verdict.expect_near(cosine * x + sine * y, wide(a.value()), 32 * epsilon<T>());
            verdict.expect_near(cosine * y - std::conj(sine) * x, 0, 32 * epsilon<T>());
        }
}

// The rotation turns (x, y) to (x', 0) and keeps d1 x^2 + d2 y^2; it is what rotm() computes with.
template <class T, class Rotmg, class Rotm>
void test_rotmg(cublasHandle_t handle, Verdict& verdict, Rotmg rotmg, Rotm rotm) {
    const T cases[][4] = {{2, 3, 4, 1}, {1, 2, 0.5, 3}, {T(1e-9), 5, 2, T(0.1)}, {T(3e8), 1, 2, 3}, {1, 2, 3, 0}};
    for (const auto& each : cases)
        for (const bool device : {false, true}) {
            Number<T> d1(handle, each[0], device), d2(handle, each[1], device), x(handle, each[2], device);
            Number<T> y(handle, each[3], device);
            std::vector<T> numbers(5, 0);
            const OnDevice<T> on_device(numbers), dx(std::vector<T>{each[2]}), dy(std::vector<T>{each[3]});
            T* const pointer = device ? on_device.data() : numbers.data();
            CHECK(rotmg(handle, d1.pointer(), d2.pointer(), x.pointer(), y.pointer(), pointer));
            CHECK(rotm(handle, 1, dx.data(), 1, dy.data(), 1, pointer));
            const auto scale = [&](long double a) { return 32 * epsilon<T>() * std::abs(a); };
            const long double norm = static_cast<long double>(each[0]) * each[2] * each[2] +
                                     static_cast<long double>(each[1]) * each[3] * each[3];
            verdict.expect_near(wide(dx.content()[0]), wide(x.value()), scale(x.value()));
            verdict.expect_near(wide(dy.content()[0]), 0, scale(each[3]));
            verdict.expect_near(wide(d1.value()) * wide(x.value()) * wide(x.value()), norm, scale(norm));
        }
}

// One block, and several: 16 elements of a thread, 256 threads
constexpr long kLengths[] = {0, 1, 33, 1000, 9000};

template <class T, class Dot>
void test_dot(cublasHandle_t handle, Verdict& verdict, bool conjugate, Dot dot) {
    for (const long n : kLengths)
        for (const Steps s : {Steps{1, 1}, Steps{-2, 3}}) {
            const auto x = random_numbers<T>(std::max(extent(n, s.x), 1L)),
                       y = random_numbers<T>(std::max(extent(n, s.y), 1L));
            const OnDevice<T> dx(x), dy(y);
            Wide want = 0;
            long double size = 0;
            for (long i = 0; i < n; ++i) {
                const Wide a = wide(x[place(i, n, s.x)]), b = wide(y[place(i, n, s.y)]);
                want += (conjugate ? std::conj(a) : a) * b;
                size += magnitude(a) * magnitude(b);
            }
            for (const bool on_device : {false, true}) {
                Number<T> result(handle, number<T>(99), on_device);
                CHECK(dot(handle, n, dx.data(), s.x, dy.data(), s.y, result.pointer()));
                verdict.expect_near(wide(result.value()), want, 48 * epsilon<T>() * size);
            }
        }
}

template <class T, class Nrm2, class Asum>
void test_norms(cublasHandle_t handle, Verdict& verdict, Nrm2 nrm2, Asum asum) {
    using R = RealOf<T>;
    for (const long n : kLengths)
        for (const long step : {1L, 2L}) {
            const auto x = random_numbers<T>(std::max(extent(n, step), 1L));
            const OnDevice<T> dx(x);
            long double squares = 0, sum = 0;
            for (long i = 0; i < n; ++i) {
                squares += std::norm(wide(x[i * step]));
                sum += magnitude(wide(x[i * step]));
            }
            for (const bool on_device : {false, true}) {
                Number<R> result(handle, R(99), on_device);
                CHECK(nrm2(handle, n, dx.data(), step, result.pointer()));
                verdict.expect_near(wide(result.value()), std::sqrt(squares), 48 * epsilon<T>() * std::sqrt(squares));
                CHECK(asum(handle, n, dx.data(), step, result.pointer()));
                verdict.expect_near(wide(result.value()), sum, 48 * epsilon<T>() * sum);
                CHECK(nrm2(handle, n, dx.data(), -1, result.pointer()));
                verdict.expect(result.value() == 0, "the norm with a negative step is not 0");
            }
        }
    // Squares that overflow or underflow, and what is not finite
    const R huge = std::numeric_limits<R>::max() / 4, tiny = std::numeric_limits<R>::min();
    const R infinity = std::numeric_limits<R>::infinity(), nan = std::numeric_limits<R>::quiet_NaN();
    for (const R each : {huge, tiny, infinity, nan}) {
        const OnDevice<T> dx(
            std::vector<T>{number<T>(each), number<T>(0), number<T>(each), number<T>(each), number<T>(each)});
        Number<R> result(handle, R(0), false);
        CHECK(nrm2(handle, 5, dx.data(), 1, result.pointer()));
        const R have = result.value();
        verdict.expect(std::isnan(each)   ? std::isnan(have)
                       : std::isinf(each) ? have == each
                                          : std::abs(have / 2 - each) <= each * epsilon<T>() * 8,
                       "the norm of huge, tiny or special numbers");
    }
}

template <class T, class Amax, class Amin>
void test_extremes(cublasHandle_t handle, Verdict& verdict, Amax amax, Amin amin) {
    for (const long n : kLengths)
        for (const long step : {1L, 2L}) {
            auto x = random_numbers<T>(std::max(extent(n, step), 1L));
            if (n > 100) // the first of equal ones counts
                x[50 * step] = x[99 * step] = number<T>(-5), x[60 * step] = x[70 * step] = number<T>(0);
            const OnDevice<T> dx(x);
            long most = n > 0, least = n > 0;
            for (long i = 1; i < n; ++i) {
                const auto size = [&](long at) { return magnitude(wide(x[(at - 1) * step])); };
                most = size(i + 1) > size(most) ? i + 1 : most;
                least = size(i + 1) < size(least) ? i + 1 : least;
            }
            for (const bool on_device : {false, true}) {
                Number<int> result(handle, 99, on_device);
                CHECK(amax(handle, n, dx.data(), step, result.pointer()));
                verdict.expect(result.value() == most, "the largest");
                CHECK(amin(handle, n, dx.data(), step, result.pointer()));
                verdict.expect(result.value() == least, "the smallest");
            }
        }
}

template <class T>
void of_half(cublasHandle_t handle, Verdict& verdict, cudaDataType type) {
    const long n = 200;
    CHECK(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
    const auto x = random_numbers<T>(n), y = random_numbers<T>(n);
    const OnDevice<T> dx(x), dy(y);
    const float alpha = 0.5f;
    CHECK(cublasAxpyEx(handle, n, &alpha, CUDA_R_32F, dx.data(), type, 1, dy.data(), type, 1, CUDA_R_32F));
    CHECK(cublasScalEx(handle, n, &alpha, CUDA_R_32F, dy.data(), type, 1, CUDA_R_32F));
    const auto have = dy.content();
    long double squares = 0, sum = 0, product = 0, size = 0;
    for (long i = 0; i < n; ++i) {
        const long double a = wide(x[i]).real(), b = wide(have[i]).real();
        verdict.expect_near(b, 0.5L * (0.5L * a + wide(y[i]).real()), 2 * epsilon<T>());
        squares += a * a;
        sum += std::abs(a);
        product += a * b;
        size += std::abs(a * b);
    }
    T result;
    CHECK(cublasDotEx(handle, n, dx.data(), type, 1, dy.data(), type, 1, &result, type, CUDA_R_32F));
    verdict.expect_near(wide(result), product, epsilon<T>() * std::abs(product) + 48 * epsilon<float>() * size);
    CHECK(cublasNrm2Ex(handle, n, dx.data(), type, 1, &result, type, CUDA_R_32F));
    verdict.expect_near(wide(result), std::sqrt(squares), epsilon<T>() * std::sqrt(squares));
    CHECK(cublasAsumEx(handle, n, dx.data(), type, 1, &result, type, CUDA_R_32F));
    verdict.expect_near(wide(result), sum, epsilon<T>() * sum);
    int most = 0;
    CHECK(cublasIamaxEx(handle, n, dx.data(), type, 1, &most));
    for (long i = 0; i < n; ++i)
        verdict.expect(magnitude(wide(x[i])) <= magnitude(wide(x[most - 1])), "amax of f16");
}

#define CALL(name) [](auto... a) { return cublas##name(a...); }

int main() {
    cublasHandle_t handle;
    CHECK(cublasCreate(&handle));
    {
        Verdict verdict("axpy");
        test_axpy<float>(handle, verdict, CALL(Saxpy));
        test_axpy<double>(handle, verdict, CALL(Daxpy));
        test_axpy<cuComplex>(handle, verdict, CALL(Caxpy));
        test_axpy<cuDoubleComplex>(handle, verdict, CALL(Zaxpy));
    }
    {
        Verdict verdict("scal");
        test_scal<float>(handle, verdict, 2.5f, CALL(Sscal));
        test_scal<double>(handle, verdict, 2.5, CALL(Dscal));
        test_scal<cuComplex>(handle, verdict, cuComplex{1, 2}, CALL(Cscal));
        test_scal<cuComplex>(handle, verdict, 2.5f, CALL(Csscal));
        test_scal<cuDoubleComplex>(handle, verdict, cuDoubleComplex{1, 2}, CALL(Zscal));
        test_scal<cuDoubleComplex>(handle, verdict, 2.5, CALL(Zdscal));
    }
    {
        Verdict verdict("copy and swap");
        test_copy<float>(handle, verdict, CALL(Scopy), CALL(Sswap));
        test_copy<double>(handle, verdict, CALL(Dcopy), CALL(Dswap));
        test_copy<cuComplex>(handle, verdict, CALL(Ccopy), CALL(Cswap));
        test_copy<cuDoubleComplex>(handle, verdict, CALL(Zcopy), CALL(Zswap));
    }
    {
        Verdict verdict("rot");
        test_rot<float>(handle, verdict, 0.8f, CALL(Srot));
        test_rot<double>(handle, verdict, 0.8, CALL(Drot));
        test_rot<cuComplex>(handle, verdict, cuComplex{0.5f, 0.25f}, CALL(Crot));
        test_rot<cuComplex>(handle, verdict, 0.8f, CALL(Csrot));
        test_rot<cuDoubleComplex>(handle, verdict, cuDoubleComplex{0.5, 0.25}, CALL(Zrot));
        test_rot<cuDoubleComplex>(handle, verdict, 0.8, CALL(Zdrot));
    }
    {
        Verdict verdict("rotm");
        test_rotm<float>(handle, verdict, CALL(Srotm));
        test_rotm<double>(handle, verdict, CALL(Drotm));
    }
    {
        Verdict verdict("rotg");
        test_rotg<float, float>(handle, verdict, CALL(Srotg));
        test_rotg<double, double>(handle, verdict, CALL(Drotg));
        test_rotg<cuComplex, cuComplex>(handle, verdict, CALL(Crotg));
        test_rotg<cuDoubleComplex, cuDoubleComplex>(handle, verdict, CALL(Zrotg));
    }
    {
        Verdict verdict("rotmg");
        test_rotmg<float>(handle, verdict, CALL(Srotmg), CALL(Srotm));
        test_rotmg<double>(handle, verdict, CALL(Drotmg), CALL(Drotm));
    }
    {
        Verdict verdict("dot");
        test_dot<float>(handle, verdict, false, CALL(Sdot));
        test_dot<double>(handle, verdict, false, CALL(Ddot));
        test_dot<cuComplex>(handle, verdict, false, CALL(Cdotu));
        test_dot<cuComplex>(handle, verdict, true, CALL(Cdotc));
        test_dot<cuDoubleComplex>(handle, verdict, false, CALL(Zdotu));
        test_dot<cuDoubleComplex>(handle, verdict, true, CALL(Zdotc));
    }
    {
        Verdict verdict("nrm2 and asum");
        test_norms<float>(handle, verdict, CALL(Snrm2), CALL(Sasum));
        test_norms<double>(handle, verdict, CALL(Dnrm2), CALL(Dasum));
        test_norms<cuComplex>(handle, verdict, CALL(Scnrm2), CALL(Scasum));
        test_norms<cuDoubleComplex>(handle, verdict, CALL(Dznrm2), CALL(Dzasum));
    }
    {
        Verdict verdict("amax and amin");
        test_extremes<float>(handle, verdict, CALL(Isamax), CALL(Isamin));
        test_extremes<double>(handle, verdict, CALL(Idamax), CALL(Idamin));
        test_extremes<cuComplex>(handle, verdict, CALL(Icamax), CALL(Icamin));
        test_extremes<cuDoubleComplex>(handle, verdict, CALL(Izamax), CALL(Izamin));
    }
    {
        Verdict verdict("types of the caller");
        of_half<__half>(handle, verdict, CUDA_R_16F);
        of_half<__nv_bfloat16>(handle, verdict, CUDA_R_16BF);
    }
    CHECK(cublasDestroy(handle));
    return 0;
}
