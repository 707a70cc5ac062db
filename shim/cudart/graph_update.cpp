// cudaGraphExecUpdate, whose arguments differ between the versions of CUDA.
#include "graph.h"

using namespace heddle::cudart;

#if HEDDLE_CUDART_VERSION >= 12000
HEDDLE_CUDA_API cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                                cudaGraphExecUpdateResultInfo* outcome) {
    return api([&](State&) {
        if (outcome == nullptr || !can_update(exec, graph))
            return cudaErrorInvalidValue;
        *outcome = {};
        outcome->result = update(exec, graph, &outcome->errorNode);
        return outcome->result == cudaGraphExecUpdateSuccess ? cudaSuccess : cudaErrorGraphExecUpdateFailure;
    });
}
#else
// The header declares the newer one: this one has a name of its own here.
HEDDLE_CUDA_API cudaError_t heddle_update_11(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphNode_t* node,
                                             cudaGraphExecUpdateResult* result) __asm__("cudaGraphExecUpdate");
cudaError_t heddle_update_11(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphNode_t* node,
                             cudaGraphExecUpdateResult* result) {
    return api([&](State&) {
        if (node == nullptr || result == nullptr || !can_update(exec, graph))
            return cudaErrorInvalidValue;
        *result = update(exec, graph, node);
        return *result == cudaGraphExecUpdateSuccess ? cudaSuccess : cudaErrorGraphExecUpdateFailure;
    });
}
#endif
