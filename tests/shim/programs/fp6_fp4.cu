// Formats of six and four bits: cuda_fp6.h and cuda_fp4.h on the device and on the host. Each conversion is compared
// with what a search among all numbers of the format finds, which the program makes from their definition.
// ARCH: 100a
// NEEDS: cuda_fp4.h
// EXPECT: e2m1: 0 0.5 1 1.5 2 3 4 6 -0 -0.5 -1 -1.5 -2 -3 -4 -6
// EXPECT: e2m1: 0.5 to 6, back: host 0 of 512 wrong, device 0
// EXPECT: e2m1: host 0 of 524288 wrong, device 0; chosen: host 0 wrong, device 0
// EXPECT: e2m3: 0.125 to 7.5, back: host 0 of 512 wrong, device 0
// EXPECT: e2m3: host 0 of 524288 wrong, device 0; chosen: host 0 wrong, device 0
// EXPECT: e3m2: 0.0625 to 28, back: host 0 of 512 wrong, device 0
// EXPECT: e3m2: host 0 of 524288 wrong, device 0; chosen: host 0 wrong, device 0
// EXPECT: e2m1 made: 3 3 -3 0.5 -4 6 6 3 -1 2 -6 6
// EXPECT: e2m1 converted: -3 -3 -3 -3 0 -3 -3 0 -3 0 -3 0 -3 0 1 0 8 7
// EXPECT: e2m1 of two: 1 -2 1 -2 1 -2 1 -2
// EXPECT: e2m1 of four: 1 -2 3 4 1 -2 3 4 1 -2 3 4 1 -2 3 4 1 -2 3 4
// EXPECT: e2m1 four: 65c2, device the same
// EXPECT: e2m3 made: 2.5 2.5 -2.5 0.25 -5 7.5 7.5 3 -1 2 -7.5 7
// EXPECT: e2m3 converted: -2.5 -2.5 -2.5 -2 0 -2 -2 0 -2 0 -2 0 -2 0 1 0 32 31
// EXPECT: e2m3 of two: 1 -2 1 -2 1 -2 1 -2
// EXPECT: e2m3 of four: 1 -2 3 4 1 -2 3 4 1 -2 3 4 1 -2 3 4 1 -2 3 4
// EXPECT: e2m3 four: 18143008, device the same
// EXPECT: e3m2 made: 2.5 2.5 -2.5 0.3125 -5 8 28 3 -1 2 -28 7
// EXPECT: e3m2 converted: -2.5 -2.5 -2.5 -2 0 -2 -2 0 -2 0 -2 0 -2 0 1 0 32 31
// EXPECT: e3m2 of two: 1 -2 1 -2 1 -2 1 -2
// EXPECT: e3m2 of four: 1 -2 3 4 1 -2 3 4 1 -2 3 4 1 -2 3 4 1 -2 3 4
// EXPECT: e3m2 four: 1412300c, device the same
#include <cuda_fp4.h>
#include <cuda_fp6.h>
#include <cuda_runtime.h>

#include "small_float_checks.h"

// A format: its definition and its conversions.
#define FORMAT(Name, fp, format, bits, digits, bias)                                                                   \
    struct Name {                                                                                                      \
        static constexpr int kBits = bits, kDigits = digits, kBias = bias, kStep = bits == 4 ? 4 : 8;                  \
        static __host__ __device__ unsigned of(double v, cudaRoundMode rounding) {                                     \
            return __nv_cvt_double_to_##fp(v, format, rounding);                                                       \
        }                                                                                                              \
        static __host__ __device__ unsigned of(float v, cudaRoundMode rounding) {                                      \
            return __nv_cvt_float_to_##fp(v, format, rounding);                                                        \
        }                                                                                                              \
        static __host__ __device__ unsigned of(__half_raw v, cudaRoundMode rounding) {                                 \
            return __nv_cvt_halfraw_to_##fp(v, format, rounding);                                                      \
        }                                                                                                              \
        static __host__ __device__ unsigned of(__nv_bfloat16_raw v, cudaRoundMode rounding) {                          \
            return __nv_cvt_bfloat16raw_to_##fp(v, format, rounding);                                                  \
        }                                                                                                              \
        static __host__ __device__ unsigned of(double2 v, cudaRoundMode rounding) {                                    \
            return __nv_cvt_double2_to_##fp##x2(v, format, rounding);                                                  \
        }                                                                                                              \
        static __host__ __device__ unsigned of(float2 v, cudaRoundMode rounding) {                                     \
            return __nv_cvt_float2_to_##fp##x2(v, format, rounding);                                                   \
        }                                                                                                              \
        static __host__ __device__ unsigned of(__half2_raw v, cudaRoundMode rounding) {                                \
            return __nv_cvt_halfraw2_to_##fp##x2(v, format, rounding);                                                 \
        }                                                                                                              \
        static __host__ __device__ unsigned of(__nv_bfloat162_raw v, cudaRoundMode rounding) {                         \
            return __nv_cvt_bfloat16raw2_to_##fp##x2(v, format, rounding);                                             \
        }                                                                                                              \
        static __host__ __device__ __half_raw back(unsigned code) {                                                    \
            return __nv_cvt_##fp##_to_halfraw(static_cast<__nv_##fp##_storage_t>(code), format);                       \
        }                                                                                                              \
        static __host__ __device__ __half2_raw back_two(unsigned codes) {                                              \
            return __nv_cvt_##fp##x2_to_halfraw2(static_cast<__nv_##fp##x2_storage_t>(codes), format);                 \
        }                                                                                                              \
    };
