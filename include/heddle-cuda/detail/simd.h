// Integer arithmetic on the two halves or the four bytes of a word, by PTX's SIMD video instructions (CUDA Math API, "SIMD
// Intrinsics").
#pragma once

#include "intrinsics.h"

// Of two words, whose parts are of `types`: d, a, b. What the instructions add or merge is 0.
#define HEDDLE_CUDA_SIMD(name, instruction)                                                                            \
    HEDDLE_CUDA_DEVICE unsigned name(unsigned a, unsigned b) {                                                         \
        unsigned r;                                                                                                    \
        asm(instruction " %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(0));                                        \
        return r;                                                                                                      \
    }
#define HEDDLE_CUDA_PARTS(name, operation, types)                                                                      \
    HEDDLE_CUDA_SIMD(name##2, operation "2." types)                                                                    \
    HEDDLE_CUDA_SIMD(name##4, operation "4." types)
HEDDLE_CUDA_PARTS(__vadd, "vadd", "u32.u32.u32")
HEDDLE_CUDA_PARTS(__vaddus, "vadd", "u32.u32.u32.sat")
HEDDLE_CUDA_PARTS(__vaddss, "vadd", "s32.s32.s32.sat")
HEDDLE_CUDA_PARTS(__vsub, "vsub", "u32.u32.u32")
HEDDLE_CUDA_PARTS(__vsubus, "vsub", "u32.u32.u32.sat")
HEDDLE_CUDA_PARTS(__vsubss, "vsub", "s32.s32.s32.sat")
HEDDLE_CUDA_PARTS(__vavgu, "vavrg", "u32.u32.u32")
HEDDLE_CUDA_PARTS(__vavgs, "vavrg", "s32.s32.s32")
HEDDLE_CUDA_PARTS(__vminu, "vmin", "u32.u32.u32")
HEDDLE_CUDA_PARTS(__vmins, "vmin", "s32.s32.s32")
HEDDLE_CUDA_PARTS(__vmaxu, "vmax", "u32.u32.u32")
HEDDLE_CUDA_PARTS(__vmaxs, "vmax", "s32.s32.s32")
HEDDLE_CUDA_PARTS(__vabsdiffu, "vabsdiff", "u32.u32.u32")
HEDDLE_CUDA_PARTS(__vabsdiffs, "vabsdiff", "s32.s32.s32")
HEDDLE_CUDA_PARTS(__vsadu, "vabsdiff", "u32.u32.u32.add")
HEDDLE_CUDA_PARTS(__vsads, "vabsdiff", "s32.s32.s32.add")
HEDDLE_CUDA_PARTS(__heddle_vabsss, "vabsdiff", "s32.s32.s32.sat")

// 1 or 0 a part; or all of its bits.
#define HEDDLE_CUDA_COMPARE(how, comparison, types)                                                                    \
    HEDDLE_CUDA_SIMD(__vset##how##2, "vset2." types "." comparison)                                                    \
    HEDDLE_CUDA_SIMD(__vset##how##4, "vset4." types "." comparison)                                                    \
    HEDDLE_CUDA_DEVICE unsigned __vcmp##how##2(unsigned a, unsigned b) {                                               \
        return __vset##how##2(a, b) * 0xffffU;                                                                         \
    }                                                                                                                  \
    HEDDLE_CUDA_DEVICE unsigned __vcmp##how##4(unsigned a, unsigned b) {                                               \
        return __vset##how##4(a, b) * 0xffU;                                                                           \
    }
HEDDLE_CUDA_COMPARE(eq, "eq", "u32.u32")
HEDDLE_CUDA_COMPARE(ne, "ne", "u32.u32")
HEDDLE_CUDA_COMPARE(ltu, "lt", "u32.u32")
HEDDLE_CUDA_COMPARE(leu, "le", "u32.u32")
HEDDLE_CUDA_COMPARE(gtu, "gt", "u32.u32")
HEDDLE_CUDA_COMPARE(geu, "ge", "u32.u32")
HEDDLE_CUDA_COMPARE(lts, "lt", "s32.s32")
HEDDLE_CUDA_COMPARE(les, "le", "s32.s32")
HEDDLE_CUDA_COMPARE(gts, "gt", "s32.s32")
HEDDLE_CUDA_COMPARE(ges, "ge", "s32.s32")
#undef HEDDLE_CUDA_COMPARE
#undef HEDDLE_CUDA_PARTS
#undef HEDDLE_CUDA_SIMD

#define HEDDLE_CUDA_OF_ONE(parts, low_bits)                                                                            \
    HEDDLE_CUDA_DEVICE unsigned __vneg##parts(unsigned a) {                                                            \
        return __vsub##parts(0, a);                                                                                    \
    }                                                                                                                  \
    HEDDLE_CUDA_DEVICE unsigned __vnegss##parts(unsigned a) {                                                          \
        return __vsubss##parts(0, a);                                                                                  \
    }                                                                                                                  \
    HEDDLE_CUDA_DEVICE unsigned __vabs##parts(unsigned a) {                                                            \
        return __vabsdiffs##parts(a, 0);                                                                               \
    }                                                                                                                  \
    HEDDLE_CUDA_DEVICE unsigned __vabsss##parts(unsigned a) {                                                          \
        return __heddle_vabsss##parts(a, 0);                                                                           \
    }                                                                                                                  \
    HEDDLE_CUDA_DEVICE unsigned __vhaddu##parts(unsigned a, unsigned b) { /* what is shifted out of a part is lost */  \
        return (a & b) + (((a ^ b) & ~low_bits) >> 1);                                                                 \
    }
HEDDLE_CUDA_OF_ONE(2, 0x00010001U)
HEDDLE_CUDA_OF_ONE(4, 0x01010101U)
#undef HEDDLE_CUDA_OF_ONE
