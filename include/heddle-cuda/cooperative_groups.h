// Cooperative groups: blocks, tiles of a warp, threads that run together, and the grid.
#pragma once
#pragma GCC system_header

#include <type_traits>

#include "cuda_runtime.h"

#ifdef __CUDA__
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

// Null unless the launch is cooperative.
__device__ __forceinline__ unsigned* grid_barrier() {
    unsigned high, low;
    asm("mov.u32 %0, %%envreg1;" : "=r"(high));
    asm("mov.u32 %0, %%envreg2;" : "=r"(low));
    return reinterpret_cast<unsigned*>(static_cast<unsigned long long>(high) << 32 | low);
}

// A shuffle of any type that can be copied as bytes; `shuffle(value)` shuffles a number.
template <class T, class Shuffle>
__device__ __forceinline__ T shuffle(const T& value, Shuffle shuffle) {
    if constexpr (std::is_arithmetic_v<T>) {
        return shuffle(value);
    } else {
        static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 32,
                      "shuffles take types of at most 32 bytes that can be copied as bytes");
        unsigned words[(sizeof(T) + 3) / 4] = {};
        memcpy(words, &value, sizeof value);
        for (unsigned& word : words)
            word = shuffle(word);
        T out = value;
        memcpy(&out, words, sizeof out);
        return out;
    }
}

} // namespace detail

class thread_block {
public:
    __device__ __forceinline__ static void sync() {
        __syncthreads();
    }
    __device__ __forceinline__ static unsigned thread_rank() {
        return detail::rank_in_block();
    }
    __device__ __forceinline__ static unsigned num_threads() {
        return detail::threads_of_block();
    }
    __device__ __forceinline__ static unsigned size() {
        return num_threads();
    }
    __device__ __forceinline__ static dim3 group_index() {
        return blockIdx;
    }
    __device__ __forceinline__ static dim3 thread_index() {
        return threadIdx;
    }
    __device__ __forceinline__ static dim3 group_dim() {
        return blockDim;
    }
    __device__ __forceinline__ static dim3 dim_threads() {
        return blockDim;
    }
};
__device__ __forceinline__ thread_block this_thread_block() {
    return {};
}

// The grid. Its barrier is there in cooperative launches: it counts blocks in memory that the launch brings, and a block
// waits until the count is a whole multiple of all of them.
class grid_group {
public:
    __device__ __forceinline__ void sync() const {
        if (!is_valid())
            __builtin_trap();
        __syncthreads();
        if (detail::rank_in_block() == 0) {
            const unsigned blocks = static_cast<unsigned>(num_blocks());
            unsigned* const count = detail::grid_barrier();
            __threadfence();
            const unsigned goal = (atomicAdd(count, 1U) / blocks + 1) * blocks;
            while (static_cast<int>(*static_cast<volatile unsigned*>(count) - goal) < 0) {
            }
            __threadfence();
        }
        __syncthreads();
    }
    __device__ __forceinline__ static unsigned long long num_blocks() {
        return static_cast<unsigned long long>(gridDim.x) * gridDim.y * gridDim.z;
    }
    __device__ __forceinline__ static unsigned long long block_rank() {
        return (static_cast<unsigned long long>(blockIdx.z) * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    }
    __device__ __forceinline__ static unsigned long long num_threads() {
        return num_blocks() * detail::threads_of_block();
    }
    __device__ __forceinline__ static unsigned long long size() {
        return num_threads();
    }
    __device__ __forceinline__ static unsigned long long thread_rank() {
        return block_rank() * detail::threads_of_block() + detail::rank_in_block();
    }
    __device__ __forceinline__ static bool is_valid() {
        return detail::grid_barrier() != nullptr;
    }
    __device__ __forceinline__ static dim3 group_dim() {
        return gridDim;
    }
    __device__ __forceinline__ static dim3 dim_blocks() {
        return gridDim;
    }
    __device__ __forceinline__ static dim3 block_index() {
        return blockIdx;
    }
};
__device__ __forceinline__ grid_group this_grid() {
    return {};
}

// `Size` neighbouring threads of a warp: 1, 2, 4, 8, 16 or 32.
template <unsigned Size, class Parent = void>
class thread_block_tile {
    static_assert(Size >= 1 && Size <= 32 && (Size & (Size - 1)) == 0, "a tile has 1, 2, 4, 8, 16 or 32 threads");

public:
    __device__ __forceinline__ thread_block_tile(unsigned rank, unsigned tiles) : rank_(rank), tiles_(tiles) {}
    template <class Other>
    __device__ __forceinline__ thread_block_tile(const thread_block_tile<Size, Other>& other)
        : rank_(other.meta_group_rank()), tiles_(other.meta_group_size()) {}

