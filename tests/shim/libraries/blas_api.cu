// Handles, modes, streams, copies, graphs, and what is not served
// OPTIONS: -lcublas -ldl
// NEEDS: cublas_v2.h
// EXPECT: create: 0 7, null: 1 1 7
// EXPECT: version known: 1, of the toolkit: 1
// EXPECT: modes: 1 1 3 5
// EXPECT: stream: 1 0
// EXPECT: names: CUBLAS_STATUS_NOT_SUPPORTED, text: 1
// EXPECT: vectors: 0 1 3 5, 0 5 3 1
// EXPECT: matrices: 0 10 11 20 21, 7
// EXPECT: graph: 0 4 8
// EXPECT: threads: 40
// EXPECT: not served: 15 15 15
// EXPECT: after a reset: 0 2
// ERROR: heddle: cublasSgbmv_v2 is not supported yet
// ERROR: heddle: cublasInit is not supported yet
// ERROR: heddle: a product of matrices of the types 0 and 1 (cudaDataType) to type 0 with compute type 68
#include <cstdio>
#include <cstring>
#include <cublas_v2.h>
#include <dlfcn.h>
#include <thread>
#include <vector>

static void test_handles(cublasHandle_t& handle) {
    cudaStream_t stream;
    const int created = cublasCreate(&handle), without = cublasCreate(nullptr);
    std::printf("create: %d %d, null: %d %d %d\n", created, without, cublasDestroy(nullptr),
                cublasSetStream(nullptr, nullptr), cublasGetStream(handle, nullptr));
    int version = 0, major = 0, minor = -1;
    cublasGetVersion(handle, &version);
    cublasGetProperty(MAJOR_VERSION, &major);
    cublasGetProperty(MINOR_VERSION, &minor);
    std::printf("version known: %d, of the toolkit: %d\n", version == major * 10000 + minor * 100,
                cublasGetCudartVersion() / 1000 == static_cast<size_t>(major));
    cublasPointerMode_t pointers;
    cublasAtomicsMode_t atomics;
    cublasMath_t math;
    int target = 0;
    cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE);
    cublasSetAtomicsMode(handle, CUBLAS_ATOMICS_ALLOWED);
    cublasSetMathMode(handle, CUBLAS_TF32_TENSOR_OP_MATH);
    cublasSetSmCountTarget(handle, 5);
    cublasGetPointerMode(handle, &pointers);
    cublasGetAtomicsMode(handle, &atomics);
    cublasGetMathMode(handle, &math);
    cublasGetSmCountTarget(handle, &target);
    std::printf("modes: %d %d %d %d\n", pointers, atomics, math, target);
    cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST);
    cudaStream_t have = nullptr;
    cudaStreamCreate(&stream);
    cublasSetStream(handle, stream);
    cublasGetStream(handle, &have);
    const bool same = have == stream;
    cublasSetStream(handle, nullptr);
    cublasGetStream(handle, &have);
    std::printf("stream: %d %d\n", same, have != nullptr);
    cudaStreamDestroy(stream);
    std::printf("names: %s, text: %d\n", cublasGetStatusName(CUBLAS_STATUS_NOT_SUPPORTED),
                std::strlen(cublasGetStatusString(CUBLAS_STATUS_INVALID_VALUE)) > 3);
}

static void test_copies() {
    const float there[] = {1, 2, 3, 4, 5, 6};
    float back[6] = {}, *device;
    cudaMalloc(&device, sizeof there);
    const int set = cublasSetVector(3, sizeof(float), there, 2, device, 1);
    cudaMemcpy(back, device, 3 * sizeof(float), cudaMemcpyDeviceToHost);
    std::printf("vectors: %d %g %g %g", set, back[0], back[1], back[2]);
    const int get = cublasGetVectorAsync(3, sizeof(float), device, 1, back, 2, nullptr);
    cudaDeviceSynchronize();
    std::printf(", %d %g %g %g\n", get, back[4], back[2], back[0]);
    const float matrix[] = {10, 11, -1, 20, 21, -1};
    float out[8] = {};
    const int status = cublasSetMatrix(2, 2, sizeof(float), matrix, 3, device, 2);
    cublasGetMatrix(2, 2, sizeof(float), device, 2, out, 4);
    std::printf("matrices: %d %g %g %g %g, %d\n", status, out[0], out[1], out[4], out[5],
                cublasSetMatrix(2, 2, 0, matrix, 3, device, 2));
    cudaFree(device);
}

// Work that is captured runs when the graph is launched.
static void test_graph(cublasHandle_t handle) {
    const float one = 1;
    float* memory;
    cudaMalloc(&memory, sizeof(float));
    cudaMemcpy(memory, &one, sizeof one, cudaMemcpyHostToDevice);
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cublasSetStream(handle, stream);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    const int status = cublasSaxpy(handle, 1, &one, memory, 1, memory, 1);
    cudaGraph_t graph;
    cudaStreamEndCapture(stream, &graph);
    cudaGraphExec_t program;
    cudaGraphInstantiateWithFlags(&program, graph, 0);
    float values[2];
    for (int i = 0; i < 2; ++i)
        cudaGraphLaunch(program, stream);
    cudaMemcpy(&values[0], memory, sizeof(float), cudaMemcpyDeviceToHost);
    cudaGraphLaunch(program, stream);
    cudaMemcpy(&values[1], memory, sizeof(float), cudaMemcpyDeviceToHost);
    std::printf("graph: %d %g %g\n", status, values[0], values[1]);
    cublasSetStream(handle, nullptr);
}

// Each thread has a handle of its own.
static void test_threads() {
    std::vector<std::thread> threads;
    int right[4] = {};
    for (int& count : right)
        threads.emplace_back([&count] {
            cublasHandle_t handle;
            cublasCreate(&handle);
            float *x, sum;
            cudaMalloc(&x, 64 * sizeof(float));
            for (int i = 1; i <= 10; ++i) {
                const std::vector<float> values(64, static_cast<float>(i));
                cudaMemcpy(x, values.data(), 64 * sizeof(float), cudaMemcpyHostToDevice);
                cublasSasum(handle, 64, x, 1, &sum);
                count += sum == static_cast<float>(64 * i);
            }
            cublasDestroy(handle);
        });
    for (std::thread& each : threads)
        each.join();
    std::printf("threads: %d\n", right[0] + right[1] + right[2] + right[3]);
}

static int call(const char* name) {
    const auto function = reinterpret_cast<int (*)()>(dlsym(RTLD_DEFAULT, name));
    return function == nullptr ? -1 : function() + function() - 15; // told once
}

int main() {
    cublasHandle_t handle;
    test_handles(handle);
    test_copies();
    test_graph(handle);
    test_threads();
    const float one = 1;
    const int types =
        cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &one, nullptr, CUDA_R_32F, 1, nullptr, CUDA_R_64F, 1,
                     &one, nullptr, CUDA_R_32F, 1, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
    std::printf("not served: %d %d %d\n", types, call("cublasSgbmv_v2"), call("cublasInit"));
    cublasDestroy(handle);
    cudaDeviceReset();
    float *x, sum = 0;
    cublasCreate(&handle);
    cudaMalloc(&x, sizeof one);
    cudaMemcpy(x, &one, sizeof one, cudaMemcpyHostToDevice);
    const int status = cublasSaxpy(handle, 1, &one, x, 1, x, 1);
    cublasGetVector(1, sizeof sum, x, 1, &sum, 1);
    std::printf("after a reset: %d %g\n", status, sum);
    return 0;
}
