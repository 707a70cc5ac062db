// Atomic operations on global and shared memory. The _block and _system forms are the device-wide ones: wider than
// asked is correct, and the simulated machines time them alike.
#pragma once

#include "intrinsics.h"
#include "wide_atomics.h"

HEDDLE_CUDA_DEVICE int atomicAdd(int* p, int value) {
    return __nvvm_atom_add_gen_i(p, value);
}
HEDDLE_CUDA_DEVICE unsigned atomicAdd(unsigned* p, unsigned value) {
    return static_cast<unsigned>(__nvvm_atom_add_gen_i(reinterpret_cast<int*>(p), static_cast<int>(value)));
}
HEDDLE_CUDA_DEVICE unsigned long long atomicAdd(unsigned long long* p, unsigned long long value) {
    return static_cast<unsigned long long>(
        __nvvm_atom_add_gen_ll(reinterpret_cast<long long*>(p), static_cast<long long>(value)));
}
HEDDLE_CUDA_DEVICE float atomicAdd(float* p, float value) {
    return __nvvm_atom_add_gen_f(p, value);
}
HEDDLE_CUDA_DEVICE double atomicAdd(double* p, double value) {
    return __nvvm_atom_add_gen_d(p, value);
}
HEDDLE_CUDA_DEVICE int atomicSub(int* p, int value) {
    return __nvvm_atom_add_gen_i(p, -value);
}
HEDDLE_CUDA_DEVICE unsigned atomicSub(unsigned* p, unsigned value) {
    return atomicAdd(p, 0u - value);
}

HEDDLE_CUDA_DEVICE int atomicExch(int* p, int value) {
    return __nvvm_atom_xchg_gen_i(p, value);
}
HEDDLE_CUDA_DEVICE unsigned atomicExch(unsigned* p, unsigned value) {
    return static_cast<unsigned>(__nvvm_atom_xchg_gen_i(reinterpret_cast<int*>(p), static_cast<int>(value)));
}
HEDDLE_CUDA_DEVICE unsigned long long atomicExch(unsigned long long* p, unsigned long long value) {
    return static_cast<unsigned long long>(
        __nvvm_atom_xchg_gen_ll(reinterpret_cast<long long*>(p), static_cast<long long>(value)));
}
HEDDLE_CUDA_DEVICE float atomicExch(float* p, float value) {
    return __int_as_float(__nvvm_atom_xchg_gen_i(reinterpret_cast<int*>(p), __float_as_int(value)));
}

HEDDLE_CUDA_DEVICE int atomicMin(int* p, int value) {
    return __nvvm_atom_min_gen_i(p, value);
}
HEDDLE_CUDA_DEVICE unsigned atomicMin(unsigned* p, unsigned value) {
    return __nvvm_atom_min_gen_ui(p, value);
}
HEDDLE_CUDA_DEVICE long long atomicMin(long long* p, long long value) {
    return __nvvm_atom_min_gen_ll(p, value);
}
HEDDLE_CUDA_DEVICE unsigned long long atomicMin(unsigned long long* p, unsigned long long value) {
    return __nvvm_atom_min_gen_ull(p, value);
}
HEDDLE_CUDA_DEVICE int atomicMax(int* p, int value) {
    return __nvvm_atom_max_gen_i(p, value);
}
HEDDLE_CUDA_DEVICE unsigned atomicMax(unsigned* p, unsigned value) {
    return __nvvm_atom_max_gen_ui(p, value);
}
HEDDLE_CUDA_DEVICE long long atomicMax(long long* p, long long value) {
    return __nvvm_atom_max_gen_ll(p, value);
}
HEDDLE_CUDA_DEVICE unsigned long long atomicMax(unsigned long long* p, unsigned long long value) {
    return __nvvm_atom_max_gen_ull(p, value);
}

