// What programs written as for Hopper have in common: barrier objects, bulk copies of tensors, descriptors of tiles,
// products of warpgroups, clusters.
#pragma once

#include <cstdint>

#include <cuda.h>

// clang compiles for every chip; nvcc for sm_90a only.
#if defined(__clang__) || !defined(__CUDA_ARCH__) || defined(__CUDA_ARCH_FEAT_SM90_ALL)
#define HAS_WARPGROUPS 1
#else
#define HAS_WARPGROUPS 0
#endif

__device__ inline uint32_t shared_address(const void* p) {
    return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}

// Barrier objects.

__device__ inline void init(uint64_t* object, uint32_t arrivals) {
    if (HAS_WARPGROUPS)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(object)), "r"(arrivals) : "memory");
}

// Behind the last init: bulk copies and other blocks see the objects.
__device__ inline void show_objects() {
    if (HAS_WARPGROUPS)
        asm volatile("fence.mbarrier_init.release.cluster;\nfence.proxy.async.shared::cta;" ::: "memory");
}

__device__ inline void arrive(uint64_t* object) {
    if (HAS_WARPGROUPS)
        asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(object)) : "memory");
}

// Arrives at the object of a block of the cluster.
__device__ inline void arrive_at(uint64_t* object, uint32_t block) {
    if (HAS_WARPGROUPS)
        asm volatile("{\n"
                     ".reg .b32 at;\n"
                     "mapa.shared::cluster.u32 at, %0, %1;\n"
                     "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [at];\n"
                     "}" ::"r"(shared_address(object)),
                     "r"(block)
                     : "memory");
}

__device__ inline void expect(uint64_t* object, uint32_t bytes) {
    if (HAS_WARPGROUPS)
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(object)), "r"(bytes)
                     : "memory");
}

__device__ inline void wait(uint64_t* object, uint32_t parity) {
    if (HAS_WARPGROUPS)
        asm volatile("{\n"
                     ".reg .pred p;\n"
                     "again: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n"
                     "@!p bra again;\n"
                     "}" ::"r"(shared_address(object)),
                     "r"(parity)
                     : "memory");
}

// Bulk copies of boxes of tensors.

__device__ inline void load(void* to, const CUtensorMap* map, int x, int y, uint64_t* object) {
    if (HAS_WARPGROUPS)
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
                     "[%0], [%1, {%2, %3}], [%4];" ::"r"(shared_address(to)),
                     "l"(map), "r"(x), "r"(y), "r"(shared_address(object))
                     : "memory");
}

// To the same place of each block of the cluster whose bit is set.
__device__ inline void load_for(uint16_t blocks, void* to, const CUtensorMap* map, int x, int y, uint64_t* object) {
    if (HAS_WARPGROUPS)
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
                     ".multicast::cluster [%0], [%1, {%2, %3}], [%4], %5;" ::"r"(shared_address(to)),
                     "l"(map), "r"(x), "r"(y), "r"(shared_address(object)), "h"(blocks)
                     : "memory");
}

__device__ inline void load(void* to, const CUtensorMap* map, int x, int y, int z, uint64_t* object) {
    if (HAS_WARPGROUPS)
        asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
                     "[%0], [%1, {%2, %3, %4}], [%5];" ::"r"(shared_address(to)),
                     "l"(map), "r"(x), "r"(y), "r"(z), "r"(shared_address(object))
                     : "memory");
}

__device__ inline void store(const CUtensorMap* map, int x, int y, int z, const void* from) {
    if (HAS_WARPGROUPS)
        asm volatile("cp.async.bulk.tensor.3d.global.shared::cta.tile.bulk_group [%0, {%1, %2, %3}], [%4];\n"
                     "cp.async.bulk.commit_group;" ::"l"(map),
                     "r"(x), "r"(y), "r"(z), "r"(shared_address(from))
                     : "memory");
}

__device__ inline void store(const CUtensorMap* map, int x, int y, const void* from) {
    if (HAS_WARPGROUPS)
        asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%1, %2}], [%3];\n"
                     "cp.async.bulk.commit_group;" ::"l"(map),
                     "r"(x), "r"(y), "r"(shared_address(from))
                     : "memory");
}

// Until the bulk stores of the thread have read shared memory.
__device__ inline void wait_for_stores() {
    if (HAS_WARPGROUPS)
        asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
}

// What the thread has written to shared memory is there for bulk copies and products.
__device__ inline void show_shared() {
    if (HAS_WARPGROUPS)
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

// Tiles of lines of 128 bytes, in the swizzle of 128 bytes: 8 lines each 1024 bytes.

// Where 16 bytes of a line are.
__device__ inline unsigned char* place(unsigned char* tile, unsigned line, unsigned chunk) {
    return tile + line * 128 + (chunk ^ line % 8) * 16;
}

// The descriptor of a tile. `leading`: bytes from 64 columns of B to the next 64, where lines are along them.
__device__ inline uint64_t descriptor(const unsigned char* tile, uint64_t leading = 16) {
    const uint64_t start = shared_address(tile);
    return (start & 0x3ffff) >> 4 | leading >> 4 << 16 | uint64_t{1024 >> 4} << 32 | uint64_t{1} << 62;
}

// Stores four matrices of 8 x 8 values of 16 bits: lane i has the address of line i % 8 of matrix i / 8.
__device__ inline void store_matrices(unsigned char* to, uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
    if (HAS_WARPGROUPS)
        asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(shared_address(to)),
                     "r"(a), "r"(b), "r"(c), "r"(d)
                     : "memory");
}

