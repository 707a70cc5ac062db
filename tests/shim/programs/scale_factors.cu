// The scale factors of cuda_fp8.h, e8m0, on the device and on the host: all codes, and conversions, which are compared
// with what a search among the powers of two finds.
// ARCH: 100a
// NEEDS: cuda_fp4.h
// EXPECT: back: host 0 of 512 wrong, device 0
// EXPECT: bfloats: host 0 of 524288 wrong, device 0
// EXPECT: chosen: host 0 wrong, device 0
// EXPECT: halves: host 0 of 65536 wrong, device 0
// EXPECT: integers: host 0 wrong, device 0
// EXPECT: pair of bfloats: 1 2, to integers: 2147483647 4294967295 127 255, nan: 0 0 0 1
// EXPECT: e8m0 made: 4 4 4 0.5 8 16 1024 4 1 2 1099511627776 8
// EXPECT: e8m0 converted: 4 4 4 4 4 4 4 4 4 4 4 4 4 4 1 1 0 255
// EXPECT: e8m0 of two: 1 2 1 2 1 2 1 2
// EXPECT: e8m0 of four: 1 2 4 4 1 2 4 4 1 2 4 4 1 2 4 4 1 2 4 4
// EXPECT: e8m0 four: 8181807f, device the same
#include <climits>
#include <cuda_fp8.h>
#include <cuda_runtime.h>

#include "small_float_checks.h"

constexpr unsigned kAll = 65536, kOther = 0x8421; // flipped in the second number of a pair

struct Results {
    unsigned char one, of_float;
    unsigned short two, of_floats;
};

__host__ __device__ Results convert(unsigned bits, __nv_saturation_t saturation, cudaRoundMode rounding) {
    __nv_bfloat162_raw two;
    two.x = static_cast<unsigned short>(bits);
    two.y = static_cast<unsigned short>(bits ^ kOther);
    __nv_bfloat16_raw one;
    one.x = two.x;
    const float2 floats = __bfloat1622float2(__nv_bfloat162(two));
    return {__nv_cvt_bfloat16raw_to_e8m0(one, saturation, rounding),
            __nv_cvt_float_to_e8m0(floats.x, saturation, rounding),
            __nv_cvt_bfloat162raw_to_e8m0x2(two, saturation, rounding),
            __nv_cvt_float2_to_e8m0x2(floats, saturation, rounding)};
}
__host__ __device__ Results convert_chosen(double value, double other, __nv_saturation_t saturation,
                                           cudaRoundMode rounding) {
    const float f = static_cast<float>(value), g = static_cast<float>(other);
    return {__nv_cvt_double_to_e8m0(value, saturation, rounding), __nv_cvt_float_to_e8m0(f, saturation, rounding),
            __nv_cvt_double2_to_e8m0x2(make_double2(value, other), saturation, rounding),
            __nv_cvt_float2_to_e8m0x2(make_float2(f, g), saturation, rounding)};
}
__host__ __device__ unsigned char of_half(unsigned bits) {
    __half_raw half;
    half.x = static_cast<unsigned short>(bits);
    return __nv_fp8_e8m0(__half(half)).__x;
}

__global__ void convert_all(Results* out, __nv_saturation_t saturation, cudaRoundMode rounding) {
    const unsigned bits = blockIdx.x * blockDim.x + threadIdx.x;
    out[bits] = convert(bits, saturation, rounding);
}
__global__ void convert_list(const double* values, int count, Results* out, __nv_saturation_t saturation,
                             cudaRoundMode rounding) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < count)
        out[i] = convert_chosen(values[i], values[count - 1 - i], saturation, rounding);
}
__global__ void convert_halves(unsigned char* out) {
    const unsigned bits = blockIdx.x * blockDim.x + threadIdx.x;
    out[bits] = of_half(bits);
}
__global__ void convert_integers(const unsigned long long* values, int count, unsigned char* out) {
    const int i = static_cast<int>(threadIdx.x);
    if (i < count) {
        out[2 * i] = __nv_fp8_e8m0(values[i]).__x;
        out[2 * i + 1] = __nv_fp8_e8m0(static_cast<long long>(values[i])).__x;
    }
}
__global__ void convert_back(__nv_bfloat16_raw* one, __nv_bfloat162_raw* two) {
    one[threadIdx.x] = __nv_cvt_e8m0_to_bf16raw(static_cast<unsigned char>(threadIdx.x));
    two[threadIdx.x] =
        __nv_cvt_e8m0x2_to_bf162raw(static_cast<unsigned short>(threadIdx.x | (~threadIdx.x & 0xff) << 8));
}

