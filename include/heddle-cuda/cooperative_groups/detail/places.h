// Where a thread is in its warp and block. Read by cooperative_groups.h.
#pragma once

namespace cooperative_groups {
namespace detail {

__device__ __forceinline__ unsigned lane() {
    return __nvvm_read_ptx_sreg_laneid();
}
__device__ __forceinline__ unsigned rank_in_block() {
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
__device__ __forceinline__ unsigned threads_of_block() {
    return blockDim.x * blockDim.y * blockDim.z;
}
// Lanes of the thread's warp that have threads.
__device__ __forceinline__ unsigned lanes_of_block() {
    const unsigned left = threads_of_block() - rank_in_block() / 32 * 32;
    return left >= 32 ? 0xffffffffu : (1u << left) - 1;
}
// The lane that has place `rank` among those of a mask.
__device__ __forceinline__ unsigned lane_of_rank(unsigned mask, unsigned rank) {
    for (; rank != 0; --rank)
        mask &= mask - 1;
    return static_cast<unsigned>(__ffs(static_cast<int>(mask)) - 1);
}
// Of all threads in the blocks of a grid or of a cluster.
__device__ __forceinline__ dim3 threads_of_blocks(dim3 blocks) {
    return dim3(blocks.x * blockDim.x, blocks.y * blockDim.y, blocks.z * blockDim.z);
}
__device__ __forceinline__ dim3 index_in_blocks(dim3 block) {
    return dim3(block.x * blockDim.x + threadIdx.x, block.y * blockDim.y + threadIdx.y,
                block.z * blockDim.z + threadIdx.z);
}

} // namespace detail
} // namespace cooperative_groups
