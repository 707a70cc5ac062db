// Objects of the program that graphs keep.
#include "user_objects.h"

#include <climits>
#include <cstdint>
#include <set>

#include "base/process_object.h"
#include "graph.h"

using namespace heddle::cudart;

struct CUuserObject_st {
    void* data;
    cudaHostFn_t destroy;
    std::uint64_t count;
};

namespace {

std::set<cudaUserObject_t>& objects() {
    static auto& all = heddle::process_object<std::set<cudaUserObject_t>>("user objects");
    return all;
}

bool is_count(unsigned count) {
    return count != 0 && count <= INT_MAX;
}

void drop(cudaUserObject_t object, unsigned count) {
    object->count -= count;
    if (object->count != 0)
        return;
    objects().erase(object);
    object->destroy(object->data);
    delete object;
}

} // namespace

UserReferences::~UserReferences() {
    for (const auto& [object, count] : counts_)
        drop(object, count);
}

void UserReferences::add(const UserReferences& other) {
    for (const auto& [object, count] : other.counts_) {
        ++object->count;
        ++counts_[object];
    }
}

void UserReferences::take_over(cudaUserObject_t object, unsigned count) {
    counts_[object] += count;
}

bool UserReferences::release(cudaUserObject_t object, unsigned count) {
    const auto at = counts_.find(object);
    if (at == counts_.end() || at->second < count)
        return false;
    at->second -= count;
    if (at->second == 0)
        counts_.erase(at);
    drop(object, count);
    return true;
}

HEDDLE_CUDA_API cudaError_t cudaUserObjectCreate(cudaUserObject_t* out, void* data, cudaHostFn_t destroy,
                                                 unsigned count, unsigned flags) {
    return api([&](State&) {
        if (out == nullptr || destroy == nullptr || !is_count(count) || flags != cudaUserObjectNoDestructorSync)
            return cudaErrorInvalidValue;
        *out = *objects().insert(new CUuserObject_st{data, destroy, count}).first;
        return cudaSuccess;
    });
}
HEDDLE_CUDA_API cudaError_t cudaUserObjectRetain(cudaUserObject_t object, unsigned count) {
    return api([&](State&) {
        if (!objects().contains(object) || !is_count(count))
            return cudaErrorInvalidValue;
        object->count += count;
        return cudaSuccess;
    });
}
HEDDLE_CUDA_API cudaError_t cudaUserObjectRelease(cudaUserObject_t object, unsigned count) {
    return api([&](State&) {
        if (!objects().contains(object) || !is_count(count) || count > object->count)
            return cudaErrorInvalidValue;
        drop(object, count);
        return cudaSuccess;
    });
}
HEDDLE_CUDA_API cudaError_t cudaGraphRetainUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned count,
                                                      unsigned flags) {
    return api([&](State&) {
        const bool moved = flags == cudaGraphUserObjectMove;
        if (find_graph(graph) == nullptr || !objects().contains(object) || !is_count(count) || (flags != 0 && !moved) ||
            (moved && count > object->count))
            return cudaErrorInvalidValue;
        if (!moved)
            object->count += count;
        graph->objects.take_over(object, count);
        return cudaSuccess;
    });
}
HEDDLE_CUDA_API cudaError_t cudaGraphReleaseUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned count) {
    return api([&](State&) {
        const bool released = find_graph(graph) != nullptr && objects().contains(object) && is_count(count) &&
                              graph->objects.release(object, count);
        return released ? cudaSuccess : cudaErrorInvalidValue;
    });
}