    __device__ __forceinline__ void sync() const {
        __syncwarp(mask());
    }
    __device__ __forceinline__ static unsigned thread_rank() {
        return detail::lane() % Size;
    }
    __device__ __forceinline__ static constexpr unsigned num_threads() {
        return Size;
    }
    __device__ __forceinline__ static constexpr unsigned size() {
        return Size;
    }
    __device__ __forceinline__ unsigned meta_group_rank() const { // of the tile in what was partitioned
        return rank_;
    }
    __device__ __forceinline__ unsigned meta_group_size() const {
        return tiles_;
    }

    __device__ __forceinline__ static unsigned lanes() { // of the warp, as bits; not in CUDA
        return mask();
    }
    template <class T>
    __device__ __forceinline__ T shfl(T value, int source) const {
        return detail::shuffle(value, [&](auto v) { return __shfl_sync(mask(), v, source, Size); });
    }
    template <class T>
    __device__ __forceinline__ T shfl_up(T value, unsigned delta) const {
        return detail::shuffle(value, [&](auto v) { return __shfl_up_sync(mask(), v, delta, Size); });
    }
    template <class T>
    __device__ __forceinline__ T shfl_down(T value, unsigned delta) const {
        return detail::shuffle(value, [&](auto v) { return __shfl_down_sync(mask(), v, delta, Size); });
    }
    template <class T>
    __device__ __forceinline__ T shfl_xor(T value, int bits) const {
        return detail::shuffle(value, [&](auto v) { return __shfl_xor_sync(mask(), v, bits, Size); });
    }
    __device__ __forceinline__ int any(int predicate) const {
        return ballot(predicate) != 0;
    }
    __device__ __forceinline__ int all(int predicate) const {
        return ballot(predicate) == own(mask());
    }
    __device__ __forceinline__ unsigned ballot(int predicate) const {
        return own(__ballot_sync(mask(), predicate));
    }
    template <class T>
    __device__ __forceinline__ unsigned match_any(T value) const {
        return own(__match_any_sync(mask(), value));
    }
    template <class T>
    __device__ __forceinline__ unsigned match_all(T value, int& predicate) const {
        return own(__match_all_sync(mask(), value, &predicate));
    }

private:
    __device__ __forceinline__ static unsigned first_lane() {
        return detail::lane() & ~(Size - 1);
    }
    __device__ __forceinline__ static unsigned mask() {
        return (0xffffffffu >> (32 - Size)) << first_lane();
    }
    // Of lanes of the warp those of the tile, by their ranks.
    __device__ __forceinline__ static unsigned own(unsigned lanes) {
        return (lanes & mask()) >> first_lane();
    }

    unsigned rank_, tiles_;
};

template <unsigned Size>
__device__ __forceinline__ thread_block_tile<Size, thread_block> tiled_partition(const thread_block&) {
    return {detail::rank_in_block() / Size, (detail::threads_of_block() + Size - 1) / Size};
}
template <unsigned Size, unsigned From, class Parent>
__device__ __forceinline__ thread_block_tile<Size, thread_block_tile<From, Parent>>
tiled_partition(const thread_block_tile<From, Parent>&) {
    static_assert(Size <= From, "a tile is divided into smaller ones");
    return {detail::lane() % From / Size, From / Size};
}

// The threads of a warp that have come here together.
class coalesced_group {
public:
    __device__ __forceinline__ explicit coalesced_group(unsigned mask) : mask_(mask) {}

