// Atomic operations with an order and a scope: __nv_atomic_load and others (CUDA Programming Guide, "Atomic Functions").
// Fences around an operation without order give the order. The operation is for the whole device: wider than asked is
// correct, and the simulated machines time them alike.
#pragma once

#include "atomics.h"
#include "warp.h"

enum {
    __NV_ATOMIC_RELAXED,
    __NV_ATOMIC_CONSUME,
    __NV_ATOMIC_ACQUIRE,
    __NV_ATOMIC_RELEASE,
    __NV_ATOMIC_ACQ_REL,
    __NV_ATOMIC_SEQ_CST
};
enum {
    __NV_THREAD_SCOPE_THREAD,
    __NV_THREAD_SCOPE_BLOCK,
    __NV_THREAD_SCOPE_CLUSTER,
    __NV_THREAD_SCOPE_DEVICE,
    __NV_THREAD_SCOPE_SYSTEM
};

HEDDLE_CUDA_DEVICE void __nv_atomic_thread_fence(int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
    if (order == __NV_ATOMIC_RELAXED)
        return;
    if (scope <= __NV_THREAD_SCOPE_BLOCK)
        __threadfence_block();
    else if (scope <= __NV_THREAD_SCOPE_DEVICE)
        __threadfence();
    else
        __threadfence_system();
}

namespace heddle_ordered {

HEDDLE_CUDA_DEVICE void before(int order, int scope) {
    if (order >= __NV_ATOMIC_RELEASE)
        __nv_atomic_thread_fence(order, scope);
}
HEDDLE_CUDA_DEVICE void after(int order, int scope) {
    if (order != __NV_ATOMIC_RELEASE)
        __nv_atomic_thread_fence(order, scope);
}

// The words that memory is accessed by, by their bytes: a relaxed load and store, and what there is of exchange (4, 8
// and 16 bytes) and compare-and-swap (2 and more).
template <int bytes>
struct Memory;
#define HEDDLE_ORDERED_PLAIN(Word)                                                                                     \
    using type = Word;                                                                                                 \
    HEDDLE_CUDA_DEVICE type load(const void* p) {                                                                      \
        return *static_cast<const volatile type*>(p);                                                                  \
    }                                                                                                                  \
    HEDDLE_CUDA_DEVICE void store(void* p, type value) {                                                               \
        *static_cast<volatile type*>(p) = value;                                                                       \
    }
#define HEDDLE_ORDERED_SWAP                                                                                            \
    HEDDLE_CUDA_DEVICE type swap(void* p, type compare, type value) {                                                  \
        return atomicCAS(static_cast<type*>(p), compare, value);                                                       \
    }
#define HEDDLE_ORDERED_EXCHANGE                                                                                        \
    HEDDLE_CUDA_DEVICE type exchange(void* p, type value) {                                                            \
        return atomicExch(static_cast<type*>(p), value);                                                               \
    }
template <>
struct Memory<1> {
    HEDDLE_ORDERED_PLAIN(unsigned char)
};
template <>
struct Memory<2> {
    HEDDLE_ORDERED_PLAIN(unsigned short)
    HEDDLE_ORDERED_SWAP
};
template <>
struct Memory<4> {
    HEDDLE_ORDERED_PLAIN(unsigned)
    HEDDLE_ORDERED_SWAP
    HEDDLE_ORDERED_EXCHANGE
};
template <>
struct Memory<8> {
    HEDDLE_ORDERED_PLAIN(unsigned long long)
    HEDDLE_ORDERED_SWAP
    HEDDLE_ORDERED_EXCHANGE
};
#undef HEDDLE_ORDERED_PLAIN
#undef HEDDLE_ORDERED_SWAP
#undef HEDDLE_ORDERED_EXCHANGE
template <>
struct Memory<16> {
    using type = heddle_wide_word;
    HEDDLE_CUDA_DEVICE type load(const void* p) {
        type value;
        asm volatile("{ .reg .b128 value; ld.relaxed.sys.b128 value, [%2]; mov.b128 {%0, %1}, value; }"
                     : "=l"(value.low), "=l"(value.high)
                     : "l"(p)
                     : "memory");
        return value;
    }
    HEDDLE_CUDA_DEVICE void store(void* p, type value) {
        asm volatile("{ .reg .b128 value; mov.b128 value, {%1, %2}; st.relaxed.sys.b128 [%0], value; }" ::"l"(p),
                     "l"(value.low), "l"(value.high)
                     : "memory");
    }
    HEDDLE_CUDA_DEVICE type swap(void* p, type compare, type value) {
        return heddle_wide_cas(p, compare, value);
    }
    HEDDLE_CUDA_DEVICE type exchange(void* p, type value) {
        return heddle_wide_exchange(p, value);
    }
};
template <class T>
using MemoryOf = Memory<sizeof(T)>;
template <class T>
using WordOf = typename MemoryOf<T>::type;

HEDDLE_CUDA_DEVICE bool equal(unsigned long long a, unsigned long long b) {
    return a == b;
}
HEDDLE_CUDA_DEVICE bool equal(heddle_wide_word a, heddle_wide_word b) {
    return a.low == b.low && a.high == b.high;
}

// A parameter that does not decide what T is.
template <class T>
struct Exactly {
    using type = T;
};

} // namespace heddle_ordered

