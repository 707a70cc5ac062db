// bfloat16: cuda_bf16.h on the device and on the host, alone and next to cuda_fp16.h.
// EXPECT: host: 0 wrong of 20000
// EXPECT: device: 0 wrong of 20000
// EXPECT: pairs: 0 wrong of 20000
// EXPECT: conversions: 0 wrong
// EXPECT: functions: 0 wrong
// EXPECT: constants: 0000 8000 3f80 7f80 7fff 7f7f 0001
// EXPECT: sums: 192 96 192
// EXPECT: once: 3fc1 3fc5 3fc1 3fc5
// EXPECT: both: 1.5 2.5 3.00195 3
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#define NUMBER __nv_bfloat16
#define PAIR __nv_bfloat162
#define NAME(before, after) before##bfloat16##after
#define CONSTANT(name) CUDART_##name##_BF16
#define DIGITS 7
#define EXPONENT_BITS 8
#include "half_checks.h"

// Rounded once: c moves the product off the middle of two numbers, by less than f32 has digits for.
__host__ __device__ inline unsigned short fused(float a, float b, float c) {
#ifdef __NVCC__
    return __bfloat16_as_ushort(number_fma(a, b, c));
#else
    return __bfloat16_as_ushort(__hfma(__nv_bfloat16(a), __nv_bfloat16(b), __nv_bfloat16(c)));
#endif
}

__global__ void round_once(unsigned short* out) {
    out[0] = fused(1.5f, 129 / 128.0f, -0x1p-50f); // 193.5 / 128
    out[1] = fused(1.5f, 131 / 128.0f, 0x1p-50f);  // 196.5 / 128
}

__global__ void mix(float* out) {
    const __half half = __float2half(3.001953125f);
    out[0] = __half2float(__hadd(__half(0.5f), __half(1.0f)));
    out[1] = __bfloat162float(__hmul(__nv_bfloat16(1.25f), __nv_bfloat16(2.0f)));
    out[2] = __half2float(half);
    out[3] = __half2float(__half(__nv_bfloat16(half)));
}

int main() {
    const int failed = check_all();
    unsigned short* bits = device_copy(std::vector<unsigned short>(2));
    round_once<<<1, 1>>>(bits);
    const std::vector<unsigned short> once = host_copy(bits, 2);
    std::printf("once: %04x %04x %04x %04x\n", once[0], once[1], fused(1.5f, 129 / 128.0f, -0x1p-50f),
                fused(1.5f, 131 / 128.0f, 0x1p-50f));
    float* values = device_copy(std::vector<float>(4));
    mix<<<1, 1>>>(values);
    const std::vector<float> both = host_copy(values, 4);
    std::printf("both: %g %g %g %g\n", both[0], both[1], both[2], both[3]);
    return failed;
}
