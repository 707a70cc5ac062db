// Complex numbers and constants of mathematics, on host and device; those of the profiler are there.
// EXPECT: device: (4,1) (2,5) (9,7) (0,1.5) (3,-3) 5 (10,9)
// EXPECT: host:   (4,1) (2,5) (9,7) (0,1.5) (3,-3) 5 (10,9)
// EXPECT: device: (0.5,0) 2.82843e+200 (0.5,0) 2.82843e+30
// EXPECT: host:   (0.5,0) 2.82843e+200 (0.5,0) 2.82843e+30
// EXPECT: constants: 0 0 0 0 0 0
#include <cmath>
#include <cstdio>
#include <cuComplex.h>
#include <cuda_profiler_api.h>
#include <cuda_runtime.h>
#include <math_constants.h>

struct Results {
    cuDoubleComplex sum, difference, product, quotient, conjugate, fma;
    double magnitude;
    cuDoubleComplex of_large;
    double large;
    cuComplex of_large_f;
    float large_f;
};

__host__ __device__ void calculate(double three, Results* to) {
    const cuDoubleComplex a = make_cuDoubleComplex(three, 3), b = make_cuDoubleComplex(1, -2);
    to->sum = cuCadd(a, b);
    to->difference = cuCsub(a, b);
    to->product = cuCmul(a, b); // 3 + 6 + (3 - 6) i
    to->product = cuCadd(to->product, make_cuDoubleComplex(0, 10));
    to->quotient = cuCdiv(a, make_cuDoubleComplex(2, -2)); // (3 + 3i) (2 + 2i) / 8
    to->conjugate = cuConj(a);
    to->magnitude = cuCabs(make_cuDoubleComplex(three, 4));
    to->fma = cuCfma(a, b, make_cuDoubleComplex(1, 12)); // 9 - 3i, and this
    const cuDoubleComplex large = make_cuDoubleComplex(2e200 * three / 3, 2e200);
    to->of_large = cuCdiv(large, cuCadd(large, large));
    to->large = cuCabs(large);
    const cuComplex large_f = make_cuComplex(2e30f, 2e30f);
    to->of_large_f = cuCdivf(large_f, cuCaddf(large_f, large_f));
    to->large_f = cuCabsf(large_f);
}

__global__ void calculate_there(double three, Results* to) {
    calculate(three, to);
}
__global__ void constants(double* to) { // less what they should be
    to[0] = CUDART_PI - 3.14159265358979323846;
    to[1] = CUDART_PI_F - 3.14159274101257324219; // the nearest of f32
    to[2] = CUDART_LN2_HI - 0.69314718055994530942;
    to[3] = CUDART_SQRT_TWO - sqrt(2.0);
    to[4] = 1 / CUDART_INF + 1 / static_cast<double>(CUDART_INF_F);
    to[5] = isnan(CUDART_NAN) && isnan(CUDART_NAN_F) ? 0 : 1;
}

void print(const char* where, const Results& r) {
    const auto c = [](cuDoubleComplex z) {
        const double y = std::round(z.y * 1e6) / 1e6;
        std::printf(" (%g,%g)", std::round(z.x * 1e6) / 1e6, y == 0 ? 0.0 : y);
    };
    std::printf("%s", where);
    c(r.sum);
    c(r.difference);
    c(r.product);
    c(r.quotient);
    c(r.conjugate);
    std::printf(" %g", r.magnitude);
    c(r.fma);
    std::printf("\n");
}
void print_large(const char* where, const Results& r) {
    std::printf("%s (%g,%g) %g (%g,%g) %g\n", where, cuCreal(r.of_large), std::fabs(cuCimag(r.of_large)), r.large,
                static_cast<double>(cuCrealf(r.of_large_f)), std::fabs(static_cast<double>(cuCimagf(r.of_large_f))),
                static_cast<double>(r.large_f));
}

int main() {
    cudaProfilerStart();
    Results *there, here;
    double* of;
    cudaMallocManaged(&there, sizeof *there);
    cudaMallocManaged(&of, 6 * sizeof *of);
    calculate_there<<<1, 1>>>(3, there);
    constants<<<1, 1>>>(of);
    cudaDeviceSynchronize();
    calculate(3, &here);
    print("device:", *there);
    print("host:  ", here);
    print_large("device:", *there);
    print_large("host:  ", here);
    std::printf("constants: %g %g %g %g %g %g\n", of[0], of[1], of[2], of[3], of[4], of[5]);
    cudaProfilerStop();
}
