// Copies by all threads of a group, each its part, which wait() ends. From device to shared memory they go on beside
// the code from compute capability 8.0 on; all others are done at once.
#pragma once
#pragma GCC system_header

#include "../cooperative_groups.h"
#include "../cuda_pipeline.h"

#ifdef __CUDA__
namespace cooperative_groups {
namespace detail {

template <class Part, class Group>
__device__ __forceinline__ void copy_parts(const Group& group, void* to, const void* from, size_t parts) {
    const bool beside = sizeof(Part) >= 4 && __isShared(to) && __isGlobal(from);
    for (size_t i = group.thread_rank(); i < parts; i += group.size())
        if (beside)
            __pipeline_memcpy_async(static_cast<Part*>(to) + i, static_cast<const Part*>(from) + i, sizeof(Part));
        else
            static_cast<Part*>(to)[i] = static_cast<const Part*>(from)[i];
}

template <class Group>
__device__ __forceinline__ void copy_bytes(const Group& group, void* to, const void* from, size_t bytes) {
    const size_t all = reinterpret_cast<size_t>(to) | reinterpret_cast<size_t>(from) | bytes;
    if (all % 16 == 0)
        copy_parts<uint4>(group, to, from, bytes / 16);
    else if (all % 8 == 0)
        copy_parts<uint2>(group, to, from, bytes / 8);
    else if (all % 4 == 0)
        copy_parts<unsigned>(group, to, from, bytes / 4);
    else
        copy_parts<char>(group, to, from, bytes);
}
template <class Group, class T, class U>
__device__ __forceinline__ void copy_elements(const Group& group, T* to, size_t to_count, const U* from,
                                              size_t from_count) {
    const size_t room = to_count * sizeof(T), there = from_count * sizeof(U);
    copy_bytes(group, to, from, room < there ? room : there);
}

} // namespace detail

// `bytes`: a number, or of cuda::aligned_size_t.
template <class Group, class T, class U>
__device__ __forceinline__ void memcpy_async(const Group& group, T* to, const U* from, size_t bytes) {
    detail::copy_bytes(group, to, from, bytes);
    __pipeline_commit();
}
// Of elements: as many as both have.
template <class Group, class T, class U>
__device__ __forceinline__ void memcpy_async(const Group& group, T* to, size_t to_count, const U* from,
                                             size_t from_count) {
    detail::copy_elements(group, to, to_count, from, from_count);
    __pipeline_commit();
}
// With a pipeline, of which the copies are a batch; deprecated in CUDA.
template <class Group, class T, class U>
__device__ __forceinline__ void memcpy_async(const Group& group, T* to, size_t to_count, const U* from,
                                             size_t from_count, nvcuda::experimental::pipeline& pipeline) {
    detail::copy_elements(group, to, to_count, from, from_count);
    pipeline.commit();
}

template <class Group>
__device__ __forceinline__ void wait(const Group& group) {
    __pipeline_wait_prior(0);
    group.sync();
}
template <unsigned Stages, class Group>
__device__ __forceinline__ void wait_prior(const Group& group) {
    __pipeline_wait_prior(Stages);
    group.sync();
}
template <class Group>
__device__ __forceinline__ void wait(const Group& group, nvcuda::experimental::pipeline& pipeline, size_t batch) {
    pipeline.wait(batch);
    group.sync();
}
template <unsigned Stages, class Group>
__device__ __forceinline__ void wait_prior(const Group& group, nvcuda::experimental::pipeline& pipeline) {
    pipeline.wait_prior<Stages>();
    group.sync();
}

} // namespace cooperative_groups
#endif
