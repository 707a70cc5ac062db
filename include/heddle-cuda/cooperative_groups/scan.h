// Scans over a group: every thread gets what the values of the threads up to it, or before it, give.
#pragma once
#pragma GCC system_header

#include "reduce.h"

#ifdef __CUDA__
namespace cooperative_groups {
namespace detail {

template <class T>
struct Scans {
    T inclusive, exclusive; // exclusive: of the first thread T()
};
template <class Group, class T, class Operation>
__device__ __forceinline__ Scans<T> scans(const Group& group, T value, Operation operation);
template <unsigned Size, class Parent, class T, class Operation>
__device__ __forceinline__ Scans<T> scans_of_warps(const thread_block_tile<Size, Parent>& tile, T value,
                                                   Operation operation);

} // namespace detail

template <unsigned Size, class Parent, class T, class Operation>
__device__ __forceinline__ T inclusive_scan(const thread_block_tile<Size, Parent>& tile, T value, Operation operation) {
    if constexpr (Size > 32) {
        return detail::scans_of_warps(tile, value, operation).inclusive;
    } else {
        for (unsigned distance = 1; distance < Size; distance *= 2) {
            const T before = tile.shfl_up(value, distance);
            if (tile.thread_rank() >= distance)
                value = operation(before, value);
        }
        return value;
    }
}
template <class T, class Operation>
__device__ __forceinline__ T inclusive_scan(const coalesced_group& group, T value, Operation operation) {
    T sum = value;
    for (unsigned distance = 1; distance < group.size(); ++distance) {
        const T before = group.shfl_up(value, distance);
        if (group.thread_rank() >= distance)
            sum = operation(before, sum);
    }
    return sum;
}
template <class Group, class T>
__device__ __forceinline__ T inclusive_scan(const Group& group, T value) {
    return inclusive_scan(group, value, plus<T>());
}

// The first thread gets T().
template <class Group, class T, class Operation>
__device__ __forceinline__ T exclusive_scan(const Group& group, T value, Operation operation) {
    return detail::scans(group, value, operation).exclusive;
}
template <class Group, class T>
__device__ __forceinline__ T exclusive_scan(const Group& group, T value) {
    return exclusive_scan(group, value, plus<T>());
}

namespace detail {

template <class Group, class T, class Operation>
__device__ __forceinline__ Scans<T> scans(const Group& group, T value, Operation operation) {
    if constexpr (kLargestTile < Group >> 32) {
        return scans_of_warps(group, value, operation);
    } else {
        const T inclusive = inclusive_scan(group, value, operation), before = group.shfl_up(inclusive, 1);
        return {inclusive, group.thread_rank() == 0 ? T() : before};
    }
}
template <unsigned Size, class Parent, class T, class Operation>
__device__ __forceinline__ Scans<T> scans_of_warps(const thread_block_tile<Size, Parent>& tile, T value,
                                                   Operation operation) {
    const auto warp = tiled_partition<32>(tile);
    const auto warps = tiled_partition<Size / 32>(warp);
    const Scans<T> of_warp = scans(warp, value, operation);
    const T sum_of_warp = tile.warps().values(of_warp.inclusive, 31);
    const T before =
        warps.shfl(exclusive_scan(warps, sum_of_warp, operation), static_cast<int>(warp.meta_group_rank()));
    if (warp.meta_group_rank() == 0)
        return of_warp;
    return {operation(before, of_warp.inclusive),
            warp.thread_rank() == 0 ? before : operation(before, of_warp.exclusive)};
}

} // namespace detail

#ifdef HEDDLE_CUDA_ATOMIC_OBJECTS
namespace detail {

// The last thread updates the variable by the sum of all; every thread gets the value before.
template <class Group, class Atomic, class T, class Operation>
__device__ __forceinline__ T update_by_last(const Group& group, Atomic& to, const T& sum, Operation& operation) {
    const unsigned last = static_cast<unsigned>(group.size()) - 1;
    T before = sum;
    if (group.thread_rank() == last)
        before = atomic_update(to, sum, operation);
    return group.shfl(before, static_cast<int>(last));
}
template <class Group, class Atomic, class T, class Operation>
__device__ __forceinline__ T inclusive_scan_update(const Group& group, Atomic& to, T value, Operation operation) {
    const T scan = inclusive_scan(group, value, operation);
    return operation(update_by_last(group, to, scan, operation), scan);
}
// The first thread of a tile of several warps gets the value before, that of another group gets it with T(), as in
// CUDA.
template <class Group, class Atomic, class T, class Operation>
__device__ __forceinline__ T exclusive_scan_update(const Group& group, Atomic& to, T value, Operation operation) {
    const Scans<T> scan = scans(group, value, operation);
    const T before = update_by_last(group, to, scan.inclusive, operation);
    return kLargestTile<Group> > 32 && group.thread_rank() == 0 ? before : operation(before, scan.exclusive);
}

} // namespace detail

#define HEDDLE_CUDA_SCAN(name, Atomic)                                                                                 \
    template <class Group, class T, cuda::thread_scope Scope, class Value, class Operation>                            \
    __device__ __forceinline__ T name(const Group& group, Atomic<T, Scope>& to, Value value, Operation operation) {    \
        static_assert(std::is_same_v<T, Value>, "the variable and the values have one type");                          \
        return detail::name(group, to, value, operation);                                                              \
    }                                                                                                                  \
    template <class Group, class T, cuda::thread_scope Scope, class Value>                                             \
    __device__ __forceinline__ T name(const Group& group, Atomic<T, Scope>& to, Value value) {                         \
        return name(group, to, value, plus<T>());                                                                      \
    }
HEDDLE_CUDA_SCAN(inclusive_scan_update, cuda::atomic)
HEDDLE_CUDA_SCAN(inclusive_scan_update, const cuda::atomic_ref)
HEDDLE_CUDA_SCAN(exclusive_scan_update, cuda::atomic)
HEDDLE_CUDA_SCAN(exclusive_scan_update, const cuda::atomic_ref)
#undef HEDDLE_CUDA_SCAN
#endif

} // namespace cooperative_groups
#endif
