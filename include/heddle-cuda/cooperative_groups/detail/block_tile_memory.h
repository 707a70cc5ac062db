// Memory of a block by which warps of a tile meet and give each other values. Read by cooperative_groups.h.
#pragma once

#include "places.h"

namespace cooperative_groups {
namespace detail {

// A tile of more than a warp has 64, 128, ..., 1,024 threads.
struct TileMemory {
    unsigned arrived[5];           // for each size of tiles a bit for each warp: it waits for the others of its tile
    unsigned unused[3];            // the size is that of CUDA's
    unsigned long long values[32]; // of each warp one
};

// From compute capability 8.0 on the system reserves the memory, which is zero when a block begins.
__device__ __forceinline__ TileMemory* reserved_tile_memory() {
    unsigned offset;
    asm("mov.u32 %0, %%reserved_smem_offset_1;" : "=r"(offset));
    return static_cast<TileMemory*>(__cvta_shared_to_generic(offset));
}

// The warps of a tile of `Size` threads.
template <unsigned Size>
class TileWarps {
    static constexpr unsigned kWarps = Size / 32;

public:
    __device__ __forceinline__ explicit TileWarps(TileMemory* memory) : memory_(memory) {}

    __device__ __forceinline__ TileMemory* memory() const {
        return memory_;
    }
    __device__ __forceinline__ void meet() const {
        const unsigned own = 1u << warp(), all = (0xffffffffu >> (32 - kWarps)) << first_warp();
        unsigned* const arrived = &memory_->arrived[__ffs(static_cast<int>(Size / 64)) - 1];
        __syncwarp();
        if (lane() == 0) {
            __threadfence_block();
            if (((atomicOr(arrived, own) | own) & all) == all)
                atomicAnd(arrived, ~all);
            else
                while ((*static_cast<volatile unsigned*>(arrived) & own) != 0) {
                }
            __threadfence_block();
        }
        __syncwarp();
    }
    // Of each warp the value of lane `giver`: lane i gets that of warp i modulo the number of warps.
    template <class T>
    __device__ __forceinline__ T values(const T& value, unsigned giver) const {
        static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= sizeof *memory_->values,
                      "tiles of more than 32 threads exchange types of at most 8 bytes that can be copied as bytes");
        if (lane() == giver)
            memcpy(&memory_->values[warp()], &value, sizeof value);
        meet();
        T out = value;
        memcpy(&out, &memory_->values[first_warp() + lane() % kWarps], sizeof out);
        meet(); // all have read
        return out;
    }

private:
    __device__ __forceinline__ static unsigned warp() {
        return rank_in_block() / 32;
    }
    __device__ __forceinline__ static unsigned first_warp() {
        return warp() / kWarps * kWarps;
    }

    TileMemory* memory_;
};

} // namespace detail

// Shared memory for this_thread_block(): tiles of more than 32 threads of a block need it below compute capability 8.0.
template <unsigned MaxBlockSize = 1024>
struct __align__(8) block_tile_memory {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ < 800
private:
    char bytes_[sizeof(detail::TileMemory) - sizeof(unsigned long long) * (32 - MaxBlockSize / 32)];
#endif
};

} // namespace cooperative_groups
