// Math of device code, executed on the simulator, against the host's in double. Limits: docs/cuda-math.md and a margin
// for the approximate instructions, which PTX lets err by up to 2^-22.
// EXPECT: PASS
#include <cmath>
#include <cstdio>
#include <cuda_runtime.h>

constexpr int kPoints = 64;
struct Function {
    const char* name;
    double (*want)(double);
    float low, high;
    double ulp;
};
// clang-format off
#define FUNCTIONS(F) \
    F(exp, -100, 90, 4) F(exp2, -100, 100, 4) F(expm1, -10, 10, 4) F(log, 1e-3f, 1e3f, 3) \
    F(log2, 1e-3f, 1e3f, 3) F(log10, 1e-3f, 1e3f, 3) F(log1p, -0.9f, 100, 3) F(sin, -1e6f, 1e6f, 3) \
    F(cos, -100, 100, 3) F(tan, -50, 50, 4) F(asin, -1, 1, 3) F(acos, -1, 1, 3) \
    F(atan, -10, 10, 3) F(sinh, -10, 10, 4) F(cosh, -10, 10, 4) F(tanh, -3, 3, 4) \
    F(erf, -3, 3, 4) F(erfc, -3, 8, 8) F(cbrt, -100, 100, 3) F(sqrt, 0, 100, 1) \
    F(floor, -9, 9, 0) F(ceil, -9, 9, 0) F(trunc, -9, 9, 0) F(round, -9, 9, 0) \
    F(rint, -9, 9, 0) F(fabs, -9, 9, 0)
// clang-format on

__global__ void all(const float* x, float* y) {
    int f = 0;
    const int i = threadIdx.x;
#define EVALUATE(name, low, high, ulp)                                                                                 \
    y[f * kPoints + i] = name##f(x[f * kPoints + i]);                                                                  \
    ++f;
    FUNCTIONS(EVALUATE)
}
__global__ void two(const float* x, float* y) {
    const float a = 0.02f * x[threadIdx.x], b = 0.02f * x[threadIdx.x + 1]; // powers stay finite
    y[threadIdx.x] = powf(fabsf(a), b) - std::pow(std::fabs(a), b) + fmodf(a, 3.0f) - std::fmod(a, 3.0f);
    float s, c;
    sincosf(a, &s, &c);
    y[threadIdx.x] += s - std::sin(a) + c - std::cos(a) + atan2f(a, b) - std::atan2(a, b) + hypotf(a, b) -
                      std::hypot(a, b) + ldexpf(a, 3) - 8 * a + fminf(a, b) - min(a, b) + fmaxf(a, b) - max(a, b);
    y[threadIdx.x] += std::isnan(a) + std::isinf(a) + (abs(-3) - 3) + (std::abs(-a) - std::abs(a));
}

#ifdef HEDDLE_CUDA // nvcc's own double functions use instructions with carries, which are not executed yet
__global__ void doubles(const float* x, double* y) {
    const double a = x[threadIdx.x] * 0.1;
    double s, c;
    sincos(a, &s, &c);
    // Identities that hold to a few units; the functions themselves are measured on the host.
    y[threadIdx.x] = fabs(s * s + c * c - 1) + fabs(exp(log(fabs(a))) / fabs(a) - 1) +
                     fabs(pow(fabs(a), 2.0) / (a * a) - 1) + fabs(tan(a) - s / c) / fabs(s / c) +
                     fabs(tanh(a) - sinh(a) / cosh(a)) + fabs(erf(a) + erfc(a) - 1) + fabs(cbrt(a * a * a) / a - 1) +
                     fabs(atan2(s, c) - asin(s)) * (c > 0) + fabs(log2(exp2(a)) / a - 1) +
                     fabs(log1p(expm1(fabs(a))) / fabs(a) - 1) + fabs(hypot(3 * a, 4 * a) / fabs(5 * a) - 1) +
                     fmod(a, a) + fabs(sin(1e18 + a) - sin(1e18 + a));
}
#endif

int main() {
#define ROW(name, low, high, ulp) {#name, [](double x) { return std::name(x); }, low, high, ulp},
    const Function functions[] = {FUNCTIONS(ROW)};
    constexpr int kFunctions = sizeof functions / sizeof functions[0];
    static float x[kFunctions * kPoints], y[kFunctions * kPoints];
    for (int f = 0; f < kFunctions; ++f)
        for (int i = 0; i < kPoints; ++i)
            x[f * kPoints + i] =
                functions[f].low + (functions[f].high - functions[f].low) * (float(i * 37 % kPoints) + 0.3f) / kPoints;
    float *dx, *dy;
    cudaMalloc((void**)&dx, sizeof x);
    cudaMalloc((void**)&dy, sizeof y);
    cudaMemcpy(dx, x, sizeof x, cudaMemcpyHostToDevice);
    all<<<1, kPoints>>>(dx, dy);
    cudaMemcpy(y, dy, sizeof y, cudaMemcpyDeviceToHost);
    int bad = cudaGetLastError() != cudaSuccess;
    for (int f = 0; f < kFunctions; ++f)
        for (int i = 0; i < kPoints; ++i) {
            const double want = functions[f].want(x[f * kPoints + i]);
            const double unit = std::ldexp(1.0, std::max(std::ilogb(want), -126) - 23);
            const double error = std::fabs(y[f * kPoints + i] - want) / (want == 0 ? 1 : unit);
            if (!(error <= functions[f].ulp)) {
                std::printf("%sf(%.9g) = %.9g, not %.9g: %.2f ulp\n", functions[f].name, x[f * kPoints + i],
                            y[f * kPoints + i], want, error);
                ++bad;
            }
        }
    two<<<1, kPoints>>>(dx, dy);
    cudaMemcpy(y, dy, sizeof y, cudaMemcpyDeviceToHost);
    for (int i = 0; i < kPoints; ++i)
        if (y[i] != 0)
            std::printf("the names of one function differ: %g\n", y[i]), ++bad;
#ifdef HEDDLE_CUDA
    double *dd, d[kPoints];
    cudaMalloc((void**)&dd, sizeof d);
    doubles<<<1, kPoints>>>(dx, dd);
    cudaMemcpy(d, dd, sizeof d, cudaMemcpyDeviceToHost);
    for (int i = 0; i < kPoints; ++i)
        if (!(d[i] < 2e-14))
            std::printf("double functions of %g: %g\n", x[i] * 0.1, d[i]), ++bad;
#endif
    if (bad == 0)
        std::puts("PASS");
    return bad != 0;
}
