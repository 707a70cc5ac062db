// Kernels that launch kernels: order, nesting, streams, copies, errors.
// NOT-WITH: clang
// OPTIONS: -rdc=true
// EXPECT: sorted: 1, 1000 numbers
// EXPECT: order: 1 2 3 4 5 6
// EXPECT: parameters: 7 8.500000 9 1234567890123 -3
// EXPECT: copies: 5 5 5 9 9 0, rows 0 4 4 0 0 4 4 0
// EXPECT: errors: 9 9 1 98 9, then 0
// EXPECT: deepest launch 24, then error 65
// EXPECT: attributes: warp 32, SMs 1, limit 1, threads 1024, static shared 16
// EXPECT: memory: 3 6 9, freed
// EXPECT: shared 64 bytes: 63, parameters of the other interface: 11 12
// EXPECT: children of all threads: 640
#include <cstdio>
#include <cuda_runtime.h>

__device__ int counter;

// Sorts by a child for each side of the pivot.
__global__ void sort(int* numbers, int first, int last) {
    const int pivot = numbers[(first + last) / 2];
    int i = first, j = last;
    while (i <= j) {
        while (numbers[i] < pivot)
            ++i;
        while (numbers[j] > pivot)
            --j;
        if (i <= j) {
            const int other = numbers[i];
            numbers[i++] = numbers[j];
            numbers[j--] = other;
        }
    }
    cudaStream_t left, right;
    cudaStreamCreateWithFlags(&left, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&right, cudaStreamNonBlocking);
    if (first < j)
        sort<<<1, 1, 0, left>>>(numbers, first, j);
    if (i < last)
        sort<<<1, 1, 0, right>>>(numbers, i, last);
    cudaStreamDestroy(left);
    cudaStreamDestroy(right);
}

// Writes down the turn in which it runs.
__global__ void note(int* order, int number) {
    order[number - 1] = ++counter;
}
__global__ void note_with_child(int* order, int number) {
    note<<<1, 1>>>(order, number + 1);
    order[number - 1] = ++counter;
}
__global__ void in_order(int* order) {
    note<<<1, 1, 0, cudaStreamTailLaunch>>>(order, 5);
    note<<<1, 1, 0, cudaStreamTailLaunch>>>(order, 6);
    note_with_child<<<1, 1>>>(order, 2);
    note<<<1, 1, 0, cudaStreamFireAndForget>>>(order, 4);
    order[0] = ++counter;
}

struct Pair {
    char small;
    double wide;
};
__global__ void show(char a, Pair pair, short b, long long c, int d) {
    printf("parameters: %d %f %d %lld %d\n", a + pair.small, pair.wide, b, c, d);
}
__global__ void pass() {
    show<<<1, 1>>>(3, {4, 8.5}, 9, 1234567890123, -3);
}

__global__ void copies(int* to, const int* from) {
    cudaMemsetAsync(to, 9, 6 * sizeof(int));
    cudaMemcpyAsync(to, from, 3 * sizeof(int), cudaMemcpyDeviceToDevice);
    cudaMemsetAsync(to + 5, 0, sizeof(int));
    char* const rows = reinterpret_cast<char*>(to + 6);
    cudaMemsetAsync(rows, 0, 8);
    cudaMemset2DAsync(rows + 1, 4, 4, 2, 2);
}

__global__ void wide(int* to) {
    __shared__ int own[4];
    own[threadIdx.x % 4] = 1;
    __syncthreads();
    to[0] = own[0];
}
__global__ void errors(int* found) {
    wide<<<1, 4096>>>(found);
    found[0] = cudaGetLastError();
    wide<<<1, 32, 1 << 30>>>(found);
    found[1] = cudaPeekAtLastError();
    int value;
    cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(100000), 0);
    found[2] = cudaGetLastError();
    cudaFuncAttributes attributes;
    found[3] = cudaFuncGetAttributes(&attributes, found);
    cudaGetLastError();
    wide<<<0, 32>>>(found);
    found[4] = cudaGetLastError();
    found[5] = cudaGetLastError();
}

__global__ void deeper(int* found, int depth) {
    found[0] = depth;
    deeper<<<1, 1>>>(found, depth + 1);
    if (const cudaError_t error = cudaGetLastError())
        found[1] = error;
}

