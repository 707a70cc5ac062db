// Stream-ordered memory and its pools, and what streams tell of themselves.
// EXPECT: 1 pool attribute, standard is current
// EXPECT: threshold 4096, reuse 0
// EXPECT: sum 4950, used 400, most 400
// EXPECT: freed: used 0, most 400, then 0
// EXPECT: own pool: cudaSuccess, beyond its limit: cudaErrorMemoryAllocation
// EXPECT: of another device: cudaErrorInvalidDevice, for other processes: cudaErrorNotSupported
// EXPECT: rights 3 0
// EXPECT: destroyed: cudaSuccess, again: cudaErrorInvalidValue, the standard one: cudaErrorInvalidValue
// EXPECT: what it gave stays: 7
// EXPECT: managed pool: cudaSuccess, written by both: 12, type 3, used 4096, then 0
// EXPECT: pool of the host: cudaSuccess, written by both: 12, type 1, used 4096, then 0
// EXPECT: freed again: cudaErrorInvalidValue
// EXPECT: default pools: three, current one of managed memory: own
// EXPECT: stream: flags 1, priority 0, device 0, capture 0, its own number: yes
#include <cstdio>
#include <cuda_runtime.h>

__global__ void sum_up(int* values, int n) {
    values[threadIdx.x] = static_cast<int>(threadIdx.x);
    __syncthreads();
    if (threadIdx.x == 0)
        for (int i = 1; i < n; ++i)
            values[0] += values[i];
}

const char* name(cudaError_t error) {
    return cudaGetErrorName(error);
}
unsigned long long amount(cudaMemPool_t pool, cudaMemPoolAttr attribute) {
    unsigned long long value = 0;
    cudaMemPoolGetAttribute(pool, attribute, &value);
    return value;
}

__global__ void add_seven(int* value) {
    *value += 7;
}

// Memory that the host writes, too.
static cudaMemPool_t try_pool(const char* what, cudaMemAllocationType kind, cudaMemLocationType place) {
    cudaMemPoolProps wanted = {};
    wanted.allocType = kind;
    wanted.location = {place, 0};
    cudaMemPool_t pool;
    const cudaError_t made = cudaMemPoolCreate(&pool, &wanted);
    int* value;
    cudaMallocFromPoolAsync(&value, 4096, pool, 0);
    *value = 5;
    add_seven<<<1, 1>>>(value);
    cudaDeviceSynchronize();
    cudaPointerAttributes attributes;
    cudaPointerGetAttributes(&attributes, value);
    std::printf("%s: %s, written by both: %d, type %d, used %llu, ", what, name(made), *value, attributes.type,
                amount(pool, cudaMemPoolAttrUsedMemCurrent));
    cudaFreeAsync(value, 0);
    std::printf("then %llu", amount(pool, cudaMemPoolAttrUsedMemCurrent));
    if (place == cudaMemLocationTypeHost)
        std::printf("\nfreed again: %s", name(cudaFreeHost(value)));
    std::printf("\n");
    return pool;
}

static void other_memory() {
    const cudaMemPool_t managed = try_pool("managed pool", cudaMemAllocationTypeManaged, cudaMemLocationTypeDevice);
    try_pool("pool of the host", cudaMemAllocationTypePinned, cudaMemLocationTypeHost);
    cudaMemLocation here = {cudaMemLocationTypeDevice, 0}, host = {cudaMemLocationTypeHost, 0};
    cudaMemPool_t first, second, third, current;
    cudaMemGetDefaultMemPool(&first, &here, cudaMemAllocationTypePinned);
    cudaMemGetDefaultMemPool(&second, &host, cudaMemAllocationTypePinned);
    cudaMemGetDefaultMemPool(&third, &here, cudaMemAllocationTypeManaged);
    cudaMemSetMemPool(&here, cudaMemAllocationTypeManaged, managed);
    cudaMemGetMemPool(&current, &here, cudaMemAllocationTypeManaged);
    std::printf("default pools: %s, current one of managed memory: %s\n",
                first != second && second != third && first != third ? "three" : "fewer",
                current == managed ? "own" : "another");
}

