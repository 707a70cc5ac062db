// Reductions over a group: every thread gets the result.
#pragma once
#pragma GCC system_header

#include "../cooperative_groups.h"

#ifdef __CUDA__
namespace cooperative_groups {

#define HEDDLE_CUDA_REDUCTION(name, expression)                                                                        \
    template <class T>                                                                                                 \
    struct name {                                                                                                      \
        __device__ __forceinline__ T operator()(const T& a, const T& b) const {                                        \
            return expression;                                                                                         \
        }                                                                                                              \
    };
HEDDLE_CUDA_REDUCTION(plus, a + b)
HEDDLE_CUDA_REDUCTION(less, b < a ? b : a)
HEDDLE_CUDA_REDUCTION(greater, a < b ? b : a)
HEDDLE_CUDA_REDUCTION(bit_and, a& b)
HEDDLE_CUDA_REDUCTION(bit_or, a | b)
HEDDLE_CUDA_REDUCTION(bit_xor, a ^ b)
#undef HEDDLE_CUDA_REDUCTION

template <unsigned Size, class Parent, class T, class Operation>
__device__ __forceinline__ T reduce(const thread_block_tile<Size, Parent>& tile, T value, Operation operation) {
    for (unsigned distance = Size / 2; distance != 0; distance /= 2)
        value = operation(value, tile.shfl_xor(value, static_cast<int>(distance)));
    return value;
}
template <class T, class Operation>
__device__ __forceinline__ T reduce(const coalesced_group& group, T value, Operation operation) {
    T sum = group.shfl(value, 0);
    for (unsigned rank = 1; rank < group.size(); ++rank)
        sum = operation(sum, group.shfl(value, static_cast<int>(rank)));
    return sum;
}

} // namespace cooperative_groups
#endif