FORMAT(E2m1, fp4, __NV_E2M1, 4, 1, 1)
FORMAT(E2m3, fp6, __NV_E2M3, 6, 3, 1)
FORMAT(E3m2, fp6, __NV_E3M2, 6, 2, 3)

constexpr unsigned kAll = 65536, kOther = 0x8421; // flipped in the second number of a pair

struct Results {
    unsigned char of_half, of_bfloat;
    unsigned short of_halves, of_bfloats;
};
struct ChosenResults {
    unsigned char of_double, of_float;
    unsigned short of_doubles, of_floats;
};

template <class Format>
__host__ __device__ Results convert(unsigned bits, cudaRoundMode rounding) {
    __half2_raw halves;
    __nv_bfloat162_raw bfloats;
    halves.x = bfloats.x = static_cast<unsigned short>(bits);
    halves.y = bfloats.y = static_cast<unsigned short>(bits ^ kOther);
    __half_raw half;
    __nv_bfloat16_raw bfloat;
    half.x = bfloat.x = static_cast<unsigned short>(bits);
    return {static_cast<unsigned char>(Format::of(half, rounding)),
            static_cast<unsigned char>(Format::of(bfloat, rounding)),
            static_cast<unsigned short>(Format::of(halves, rounding)),
            static_cast<unsigned short>(Format::of(bfloats, rounding))};
}
template <class Format>
__host__ __device__ ChosenResults convert_chosen(double value, double other, cudaRoundMode rounding) {
    const float f = static_cast<float>(value), g = static_cast<float>(other);
    return {static_cast<unsigned char>(Format::of(value, rounding)),
            static_cast<unsigned char>(Format::of(f, rounding)),
            static_cast<unsigned short>(Format::of(make_double2(value, other), rounding)),
            static_cast<unsigned short>(Format::of(make_float2(f, g), rounding))};
}

template <class Format>
__global__ void convert_all(Results* out, cudaRoundMode rounding) {
    const unsigned bits = blockIdx.x * blockDim.x + threadIdx.x;
    out[bits] = convert<Format>(bits, rounding);
}
template <class Format>
__global__ void convert_list(const double* values, int count, ChosenResults* out, cudaRoundMode rounding) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < count)
        out[i] = convert_chosen<Format>(values[i], values[count - 1 - i], rounding);
}
template <class Format>
__global__ void convert_back(__half_raw* one, __half2_raw* two) {
    one[threadIdx.x] = Format::back(threadIdx.x);
    two[threadIdx.x] = Format::back_two(threadIdx.x | (~threadIdx.x & 0xff) << 8);
}

template <class Format>
unsigned wanted(const std::vector<Number>& all, double value, cudaRoundMode rounding) {
    const unsigned largest = all.back().code;
    if (std::isnan(value))
        return largest;
    const double magnitude = std::fabs(value);
    const unsigned sign = std::signbit(value) ? 1u << (Format::kBits - 1) : 0;
    return sign | (rounding == cudaRoundNearest ? nearest(all, magnitude, largest) : toward_zero(all, magnitude));
}

