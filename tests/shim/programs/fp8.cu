// Formats of eight bits: cuda_fp8.h on the device and on the host. Each conversion is compared with the nearest of all
// numbers of the format, which the program makes from their definition.
// ARCH: 89
// EXPECT: numbers: 448 57344 0.001953125 1.52587890625e-05
// EXPECT: e4m3: host 0 of 262144 wrong, device 0
// EXPECT: e5m2: host 0 of 262144 wrong, device 0
// EXPECT: doubles: 0 of 40000 wrong
// EXPECT: back: 0 of 512 wrong
// EXPECT: types: 20 -3.5 1.25 240 -0 nan, 255 -128 127 0 -448 1 0
// EXPECT: pairs: 1.5 -2 | 0.5 448 | 1 2 3 4 | 1 1 -2 -2
// EXPECT: e4m3 made: 2.5 2.5 -2.5 0.3125 -5 9 448 3 -1 2 -448 7
// EXPECT: e4m3 converted: -2.5 -2.5 -2.5 -2 0 -2 -2 0 -2 0 -2 0 -2 0 1 0 128 127
// EXPECT: e4m3 of two: 1 -2 1 -2 1 -2 1 -2
// EXPECT: e4m3 of four: 1 -2 3 4 1 -2 3 4 1 -2 3 4 1 -2 3 4 1 -2 3 4
// EXPECT: e4m3 four: 4844c038, device the same
// EXPECT: e5m2 made: 2.5 2.5 -2.5 0.3125 -5 8 1024 3 -1 2 -57344 7
// EXPECT: e5m2 converted: -2.5 -2.5 -2.5 -2 0 -2 -2 0 -2 0 -2 0 -2 0 1 0 128 127
// EXPECT: e5m2 of two: 1 -2 1 -2 1 -2 1 -2
// EXPECT: e5m2 of four: 1 -2 3 4 1 -2 3 4 1 -2 3 4 1 -2 3 4 1 -2 3 4
// EXPECT: e5m2 four: 4442c03c, device the same
#include <cstring>
#include <cuda_fp8.h>
#include <cuda_runtime.h>
#include <random>

#include "small_float_checks.h"

static std::vector<Number> numbers_of(__nv_fp8_interpretation_t format) {
    return format == __NV_E4M3 ? numbers_of(3, 7, 0x7f) : numbers_of(2, 15, 0x7c);
}

// With the sign. What does not fit is the largest number or `beyond`.
static unsigned nearest(const std::vector<Number>& all, double value, bool saturates, unsigned beyond, unsigned nan) {
    if (std::isnan(value))
        return nan;
    return (std::signbit(value) ? 0x80 : 0) | nearest(all, std::fabs(value), saturates ? all.back().code : beyond);
}

static float float_of_bits(unsigned bits) {
    float out;
    std::memcpy(&out, &bits, sizeof out);
    return out;
}

__global__ void convert(unsigned char* of_half, unsigned char* of_bfloat, __nv_saturation_t saturation,
                        __nv_fp8_interpretation_t format) {
    const unsigned bits = blockIdx.x * blockDim.x + threadIdx.x;
    __half_raw half;
    __nv_bfloat16_raw bfloat;
    half.x = bfloat.x = static_cast<unsigned short>(bits);
    of_half[bits] = __nv_cvt_halfraw_to_fp8(half, saturation, format);
    of_bfloat[bits] = __nv_cvt_bfloat16raw_to_fp8(bfloat, saturation, format);
}

__global__ void convert_back(unsigned short* out) {
    const unsigned bits = threadIdx.x;
    out[bits] = __nv_cvt_fp8_to_halfraw(static_cast<unsigned char>(bits), __NV_E4M3).x;
    out[256 + bits] = __nv_cvt_fp8_to_halfraw(static_cast<unsigned char>(bits), __NV_E5M2).x;
}

static void compare(const char* name, __nv_fp8_interpretation_t format) {
    constexpr unsigned kAll = 65536;
    const std::vector<Number> all = numbers_of(format);
    unsigned char *of_half, *of_bfloat;
    cudaMallocManaged(&of_half, kAll);
    cudaMallocManaged(&of_bfloat, kAll);
    int host = 0, device = 0;
    for (const __nv_saturation_t saturation : {__NV_NOSAT, __NV_SATFINITE}) {
        convert<<<kAll / 256, 256>>>(of_half, of_bfloat, saturation, format);
        cudaDeviceSynchronize();
        const unsigned beyond = format == __NV_E4M3 ? 0x7f : 0x7c;
        for (unsigned bits = 0; bits < kAll; ++bits) {
            const double half = __half2float(__half(raw_half(bits))), bfloat = float_of_bits(bits << 16);
            const bool saturates = saturation == __NV_SATFINITE;
            const unsigned want_half = nearest(all, half, saturates, beyond, 0x7f);
            const unsigned want_bfloat = nearest(all, bfloat, saturates, beyond, 0x7f);
            host += __nv_cvt_halfraw_to_fp8(raw_half(bits), saturation, format) != want_half;
            host += __nv_cvt_bfloat16raw_to_fp8(raw_bfloat(bits), saturation, format) != want_bfloat;
            device += of_half[bits] != want_half;
            device += of_bfloat[bits] != want_bfloat;
        }
    }
    std::printf("%s: host %d of %u wrong, device %d\n", name, host, 4 * kAll, device);
}

