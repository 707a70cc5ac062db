// Cooperative groups: blocks, tiles of them, threads that run together, clusters, and the grid.
#pragma once
#pragma GCC system_header

#include <type_traits>
#include <utility>

#include "cuda_runtime.h"

#ifdef __CUDA__
#include "cooperative_groups/detail/block_tile_memory.h"
#include "cooperative_groups/detail/cluster_group.h"
#include "cooperative_groups/detail/invoke.h"
#include "cooperative_groups/detail/places.h"

namespace cooperative_groups {
namespace detail {

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
    struct arrival_token {};

    __device__ __forceinline__ thread_block() : tile_memory_(nullptr) {}
    // A collective operation of the block.
    template <unsigned MaxBlockSize>
    __device__ __forceinline__ explicit thread_block(block_tile_memory<MaxBlockSize>& memory)
        : tile_memory_(reinterpret_cast<detail::TileMemory*>(&memory)) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ < 800 // else the system's memory is taken
        if (thread_rank() == 0)
            for (unsigned& word : tile_memory_->arrived)
                word = 0;
        sync();
#endif
    }

    __device__ __forceinline__ static void sync() {
        __syncthreads();
    }
    __device__ __forceinline__ arrival_token barrier_arrive() const {
        return {};
    }
    // The whole barrier: a block's barrier has no arrival that says which phase it belongs to.
    __device__ __forceinline__ void barrier_wait(arrival_token&&) const {
        sync();
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

    __device__ __forceinline__ detail::TileMemory* tile_memory() const { // not in CUDA
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
        return detail::reserved_tile_memory();
#else
        if (tile_memory_ == nullptr) // this_thread_block() got no block_tile_memory
            __builtin_trap();
        return tile_memory_;
#endif
    }

private:
    detail::TileMemory* tile_memory_;
};
__device__ __forceinline__ thread_block this_thread_block() {
    return {};
}
template <unsigned MaxBlockSize>
__device__ __forceinline__ thread_block this_thread_block(block_tile_memory<MaxBlockSize>& memory) {
    return thread_block(memory);
}

// The grid. Its barrier is there in cooperative launches: it counts blocks in memory that the launch brings, and a
// block waits until the count is a whole multiple of all of them.
class grid_group {
public:
    using arrival_token = unsigned; // of the first thread of a block: the count that it waits for