// The forms without _n take any type through pointers; those with it take integers.
template <class T>
HEDDLE_CUDA_DEVICE void __nv_atomic_load(T* p, T* result, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
    heddle_ordered::before(order == __NV_ATOMIC_SEQ_CST ? order : __NV_ATOMIC_RELAXED, scope);
    *result = __builtin_bit_cast(T, heddle_ordered::MemoryOf<T>::load(p));
    heddle_ordered::after(order, scope);
}
template <class T>
HEDDLE_CUDA_DEVICE T __nv_atomic_load_n(T* p, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
    T result;
    __nv_atomic_load(p, &result, order, scope);
    return result;
}
template <class T>
HEDDLE_CUDA_DEVICE void __nv_atomic_store(T* p, T* value, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
    heddle_ordered::before(order, scope);
    heddle_ordered::MemoryOf<T>::store(p, __builtin_bit_cast(heddle_ordered::WordOf<T>, *value));
    heddle_ordered::after(order == __NV_ATOMIC_SEQ_CST ? order : __NV_ATOMIC_RELAXED, scope);
}
template <class T>
HEDDLE_CUDA_DEVICE void __nv_atomic_store_n(T* p, typename heddle_ordered::Exactly<T>::type value, int order,
                                            int scope = __NV_THREAD_SCOPE_SYSTEM) {
    __nv_atomic_store(p, &value, order, scope);
}
template <class T>
HEDDLE_CUDA_DEVICE void __nv_atomic_exchange(T* p, T* value, T* result, int order,
                                             int scope = __NV_THREAD_SCOPE_SYSTEM) {
    heddle_ordered::before(order, scope);
    *result = __builtin_bit_cast(
        T, heddle_ordered::MemoryOf<T>::exchange(p, __builtin_bit_cast(heddle_ordered::WordOf<T>, *value)));
    heddle_ordered::after(order, scope);
}
template <class T>
HEDDLE_CUDA_DEVICE T __nv_atomic_exchange_n(T* p, typename heddle_ordered::Exactly<T>::type value, int order,
                                            int scope = __NV_THREAD_SCOPE_SYSTEM) {
    T result;
    __nv_atomic_exchange(p, &value, &result, order, scope);
    return result;
}
// Where the values are not equal, *expected becomes what is in memory. An exchange never fails without that reason.
template <class T>
HEDDLE_CUDA_DEVICE bool __nv_atomic_compare_exchange(T* p, T* expected, T* desired, bool, int success_order,
                                                     int failure_order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
    using Word = heddle_ordered::WordOf<T>;
    const Word compare = __builtin_bit_cast(Word, *expected);
    heddle_ordered::before(success_order, scope);
    if (failure_order == __NV_ATOMIC_SEQ_CST && success_order < __NV_ATOMIC_RELEASE)
        __nv_atomic_thread_fence(failure_order, scope);
    const Word found =
        heddle_ordered::MemoryOf<T>::swap(p, compare, __builtin_bit_cast(Word, *desired));
    const bool done = heddle_ordered::equal(found, compare);
    heddle_ordered::after(done ? success_order : failure_order, scope);
    if (!done)
        *expected = __builtin_bit_cast(T, found);
    return done;
}
template <class T>
HEDDLE_CUDA_DEVICE bool __nv_atomic_compare_exchange_n(T* p, T* expected,
                                                       typename heddle_ordered::Exactly<T>::type desired, bool weak,
                                                       int success_order, int failure_order,
                                                       int scope = __NV_THREAD_SCOPE_SYSTEM) {
    return __nv_atomic_compare_exchange(p, expected, &desired, weak, success_order, failure_order, scope);
}

