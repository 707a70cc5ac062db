// What the programs about formats of eight bits and less hold conversions against: all numbers of a format, made from
// its definition, and what a search among them finds.
#pragma once
#include <cmath>
#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <vector>

struct Number {
    unsigned code;
    double value;
};

// The finite numbers of a format that are not negative, in their order.
static std::vector<Number> numbers_of(int digits, int bias, unsigned count) {
    std::vector<Number> out;
    for (unsigned code = 0; code < count; ++code) {
        const int exponent = static_cast<int>(code >> digits), fraction = static_cast<int>(code & ((1u << digits) - 1));
        out.push_back({code, exponent == 0 ? std::ldexp(fraction, 1 - bias - digits)
                                           : std::ldexp((1 << digits) + fraction, exponent - bias - digits)});
    }
    return out;
}

// The code of the number nearest to one that is not negative, of two the even one. Numbers from half a step beyond the
// largest on do not fit and become `beyond`.
static unsigned nearest(const std::vector<Number>& all, double magnitude, unsigned beyond) {
    const double largest = all.back().value, step = largest - all[all.size() - 2].value;
    const bool fits = magnitude < largest + step / 2 || (magnitude == largest + step / 2 && all.back().code % 2 == 0);
    if (!fits)
        return beyond;
    const Number* best = &all.front();
    for (const Number& n : all) {
        const double now = std::fabs(n.value - magnitude), before = std::fabs(best->value - magnitude);
        if (now < before || (now == before && n.code % 2 == 0))
            best = &n;
    }
    return best->code;
}

// The code of the largest number that is not above one that is not negative.
static unsigned toward_zero(const std::vector<Number>& all, double magnitude) {
    unsigned code = all.front().code;
    for (const Number& n : all) {
        if (n.value <= magnitude)
            code = n.code;
    }
    return code;
}

// The numbers, the middles between them, and what lies just beside both, with either sign; what is beyond all formats.
static std::vector<double> chosen_values(const std::vector<Number>& all) {
    std::vector<double> out = {INFINITY, 1e300,    4e38,   0x1.fffffep127, 1e30, 1e-38,
                               1e-40,    0x1p-149, 1e-300, 5e-324,         NAN};
    const auto add = [&](double value) {
        for (const double v : {value, std::nextafter(value, 0.0), std::nextafter(value, HUGE_VAL),
                               static_cast<double>(std::nextafter(static_cast<float>(value), 0.0f)),
                               static_cast<double>(std::nextafter(static_cast<float>(value), HUGE_VALF))})
            out.push_back(v);
    };
    for (std::size_t i = 0; i < all.size(); ++i) {
        const double next = i + 1 < all.size() ? all[i + 1].value : 2 * all[i].value - all[i - 1].value;
        add(all[i].value);
        add((all[i].value + next) / 2);
    }
    add(2 * all.back().value);
    const std::size_t positive = out.size();
    for (std::size_t i = 0; i < positive; ++i)
        out.push_back(std::copysign(out[i], -1.0));
    return out;
}

static __half_raw raw_half(unsigned bits) {
    __half_raw out;
    out.x = static_cast<unsigned short>(bits);
    return out;
}
static __nv_bfloat16_raw raw_bfloat(unsigned bits) {
    __nv_bfloat16_raw out;
    out.x = static_cast<unsigned short>(bits);
    return out;
}

// --- the types ---
constexpr int kUsed = 58;

// Numbers by every constructor of the types of one, two and four numbers, and by every conversion of them.
template <class One, class Two, class Four>
__host__ __device__ void use(double* out) {
    const auto put = [&](double value) { *out++ = value; };
    const auto put_one = [&](One value) { *out++ = static_cast<float>(value); };
    const auto put_two = [&](Two value) {
        const float2 floats = static_cast<float2>(value), halves = __half22float2(static_cast<__half2>(value));
        put(floats.x == halves.x ? floats.x : NAN);
        put(floats.y == halves.y ? floats.y : NAN);
    };
    const auto put_four = [&](Four value) {
        const float4 floats = static_cast<float4>(value);
        put(floats.x), put(floats.y), put(floats.z), put(floats.w);
    };
    put_one(One(__float2half(2.6f)));
    put_one(One(__float2bfloat16(2.6f)));
    put_one(One(-2.6f));
    put_one(One(0.3));
    put_one(One(static_cast<short>(-5)));
    put_one(One(static_cast<unsigned short>(9)));
    put_one(One(1000));
    put_one(One(3u));
    put_one(One(-1l));
    put_one(One(2ul));
    put_one(One(-1000000000000ll));
    put_one(One(7ull));
    const One one(-2.6f);
    put(__half2float(static_cast<__half>(one)));
    put(__bfloat162float(static_cast<__nv_bfloat16>(one)));
    put(static_cast<double>(one));
    put(static_cast<signed char>(one));
    put(static_cast<unsigned char>(one));
    put(static_cast<char>(one));
    put(static_cast<short>(one));
    put(static_cast<unsigned short>(one));
    put(static_cast<int>(one));
    put(static_cast<unsigned>(one));
    put(static_cast<double>(static_cast<long>(one)));
    put(static_cast<double>(static_cast<unsigned long>(one)));
    put(static_cast<double>(static_cast<long long>(one)));
    put(static_cast<double>(static_cast<unsigned long long>(one)));
    put(static_cast<bool>(one) ? 1 : 0);
    put(static_cast<bool>(One(-0.0f)) ? 1 : 0);
    put(One(-0.0f).__x);
    put(One(static_cast<float>(NAN)).__x);
    put_two(Two(make_float2(1, -2)));
    put_two(Two(make_double2(1, -2)));
    put_two(Two(__floats2half2_rn(1, -2)));
    put_two(Two(__floats2bfloat162_rn(1, -2)));
    put_four(Four(make_float4(1, -2, 3, 4)));
    put_four(Four(make_double4_16a(1, -2, 3, 4)));
    put_four(Four(make_double4_32a(1, -2, 3, 4)));
    put_four(Four(__floats2half2_rn(1, -2), __floats2half2_rn(3, 4)));
    put_four(Four(__floats2bfloat162_rn(1, -2), __floats2bfloat162_rn(3, 4)));
}

template <class One, class Two, class Four>
__global__ void use_on_device(double* out) {
    use<One, Two, Four>(out);
}

template <class One, class Two, class Four>
void compare_uses(const char* name) {
    static_assert(sizeof(One) == 1 && sizeof(Four) == 2 * sizeof(Two) && alignof(Two) == sizeof(Two) &&
                      alignof(Four) == sizeof(Four),
                  "layout");
    double host[kUsed], *device;
    use<One, Two, Four>(host);
    cudaMallocManaged(&device, sizeof host);
    use_on_device<One, Two, Four><<<1, 1>>>(device);
    cudaDeviceSynchronize();
    bool same = true;
    for (int i = 0; i < kUsed; ++i)
        same = same && host[i] == device[i];
    const auto print = [&](const char* what, int begin, int end) {
        std::printf("%s %s:", name, what);
        for (int i = begin; i < end; ++i)
            std::printf(" %.13g", host[i]);
        std::printf("\n");
    };
    print("made", 0, 12);
    print("converted", 12, 30);
    print("of two", 30, 38);
    print("of four", 38, kUsed);
    std::printf("%s four: %x, device %s\n", name, unsigned{Four(make_float4(1, -2, 3, 4)).__x},
                same ? "the same" : "others");
}
