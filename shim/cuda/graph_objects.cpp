// What belongs to graphs as a whole: clones, conditions, memory, objects of the program, switches of nodes.
#include "driver.h"

using namespace heddle::driver;

HEDDLE_DRIVER_API CUresult cuGraphNodeFindInClone(CUgraphNode* node, CUgraphNode original, CUgraph clone) {
    return initialised([&] { return cudaGraphNodeFindInClone(node, original, clone); });
}
HEDDLE_DRIVER_API CUresult cuGraphNodeSetEnabled(CUgraphExec exec, CUgraphNode node, unsigned enabled) {
    return initialised([&] { return cudaGraphNodeSetEnabled(exec, node, enabled); });
}
HEDDLE_DRIVER_API CUresult cuGraphNodeGetEnabled(CUgraphExec exec, CUgraphNode node, unsigned* enabled) {
    return initialised([&] { return cudaGraphNodeGetEnabled(exec, node, enabled); });
}
HEDDLE_DRIVER_API CUresult cuGraphExecGetFlags(CUgraphExec exec, cuuint64_t* flags) {
    return initialised([&] {
        unsigned long long found = 0;
        const cudaError_t error = cudaGraphExecGetFlags(exec, flags != nullptr ? &found : nullptr);
        if (error == cudaSuccess)
            *flags = found;
        return error;
    });
}
HEDDLE_DRIVER_API CUresult cuGraphDebugDotPrint(CUgraph graph, const char* path, unsigned flags) {
    return initialised([&] { return cudaGraphDebugDotPrint(graph, path, flags); });
}
HEDDLE_DRIVER_API CUresult cuGraphConditionalHandleCreate(CUgraphConditionalHandle* handle, CUgraph graph,
                                                          CUcontext context, unsigned standard, unsigned flags) {
    return in_context([&] {
        cudaGraphConditionalHandle made = 0;
        if (handle == nullptr || (context != nullptr && !is_context(context)))
            return cudaErrorInvalidValue;
        const cudaError_t error = cudaGraphConditionalHandleCreate(&made, graph, standard, flags);
        if (error == cudaSuccess)
            *handle = made;
        return error;
    });
}

HEDDLE_DRIVER_API CUresult cuDeviceGraphMemTrim(CUdevice device) {
    return of_device(device, [&] { return cudaDeviceGraphMemTrim(device); });
}
HEDDLE_DRIVER_API CUresult cuDeviceGetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attribute, void* value) {
    return of_device(device, [&] { return cudaDeviceGetGraphMemAttribute(device, attribute, value); });
}
HEDDLE_DRIVER_API CUresult cuDeviceSetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attribute, void* value) {
    return of_device(device, [&] { return cudaDeviceSetGraphMemAttribute(device, attribute, value); });
}

HEDDLE_DRIVER_API CUresult cuUserObjectCreate(CUuserObject* object, void* data, CUhostFn destroy, unsigned count,
                                              unsigned flags) {
    return initialised([&] { return cudaUserObjectCreate(object, data, destroy, count, flags); });
}
HEDDLE_DRIVER_API CUresult cuUserObjectRetain(CUuserObject object, unsigned count) {
    return initialised([&] { return cudaUserObjectRetain(object, count); });
}
HEDDLE_DRIVER_API CUresult cuUserObjectRelease(CUuserObject object, unsigned count) {
    return initialised([&] { return cudaUserObjectRelease(object, count); });
}
HEDDLE_DRIVER_API CUresult cuGraphRetainUserObject(CUgraph graph, CUuserObject object, unsigned count, unsigned flags) {
    return initialised([&] { return cudaGraphRetainUserObject(graph, object, count, flags); });
}
HEDDLE_DRIVER_API CUresult cuGraphReleaseUserObject(CUgraph graph, CUuserObject object, unsigned count) {
    return initialised([&] { return cudaGraphReleaseUserObject(graph, object, count); });
}