template <class Format>
void compare(const char* name) {
    const std::vector<Number> all = numbers_of(Format::kDigits, Format::kBias, 1u << (Format::kBits - 1));
    const std::vector<double> chosen = chosen_values(all);
    const int count = static_cast<int>(chosen.size());
    Results* results;
    ChosenResults* chosen_results;
    double* values;
    cudaMallocManaged(&results, kAll * sizeof *results);
    cudaMallocManaged(&chosen_results, chosen.size() * sizeof *chosen_results);
    cudaMallocManaged(&values, chosen.size() * sizeof *values);
    for (int i = 0; i < count; ++i)
        values[i] = chosen[static_cast<std::size_t>(i)];
    int host = 0, device = 0, chosen_host = 0, chosen_device = 0;
    for (const cudaRoundMode rounding : {cudaRoundNearest, cudaRoundZero}) {
        convert_all<Format><<<kAll / 256, 256>>>(results, rounding);
        convert_list<Format><<<(count + 255) / 256, 256>>>(values, count, chosen_results, rounding);
        cudaDeviceSynchronize();
        std::vector<unsigned> of_half, of_bfloat;
        for (unsigned bits = 0; bits < kAll; ++bits) {
            of_half.push_back(wanted<Format>(all, __half2float(__half(raw_half(bits))), rounding));
            of_bfloat.push_back(wanted<Format>(all, __bfloat162float(__nv_bfloat16(raw_bfloat(bits))), rounding));
        }
        for (unsigned bits = 0; bits < kAll; ++bits) {
            const auto wrong = [&](const Results& r) {
                return (r.of_half != of_half[bits]) + (r.of_bfloat != of_bfloat[bits]) +
                       (r.of_halves != (of_half[bits] | of_half[bits ^ kOther] << Format::kStep)) +
                       (r.of_bfloats != (of_bfloat[bits] | of_bfloat[bits ^ kOther] << Format::kStep));
            };
            host += wrong(convert<Format>(bits, rounding));
            device += wrong(results[bits]);
        }
        for (int i = 0; i < count; ++i) {
            const double value = values[i], other = values[count - 1 - i];
            const unsigned d = wanted<Format>(all, value, rounding), e = wanted<Format>(all, other, rounding);
            const unsigned f = wanted<Format>(all, static_cast<float>(value), rounding),
                           g = wanted<Format>(all, static_cast<float>(other), rounding);
            const auto wrong = [&](const ChosenResults& r) {
                return (r.of_double != d) + (r.of_float != f) + (r.of_doubles != (d | e << Format::kStep)) +
                       (r.of_floats != (f | g << Format::kStep));
            };
            chosen_host += wrong(convert_chosen<Format>(value, other, rounding));
            chosen_device += wrong(chosen_results[i]);
        }
    }

    __half_raw* one;
    __half2_raw* two;
    cudaMallocManaged(&one, 256 * sizeof *one);
    cudaMallocManaged(&two, 256 * sizeof *two);
    convert_back<Format><<<1, 256>>>(one, two);
    cudaDeviceSynchronize();
    int back_host = 0, back_device = 0;
    const auto half_of = [&](unsigned code) {
        const unsigned sign = code >> (Format::kBits - 1) & 1, magnitude = code & ((1u << (Format::kBits - 1)) - 1);
        return sign << 15 | static_cast<__half_raw>(__float2half(static_cast<float>(all[magnitude].value))).x;
    };
    for (unsigned code = 0; code < 256; ++code) { // bits that no number has do not count
        const unsigned want = half_of(code), codes = code | (~code & 0xff) << 8;
        const unsigned high = half_of(codes >> Format::kStep);
        back_host += Format::back(code).x != want;
        back_host += Format::back_two(codes).x != want || Format::back_two(codes).y != high;
        back_device += one[code].x != want;
        back_device += two[code].x != want || two[code].y != high;
    }
    std::printf("%s: %g to %g, back: host %d of 512 wrong, device %d\n", name, all[1].value, all.back().value,
                back_host, back_device);
    std::printf("%s: host %d of %u wrong, device %d; chosen: host %d wrong, device %d\n", name, host, 8 * kAll, device,
                chosen_host, chosen_device);
}

int main() {
    std::printf("e2m1:");
    for (unsigned code = 0; code < 16; ++code)
        std::printf(" %g", __half2float(__half(E2m1::back(code))));
    std::printf("\n");
    compare<E2m1>("e2m1");
    compare<E2m3>("e2m3");
    compare<E3m2>("e3m2");
    compare_uses<__nv_fp4_e2m1, __nv_fp4x2_e2m1, __nv_fp4x4_e2m1>("e2m1");
    compare_uses<__nv_fp6_e2m3, __nv_fp6x2_e2m3, __nv_fp6x4_e2m3>("e2m3");
    compare_uses<__nv_fp6_e3m2, __nv_fp6x2_e3m2, __nv_fp6x4_e3m2>("e3m2");
}
