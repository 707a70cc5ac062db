// Complex numbers by CUDA's names, for host and device: float2 and double2, their real part in x.
#pragma once

#include <math.h>

#include "vector_functions.h"

#ifdef __cplusplus
typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

// `f`: what the names of functions of f32 end with. A divisor is brought to the size of 1 before it is
// squared: its square overflows or underflows where the quotient does not.
#define HEDDLE_CUDA_COMPLEX(Complex, Real, f, make, real, imaginary, conjugate)                                        \
    HEDDLE_CUDA_BOTH inline Complex make(Real x, Real y) {                                                             \
        return Complex{x, y};                                                                                          \
    }                                                                                                                  \
    HEDDLE_CUDA_BOTH inline Real real(Complex a) {                                                                     \
        return a.x;                                                                                                    \
    }                                                                                                                  \
    HEDDLE_CUDA_BOTH inline Real imaginary(Complex a) {                                                                \
        return a.y;                                                                                                    \
    }                                                                                                                  \
    HEDDLE_CUDA_BOTH inline Complex conjugate(Complex a) {                                                             \
        return make(a.x, -a.y);                                                                                        \
    }                                                                                                                  \
    HEDDLE_CUDA_BOTH inline Complex cuCadd##f(Complex a, Complex b) {                                                  \
        return make(a.x + b.x, a.y + b.y);                                                                             \
    }                                                                                                                  \
    HEDDLE_CUDA_BOTH inline Complex cuCsub##f(Complex a, Complex b) {                                                  \
        return make(a.x - b.x, a.y - b.y);                                                                             \
    }                                                                                                                  \
    HEDDLE_CUDA_BOTH inline Complex cuCmul##f(Complex a, Complex b) {                                                  \
        return make(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);                                                     \
    }                                                                                                                  \
    HEDDLE_CUDA_BOTH inline Complex cuCdiv##f(Complex a, Complex b) {                                                  \
        const Real scale = 1 / (fabs##f(b.x) + fabs##f(b.y));                                                          \
        const Complex c = make(a.x * scale, a.y * scale), d = make(b.x * scale, b.y * scale);                          \
        const Real square = 1 / (d.x * d.x + d.y * d.y);                                                               \
        return make((c.x * d.x + c.y * d.y) * square, (c.y * d.x - c.x * d.y) * square);                               \
    }                                                                                                                  \
    HEDDLE_CUDA_BOTH inline Real cuCabs##f(Complex a) {                                                                \
        return hypot##f(a.x, a.y);                                                                                     \
    }                                                                                                                  \
    HEDDLE_CUDA_BOTH inline Complex cuCfma##f(Complex a, Complex b, Complex c) {                                       \
        return cuCadd##f(cuCmul##f(a, b), c);                                                                          \
    }
HEDDLE_CUDA_COMPLEX(cuFloatComplex, float, f, make_cuFloatComplex, cuCrealf, cuCimagf, cuConjf)
HEDDLE_CUDA_COMPLEX(cuDoubleComplex, double, , make_cuDoubleComplex, cuCreal, cuCimag, cuConj)
#undef HEDDLE_CUDA_COMPLEX

HEDDLE_CUDA_BOTH inline cuComplex make_cuComplex(float x, float y) {
    return make_cuFloatComplex(x, y);
}
HEDDLE_CUDA_BOTH inline cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex a) {
    return make_cuDoubleComplex(static_cast<double>(a.x), static_cast<double>(a.y));
}
HEDDLE_CUDA_BOTH inline cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex a) {
    return make_cuFloatComplex(static_cast<float>(a.x), static_cast<float>(a.y));
}
#endif
