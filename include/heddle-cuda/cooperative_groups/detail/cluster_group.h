// The cluster as a group. Read by cooperative_groups.h.
#pragma once

#include "places.h"

namespace cooperative_groups {

class cluster_group {
public:
    struct arrival_token {};

    __device__ __forceinline__ static void sync() {
        barrier_arrive();
        barrier_wait();
    }
    __device__ __forceinline__ static arrival_token barrier_arrive() {
        __cluster_barrier_arrive();
        return {};
    }
    __device__ __forceinline__ static void barrier_wait() {
        __cluster_barrier_wait();
    }
    __device__ __forceinline__ static void barrier_wait(arrival_token&&) {
        __cluster_barrier_wait();
    }

    __device__ __forceinline__ static unsigned query_shared_rank(const void* address) {
        return __cluster_query_shared_rank(address);
    }
    template <class T>
    __device__ __forceinline__ static T* map_shared_rank(T* address, int rank) {
        return static_cast<T*>(__cluster_map_shared_rank(address, static_cast<unsigned>(rank)));
    }

    __device__ __forceinline__ static dim3 block_index() {
        return __clusterRelativeBlockIdx();
    }
    __device__ __forceinline__ static unsigned block_rank() {
        return __clusterRelativeBlockRank();
    }
    __device__ __forceinline__ static dim3 dim_blocks() {
        return __clusterDim();
    }
    __device__ __forceinline__ static unsigned num_blocks() {
        return __clusterSizeInBlocks();
    }
    __device__ __forceinline__ static dim3 thread_index() {
        return detail::index_in_blocks(block_index());
    }
    __device__ __forceinline__ static unsigned thread_rank() {
        return block_rank() * detail::threads_of_block() + detail::rank_in_block();
    }
    __device__ __forceinline__ static dim3 dim_threads() {
        return detail::threads_of_blocks(dim_blocks());
    }
    __device__ __forceinline__ static unsigned num_threads() {
        return num_blocks() * detail::threads_of_block();
    }
    __device__ __forceinline__ static unsigned size() {
        return num_threads();
    }
};
__device__ __forceinline__ cluster_group this_cluster() {
    return {};
}

} // namespace cooperative_groups