    __device__ __forceinline__ void sync() const {
        __syncwarp(mask_);
    }
    __device__ __forceinline__ unsigned thread_rank() const {
        return static_cast<unsigned>(__popc(mask_ & ((1u << detail::lane()) - 1)));
    }
    __device__ __forceinline__ unsigned num_threads() const {
        return static_cast<unsigned>(__popc(mask_));
    }
    __device__ __forceinline__ unsigned size() const {
        return num_threads();
    }
    __device__ __forceinline__ unsigned lanes() const { // of the warp, as bits; not in CUDA
        return mask_;
    }
    template <class T>
    __device__ __forceinline__ T shfl(T value, int source) const {
        const int lane = static_cast<int>(detail::lane_of_rank(mask_, static_cast<unsigned>(source) % size()));
        return detail::shuffle(value, [&](auto v) { return __shfl_sync(mask_, v, lane); });
    }
    template <class T>
    __device__ __forceinline__ T shfl_up(T value, unsigned delta) const {
        const unsigned rank = thread_rank();
        return shfl(value, static_cast<int>(rank < delta ? rank : rank - delta));
    }
    template <class T>
    __device__ __forceinline__ T shfl_down(T value, unsigned delta) const {
        const unsigned rank = thread_rank();
        return shfl(value, static_cast<int>(rank + delta < size() ? rank + delta : rank));
    }
    __device__ __forceinline__ int any(int predicate) const {
        return __any_sync(mask_, predicate);
    }
    __device__ __forceinline__ int all(int predicate) const {
        return __all_sync(mask_, predicate);
    }
    __device__ __forceinline__ unsigned ballot(int predicate) const {
        return by_rank(__ballot_sync(mask_, predicate));
    }
    template <class T>
    __device__ __forceinline__ unsigned match_any(T value) const {
        return by_rank(__match_any_sync(mask_, value));
    }
    template <class T>
    __device__ __forceinline__ unsigned match_all(T value, int& predicate) const {
        return by_rank(__match_all_sync(mask_, value, &predicate));
    }

private:
    __device__ __forceinline__ unsigned by_rank(unsigned lanes) const {
        unsigned ranks = 0, rank = 0;
        for (unsigned left = mask_; left != 0; left &= left - 1, ++rank)
            ranks |= ((lanes & (left & (0u - left))) != 0 ? 1u : 0u) << rank;
        return ranks;
    }

    unsigned mask_;
};
__device__ __forceinline__ coalesced_group coalesced_threads() {
    return coalesced_group(__activemask());
}

// The threads of a group with one label, or with one truth value.
template <class Label>
__device__ __forceinline__ coalesced_group labeled_partition(const coalesced_group& group, Label label) {
    return coalesced_group(__match_any_sync(group.lanes(), label));
}
template <unsigned Size, class Parent, class Label>
__device__ __forceinline__ coalesced_group labeled_partition(const thread_block_tile<Size, Parent>& tile, Label label) {
    return coalesced_group(__match_any_sync(tile.lanes(), label));
}
template <class Group>
__device__ __forceinline__ coalesced_group binary_partition(const Group& group, bool predicate) {
    return labeled_partition(group, predicate ? 1 : 0);
}

// A group of any kind.
class thread_group {
public:
    __device__ __forceinline__ thread_group(const thread_block&) : kind_(Kind::Block), lanes_(0) {}
    __device__ __forceinline__ thread_group(const grid_group&) : kind_(Kind::Grid), lanes_(0) {}
    __device__ __forceinline__ thread_group(const coalesced_group& group) : kind_(Kind::Lanes), lanes_(group.lanes()) {}
    template <unsigned Size, class Parent>
    __device__ __forceinline__ thread_group(const thread_block_tile<Size, Parent>& tile)
        : kind_(Kind::Lanes), lanes_(tile.lanes()) {}

    __device__ __forceinline__ void sync() const {
        if (kind_ == Kind::Grid)
            this_grid().sync();
        else if (kind_ == Kind::Block)
            __syncthreads();
        else
            __syncwarp(lanes_);
    }
    __device__ __forceinline__ unsigned long long num_threads() const {
        return kind_ == Kind::Grid    ? grid_group::num_threads()
               : kind_ == Kind::Block ? detail::threads_of_block()
                                      : coalesced_group(lanes_).num_threads();
    }
    __device__ __forceinline__ unsigned long long size() const {
        return num_threads();
    }
    __device__ __forceinline__ unsigned long long thread_rank() const {
        return kind_ == Kind::Grid    ? grid_group::thread_rank()
               : kind_ == Kind::Block ? detail::rank_in_block()
                                      : coalesced_group(lanes_).thread_rank();
    }
    // The lanes of the thread's own part, when the group is divided into parts of `threads`; not in CUDA.
    __device__ __forceinline__ unsigned lanes_of_part(unsigned threads) const {
        const unsigned all = kind_ == Kind::Lanes ? lanes_ : detail::lanes_of_block();
        const unsigned own = coalesced_group(all).thread_rank();
        unsigned part = 0, rank = 0;
        for (unsigned left = all; left != 0; left &= left - 1, ++rank)
            part |= rank / threads == own / threads ? left & (0u - left) : 0u;
        return part;
    }

private:
    enum class Kind { Grid, Block, Lanes };
    Kind kind_;
    unsigned lanes_; // of the warp
};

// Parts of 1, 2, 4, 8, 16 or 32 threads, the number known when the program runs.
__device__ __forceinline__ coalesced_group tiled_partition(const thread_group& group, unsigned threads) {
    return coalesced_group(group.lanes_of_part(threads));
}

template <class Group>
__device__ __forceinline__ void sync(const Group& group) {
    group.sync();
}

} // namespace cooperative_groups
#endif
