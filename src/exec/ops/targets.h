// The instruction sets that the operations are compiled for: AVX-512, AVX2 and the compiler's baseline. Sanitized
// builds have the baseline alone: the source is the same for all, and instrumenting each loop three times takes
// minutes. Include this header before any Highway header.
#pragma once

#undef HWY_DISABLED_TARGETS
#ifdef HEDDLE_SANITIZED
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX2 | HWY_AVX3 | HWY_AVX3_DL)
#else
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#endif