static void compare_doubles() {
    std::mt19937_64 random(1);
    int wrong = 0;
    for (int i = 0; i < 40000; ++i) {
        const auto format = i % 2 == 0 ? __NV_E4M3 : __NV_E5M2;
        const auto saturation = i / 2 % 2 == 0 ? __NV_NOSAT : __NV_SATFINITE;
        static const std::vector<Number> all[2] = {numbers_of(__NV_E4M3), numbers_of(__NV_E5M2)};
        const std::vector<Number>& numbers = all[i % 2];
        // Between two neighbours, or just beside the middle of them.
        const std::size_t at = random() % (numbers.size() - 1);
        const double low = numbers[at].value, high = numbers[at + 1].value, middle = (low + high) / 2;
        double value = i % 3 == 0 ? middle : std::nextafter(middle, i % 3 == 1 ? 0 : 1e9);
        if (i % 7 == 0)
            value = std::ldexp(static_cast<double>(random() >> 11), static_cast<int>(random() % 40) - 70);
        if (random() % 2 == 0)
            value = -value;
        wrong += __nv_cvt_double_to_fp8(value, saturation, format) !=
                 nearest(numbers, value, saturation == __NV_SATFINITE, i % 2 == 0 ? 0x7f : 0x7c, 0);
    }
    // NaNs become quiet and keep their sign and, in E5M2, the digits that there is room for.
    const auto nan_of = [&](unsigned long long bits, __nv_fp8_interpretation_t format) {
        double value;
        std::memcpy(&value, &bits, sizeof value);
        return unsigned{__nv_cvt_double_to_fp8(value, __NV_SATFINITE, format)};
    };
    for (const unsigned long long sign : {0ULL, 1ULL}) {
        const unsigned to_sign = static_cast<unsigned>(sign << 7);
        const unsigned long long quiet = sign << 63 | 0x7ff8000000000000, payload = quiet | 0x4000000000000,
                                 signalling = sign << 63 | 0x7ff0000000000001;
        wrong += nan_of(quiet, __NV_E5M2) != (to_sign | 0x7e) || nan_of(payload, __NV_E5M2) != (to_sign | 0x7f) ||
                 nan_of(signalling, __NV_E5M2) != (to_sign | 0x7e) || nan_of(quiet, __NV_E4M3) != (to_sign | 0x7f);
    }
    std::printf("doubles: %d of 40000 wrong\n", wrong);
}

static void compare_back() {
    unsigned short* out;
    cudaMallocManaged(&out, 1024);
    convert_back<<<1, 256>>>(out);
    cudaDeviceSynchronize();
    int wrong = 0;
    for (const auto format : {__NV_E4M3, __NV_E5M2}) {
        const std::vector<Number> all = numbers_of(format);
        for (unsigned bits = 0; bits < 256; ++bits) {
            const unsigned magnitude = bits & 0x7f, sign = (bits & 0x80) << 8;
            unsigned want = magnitude == 0x7c && format == __NV_E5M2 ? sign | 0x7c00 : 0x7fff;
            if (magnitude < all.size()) {
                const __half value = __float2half(static_cast<float>(all[magnitude].value));
                want = sign | static_cast<__half_raw>(value).x;
            }
            const auto code = static_cast<unsigned char>(bits);
            const bool same =
                __nv_cvt_fp8_to_halfraw(code, format).x == want && out[(format == __NV_E4M3 ? 0 : 256) + bits] == want;
            wrong += same ? 0 : 1;
        }
    }
    std::printf("back: %d of 512 wrong\n", wrong);
}

static void use_types() {
    const float a(__nv_fp8_e4m3(19.5f)), b(__nv_fp8_e5m2(-3.5)), c(__nv_fp8_e4m3(__float2half(1.25f)));
    const float d(__nv_fp8_e4m3(__float2bfloat16(240.0f))), e(__nv_fp8_e4m3(-0.0f));
    std::printf("types: %g %g %g %g %g %s, ", a, b, c, d, e,
                std::isnan(static_cast<float>(__nv_fp8_e5m2(NAN))) ? "nan" : "number");
    std::printf("%d %d %d %d %d %d %d\n", static_cast<unsigned char>(__nv_fp8_e4m3(448)),
                static_cast<signed char>(__nv_fp8_e5m2(-1000)), static_cast<signed char>(__nv_fp8_e4m3(200u)),
                static_cast<int>(__nv_fp8_e4m3(NAN)), static_cast<int>(__nv_fp8_e4m3(-1000000LL)),
                static_cast<bool>(__nv_fp8_e4m3(0.01f)), static_cast<bool>(__nv_fp8_e4m3(-0.0f)));
    const float2 two(__nv_fp8x2_e4m3(make_float2(1.5f, -2.0f))),
        halves(__nv_fp8x2_e4m3(__floats2half2_rn(0.5f, 500.0f)));
    const float4 four(__nv_fp8x4_e5m2(make_float4(1, 2, 3, 4)));
    const float4 pairs(__nv_fp8x4_e4m3(__float2half2_rn(1.0f), __float2half2_rn(-2.0f)));
    std::printf("pairs: %g %g | %g %g | %g %g %g %g | %g %g %g %g\n", two.x, two.y, halves.x, halves.y, four.x, four.y,
                four.z, four.w, pairs.x, pairs.y, pairs.z, pairs.w);
}

int main() {
    const std::vector<Number> e4m3 = numbers_of(__NV_E4M3), e5m2 = numbers_of(__NV_E5M2);
    std::printf("numbers: %g %g %.10g %.12g\n", e4m3.back().value, e5m2.back().value, e4m3[1].value, e5m2[1].value);
    compare("e4m3", __NV_E4M3);
    compare("e5m2", __NV_E5M2);
    compare_doubles();
    compare_back();
    use_types();
    compare_uses<__nv_fp8_e4m3, __nv_fp8x2_e4m3, __nv_fp8x4_e4m3>("e4m3");
    compare_uses<__nv_fp8_e5m2, __nv_fp8x2_e5m2, __nv_fp8x4_e5m2>("e5m2");
}