HEDDLE_CUDA_DEVICE unsigned atomicInc(unsigned* p, unsigned limit) {
    return __nvvm_atom_inc_gen_ui(p, limit);
}
HEDDLE_CUDA_DEVICE unsigned atomicDec(unsigned* p, unsigned limit) {
    return __nvvm_atom_dec_gen_ui(p, limit);
}

HEDDLE_CUDA_DEVICE unsigned short atomicCAS(unsigned short* p, unsigned short compare, unsigned short value) {
    unsigned short before;
    asm volatile("atom.cas.b16 %0, [%1], %2, %3;" : "=h"(before) : "l"(p), "h"(compare), "h"(value) : "memory");
    return before;
}
HEDDLE_CUDA_DEVICE int atomicCAS(int* p, int compare, int value) {
    return __nvvm_atom_cas_gen_i(p, compare, value);
}
HEDDLE_CUDA_DEVICE unsigned atomicCAS(unsigned* p, unsigned compare, unsigned value) {
    return static_cast<unsigned>(
        __nvvm_atom_cas_gen_i(reinterpret_cast<int*>(p), static_cast<int>(compare), static_cast<int>(value)));
}
HEDDLE_CUDA_DEVICE unsigned long long atomicCAS(unsigned long long* p, unsigned long long compare,
                                                unsigned long long value) {
    return static_cast<unsigned long long>(__nvvm_atom_cas_gen_ll(
        reinterpret_cast<long long*>(p), static_cast<long long>(compare), static_cast<long long>(value)));
}

#define HEDDLE_CUDA_BITWISE(name, operation)                                                                           \
    HEDDLE_CUDA_DEVICE int name(int* p, int value) {                                                                   \
        return __nvvm_atom_##operation##_gen_i(p, value);                                                              \
    }                                                                                                                  \
    HEDDLE_CUDA_DEVICE unsigned name(unsigned* p, unsigned value) {                                                    \
        return static_cast<unsigned>(name(reinterpret_cast<int*>(p), static_cast<int>(value)));                        \
    }                                                                                                                  \
    HEDDLE_CUDA_DEVICE unsigned long long name(unsigned long long* p, unsigned long long value) {                      \
        return static_cast<unsigned long long>(                                                                        \
            __nvvm_atom_##operation##_gen_ll(reinterpret_cast<long long*>(p), static_cast<long long>(value)));         \
    }                                                                                                                  \
    HEDDLE_CUDA_DEVICE long long name(long long* p, long long value) {                                                 \
        return __nvvm_atom_##operation##_gen_ll(p, value);                                                             \
    }
HEDDLE_CUDA_BITWISE(atomicAnd, and)
HEDDLE_CUDA_BITWISE(atomicOr, or)
HEDDLE_CUDA_BITWISE(atomicXor, xor)
#undef HEDDLE_CUDA_BITWISE

#define HEDDLE_CUDA_SCOPES(name)                                                                                       \
    template <class T, class... V>                                                                                     \
    HEDDLE_CUDA_DEVICE T name##_block(T* p, V... values) {                                                             \
        return name(p, static_cast<T>(values)...);                                                                     \
    }                                                                                                                  \
    template <class T, class... V>                                                                                     \
    HEDDLE_CUDA_DEVICE T name##_system(T* p, V... values) {                                                            \
        return name(p, static_cast<T>(values)...);                                                                     \
    }
HEDDLE_CUDA_SCOPES(atomicAdd)
HEDDLE_CUDA_SCOPES(atomicSub)
HEDDLE_CUDA_SCOPES(atomicExch)
HEDDLE_CUDA_SCOPES(atomicMin)
HEDDLE_CUDA_SCOPES(atomicMax)
HEDDLE_CUDA_SCOPES(atomicInc)
HEDDLE_CUDA_SCOPES(atomicDec)
HEDDLE_CUDA_SCOPES(atomicCAS)
HEDDLE_CUDA_SCOPES(atomicAnd)
HEDDLE_CUDA_SCOPES(atomicOr)
HEDDLE_CUDA_SCOPES(atomicXor)
#undef HEDDLE_CUDA_SCOPES
