// Memory operations of streams and of graphs' nodes: waits for values, and writes of values.
#include "driver.h"

using namespace heddle::driver;

namespace {

CUresult do_one(CUstream stream, CUstreamBatchMemOpType kind, CUdeviceptr address, unsigned long long value,
                unsigned flags) {
    CUstreamBatchMemOpParams operation{};
    operation.waitValue = {kind, address, {}, flags, 0};
    operation.waitValue.value64 = value;
    return cuStreamBatchMemOp(stream, 1, &operation, 0);
}

// Calls body(operations, their number).
template <class F>
CUresult with_batch(const CUDA_BATCH_MEM_OP_NODE_PARAMS* what, F&& body) {
    return in_context([&] {
        return what == nullptr || what->flags != 0 ? cudaErrorInvalidValue : body(what->paramArray, what->count);
    });
}

} // namespace

HEDDLE_DRIVER_API CUresult cuStreamBatchMemOp(CUstream stream, unsigned count, CUstreamBatchMemOpParams* operations,
                                              unsigned flags) {
    return in_context([&] {
        return flags != 0 || count > 256 ? cudaErrorInvalidValue
                                         : __cudaHeddleStreamOperations(stream, operations, count);
    });
}
HEDDLE_DRIVER_API CUresult cuStreamWaitValue32(CUstream stream, CUdeviceptr address, unsigned value, unsigned flags) {
    return do_one(stream, CU_STREAM_MEM_OP_WAIT_VALUE_32, address, value, flags);
}
HEDDLE_DRIVER_API CUresult cuStreamWaitValue64(CUstream stream, CUdeviceptr address, cuuint64_t value, unsigned flags) {
    return do_one(stream, CU_STREAM_MEM_OP_WAIT_VALUE_64, address, value, flags);
}
HEDDLE_DRIVER_API CUresult cuStreamWriteValue32(CUstream stream, CUdeviceptr address, unsigned value, unsigned flags) {
    return do_one(stream, CU_STREAM_MEM_OP_WRITE_VALUE_32, address, value, flags);
}
HEDDLE_DRIVER_API CUresult cuStreamWriteValue64(CUstream stream, CUdeviceptr address, cuuint64_t value,
                                                unsigned flags) {
    return do_one(stream, CU_STREAM_MEM_OP_WRITE_VALUE_64, address, value, flags);
}

HEDDLE_DRIVER_API CUresult cuGraphAddBatchMemOpNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* after,
                                                    std::size_t count, const CUDA_BATCH_MEM_OP_NODE_PARAMS* what) {
    return with_batch(what, [&](const CUstreamBatchMemOpParams* operations, unsigned number) {
        return __cudaHeddleAddOperations(node, graph, after, count, operations, number);
    });
}
HEDDLE_DRIVER_API CUresult cuGraphBatchMemOpNodeGetParams(CUgraphNode node, CUDA_BATCH_MEM_OP_NODE_PARAMS* out) {
    return in_context([&] {
        void* operations = nullptr;
        unsigned count = 0;
        const cudaError_t error =
            out == nullptr ? cudaErrorInvalidValue : __cudaHeddleGetOperations(node, &operations, &count);
        if (error == cudaSuccess)
            *out = {current(), count, static_cast<CUstreamBatchMemOpParams*>(operations), 0};
        return error;
    });
}
HEDDLE_DRIVER_API CUresult cuGraphBatchMemOpNodeSetParams(CUgraphNode node, const CUDA_BATCH_MEM_OP_NODE_PARAMS* what) {
    return with_batch(what, [&](const CUstreamBatchMemOpParams* operations, unsigned number) {
        return __cudaHeddleSetOperations(nullptr, node, operations, number);
    });
}
HEDDLE_DRIVER_API CUresult cuGraphExecBatchMemOpNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                                              const CUDA_BATCH_MEM_OP_NODE_PARAMS* what) {
    return with_batch(what, [&](const CUstreamBatchMemOpParams* operations, unsigned number) {
        return exec == nullptr ? cudaErrorInvalidValue : __cudaHeddleSetOperations(exec, node, operations, number);
    });
}
