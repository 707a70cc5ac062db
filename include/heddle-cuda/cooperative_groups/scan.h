// Scans over a group: every thread gets what the values of the threads up to it, or before it, give.
#pragma once
#pragma GCC system_header

#include "reduce.h"

#ifdef __CUDA__
namespace cooperative_groups {

template <unsigned Size, class Parent, class T, class Operation>
__device__ __forceinline__ T inclusive_scan(const thread_block_tile<Size, Parent>& tile, T value, Operation operation) {
    for (unsigned distance = 1; distance < Size; distance *= 2) {
        const T before = tile.shfl_up(value, distance);
        if (tile.thread_rank() >= distance)
            value = operation(before, value);
    }
    return value;
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
    const T before = group.shfl_up(inclusive_scan(group, value, operation), 1);
    return group.thread_rank() == 0 ? T() : before;
}
template <class Group, class T>
__device__ __forceinline__ T exclusive_scan(const Group& group, T value) {
    return exclusive_scan(group, value, plus<T>());
}

} // namespace cooperative_groups
#endif
