// Maxima and minima of three numbers, of a sum and a number, and with the answer which it was: of words, or of each
// half of a word (CUDA Math API, "DPX"). The host has them too. Sums wrap around; relu: not less than 0.
#pragma once

#include "../host_defines.h"
#include "../vector_types.h"

#define HEDDLE_DPX static HEDDLE_CUDA_BOTH __forceinline__

namespace heddle_dpx {

struct Max {
    template <class T>
    HEDDLE_DPX T of(T a, T b) {
        return a < b ? b : a;
    }
    template <class T>
    HEDDLE_DPX bool is_first(T a, T b) {
        return a >= b;
    }
};
struct Min {
    template <class T>
    HEDDLE_DPX T of(T a, T b) {
        return b < a ? b : a;
    }
    template <class T>
    HEDDLE_DPX bool is_first(T a, T b) {
        return a <= b;
    }
};
template <class Choice>
struct Three {
    template <class T>
    HEDDLE_DPX T of(T a, T b, T c) {
        return Choice::of(Choice::of(a, b), c);
    }
};
template <class Choice>
struct Sum {
    template <class T>
    HEDDLE_DPX T of(T a, T b, T c) {
        return Choice::of(static_cast<T>(static_cast<unsigned>(a) + static_cast<unsigned>(b)), c);
    }
};
template <class Operation>
struct Relu {
    template <class T>
    HEDDLE_DPX T of(T a, T b, T c) {
        return Max::of(Operation::of(a, b, c), T{0});
    }
};

HEDDLE_DPX unsigned join(unsigned short high, unsigned short low) {
    return static_cast<unsigned>(high) << 16 | low;
}
// Of halves: short or unsigned short.
template <class Operation, class Half>
HEDDLE_DPX unsigned halves(unsigned a, unsigned b, unsigned c) {
    const Half high = Operation::of(static_cast<Half>(a >> 16), static_cast<Half>(b >> 16), static_cast<Half>(c >> 16));
    return join(static_cast<unsigned short>(high),
                static_cast<unsigned short>(
                    Operation::of(static_cast<Half>(a), static_cast<Half>(b), static_cast<Half>(c))));
}
template <class Choice, class T>
HEDDLE_DPX T choose(T a, T b, bool* is_first) {
    *is_first = Choice::is_first(a, b);
    return Choice::of(a, b);
}
template <class Choice, class Half>
HEDDLE_DPX unsigned choose_halves(unsigned a, unsigned b, bool* high_first, bool* low_first) {
    const Half high = choose<Choice>(static_cast<Half>(a >> 16), static_cast<Half>(b >> 16), high_first);
    const Half low = choose<Choice>(static_cast<Half>(a), static_cast<Half>(b), low_first);
    return join(static_cast<unsigned short>(high), static_cast<unsigned short>(low));
}

} // namespace heddle_dpx

#define HEDDLE_CUDA_OF_WORDS(name, T, Operation)                                                                       \
    HEDDLE_DPX T name(T a, T b, T c) {                                                                                 \
        return heddle_dpx::Operation::of(a, b, c);                                                                     \
    }
#define HEDDLE_CUDA_OF_HALVES(name, Half, Operation)                                                                   \
    HEDDLE_DPX unsigned name(unsigned a, unsigned b, unsigned c) {                                                     \
        return heddle_dpx::halves<heddle_dpx::Operation, Half>(a, b, c);                                               \
    }
#define HEDDLE_CUDA_DPX(name, Operation)                                                                               \
    HEDDLE_CUDA_OF_WORDS(name##_s32, int, Operation)                                                                   \
    HEDDLE_CUDA_OF_WORDS(name##_u32, unsigned, Operation)                                                              \
    HEDDLE_CUDA_OF_WORDS(name##_s32_relu, int, Relu<heddle_dpx::Operation>)                                            \
    HEDDLE_CUDA_OF_HALVES(name##_s16x2, short, Operation)                                                              \
    HEDDLE_CUDA_OF_HALVES(name##_u16x2, unsigned short, Operation)                                                     \
    HEDDLE_CUDA_OF_HALVES(name##_s16x2_relu, short, Relu<heddle_dpx::Operation>)
HEDDLE_CUDA_DPX(__vimax3, Three<heddle_dpx::Max>)
HEDDLE_CUDA_DPX(__vimin3, Three<heddle_dpx::Min>)
HEDDLE_CUDA_DPX(__viaddmax, Sum<heddle_dpx::Max>)
HEDDLE_CUDA_DPX(__viaddmin, Sum<heddle_dpx::Min>)
#undef HEDDLE_CUDA_DPX
#undef HEDDLE_CUDA_OF_HALVES
#undef HEDDLE_CUDA_OF_WORDS

#define HEDDLE_CUDA_CHOICE(name, Choice)                                                                               \
    HEDDLE_DPX int __vi##name##_s32_relu(int a, int b) {                                                               \
        return __vi##name##3_s32_relu(a, b, b);                                                                        \
    }                                                                                                                  \
    HEDDLE_DPX unsigned __vi##name##_s16x2_relu(unsigned a, unsigned b) {                                              \
        return __vi##name##3_s16x2_relu(a, b, b);                                                                      \
    }                                                                                                                  \
    HEDDLE_DPX int __vib##name##_s32(int a, int b, bool* first) {                                                      \
        return heddle_dpx::choose<heddle_dpx::Choice>(a, b, first);                                                    \
    }                                                                                                                  \
    HEDDLE_DPX unsigned __vib##name##_u32(unsigned a, unsigned b, bool* first) {                                       \
        return heddle_dpx::choose<heddle_dpx::Choice>(a, b, first);                                                    \
    }                                                                                                                  \
    HEDDLE_DPX unsigned __vib##name##_s16x2(unsigned a, unsigned b, bool* high_first, bool* low_first) {               \
        return heddle_dpx::choose_halves<heddle_dpx::Choice, short>(a, b, high_first, low_first);                      \
    }                                                                                                                  \
    HEDDLE_DPX unsigned __vib##name##_u16x2(unsigned a, unsigned b, bool* high_first, bool* low_first) {               \
        return heddle_dpx::choose_halves<heddle_dpx::Choice, unsigned short>(a, b, high_first, low_first);             \
    }
HEDDLE_CUDA_CHOICE(max, Max)
HEDDLE_CUDA_CHOICE(min, Min)
#undef HEDDLE_CUDA_CHOICE
#undef HEDDLE_DPX