static std::vector<Number> powers() {
    std::vector<Number> out;
    for (unsigned code = 0; code < 0xff; ++code)
        out.push_back({code, std::ldexp(1.0, static_cast<int>(code) - 127)});
    return out;
}
static const std::vector<Number> scale_factors = powers();

static unsigned wanted(double value, __nv_saturation_t saturation, cudaRoundMode rounding) {
    const unsigned beyond = saturation == __NV_SATFINITE ? 0xfe : 0xff;
    const double magnitude = std::fabs(value);
    if (std::isnan(value))
        return 0xff;
    if (std::isinf(value))
        return beyond;
    if (rounding == cudaRoundZero) // CUDA's header makes doubles beyond all floats the largest float first
        return toward_zero(scale_factors, magnitude);
    for (const Number& n : scale_factors) {
        if (n.value >= magnitude)
            return n.code;
    }
    return beyond;
}

static double value_of_bfloat(unsigned bits) {
    return __bfloat162float(__nv_bfloat16(raw_bfloat(bits)));
}

template <class Check>
void for_all_ways(const Check& check) {
    for (const __nv_saturation_t saturation : {__NV_NOSAT, __NV_SATFINITE}) {
        for (const cudaRoundMode rounding : {cudaRoundZero, cudaRoundPosInf})
            check(saturation, rounding);
    }
}

static void compare_back() {
    __nv_bfloat16_raw* one;
    __nv_bfloat162_raw* two;
    cudaMallocManaged(&one, 256 * sizeof *one);
    cudaMallocManaged(&two, 256 * sizeof *two);
    convert_back<<<1, 256>>>(one, two);
    cudaDeviceSynchronize();
    int host = 0, device = 0;
    const auto right = [](unsigned bits, unsigned code) {
        return code == 0xff ? bits == 0x7fff : value_of_bfloat(bits) == scale_factors[code].value;
    };
    for (unsigned code = 0; code < 256; ++code) {
        const unsigned high = ~code & 0xff;
        const __nv_bfloat162_raw both = __nv_cvt_e8m0x2_to_bf162raw(static_cast<unsigned short>(code | high << 8));
        host += !right(__nv_cvt_e8m0_to_bf16raw(static_cast<unsigned char>(code)).x, code);
        host += !right(both.x, code) || !right(both.y, high);
        device += !right(one[code].x, code);
        device += !right(two[code].x, code) || !right(two[code].y, high);
    }
    std::printf("back: host %d of 512 wrong, device %d\n", host, device);
}

static void compare_bfloats() {
    Results* results;
    cudaMallocManaged(&results, kAll * sizeof *results);
    int host = 0, device = 0;
    for_all_ways([&](__nv_saturation_t saturation, cudaRoundMode rounding) {
        convert_all<<<kAll / 256, 256>>>(results, saturation, rounding);
        cudaDeviceSynchronize();
        std::vector<unsigned> want;
        for (unsigned bits = 0; bits < kAll; ++bits)
            want.push_back(wanted(value_of_bfloat(bits), saturation, rounding));
        for (unsigned bits = 0; bits < kAll; ++bits) {
            const unsigned both = want[bits] | want[bits ^ kOther] << 8;
            const auto wrong = [&](const Results& r) {
                return (r.one != want[bits] || r.of_float != want[bits]) + (r.two != both || r.of_floats != both);
            };
            host += wrong(convert(bits, saturation, rounding));
            device += wrong(results[bits]);
        }
    });
    std::printf("bfloats: host %d of %u wrong, device %d\n", host, 8 * kAll, device);
}

