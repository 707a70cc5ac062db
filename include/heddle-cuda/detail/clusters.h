// Blocks of a cluster: their places, their shared memory, their barrier (CUDA Programming Guide, "Thread Block
// Clusters").
#pragma once

#include "address_spaces.h"
#include "builtin_variables.h"
#include "intrinsics.h"

#define HEDDLE_CUDA_CLUSTER_NUMBER(name, number)                                                                       \
    HEDDLE_CUDA_DEVICE unsigned name() {                                                                               \
        unsigned r;                                                                                                    \
        asm("mov.u32 %0, %%" number ";" : "=r"(r));                                                                    \
        return r;                                                                                                      \
    }
#define HEDDLE_CUDA_CLUSTER_NUMBERS(name, numbers)                                                                     \
    HEDDLE_CUDA_DEVICE dim3 name() {                                                                                   \
        dim3 r;                                                                                                        \
        asm("mov.u32 %0, %%" numbers ".x;" : "=r"(r.x));                                                               \
        asm("mov.u32 %0, %%" numbers ".y;" : "=r"(r.y));                                                               \
        asm("mov.u32 %0, %%" numbers ".z;" : "=r"(r.z));                                                               \
        return r;                                                                                                      \
    }
HEDDLE_CUDA_CLUSTER_NUMBER(__clusterRelativeBlockRank, "cluster_ctarank")
HEDDLE_CUDA_CLUSTER_NUMBER(__clusterSizeInBlocks, "cluster_nctarank")
HEDDLE_CUDA_CLUSTER_NUMBERS(__clusterDim, "cluster_nctaid")
HEDDLE_CUDA_CLUSTER_NUMBERS(__clusterRelativeBlockIdx, "cluster_ctaid")
HEDDLE_CUDA_CLUSTER_NUMBERS(__clusterIdx, "clusterid")
HEDDLE_CUDA_CLUSTER_NUMBERS(__clusterGridDimInClusters, "nclusterid")
#undef HEDDLE_CUDA_CLUSTER_NUMBER
#undef HEDDLE_CUDA_CLUSTER_NUMBERS

// Whether the launch or the kernel names a shape.
HEDDLE_CUDA_DEVICE unsigned __clusterDimIsSpecified() {
    unsigned r;
    asm("{ .reg .pred is; mov.pred is, %%is_explicit_cluster; selp.u32 %0, 1, 0, is; }" : "=r"(r));
    return r;
}

HEDDLE_CUDA_DEVICE unsigned __isCtaShared(const void* p) {
    return __isShared(p);
}
HEDDLE_CUDA_DEVICE unsigned __isClusterShared(const void* p) {
    unsigned r;
    asm("{ .reg .pred in; isspacep.shared::cluster in, %1; selp.u32 %0, 1, 0, in; }" : "=r"(r) : "l"(p));
    return r;
}
// What lies in another block where the pointer's variable lies in this one.
HEDDLE_CUDA_DEVICE void* __cluster_map_shared_rank(const void* p, unsigned block_rank) {
    void* r;
    asm("mapa.u64 %0, %1, %2;" : "=l"(r) : "l"(p), "r"(block_rank));
    return r;
}
HEDDLE_CUDA_DEVICE unsigned __cluster_query_shared_rank(const void* p) {
    unsigned r;
    asm("getctarank.u64 %0, %1;" : "=r"(r) : "l"(p));
    return r;
}
// The operands of a copy to the blocks of the mask.
HEDDLE_CUDA_DEVICE uint2 __cluster_map_shared_multicast(const void* p, unsigned block_mask) {
    return uint2{static_cast<unsigned>(__cvta_generic_to_shared(p)), block_mask};
}

#define HEDDLE_CUDA_CLUSTER_ORDER(name, instruction)                                                                   \
    HEDDLE_CUDA_DEVICE void name() {                                                                                   \
        asm volatile(instruction ";" ::: "memory");                                                                    \
    }
HEDDLE_CUDA_CLUSTER_ORDER(__cluster_barrier_arrive, "barrier.cluster.arrive")
HEDDLE_CUDA_CLUSTER_ORDER(__cluster_barrier_arrive_relaxed, "barrier.cluster.arrive.relaxed")
HEDDLE_CUDA_CLUSTER_ORDER(__cluster_barrier_wait, "barrier.cluster.wait")
HEDDLE_CUDA_CLUSTER_ORDER(__threadfence_cluster, "fence.sc.cluster")
#undef HEDDLE_CUDA_CLUSTER_ORDER
