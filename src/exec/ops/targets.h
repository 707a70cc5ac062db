// The instruction sets that the operations are compiled for: AVX-512, AVX2 and the compiler's baseline.
// To be included before any Highway header.
#pragma once

#undef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
