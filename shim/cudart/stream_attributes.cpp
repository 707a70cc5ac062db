// Attributes of streams. They are kept for the program and have no effect: they are hints about caches and waiting.
#include "stream_attributes.h"

#include <array>
#include <bit>
#include <map>
#include <utility>

#include "base/process_object.h"
#include "state.h"

using namespace heddle::cudart;

namespace {

// cudaLaunchAttributeValue
using Value = std::array<char, 64>;
static_assert(sizeof(Value) == sizeof(cudaLaunchAttributeValue));
constexpr int kMostAttribute = 31; // numbers of attributes are below it

// By stream and number.
std::map<std::pair<cudaStream_t, int>, Value>& attributes() {
    static auto& all = heddle::process_object<std::map<std::pair<cudaStream_t, int>, Value>>("stream attributes");
    return all;
}

template <class F>
cudaError_t with(cudaStream_t stream, int attribute, const Value* value, F&& body) {
    unsigned flags = 0;
    if (const cudaError_t error = cudaStreamGetFlags(stream, &flags); error != cudaSuccess)
        return error;
    return api([&](State&) {
        if (value == nullptr || attribute < 0 || attribute >= kMostAttribute)
            return cudaErrorInvalidValue;
        body();
        return cudaSuccess;
    });
}

cudaError_t get(cudaStream_t stream, int attribute, Value* value) {
    cudaLaunchAttributeValue standard = {};
    if (attribute == cudaLaunchAttributeSynchronizationPolicy)
        standard.syncPolicy = cudaSyncPolicyAuto;
    if (attribute == cudaLaunchAttributeMemSyncDomainMap)
        standard.memSyncDomainMap = {0, 1};
    if (attribute == cudaLaunchAttributePriority)
        if (const cudaError_t error = cudaStreamGetPriority(stream, &standard.priority); error != cudaSuccess)
            return error;
    return with(stream, attribute, value, [&] {
        const auto at = attributes().find({stream, attribute});
        *value = at == attributes().end() ? std::bit_cast<Value>(standard) : at->second;
    });
}
cudaError_t set(cudaStream_t stream, int attribute, const Value* value) {
    return with(stream, attribute, value, [&] { attributes()[{stream, attribute}] = *value; });
}
cudaError_t copy(cudaStream_t to, cudaStream_t from) {
    Value value;
    cudaError_t error = cudaSuccess;
    for (int i = 0; error == cudaSuccess && i < kMostAttribute; ++i)
        if (error = get(from, i, &value); error == cudaSuccess)
            error = set(to, i, &value);
    return error;
}

} // namespace

void heddle::cudart::drop_attributes(cudaStream_t stream) {
    std::erase_if(attributes(), [&](const auto& each) { return each.first.first == stream; });
}

#define HEDDLE_STREAM_ATTRIBUTES(ending)                                                                               \
    HEDDLE_CUDA_API cudaError_t cudaStreamGetAttribute##ending(cudaStream_t stream, int attribute, Value* value) {     \
        return get(stream, attribute, value);                                                                          \
    }                                                                                                                  \
    HEDDLE_CUDA_API cudaError_t cudaStreamSetAttribute##ending(cudaStream_t stream, int attribute,                     \
                                                               const Value* value) {                                   \
        return set(stream, attribute, value);                                                                          \
    }                                                                                                                  \
    HEDDLE_CUDA_API cudaError_t cudaStreamCopyAttributes##ending(cudaStream_t to, cudaStream_t from) {                 \
        return copy(to, from);                                                                                         \
    }
HEDDLE_STREAM_ATTRIBUTES()
HEDDLE_STREAM_ATTRIBUTES(_ptsz)