__global__ void attributes(int* found) {
    int device;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&found[0], cudaDevAttrWarpSize, device);
    cudaDeviceGetAttribute(&found[1], cudaDevAttrMultiProcessorCount, device);
    size_t bytes = 0;
    cudaDeviceGetLimit(&bytes, cudaLimitMallocHeapSize);
    found[2] = bytes > 0;
    cudaFuncAttributes of;
    cudaFuncGetAttributes(&of, wide);
    found[3] = of.maxThreadsPerBlock;
    found[4] = static_cast<int>(of.sharedSizeBytes);
}

__global__ void fill(int* memory) {
    memory[threadIdx.x] = 3 * (threadIdx.x + 1);
}
__global__ void use(int* memory) {
    printf("memory: %d %d %d", memory[0], memory[1], memory[2]);
    cudaFree(memory);
    printf(", freed\n");
}
__global__ void allocate() {
    int* memory;
    cudaMalloc(&memory, 3 * sizeof(int));
    cudaEvent_t event;
    cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
    fill<<<1, 3>>>(memory);
    cudaEventRecord(event, nullptr);
    cudaStreamWaitEvent(nullptr, event, 0);
    cudaEventDestroy(event);
    use<<<1, 1>>>(memory);
}

__global__ void with_shared(int* to) {
    extern __shared__ char bytes[];
    bytes[threadIdx.x] = static_cast<char>(threadIdx.x);
    __syncthreads();
    to[0] = bytes[63];
}
__global__ void store(int* to, int a, int b) {
    to[1] = a;
    to[2] = b;
}
__global__ void interfaces(int* to) {
    with_shared<<<1, 64, 64>>>(to);
    char* const parameters = static_cast<char*>(cudaGetParameterBuffer(8, 16));
    *reinterpret_cast<int**>(parameters) = to;
    *reinterpret_cast<int*>(parameters + 8) = 11;
    *reinterpret_cast<int*>(parameters + 12) = 12;
    cudaLaunchDevice(reinterpret_cast<void*>(store), parameters, dim3(1), dim3(1), 0, nullptr);
}

__global__ void count(int* to) {
    atomicAdd(to, 1);
}
__global__ void by_all(int* to) {
    count<<<1, 2>>>(to);
}

int main() {
    int* numbers;
    cudaMallocManaged(&numbers, 1000 * sizeof(int));
    unsigned state = 1;
    for (int i = 0; i < 1000; ++i)
        numbers[i] = static_cast<int>((state = state * 1664525 + 1013904223) >> 8);
    sort<<<1, 1>>>(numbers, 0, 999);
    cudaDeviceSynchronize();
    bool sorted = true;
    for (int i = 1; i < 1000; ++i)
        sorted = sorted && numbers[i - 1] <= numbers[i];
    std::printf("sorted: %d, 1000 numbers\n", sorted);

    in_order<<<1, 1>>>(numbers);
    cudaDeviceSynchronize();
    std::printf("order: %d %d %d %d %d %d\n", numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5]);

    pass<<<1, 1>>>();
    int* from;
    cudaMallocManaged(&from, 3 * sizeof(int));
    from[0] = from[1] = from[2] = 5;
    copies<<<1, 1>>>(numbers, from);
    cudaDeviceSynchronize();
    std::printf("copies: %d %d %d %d %d %d, rows", numbers[0], numbers[1], numbers[2], numbers[3] & 15, numbers[4] & 15,
                numbers[5]);
    for (int i = 0; i < 8; ++i)
        std::printf(" %d", reinterpret_cast<char*>(numbers + 6)[i]);
    errors<<<1, 1>>>(numbers);
    cudaDeviceSynchronize();
    std::printf("\nerrors: %d %d %d %d %d, then %d\n", numbers[0], numbers[1], numbers[2], numbers[3], numbers[4],
                numbers[5]);

    numbers[1] = 0;
    deeper<<<1, 1>>>(numbers, 0);
    cudaDeviceSynchronize();
    std::printf("deepest launch %d, then error %d\n", numbers[0], numbers[1]);

    attributes<<<1, 1>>>(numbers);
    cudaDeviceSynchronize();
    std::printf("attributes: warp %d, SMs %d, limit %d, threads %d, static shared %d\n", numbers[0], numbers[1],
                numbers[2], numbers[3], numbers[4]);

    allocate<<<1, 1>>>();
    interfaces<<<1, 1>>>(numbers);
    cudaDeviceSynchronize();
    std::printf("shared 64 bytes: %d, parameters of the other interface: %d %d\n", numbers[0], numbers[1], numbers[2]);

    numbers[0] = 0;
    by_all<<<5, 64>>>(numbers);
    cudaDeviceSynchronize();
    std::printf("children of all threads: %d\n", numbers[0]);
}
