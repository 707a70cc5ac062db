// Nodes of graphs that kernels change: parameters, the number of blocks, whether they execute.
// OPTIONS: -rdc=true -lcudadevrt
// NOT-WITH: clang
// EXPECT: handle of a plain node: none, of an updatable one: there
// EXPECT: changed: 1005 1005 0 | 22 | off
// EXPECT: by the host again: 1007 1007 0 | 22 | off
// EXPECT: uploaded: 7 0 0 | 2 | 30
// EXPECT: together: 0 1008 1008 | 2 | off, invalid field: cudaErrorInvalidValue
// EXPECT: no node: cudaErrorInvalidValue
// EXPECT: a parameter that is not there: cudaErrorLaunchFailure
// ERROR: a kernel changes a node that is no device-updatable node
#include <cstdio>
#include <cuda_runtime.h>

struct Data {
    int sum[3], single, last, error;
};

__global__ void add(int* to, int number) {
    to[blockIdx.x] = number;
}

__global__ void store(int* to, int number) {
    *to = number;
}

// 0: nothing; 1: one by one; 2: together; 3: no node; 4: a parameter that is not there
__global__ void change(Data* data, int how, cudaGraphDeviceNode_t sums, cudaGraphDeviceNode_t single,
                       cudaGraphDeviceNode_t last) {
    if (how == 1) {
        cudaGraphKernelNodeSetGridDim(sums, dim3(2));
        cudaGraphKernelNodeSetParam(sums, 8, 1005);
        cudaGraphKernelNodeSetParam(single, 8, 22);
        cudaGraphKernelNodeSetEnabled(last, false);
    } else if (how == 2) {
        int* const to = data->sum + 1;
        const int number = 1008;
        alignas(cudaGraphKernelNodeUpdate) char bytes[4 * sizeof(cudaGraphKernelNodeUpdate)]; // it has no constructor
        auto* const all = reinterpret_cast<cudaGraphKernelNodeUpdate*>(bytes);
        for (int i = 0; i < 3; ++i)
            all[i].node = sums;
        all[0].field = cudaGraphKernelNodeFieldParam;
        all[0].updateData.param.pValue = &to;
        all[0].updateData.param.offset = 0;
        all[0].updateData.param.size = 8;
        all[1].field = cudaGraphKernelNodeFieldParam;
        all[1].updateData.param.pValue = &number;
        all[1].updateData.param.offset = 8;
        all[1].updateData.param.size = 4;
        all[2].field = cudaGraphKernelNodeFieldGridDim;
        all[2].updateData.gridDim = dim3(2);
        all[3].node = last;
        all[3].field = cudaGraphKernelNodeFieldEnabled;
        all[3].updateData.isEnabled = 0;
        cudaGraphKernelNodeUpdatesApply(all, 4);
        all[0].field = cudaGraphKernelNodeFieldInvalid;
        data->error = cudaGraphKernelNodeUpdatesApply(all, 1);
    } else if (how == 3) {
        data->error = cudaGraphKernelNodeSetEnabled(nullptr, true);
    } else if (how == 4) {
        cudaGraphKernelNodeSetParam(sums, 12, 1);
    }
}

static cudaGraph_t graph;

template <class... A>
static cudaGraphNode_t add_kernel(cudaGraphNode_t after, void* function, A... arguments) {
    void* pointers[] = {&arguments...};
    cudaKernelNodeParams parameters{};
    parameters.func = function;
    parameters.gridDim = parameters.blockDim = dim3(1);
    parameters.kernelParams = pointers;
    cudaGraphNode_t node;
    cudaGraphAddKernelNode(&node, graph, &after, after != nullptr ? 1 : 0, &parameters);
    return node;
}

static cudaGraphDeviceNode_t handle_of(cudaGraphNode_t node) {
    cudaKernelNodeAttrValue value{};
    cudaGraphKernelNodeGetAttribute(node, cudaLaunchAttributeDeviceUpdatableKernelNode, &value);
    return value.deviceUpdatableKernelNode.devNode;
}

static cudaGraphNode_t updatable(cudaGraphNode_t node) {
    cudaKernelNodeAttrValue value{};
    value.deviceUpdatableKernelNode.deviceUpdatable = 1;
    cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributeDeviceUpdatableKernelNode, &value);
    return node;
}

static void print(const char* what, Data* data) {
    std::printf("%s: %d %d %d | %d | ", what, data->sum[0], data->sum[1], data->sum[2], data->single);
    if (data->last != 0)
        std::printf("%d", data->last);
    else
        std::printf("off");
    data->sum[0] = data->sum[1] = data->sum[2] = data->single = data->last = 0;
}

int main() {
    Data* data;
    cudaMallocManaged(&data, sizeof *data);
    *data = {};
    cudaGraphCreate(&graph, 0);
    const cudaGraphDeviceNode_t none = nullptr;
    const cudaGraphNode_t first = add_kernel(nullptr, reinterpret_cast<void*>(change), data, 0, none, none, none);
    std::printf("handle of a plain node: %s, ", handle_of(first) == nullptr ? "none" : "there");
    const cudaGraphNode_t sums = updatable(add_kernel(first, reinterpret_cast<void*>(add), &data->sum[0], 1));
    const cudaGraphNode_t single = updatable(add_kernel(sums, reinterpret_cast<void*>(store), &data->single, 2));
    const cudaGraphNode_t last = updatable(add_kernel(single, reinterpret_cast<void*>(store), &data->last, 30));
    std::printf("of an updatable one: %s\n", handle_of(sums) == nullptr ? "none" : "there");
    cudaGraphExec_t exec;
    cudaGraphInstantiate(&exec, graph, 0);
    const auto set = [&](cudaGraphNode_t node, void* function, unsigned blocks, auto... arguments) {
        void* pointers[] = {&arguments...};
        cudaKernelNodeParams parameters{};
        parameters.func = function;
        parameters.gridDim = dim3(blocks);
        parameters.blockDim = dim3(1);
        parameters.kernelParams = pointers;
        cudaGraphExecKernelNodeSetParams(exec, node, &parameters);
    };
    const auto launch = [&](int how) {
        set(first, reinterpret_cast<void*>(change), 1, data, how, handle_of(sums), handle_of(single), handle_of(last));
        const cudaError_t error = cudaGraphLaunch(exec, 0);
        cudaDeviceSynchronize();
        return error;
    };
    launch(1);
    print("changed", data);
    set(sums, reinterpret_cast<void*>(add), 2, &data->sum[0], 1007);
    launch(0);
    std::printf("\n");
    print("by the host again", data);
    set(sums, reinterpret_cast<void*>(add), 1, &data->sum[0], 7);
    cudaGraphUpload(exec, 0);
    launch(0);
    std::printf("\n");
    print("uploaded", data);
    launch(2);
    std::printf("\n");
    print("together", data);
    std::printf(", invalid field: %s\n", cudaGetErrorName(static_cast<cudaError_t>(data->error)));
    launch(3);
    std::printf("no node: %s\n", cudaGetErrorName(static_cast<cudaError_t>(data->error)));
    std::printf("a parameter that is not there: %s\n", cudaGetErrorName(launch(4)));
}
