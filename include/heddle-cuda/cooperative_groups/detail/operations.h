// Operations of reductions and scans, and their updates of cuda::atomic and cuda::atomic_ref. Read by reduce.h.
#pragma once

#include <type_traits>

// As CUDA's headers of these groups do, where libcu++ is there and has atomics for the device.
#if __has_include(<cuda/atomic>) && (!defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600)
#include <cuda/atomic>
#define HEDDLE_CUDA_ATOMIC_OBJECTS
#endif

namespace cooperative_groups {

#define HEDDLE_CUDA_OPERATION(name, expression)                                                                        \
    template <class T>                                                                                                 \
    struct name {                                                                                                      \
        __device__ __forceinline__ T operator()(const T& a, const T& b) const {                                        \
            return expression;                                                                                         \
        }                                                                                                              \
    };
HEDDLE_CUDA_OPERATION(plus, a + b)
HEDDLE_CUDA_OPERATION(less, b < a ? b : a)
HEDDLE_CUDA_OPERATION(greater, a < b ? b : a)
HEDDLE_CUDA_OPERATION(bit_and, a& b)
HEDDLE_CUDA_OPERATION(bit_or, a | b)
HEDDLE_CUDA_OPERATION(bit_xor, a ^ b)
#undef HEDDLE_CUDA_OPERATION

#ifdef HEDDLE_CUDA_ATOMIC_OBJECTS
namespace detail {

// Returns the value before. fetch_min and fetch_max of libcu++ 1.8 compare signed numbers as unsigned ones.
template <class Atomic, class T, class Operation>
__device__ __forceinline__ T atomic_update(Atomic& to, const T& value, Operation& operation) {
    constexpr auto kRelaxed = cuda::std::memory_order_relaxed;
    using Known = std::decay_t<Operation>;
    if constexpr (std::is_integral_v<T> && std::is_same_v<Known, plus<T>>) {
        return to.fetch_add(value, kRelaxed);
    } else if constexpr (std::is_unsigned_v<T> && std::is_same_v<Known, less<T>>) {
        return to.fetch_min(value, kRelaxed);
    } else if constexpr (std::is_unsigned_v<T> && std::is_same_v<Known, greater<T>>) {
        return to.fetch_max(value, kRelaxed);
    } else if constexpr (std::is_integral_v<T> && std::is_same_v<Known, bit_and<T>>) {
        return to.fetch_and(value, kRelaxed);
    } else if constexpr (std::is_integral_v<T> && std::is_same_v<Known, bit_or<T>>) {
        return to.fetch_or(value, kRelaxed);
    } else if constexpr (std::is_integral_v<T> && std::is_same_v<Known, bit_xor<T>>) {
        return to.fetch_xor(value, kRelaxed);
    } else {
        T before = to.load(kRelaxed);
        while (!to.compare_exchange_weak(before, operation(before, value), kRelaxed)) {
        }
        return before;
    }
}

} // namespace detail
#endif

} // namespace cooperative_groups