static void compare_chosen() {
    const std::vector<double> chosen = chosen_values(scale_factors);
    const int count = static_cast<int>(chosen.size());
    double* values;
    Results* results;
    cudaMallocManaged(&values, chosen.size() * sizeof *values);
    cudaMallocManaged(&results, chosen.size() * sizeof *results);
    for (int i = 0; i < count; ++i)
        values[i] = chosen[static_cast<std::size_t>(i)];
    int host = 0, device = 0;
    for_all_ways([&](__nv_saturation_t saturation, cudaRoundMode rounding) {
        convert_list<<<(count + 255) / 256, 256>>>(values, count, results, saturation, rounding);
        cudaDeviceSynchronize();
        for (int i = 0; i < count; ++i) {
            const double value = values[i], other = values[count - 1 - i];
            const unsigned d = wanted(value, saturation, rounding), e = wanted(other, saturation, rounding);
            const unsigned f = wanted(static_cast<float>(value), saturation, rounding),
                           g = wanted(static_cast<float>(other), saturation, rounding);
            const auto wrong = [&](const Results& r) {
                return (r.one != d) + (r.of_float != f) + (r.two != (d | e << 8)) + (r.of_floats != (f | g << 8));
            };
            host += wrong(convert_chosen(value, other, saturation, rounding));
            device += wrong(results[i]);
        }
    });
    std::printf("chosen: host %d wrong, device %d\n", host, device);
}

static void compare_halves() {
    unsigned char* results;
    cudaMallocManaged(&results, kAll);
    convert_halves<<<kAll / 256, 256>>>(results);
    cudaDeviceSynchronize();
    int host = 0, device = 0;
    for (unsigned bits = 0; bits < kAll; ++bits) {
        const unsigned want = wanted(__half2float(__half(raw_half(bits))), __NV_SATFINITE, cudaRoundPosInf);
        host += of_half(bits) != want;
        device += results[bits] != want;
    }
    std::printf("halves: host %d of %u wrong, device %d\n", host, kAll, device);
}

// The powers of two and their neighbours as 64-bit numbers without and with a sign, whose magnitude counts.
static void compare_integers() {
    constexpr int kCount = 3 * 64 + 3;
    unsigned long long* values;
    unsigned char* results;
    cudaMallocManaged(&values, kCount * sizeof *values);
    cudaMallocManaged(&results, 2 * kCount);
    for (int i = 0; i < 3 * 64; ++i)
        values[i] = (1ULL << (i / 3)) + static_cast<unsigned long long>(i % 3) - 1;
    values[3 * 64] = ULLONG_MAX;
    values[3 * 64 + 1] = static_cast<unsigned long long>(LLONG_MIN) + 1;
    values[3 * 64 + 2] = 0 - (1ULL << 40) - 1;
    convert_integers<<<1, 256>>>(values, kCount, results);
    cudaDeviceSynchronize();
    int host = 0, device = 0;
    const auto code_of = [](unsigned long long value) { // of the least power that is not less; of 0 the least one
        unsigned code = value == 0 ? 0 : 127;
        for (int i = 0; i < 64; ++i)
            code += value > 1ULL << i ? 1 : 0;
        return code;
    };
    for (int i = 0; i < kCount; ++i) {
        const auto with_sign = static_cast<long long>(values[i]);
        const unsigned want = code_of(values[i]), want_signed = code_of(with_sign < 0 ? 0 - values[i] : values[i]);
        host += (__nv_fp8_e8m0(values[i]).__x != want) + (__nv_fp8_e8m0(with_sign).__x != want_signed);
        device += (results[2 * i] != want) + (results[2 * i + 1] != want_signed);
    }
    std::printf("integers: host %d wrong, device %d\n", host, device);
}

int main() {
    compare_back();
    compare_bfloats();
    compare_chosen();
    compare_halves();
    compare_integers();
    const auto pair = static_cast<__nv_bfloat162>(__nv_fp8x2_e8m0(make_float2(1, 2)));
    const __nv_fp8_e8m0 large(1e30f), nan(static_cast<float>(NAN));
    std::printf("pair of bfloats: %g %g, ", __low2float(pair), __high2float(pair));
    std::printf("to integers: %d %u %d %d, nan: %d %d %d %d\n", static_cast<int>(large), static_cast<unsigned>(large),
                static_cast<signed char>(large), static_cast<unsigned char>(large), static_cast<int>(nan),
                static_cast<signed char>(nan), static_cast<unsigned short>(nan), static_cast<bool>(nan));
    compare_uses<__nv_fp8_e8m0, __nv_fp8x2_e8m0, __nv_fp8x4_e8m0>("e8m0");
}