#define HEDDLE_ORDERED_UPDATE(name, T, Word, atomic, operand)                                                          \
    HEDDLE_CUDA_DEVICE T __nv_atomic_fetch_##name(T* p, T value, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {    \
        heddle_ordered::before(order, scope);                                                                          \
        const T old = static_cast<T>(atomic(reinterpret_cast<Word*>(p), static_cast<Word>(operand)));                  \
        heddle_ordered::after(order, scope);                                                                           \
        return old;                                                                                                    \
    }                                                                                                                  \
    HEDDLE_CUDA_DEVICE void __nv_atomic_##name(T* p, T value, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {       \
        __nv_atomic_fetch_##name(p, value, order, scope);                                                              \
    }
#define HEDDLE_ORDERED_SUMS(T, Word, negative)                                                                         \
    HEDDLE_ORDERED_UPDATE(add, T, Word, atomicAdd, value)                                                              \
    HEDDLE_ORDERED_UPDATE(sub, T, Word, atomicAdd, negative)
#define HEDDLE_ORDERED_INTEGER(T, Word)                                                                                \
    HEDDLE_ORDERED_UPDATE(min, T, Word, atomicMin, value)                                                              \
    HEDDLE_ORDERED_UPDATE(max, T, Word, atomicMax, value)                                                              \
    HEDDLE_ORDERED_UPDATE(and, T, Word, atomicAnd, value)                                                              \
    HEDDLE_ORDERED_UPDATE(or, T, Word, atomicOr, value)                                                                \
    HEDDLE_ORDERED_UPDATE(xor, T, Word, atomicXor, value)
HEDDLE_ORDERED_SUMS(int, unsigned, 0U - static_cast<unsigned>(value))
HEDDLE_ORDERED_SUMS(unsigned, unsigned, 0U - value)
HEDDLE_ORDERED_SUMS(unsigned long, unsigned long long, 0UL - value)
HEDDLE_ORDERED_SUMS(unsigned long long, unsigned long long, 0ULL - value)
HEDDLE_ORDERED_SUMS(float, float, -value)
HEDDLE_ORDERED_SUMS(double, double, -value)
HEDDLE_ORDERED_INTEGER(int, int)
HEDDLE_ORDERED_INTEGER(unsigned, unsigned)
HEDDLE_ORDERED_INTEGER(long, long long)
HEDDLE_ORDERED_INTEGER(unsigned long, unsigned long long)
HEDDLE_ORDERED_INTEGER(long long, long long)
HEDDLE_ORDERED_INTEGER(unsigned long long, unsigned long long)
#undef HEDDLE_ORDERED_UPDATE
#undef HEDDLE_ORDERED_SUMS
#undef HEDDLE_ORDERED_INTEGER
