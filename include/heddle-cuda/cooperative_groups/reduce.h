// Reductions over a group: every thread gets the result, or a variable does.
#pragma once
#pragma GCC system_header

#include "../cooperative_groups.h"

#ifdef __CUDA__
#include "detail/operations.h"

namespace cooperative_groups {

template <unsigned Size, class Parent, class T, class Operation>
__device__ __forceinline__ T reduce(const thread_block_tile<Size, Parent>& tile, T value, Operation operation) {
    if constexpr (Size > 32) {
        const auto warp = tiled_partition<32>(tile);
        const T of_warp = tile.warps().values(reduce(warp, value, operation), 0);
        return reduce(tiled_partition<Size / 32>(warp), of_warp, operation);
    } else {
        for (unsigned distance = Size / 2; distance != 0; distance /= 2)
            value = operation(value, tile.shfl_xor(value, static_cast<int>(distance)));
        return value;
    }
}
template <class T, class Operation>
__device__ __forceinline__ T reduce(const coalesced_group& group, T value, Operation operation) {
    T sum = group.shfl(value, 0);
    for (unsigned rank = 1; rank < group.size(); ++rank)
        sum = operation(sum, group.shfl(value, static_cast<int>(rank)));
    return sum;
}

template <class Group, class T, class Value, class Operation>
__device__ __forceinline__ void reduce_store_async(const Group& group, T* to, Value value, Operation operation) {
    static_assert(std::is_same_v<T, Value>, "the variable and the values have one type");
    const T all = reduce(group, value, operation);
    if (group.thread_rank() == 0)
        *to = all;
}
#ifdef HEDDLE_CUDA_ATOMIC_OBJECTS
namespace detail {

template <class Group, class Atomic, class T, class Operation>
__device__ __forceinline__ void reduce_store(const Group& group, Atomic& to, T value, Operation operation) {
    const T all = reduce(group, value, operation);
    if (group.thread_rank() == 0)
        to.store(all, cuda::std::memory_order_relaxed);
}
template <class Group, class Atomic, class T, class Operation>
__device__ __forceinline__ void reduce_update(const Group& group, Atomic& to, T value, Operation operation) {
    const T all = reduce(group, value, operation);
    if (group.thread_rank() == 0)
        atomic_update(to, all, operation);
}

} // namespace detail

#define HEDDLE_CUDA_REDUCTION(name, Atomic)                                                                            \
    template <class Group, class T, cuda::thread_scope Scope, class Value, class Operation>                            \
    __device__ __forceinline__ void name##_async(const Group& group, Atomic<T, Scope>& to, Value value,                \
                                                 Operation operation) {                                                \
        static_assert(std::is_same_v<T, Value>, "the variable and the values have one type");                          \
        detail::name(group, to, value, operation);                                                                     \
    }
HEDDLE_CUDA_REDUCTION(reduce_store, cuda::atomic)
HEDDLE_CUDA_REDUCTION(reduce_store, const cuda::atomic_ref)
HEDDLE_CUDA_REDUCTION(reduce_update, cuda::atomic)
HEDDLE_CUDA_REDUCTION(reduce_update, const cuda::atomic_ref)
#undef HEDDLE_CUDA_REDUCTION
#endif

} // namespace cooperative_groups
#endif
