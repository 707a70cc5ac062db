// CUDA's mathematical functions in host code, with values from tables.
// EXPECT: PASS
#include <cmath>
#include <cstdio>
#include <cuda_runtime.h>

static int bad = 0;

static void expect(const char* what, double got, double want, double epsilon) {
    if (std::isinf(want) ? got == want : std::fabs(got - want) <= 8 * epsilon * std::fabs(want))
        return;
    std::printf("%s: %.17g, not %.17g\n", what, got, want);
    ++bad;
}
template <class Real>
static void expect_type(const char* what, Real) {
    if (sizeof(Real) != sizeof(float))
        std::printf("%s of a float is no float\n", what), ++bad;
}
#define CHECK(name, x, want)                                                                                           \
    expect(#name, name(static_cast<double>(x)), want, 0x1p-52);                                                        \
    expect(#name " of a float", name(static_cast<float>(x)), want, 0x1p-23);                                           \
    expect(#name "f", name##f(x), want, 0x1p-23);                                                                      \
    expect_type(#name, name(static_cast<float>(x)));

// Code for both sides may call them, too.
__host__ __device__ double both(double x) {
    return erfcx(x) + rsqrt(x) + max(1, 2u);
}
__global__ void on_device(double* out) {
    *out = both(*out);
}

int main() {
    CHECK(rsqrt, 16, 0.25)
    CHECK(rsqrt, 2, 0.707106781186547524)
    CHECK(rsqrt, 0, INFINITY)
    CHECK(rcbrt, 8, 0.5)
    CHECK(rcbrt, -2, -0.793700525984099737)
    CHECK(sinpi, 0.25, 0.707106781186547524)
    CHECK(sinpi, 1e6, 0)
    CHECK(cospi, 1.5, 0)
    CHECK(cospi, 3, -1)
    CHECK(erfinv, 0.5, 0.476936276204469873)
    CHECK(erfinv, -1, -INFINITY)
    CHECK(erfcinv, 0.5, 0.476936276204469873)
    CHECK(erfcinv, 0, INFINITY)
    CHECK(normcdf, 0, 0.5)
    CHECK(normcdf, 1, 0.841344746068542949)
    CHECK(normcdfinv, 0.25, -0.674489750196081743)
    CHECK(normcdfinv, 0.5, 0)
    CHECK(erfcx, 1, 0.427583576155807004)
    CHECK(exp10, 2, 100)
    CHECK(j0, 1, 0.765197686557966552)
    CHECK(j1, 1, 0.440050585744933516)
    CHECK(y0, 1, 0.0882569642156769580)
    CHECK(y1, 1, -0.781212821300288716)
    expect("jn", jn(2, 1.0f), 0.114903484931900481, 0x1p-23);
    expect("yn", yn(2, 1.0f), -1.65068260681625425, 0x1p-23);
    expect_type("jn", jn(2, 1.0f));
    expect_type("yn", yn(2, 1.0f));

    double sine, cosine;
    sincospi(0.75, &sine, &cosine);
    expect("sincospi, sine", sine, 0.707106781186547524, 0x1p-52);
    expect("sincospi, cosine", cosine, -0.707106781186547524, 0x1p-52);
    float sine_f, cosine_f;
    sincospi(0.5f, &sine_f, &cosine_f);
    expect("sincospi of a float, sine", sine_f, 1, 0x1p-23);
    expect("sincospi of a float, cosine", cosine_f, 0, 0x1p-23);
    sincospif(1.0f, &sine_f, &cosine_f);
    expect("sincospif, sine", sine_f, 0, 0x1p-23);
    expect("sincospif, cosine", cosine_f, -1, 0x1p-23);
    sincos(0.5f, &sine_f, &cosine_f);
    expect("sincos of a float, sine", sine_f, 0.479425538604203000, 0x1p-23);
    expect("sincos of a float, cosine", cosine_f, 0.877582561890372716, 0x1p-23);

    // min and max of mixed signs compare as unsigned numbers do.
    expect("min(int, unsigned)", min(-1, 5u), 5, 0);
    expect("max(unsigned long, long)", static_cast<double>(max(5ul, -1l)), 18446744073709551615.0, 0);
    expect("min(float, double)", min(2.0f, 3.0), 2, 0);
    expect("umin", umin(3u, 4u), 3, 0);
    expect("llmax", static_cast<double>(llmax(-3ll, 4ll)), 4, 0);

    double *out, got = 1;
    cudaMalloc(reinterpret_cast<void**>(&out), sizeof *out);
    cudaMemcpy(out, &got, sizeof got, cudaMemcpyHostToDevice);
    on_device<<<1, 1>>>(out);
    cudaMemcpy(&got, out, sizeof got, cudaMemcpyDeviceToHost);
    expect("both sides, on the device", got, 3.427583576155807004, 0x1p-52);
    expect("both sides, on the host", both(1), 3.427583576155807004, 0x1p-52);
    if (bad == 0)
        std::puts("PASS");
    return bad != 0;
}
