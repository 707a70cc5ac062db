// Graphs that are made executable with parameters. The types are CUDA's; heddle's header does not have them.
#include "graph.h"

using namespace heddle::cudart;

namespace {

struct InstantiateParameters {
    unsigned long long flags;
    cudaStream_t upload;
    cudaGraphNode_t failed; // out: the node that cannot be
    int result;             // out: 0 success, 1 another error
};

cudaError_t instantiate(cudaGraphExec_t* exec, cudaGraph_t graph, InstantiateParameters* parameters) {
    if (parameters == nullptr)
        return record(cudaErrorInvalidValue);
    const cudaError_t error = cudaGraphInstantiateWithFlags(exec, graph, parameters->flags);
    parameters->failed = nullptr;
    parameters->result = error == cudaSuccess ? 0 : 1;
    return error;
}

} // namespace

HEDDLE_CUDA_API cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t* exec, cudaGraph_t graph,
                                                           InstantiateParameters* parameters) {
    return instantiate(exec, graph, parameters);
}
HEDDLE_CUDA_API cudaError_t cudaGraphInstantiateWithParams_ptsz(cudaGraphExec_t* exec, cudaGraph_t graph,
                                                                InstantiateParameters* parameters) {
    return instantiate(exec, graph, parameters);
}
