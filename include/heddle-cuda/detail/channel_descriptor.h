// cudaCreateChannelDesc<T>(): the format of texels of type T, or of a kind of normalised texels.
#pragma once

#include "../cuda_runtime_api.h"

template <class T>
inline cudaChannelFormatDesc cudaCreateChannelDesc() {
    return ::cudaCreateChannelDesc(0, 0, 0, 0, cudaChannelFormatKindNone);
}
template <cudaChannelFormatKind kKind>
inline cudaChannelFormatDesc cudaCreateChannelDesc() {
    static_assert(kKind >= cudaChannelFormatKindUnsignedNormalized8X1 &&
                      kKind <= cudaChannelFormatKindSignedNormalized16X4,
                  "the kinds of normalised texels alone say the size of a texel");
    constexpr int kNumber = kKind - cudaChannelFormatKindUnsignedNormalized8X1; // 8X1 8X2 8X4 16X1 16X2 16X4, twice
    constexpr int kBits = kNumber % 6 < 3 ? 8 : 16, kChannels = 1 << kNumber % 3;
    return ::cudaCreateChannelDesc(kBits, kChannels > 1 ? kBits : 0, kChannels > 2 ? kBits : 0,
                                   kChannels > 2 ? kBits : 0, kKind);
}
#define HEDDLE_CUDA_CHANNELS(Texel, bits, x, y, z, w, kind)                                                            \
    template <>                                                                                                        \
    inline cudaChannelFormatDesc cudaCreateChannelDesc<Texel>() {                                                      \
        return ::cudaCreateChannelDesc((bits) * (x), (bits) * (y), (bits) * (z), (bits) * (w),                         \
                                       cudaChannelFormatKind##kind);                                                   \
    }
#define HEDDLE_CUDA_TEXELS(scalar, name, bits, kind)                                                                   \
    HEDDLE_CUDA_CHANNELS(scalar, bits, 1, 0, 0, 0, kind)                                                               \
    HEDDLE_CUDA_CHANNELS(name##1, bits, 1, 0, 0, 0, kind)                                                              \
    HEDDLE_CUDA_CHANNELS(name##2, bits, 1, 1, 0, 0, kind)                                                              \
    HEDDLE_CUDA_CHANNELS(name##4, bits, 1, 1, 1, 1, kind)
HEDDLE_CUDA_TEXELS(signed char, char, 8, Signed)
HEDDLE_CUDA_TEXELS(unsigned char, uchar, 8, Unsigned)
HEDDLE_CUDA_TEXELS(short, short, 16, Signed)
HEDDLE_CUDA_TEXELS(unsigned short, ushort, 16, Unsigned)
HEDDLE_CUDA_TEXELS(int, int, 32, Signed)
HEDDLE_CUDA_TEXELS(unsigned, uint, 32, Unsigned)
HEDDLE_CUDA_TEXELS(float, float, 32, Float)
HEDDLE_CUDA_CHANNELS(char, 8, 1, 0, 0, 0, Signed)
#undef HEDDLE_CUDA_TEXELS
#undef HEDDLE_CUDA_CHANNELS

inline cudaChannelFormatDesc cudaCreateChannelDescHalf() {
    return ::cudaCreateChannelDesc(16, 0, 0, 0, cudaChannelFormatKindFloat);
}
inline cudaChannelFormatDesc cudaCreateChannelDescHalf1() {
    return cudaCreateChannelDescHalf();
}
inline cudaChannelFormatDesc cudaCreateChannelDescHalf2() {
    return ::cudaCreateChannelDesc(16, 16, 0, 0, cudaChannelFormatKindFloat);
}
inline cudaChannelFormatDesc cudaCreateChannelDescHalf4() {
    return ::cudaCreateChannelDesc(16, 16, 16, 16, cudaChannelFormatKindFloat);
}
inline cudaChannelFormatDesc cudaCreateChannelDescNV12() {
    return ::cudaCreateChannelDesc(8, 8, 8, 0, cudaChannelFormatKindNV12);
}
