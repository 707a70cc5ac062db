// Attributes of kernels' nodes: the cooperative one, the shape of clusters and whether device code may change the node
// have an effect, others are kept.
#include <cstring>

#include "graph.h"

using namespace heddle::cudart;

namespace {

bool is_attribute(cudaLaunchAttributeID attribute) {
    const auto number = static_cast<unsigned>(attribute); // from a program: any number
    return number > cudaLaunchAttributeIgnore && number < kMostAttribute;
}

cudaLaunchAttributeValue value_of(const KernelCall& call, cudaLaunchAttributeID attribute) {
    cudaLaunchAttributeValue out{};
    if (attribute == cudaLaunchAttributeCooperative)
        out.cooperative = call.cooperative ? 1 : 0;
    else if (attribute == cudaLaunchAttributeClusterDimension)
        out.clusterDim = {call.cluster.x, call.cluster.y, call.cluster.z};
    else if (const auto at = call.attributes.find(attribute); at != call.attributes.end())
        std::memcpy(&out, at->second.data(), sizeof out);
    return out;
}

cudaError_t set_value(KernelCall& call, cudaLaunchAttributeID attribute, const cudaLaunchAttributeValue& value) {
    if (attribute == cudaLaunchAttributeCooperative)
        call.cooperative = value.cooperative != 0;
    else if (attribute == cudaLaunchAttributeClusterDimension)
        call.cluster = dim3(value.clusterDim.x, value.clusterDim.y, value.clusterDim.z);
    else
        std::memcpy(call.attributes[attribute].data(), &value, sizeof value);
    return check_launch(call);
}

} // namespace

bool heddle::cudart::is_device_updatable(const KernelCall& call) {
    return value_of(call, cudaLaunchAttributeDeviceUpdatableKernelNode).deviceUpdatableKernelNode.deviceUpdatable != 0;
}

HEDDLE_CUDA_API cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID attribute,
                                                            cudaLaunchAttributeValue* out) {
    return with_task(node, cudaGraphNodeTypeKernel, [&](const Task& task) {
        if (out == nullptr || !is_attribute(attribute))
            return cudaErrorInvalidValue;
        const KernelCall& call = *std::get<KernelTask>(task);
        *out = value_of(call, attribute);
        if (attribute == cudaLaunchAttributeDeviceUpdatableKernelNode && is_device_updatable(call))
            out->deviceUpdatableKernelNode.devNode = reinterpret_cast<cudaGraphDeviceNode_t>(node);
        return cudaSuccess;
    });
}
// Clones and executable graphs have the old one: it is not changed in place.
HEDDLE_CUDA_API cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID attribute,
                                                            const cudaLaunchAttributeValue* value) {
    return with_task(node, cudaGraphNodeTypeKernel, [&](Task& task) {
        if (value == nullptr || !is_attribute(attribute))
            return cudaErrorInvalidValue;
        const KernelTask fresh = copy_of(*std::get<KernelTask>(task));
        const cudaError_t error = set_value(*fresh, attribute, *value);
        if (error == cudaSuccess)
            task = fresh;
        return error;
    });
}
HEDDLE_CUDA_API cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t to, cudaGraphNode_t from) {
    return with_task(from, cudaGraphNodeTypeKernel, [&](const Task& source) {
        return with_task(to, cudaGraphNodeTypeKernel, [&](Task& task) {
            const KernelCall& given = *std::get<KernelTask>(source);
            const KernelTask fresh = copy_of(*std::get<KernelTask>(task));
            fresh->cooperative = given.cooperative;
            fresh->cluster = given.cluster;
            fresh->attributes = given.attributes;
            const cudaError_t error = check_launch(*fresh);
            if (error == cudaSuccess)
                task = fresh;
            return error;
        });
    });
}
