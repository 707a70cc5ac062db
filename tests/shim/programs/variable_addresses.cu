// What the runtime and the driver say of the addresses of variables: device memory, with the variable's begin and size.
// OPTIONS: -lcuda
// EXPECT: PASS
#include <cstdio>
#include <cuda.h>
#include <cuda_runtime.h>

__device__ char text[37] = "hello";
__device__ int zero[3];
__constant__ int table[5] = {1};
__managed__ int counts[9];

__global__ void use(const char** literal) {
    *literal = "a literal";
    text[0] = static_cast<char>('A' + table[0] + zero[0] + counts[0]);
}

#define CHECK(condition)                                                                                               \
    if (!(condition))                                                                                                  \
    return std::printf("line %d: %s\n", __LINE__, #condition), 1

// `begin`: of a variable of `bytes` bytes. Looks at its byte number `offset`.
static int check(void* begin, size_t bytes, size_t offset, cudaMemoryType type) {
    void* const pointer = static_cast<char*>(begin) + offset;
    const CUdeviceptr address = reinterpret_cast<CUdeviceptr>(pointer);

    cudaPointerAttributes known{};
    CHECK(cudaPointerGetAttributes(&known, pointer) == cudaSuccess);
    CHECK(known.type == type && known.device == 0 && known.devicePointer == pointer);
    CHECK(known.hostPointer == (type == cudaMemoryTypeManaged ? pointer : nullptr));

    CUdeviceptr first = 0;
    size_t size = 0;
    CHECK(cuMemGetAddressRange(&first, &size, address) == CUDA_SUCCESS);
    CHECK(first == reinterpret_cast<CUdeviceptr>(begin) && size == bytes);

    first = 0;
    CHECK(cuPointerGetAttribute(&first, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, address) == CUDA_SUCCESS);
    CHECK(first == reinterpret_cast<CUdeviceptr>(begin));

    unsigned memory = 0, managed = 7;
    size = 0;
    CUpointer_attribute names[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_RANGE_SIZE,
                                   CU_POINTER_ATTRIBUTE_IS_MANAGED};
    void* values[] = {&memory, &size, &managed};
    CHECK(cuPointerGetAttributes(3, names, values, address) == CUDA_SUCCESS);
    CHECK(memory == CU_MEMORYTYPE_DEVICE && size == bytes && managed == (type == cudaMemoryTypeManaged ? 1U : 0U));
    return 0;
}

int main() {
    void* p = nullptr;
    CHECK(cudaGetSymbolAddress(&p, text) == cudaSuccess);
    CHECK(check(p, 37, 0, cudaMemoryTypeDevice) == 0 && check(p, 37, 36, cudaMemoryTypeDevice) == 0);
    CHECK(cudaGetSymbolAddress(&p, zero) == cudaSuccess);
    CHECK(check(p, 12, 4, cudaMemoryTypeDevice) == 0);
    CHECK(cudaGetSymbolAddress(&p, table) == cudaSuccess);
    CHECK(check(p, 20, 8, cudaMemoryTypeDevice) == 0);
    CHECK(cudaGetSymbolAddress(&p, counts) == cudaSuccess);
    CHECK(check(p, 36, 0, cudaMemoryTypeManaged) == 0 && check(p, 36, 32, cudaMemoryTypeManaged) == 0);

    // A variable without a name in the program.
    const char** literal = nullptr;
    CHECK(cudaMallocManaged(reinterpret_cast<void**>(&literal), sizeof *literal) == cudaSuccess);
    use<<<1, 1>>>(literal);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    cudaPointerAttributes known{};
    CHECK(cudaPointerGetAttributes(&known, *literal) == cudaSuccess && known.type == cudaMemoryTypeDevice);

    int on_host = 0;
    CHECK(cudaPointerGetAttributes(&known, &on_host) == cudaSuccess && known.type == cudaMemoryTypeUnregistered);
    std::puts("PASS");
}