    __device__ __forceinline__ void sync() const {
        barrier_wait(barrier_arrive());
    }
    __device__ __forceinline__ arrival_token barrier_arrive() const {
        if (!is_valid())
            __builtin_trap();
        __syncthreads();
        if (detail::rank_in_block() != 0)
            return 0;
        const unsigned blocks = static_cast<unsigned>(num_blocks());
        __threadfence();
        return (atomicAdd(detail::grid_barrier(), 1U) / blocks + 1) * blocks;
    }
    __device__ __forceinline__ void barrier_wait(arrival_token&& goal) const {
        if (detail::rank_in_block() == 0) {
            while (static_cast<int>(*static_cast<volatile unsigned*>(detail::grid_barrier()) - goal) < 0) {
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
    __device__ __forceinline__ static dim3 dim_threads() {
        return detail::threads_of_blocks(gridDim);
    }
    __device__ __forceinline__ static dim3 thread_index() {
        return detail::index_in_blocks(blockIdx);
    }
    __device__ __forceinline__ static dim3 dim_clusters() {
        return __clusterGridDimInClusters();
    }
    __device__ __forceinline__ static unsigned long long num_clusters() {
        const dim3 all = dim_clusters();
        return static_cast<unsigned long long>(all.x) * all.y * all.z;
    }
    __device__ __forceinline__ static dim3 cluster_index() {
        return __clusterIdx();
    }
    __device__ __forceinline__ static unsigned long long cluster_rank() {
        const dim3 all = dim_clusters(), own = cluster_index();
        return (static_cast<unsigned long long>(own.z) * all.y + own.y) * all.x + own.x;
    }
};
__device__ __forceinline__ grid_group this_grid() {
    return {};
}

namespace detail {

// `Size` neighbouring threads of a warp: 1, 2, 4, 8, 16 or 32.
template <unsigned Size>
class TileOfWarp {
public:
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
};

// `Size` neighbouring threads of a block: 64, 128, 256, 512 or 1,024.
template <unsigned Size>
class TileOfWarps {
public:
    __device__ __forceinline__ explicit TileOfWarps(TileMemory* memory) : warps_(memory) {}

    __device__ __forceinline__ void sync() const {
        warps_.meet();
    }
    __device__ __forceinline__ static unsigned thread_rank() {
        return rank_in_block() % Size;
    }
    __device__ __forceinline__ static constexpr unsigned num_threads() {
        return Size;
    }
    __device__ __forceinline__ static constexpr unsigned size() {
        return Size;
    }
    __device__ __forceinline__ TileMemory* tile_memory() const { // not in CUDA
        return warps_.memory();
    }
    __device__ __forceinline__ const TileWarps<Size>& warps() const { // not in CUDA
        return warps_;
    }
    // The source is the same in all threads.
    template <class T>
    __device__ __forceinline__ T shfl(T value, unsigned source) const {
        const T of_warp = warps_.values(value, source % 32);
        return shuffle(of_warp, [&](auto v) { return __shfl_sync(0xffffffffu, v, static_cast<int>(source / 32)); });
    }
    __device__ __forceinline__ int any(int predicate) const {
        return __any_sync(0xffffffffu, warps_.values(__any_sync(0xffffffffu, predicate), 0));
    }
    __device__ __forceinline__ int all(int predicate) const {
        return __all_sync(0xffffffffu, warps_.values(__all_sync(0xffffffffu, predicate), 0));
    }

private:
    TileWarps<Size> warps_;
};

template <unsigned Size>
using Tile = std::conditional_t<Size <= 32, TileOfWarp<Size>, TileOfWarps<Size>>;

} // namespace detail

template <unsigned Size, class Parent = void>
class thread_block_tile : public detail::Tile<Size> {
    static_assert(Size >= 1 && Size <= 1024 && (Size & (Size - 1)) == 0,
                  "a tile has 1, 2, 4, 8, 16, 32, 64, 128, 256, 512 or 1,024 threads");

public:
    __device__ __forceinline__ thread_block_tile(const detail::Tile<Size>& tile, unsigned rank, unsigned tiles)
        : detail::Tile<Size>(tile), rank_(rank), tiles_(tiles) {}
    template <class Other>
    __device__ __forceinline__ thread_block_tile(const thread_block_tile<Size, Other>& other)
        : thread_block_tile(other, other.meta_group_rank(), other.meta_group_size()) {}

    __device__ __forceinline__ unsigned meta_group_rank() const { // of the tile in what was partitioned
        return rank_;
    }
    __device__ __forceinline__ unsigned meta_group_size() const {
        return tiles_;
    }

private:
    unsigned rank_, tiles_;
};

namespace detail {

template <class Group>
constexpr unsigned kLargestTile = 0; // that it can be divided into
template <>
constexpr unsigned kLargestTile<thread_block> = 1024;
template <unsigned Size, class Parent>
constexpr unsigned kLargestTile<thread_block_tile<Size, Parent>> = Size;

} // namespace detail

template <unsigned Size, class Parent>
__device__ __forceinline__ thread_block_tile<Size, Parent> tiled_partition(const Parent& parent) {
    static_assert(detail::kLargestTile<Parent> != 0, "blocks and tiles are divided into tiles of a constant size");
    static_assert(Size <= detail::kLargestTile<Parent>, "a tile is divided into smaller ones");
    const unsigned rank = parent.thread_rank() / Size, tiles = (parent.num_threads() + Size - 1) / Size;
    if constexpr (Size <= 32)
        return {detail::Tile<Size>(), rank, tiles};
    else
        return {detail::Tile<Size>(parent.tile_memory()), rank, tiles};
}
__device__ __forceinline__ thread_block_tile<1, void> this_thread() {
    return {detail::Tile<1>(), 0, 1};
}

// The threads of a warp that have come here together.
class coalesced_group {
public:
    __device__ __forceinline__ explicit coalesced_group(unsigned mask, unsigned rank = 0, unsigned groups = 1)
        : mask_(mask), rank_(rank), groups_(groups) {}

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
    __device__ __forceinline__ unsigned meta_group_rank() const { // of the group among the parts of what was divided
        return rank_;
    }
    __device__ __forceinline__ unsigned meta_group_size() const {
        return groups_;
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

    unsigned mask_, rank_, groups_;
};
__device__ __forceinline__ coalesced_group coalesced_threads() {
    return coalesced_group(__activemask());
}

// The threads of a group with one truth value, or with one label: a group of the threads of a warp.
template <class Group>
__device__ __forceinline__ coalesced_group binary_partition(const Group& group, bool predicate) {
    const unsigned all = group.lanes(), set = __ballot_sync(all, predicate);
    if (set == 0 || set == all)
        return coalesced_group(all);
    return coalesced_group(predicate ? set : all & ~set, predicate ? 1 : 0, 2);
}
template <class Group, class Label>
__device__ __forceinline__ coalesced_group labeled_partition(const Group& group, Label label) {
    static_assert(std::is_integral_v<Label> || std::is_pointer_v<Label>, "labels are integers or pointers");
    if constexpr (std::is_same_v<Label, bool>) {
        return binary_partition(group, label);
    } else if constexpr (std::is_pointer_v<Label>) {
        return labeled_partition(group, reinterpret_cast<unsigned long long>(label));
    } else {
        const unsigned same = __match_any_sync(group.lanes(), label), first = same & (0u - same);
        const unsigned all_first = __ballot_sync(group.lanes(), first == 1u << detail::lane()); // one of each label
        return coalesced_group(same, static_cast<unsigned>(__popc(all_first & (first - 1))),
                               static_cast<unsigned>(__popc(all_first)));
    }
}

// A group of any kind.
class thread_group {
public:
    __device__ __forceinline__ thread_group(const thread_block&) : kind_(Kind::Block), lanes_(0) {}
    __device__ __forceinline__ thread_group(const grid_group&) : kind_(Kind::Grid), lanes_(0) {}
    __device__ __forceinline__ thread_group(const cluster_group&) : kind_(Kind::Cluster), lanes_(0) {}
    __device__ __forceinline__ thread_group(const coalesced_group& group) : kind_(Kind::Lanes), lanes_(group.lanes()) {}
    template <unsigned Size, class Parent>
    __device__ __forceinline__ thread_group(const thread_block_tile<Size, Parent>& tile)
        : kind_(Kind::Lanes), lanes_(tile.lanes()) {
        static_assert(Size <= 32, "a thread_group is a whole block or part of a warp");
    }

    __device__ __forceinline__ void sync() const {
        if (kind_ == Kind::Grid)
            this_grid().sync();
        else if (kind_ == Kind::Cluster)
            cluster_group::sync();
        else if (kind_ == Kind::Block)
            __syncthreads();
        else
            __syncwarp(lanes_);
    }
    __device__ __forceinline__ unsigned long long num_threads() const {
        return kind_ == Kind::Grid      ? grid_group::num_threads()
               : kind_ == Kind::Cluster ? cluster_group::num_threads()
               : kind_ == Kind::Block   ? detail::threads_of_block()
                                        : coalesced_group(lanes_).num_threads();
    }
    __device__ __forceinline__ unsigned long long size() const {
        return num_threads();
    }
    __device__ __forceinline__ unsigned long long thread_rank() const {
        return kind_ == Kind::Grid      ? grid_group::thread_rank()
               : kind_ == Kind::Cluster ? cluster_group::thread_rank()
               : kind_ == Kind::Block   ? detail::rank_in_block()
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
    enum class Kind { Grid, Cluster, Block, Lanes };
    Kind kind_;
    unsigned lanes_; // of the warp
};

// Parts of 1, 2, 4, 8, 16 or 32 threads, the number known when the program runs.
__device__ __forceinline__ coalesced_group tiled_partition(const thread_group& group, unsigned threads) {
    return coalesced_group(group.lanes_of_part(threads));
}
__device__ __forceinline__ coalesced_group tiled_partition(const coalesced_group& group, unsigned threads) {
    if (group.size() <= threads)
        return group;
    return coalesced_group(thread_group(group).lanes_of_part(threads), group.thread_rank() / threads,
                           (group.size() + threads - 1) / threads);
}

template <class Group>
__device__ __forceinline__ void sync(const Group& group) {
    group.sync();
}
template <class Group>
__device__ __forceinline__ auto thread_rank(const Group& group) {
    return group.thread_rank();
}
template <class Group>
__device__ __forceinline__ auto group_size(const Group& group) {
    return group.num_threads();
}

} // namespace cooperative_groups
#endif