int main() {
    int supported = 0;
    cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, 0);
    cudaMemPool_t standard, current;
    cudaDeviceGetDefaultMemPool(&standard, 0);
    cudaDeviceGetMemPool(&current, 0);
    std::printf("%d pool attribute, standard is %s\n", supported, standard == current ? "current" : "not current");

    unsigned long long threshold = 4096;
    int reuse = 0;
    cudaMemPoolSetAttribute(standard, cudaMemPoolAttrReleaseThreshold, &threshold);
    cudaMemPoolSetAttribute(standard, cudaMemPoolReuseAllowOpportunistic, &reuse);
    reuse = 1;
    cudaMemPoolGetAttribute(standard, cudaMemPoolReuseAllowOpportunistic, &reuse);
    std::printf("threshold %llu, reuse %d\n", amount(standard, cudaMemPoolAttrReleaseThreshold), reuse);

    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    int* values;
    int sum = 0;
    cudaMallocAsync(&values, 100 * sizeof *values, stream);
    sum_up<<<1, 100, 0, stream>>>(values, 100);
    cudaMemcpyAsync(&sum, values, sizeof sum, cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    std::printf("sum %d, used %llu, most %llu\n", sum, amount(standard, cudaMemPoolAttrUsedMemCurrent),
                amount(standard, cudaMemPoolAttrUsedMemHigh));
    cudaFreeAsync(values, stream);
    const unsigned long long most = amount(standard, cudaMemPoolAttrUsedMemHigh);
    unsigned long long zero = 0;
    cudaMemPoolSetAttribute(standard, cudaMemPoolAttrUsedMemHigh, &zero);
    std::printf("freed: used %llu, most %llu, then %llu\n", amount(standard, cudaMemPoolAttrUsedMemCurrent), most,
                amount(standard, cudaMemPoolAttrUsedMemHigh));

    cudaMemPoolProps wanted = {};
    wanted.allocType = cudaMemAllocationTypePinned;
    wanted.handleTypes = cudaMemHandleTypeNone;
    wanted.location.type = cudaMemLocationTypeDevice;
    wanted.maxSize = 1000;
    cudaMemPool_t own, other;
    cudaMemPoolCreate(&own, &wanted);
    int *first, *second;
    const cudaError_t given = cudaMallocFromPoolAsync(&first, 600, own, stream);
    const cudaError_t refused = cudaMallocAsync(&second, 600, own, stream);
    std::printf("own pool: %s, beyond its limit: %s\n", name(given), name(refused));
    wanted.location.id = 3;
    const cudaError_t elsewhere = cudaMemPoolCreate(&other, &wanted);
    wanted.location.id = 0;
    wanted.handleTypes = cudaMemHandleTypePosixFileDescriptor;
    std::printf("of another device: %s, for other processes: %s\n", name(elsewhere),
                name(cudaMemPoolCreate(&other, &wanted)));

    cudaMemAccessFlags here, there;
    cudaMemLocation place = {cudaMemLocationTypeDevice, 0};
    cudaMemPoolGetAccess(&here, own, &place);
    place.id = 1;
    cudaMemPoolGetAccess(&there, own, &place);
    std::printf("rights %d %d\n", here, there);

    cudaDeviceSetMemPool(0, own);
    const cudaError_t destroyed = cudaMemPoolDestroy(own);
    std::printf("destroyed: %s, again: %s, the standard one: %s\n", name(destroyed), name(cudaMemPoolDestroy(own)),
                name(cudaMemPoolDestroy(standard)));
    const int seven = 7;
    int back = 0;
    cudaMemcpy(first, &seven, sizeof seven, cudaMemcpyHostToDevice);
    cudaMemcpy(&back, first, sizeof back, cudaMemcpyDeviceToHost);
    cudaFree(first);
    std::printf("what it gave stays: %d\n", back);

    other_memory();
    unsigned flags = 9;
    int priority = 9, device = 9;
    unsigned long long id = 0, id_of_default = 0;
    cudaStreamCaptureStatus capture;
    cudaStreamGetFlags(stream, &flags);
    cudaStreamGetPriority(stream, &priority);
    cudaStreamGetDevice(stream, &device);
    cudaStreamIsCapturing(stream, &capture);
    cudaStreamGetId(stream, &id);
    cudaStreamGetId(0, &id_of_default);
    std::printf("stream: flags %u, priority %d, device %d, capture %d, its own number: %s\n", flags, priority, device,
                static_cast<int>(capture), id != id_of_default ? "yes" : "no");
    return 0;
}
