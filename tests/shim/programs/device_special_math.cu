// Functions beyond those of device_math.cu, each called on the device in float and in double with values from tables.
// EXPECT: PASS
#include <cmath>
#include <cstdio>
#include <cuda_runtime.h>

// clang-format off
#define ROWS(ROW) \
    ROW(erfinv, (half), 0.476936276204469873) ROW(erfcinv, (half), 0.476936276204469873) \
    ROW(normcdfinv, (quarter), -0.674489750196081743) ROW(erfcx, (one), 0.427583576155807004) \
    ROW(tgamma, (five), 24) ROW(tgamma, (half), 1.77245385090551603) ROW(tgamma, (-half), -3.54490770181103205) \
    ROW(lgamma, (ten), 12.8018274800814696) ROW(lgamma, (half), 0.572364942924700087) ROW(lgamma, (one), 0) \
    ROW(cyl_bessel_i0, (one), 1.26606587775200834) ROW(cyl_bessel_i1, (one), 0.565159103992485027) \
    ROW(j0, (one), 0.765197686557966552) ROW(j0, (ten), -0.245935764451348336) ROW(j1, (one), 0.440050585744933516) \
    ROW(y0, (one), 0.0882569642156769580) ROW(y1, (one), -0.781212821300288716) ROW(y1, (ten), 0.249015424206953884) \
    ROW(jn, (2, one), 0.114903484931900481) ROW(yn, (2, one), -1.65068260681625425) \
    ROW(rhypot, (three, four), 0.2) ROW(norm3d, (two, three, six), 7) ROW(rnorm3d, (two, three, six), 1 / 7.0) \
    ROW(norm4d, (two, four, five, six), 9) ROW(rnorm4d, (two, four, five, six), 1 / 9.0) \
    ROW(norm, (5, many), 15) ROW(rnorm, (5, many), 1 / 15.0) ROW(ilogb, (ten), 3) ROW(logb, (ten), 3) \
    ROW(scalbln, (three, 4L), 48) ROW(llround, (five * half), 3) ROW(llrint, (five * half), 2) \
    ROW(nextafter, (four, three), 4)
// clang-format on
#define COUNT(name, arguments, value) +1
constexpr int kRows = 0 ROWS(COUNT);

template <class Real>
struct Results {
    Real values[kRows];
    Real sine, cosine, remainder, above_one, nothing;
    int quotient;
    bool std_names;
};
// What the rows are called with comes from memory, so that nothing is computed by the compiler.
#define ARGUMENTS(Real)                                                                                                \
    const Real quarter = in[0], half = in[1], one = in[2], two = in[3], three = in[4], four = in[5], five = in[6],     \
               six = in[7], ten = in[8];                                                                               \
    const Real many[] = {two, four, five, six, ten + two};                                                             \
    int row = 0;

__global__ void floats(const float* in, Results<float>* out) {
    ARGUMENTS(float)
#define FLOAT_ROW(name, arguments, value) out->values[row++] = name##f arguments;
    ROWS(FLOAT_ROW)
    sincospif(quarter, &out->sine, &out->cosine);
    out->remainder = remquof(-ten * three + one, four, &out->quotient);
    out->above_one = nextafterf(one, two);
    out->nothing = nanf("");
    int n;
    out->std_names = std::tgamma(five) == tgammaf(five) && std::lgamma(ten) == lgammaf(ten) && std::ilogb(ten) == 3 &&
                     std::logb(ten) == 3 && std::nextafter(one, two) == nextafterf(one, two) &&
                     std::remquo(ten, four, &n) == two && std::scalbln(one, 2L) == four && std::llround(one) == 1 &&
                     std::llrint(two) == 2 && std::isnan(std::nanf(""));
}
__global__ void doubles(const double* in, Results<double>* out) {
    ARGUMENTS(double)
#define DOUBLE_ROW(name, arguments, value) out->values[row++] = name arguments;
    ROWS(DOUBLE_ROW)
    sincospi(quarter, &out->sine, &out->cosine);
    out->remainder = remquo(-ten * three + one, four, &out->quotient);
    out->above_one = nextafter(one, two);
    out->nothing = nan("");
    out->std_names = std::tgamma(five) == tgamma(five) && std::lgamma(ten) == lgamma(ten) && std::ilogb(ten) == 3 &&
                     std::nextafter(one, two) == nextafter(one, two) && std::isnan(std::nan(""));
}

template <class Real>
int check(void (*kernel)(const Real*, Results<Real>*), double epsilon) {
    const Real in[] = {0.25, 0.5, 1, 2, 3, 4, 5, 6, 10};
    Real* arguments;
    Results<Real>*device, r;
    cudaMalloc((void**)&arguments, sizeof in);
    cudaMalloc((void**)&device, sizeof r);
    cudaMemcpy(arguments, in, sizeof in, cudaMemcpyHostToDevice);
    kernel<<<1, 1>>>(arguments, device);
    cudaMemcpy(&r, device, sizeof r, cudaMemcpyDeviceToHost);
    int bad = cudaGetLastError() != cudaSuccess, row = 0;
    const auto expect = [&](const char* name, double got, double want) {
        const double absolute = name[1] == 'n' ? 5e-12 : 0; // CUDA's bound for Bessel functions of order n
        if (!(std::fabs(got - want) <= 10 * epsilon * std::fabs(want) + absolute))
            std::printf("%s: %.17g, not %.17g\n", name, got, want), ++bad;
    };
#define CHECK(name, arguments, value) expect(#name #arguments, r.values[row++], value);
    ROWS(CHECK)
    expect("sincospi, sine", r.sine, std::sqrt(0.5));
    expect("sincospi, cosine", r.cosine, std::sqrt(0.5));
    expect("remquo", r.remainder, -1);
    expect("remquo, quotient", r.quotient, -7);
    expect("nextafter", (r.above_one - 1) / epsilon, 1);
    if (!std::isnan(r.nothing) || !r.std_names)
        std::printf("nan: %g, names of std: %d\n", double(r.nothing), r.std_names), ++bad;
    cudaFree(arguments);
    cudaFree(device);
    return bad;
}

int main() {
    const int bad = check<float>(floats, 0x1p-23) + check<double>(doubles, 0x1p-52);
    if (bad == 0)
        std::puts("PASS");
    return bad != 0;
}