// Products of a warpgroup.

#define HOPPER_TEN(t) "%" t "0, %" t "1, %" t "2, %" t "3, %" t "4, %" t "5, %" t "6, %" t "7, %" t "8, %" t "9, "
#define HOPPER_TENS_TO_30 HOPPER_TEN("") HOPPER_TEN("1") HOPPER_TEN("2")
#define HOPPER_TENS_TO_60 HOPPER_TENS_TO_30 HOPPER_TEN("3") HOPPER_TEN("4") HOPPER_TEN("5")
#define HOPPER_SUMS_4 "{%0, %1, %2, %3}"
#define HOPPER_SUMS_32 "{" HOPPER_TENS_TO_30 "%30, %31}"
#define HOPPER_SUMS_64 "{" HOPPER_TENS_TO_60 "%60, %61, %62, %63}"
#define HOPPER_SUMS_96                                                                                                 \
    "{" HOPPER_TENS_TO_60 HOPPER_TEN("6") HOPPER_TEN("7") HOPPER_TEN("8") "%90, %91, %92, %93, %94, %95}"
#define HOPPER_SUMS_128                                                                                                \
    "{" HOPPER_TENS_TO_60 HOPPER_TEN("6") HOPPER_TEN("7") HOPPER_TEN("8") HOPPER_TEN("9") HOPPER_TEN("10")             \
    HOPPER_TEN("11") "%120, %121, %122, %123, %124, %125, %126, %127}"
#define HOPPER_D4(i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3])
#define HOPPER_D16(i) HOPPER_D4(i), HOPPER_D4(i + 4), HOPPER_D4(i + 8), HOPPER_D4(i + 12)
#define HOPPER_D32(i) HOPPER_D16(i), HOPPER_D16(i + 16)
#define HOPPER_D64(i) HOPPER_D32(i), HOPPER_D32(i + 32)
#define HOPPER_D96(i) HOPPER_D64(i), HOPPER_D32(i + 64)
#define HOPPER_D128(i) HOPPER_D64(i), HOPPER_D64(i + 64)

// d = a x b, or d += a x b with kAdds, for 16 elements along k; both factors in shared memory. The lines of `a` are
// along k, those of `b` likewise, or along its columns with kTransposed. The last four arguments are the numbers of the
// operands behind the sums.
#define HOPPER_PRODUCT(NAME, COLUMNS, TYPE, COUNT, SUMS, REGISTERS, A, B, ADDS, TRANSPOSED)                            \
    template <bool kAdds = true, bool kTransposed = false>                                                             \
    __device__ inline void NAME(float(&d)[COUNT], uint64_t a, uint64_t b) {                                            \
        if (HAS_WARPGROUPS)                                                                                            \
            asm volatile("wgmma.mma_async.sync.aligned.m64n" COLUMNS "k16.f32." TYPE "." TYPE " " SUMS ", %" A ", %" B \
                         ", %" ADDS ", 1, 1, 0, %" TRANSPOSED ";"                                                      \
                         : REGISTERS                                                                                   \
                         : "l"(a), "l"(b), "n"(int{kAdds}), "n"(int{kTransposed}));                                    \
    }

HOPPER_PRODUCT(multiply, "64", "f16", 32, HOPPER_SUMS_32, HOPPER_D32(0), "32", "33", "34", "35")
HOPPER_PRODUCT(multiply, "128", "f16", 64, HOPPER_SUMS_64, HOPPER_D64(0), "64", "65", "66", "67")
HOPPER_PRODUCT(multiply, "192", "f16", 96, HOPPER_SUMS_96, HOPPER_D96(0), "96", "97", "98", "99")
HOPPER_PRODUCT(multiply_bf16, "256", "bf16", 128, HOPPER_SUMS_128, HOPPER_D128(0), "128", "129", "130", "131")

// d += a x b, `a` in registers, lines of `b` along its columns.
__device__ inline void multiply(float (&d)[32], const uint32_t (&a)[4], uint64_t b) {
    if (HAS_WARPGROUPS)
        asm volatile("wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 " HOPPER_SUMS_32
                     ", {%32, %33, %34, %35}, %36, 1, 1, 1, 1;"
                     : HOPPER_D32(0)
                     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b));
}

__device__ inline void begin_products() {
    if (HAS_WARPGROUPS)
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}

__device__ inline void commit_products() {
    if (HAS_WARPGROUPS)
        asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

// Until all but the last kGroups groups are done.
template <int kGroups>
__device__ inline void wait_for_products() {
    if (HAS_WARPGROUPS)
        asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(kGroups) : "memory");
}

__device__ inline void end_products() {
    commit_products();
    wait_for_products<0>();
}

// Behind a wait for products: no instruction that reads the sums goes before it.
template <unsigned kCount>
__device__ inline void settle(float (&d)[kCount]) {
#pragma unroll
    for (unsigned i = 0; i < kCount; ++i)
        asm volatile("" : "+f"(d[i])::"memory");
}

// The limit of the warpgroup's registers.
template <int kRegisters>
__device__ inline void take_registers() {
    if (HAS_WARPGROUPS)
        asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(kRegisters));
}

template <int kRegisters>
__device__ inline void give_registers() {
    if (HAS_WARPGROUPS)
        asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(kRegisters));
}

// Clusters.

__device__ inline uint32_t rank_in_cluster() {
    uint32_t rank = 0;
    if (HAS_WARPGROUPS)
        asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
}

__device__ inline void meet_cluster() {
    if (HAS_WARPGROUPS)
        asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
}
