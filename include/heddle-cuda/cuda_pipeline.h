// The class of the copies of cuda_pipeline_primitives.h.
#pragma once
#pragma GCC system_header

#include "cuda_awbarrier.h"
#include "cuda_pipeline_primitives.h"

#ifdef __CUDA__
namespace nvcuda {
namespace experimental {

// N elements from the pointer on.
template <size_t N, typename T>
__device__ __forceinline__ auto segment(T* pointer) -> T (*)[N] {
    return reinterpret_cast<T(*)[N]>(pointer);
}

class pipeline {
public:
    __device__ pipeline() : batches_(0) {}
    pipeline(const pipeline&) = delete;
    pipeline& operator=(const pipeline&) = delete;

    // The number of the batch.
    __device__ size_t commit() {
        __pipeline_commit();
        return batches_++;
    }
    __device__ void commit_and_wait() {
        commit();
        wait_prior<0>();
    }
    __device__ void wait(size_t batch) {
        __pipeline_wait_prior(batches_ > batch ? batches_ - batch - 1 : 0);
    }
    template <unsigned N>
    __device__ void wait_prior() {
        __pipeline_wait_prior(N);
    }
    __device__ void arrive_on(awbarrier& barrier) {
        __pipeline_arrive_on(&barrier.barrier_);
    }

private:
    size_t batches_;
};

template <class T>
__device__ __forceinline__ void memcpy_async(T& to, const T& from, pipeline&) {
    constexpr size_t kPart = alignof(T) >= 16 ? 16 : alignof(T) >= 8 ? 8 : 4;
    if (!__is_trivially_copyable(T) || sizeof(T) % kPart != 0 || alignof(T) < 4) {
        to = from;
        return;
    }
    for (size_t at = 0; at < sizeof(T); at += kPart)
        __pipeline_memcpy_async(reinterpret_cast<char*>(&to) + at, reinterpret_cast<const char*>(&from) + at, kPart);
}
// Elements that the source lacks become zero.
template <class T, size_t To, size_t From>
__device__ __forceinline__ void memcpy_async(T (*to)[To], const T (*from)[From], pipeline&) {
    static_assert(sizeof(*to) == 4 || sizeof(*to) == 8 || sizeof(*to) == 16, "Unsupported copy size.");
    static_assert(sizeof(*from) <= sizeof(*to), "Source size must be less than or equal to destination size.");
    if (__is_trivially_copyable(T))
        return __pipeline_memcpy_async(*to, *from, sizeof(*to), sizeof(*to) - sizeof(*from));
    for (size_t i = 0; i < To; ++i)
        (*to)[i] = i < From ? (*from)[i] : T();
}

} // namespace experimental
} // namespace nvcuda
#endif
