// Advice about managed memory and prefetches of it, as cudaMemRangeGetAttribute tells them: page by page.
// OPTIONS: -lcuda
// EXPECT: new: read mostly 0, preferred -2, accessed by -2 -2 -2, prefetched -2
// EXPECT: all advised: read mostly 1, preferred 0, accessed by 0 -1 -2, prefetched -1
// EXPECT: one page differs: read mostly 0, preferred -2, accessed by -1 -2 -2, prefetched -2
// EXPECT: the other page: read mostly 1, preferred 0, accessed by 0 -1 -2, prefetched -1
// EXPECT: a byte is its page: read mostly 0, preferred -2, accessed by -1 -2 -2, prefetched 0
// EXPECT: room for one: -1
// EXPECT: types: 1 2
// EXPECT: driver: 1 -1 0
// EXPECT: driver, for places: 0 0 -1
// EXPECT: freed: read mostly 0, preferred -2, accessed by -2 -2 -2, prefetched -2
// EXPECT: sizes: 1 1 0 1
// EXPECT: devices: 101 101 101 0 1
// EXPECT: other memory: 1 1 1
#include <cstdio>
#include <cuda.h>
#include <cuda_runtime.h>

#if CUDART_VERSION >= 13000
cudaMemLocation place(int device) {
    return device < 0 ? cudaMemLocation{cudaMemLocationTypeHost, 0}
                      : cudaMemLocation{cudaMemLocationTypeDevice, device};
}
#define PREFETCH(pointer, bytes, device) cudaMemPrefetchAsync(pointer, bytes, place(device), 0, 0)
#define ADVISE(pointer, bytes, advice, device) cudaMemAdvise(pointer, bytes, advice, place(device))
#else
#define PREFETCH(pointer, bytes, device) cudaMemPrefetchAsync(pointer, bytes, device)
#define ADVISE(pointer, bytes, advice, device) cudaMemAdvise(pointer, bytes, advice, device)
#endif

const int kPage = 4096;

void tell(const char* name, const char* data, int bytes) {
    int read_mostly = 7, preferred = 7, by[3] = {7, 7, 7}, prefetched = 7;
    void* out[] = {&read_mostly, &preferred, by, &prefetched};
    size_t sizes[] = {4, 4, 12, 4};
    cudaMemRangeAttribute attributes[] = {cudaMemRangeAttributeReadMostly, cudaMemRangeAttributePreferredLocation,
                                          cudaMemRangeAttributeAccessedBy, cudaMemRangeAttributeLastPrefetchLocation};
    if (cudaMemRangeGetAttributes(out, sizes, attributes, 4, data, bytes) != cudaSuccess)
        std::printf("%s: refused\n", name);
    else
        std::printf("%s: read mostly %d, preferred %d, accessed by %d %d %d, prefetched %d\n", name, read_mostly,
                    preferred, by[0], by[1], by[2], prefetched);
}

int main() {
    char* data;
    const int all = 2 * kPage;
    cudaMallocManaged(&data, all);
    tell("new", data, all);
    ADVISE(data, all, cudaMemAdviseSetReadMostly, 0);
    ADVISE(data, all, cudaMemAdviseSetPreferredLocation, 0);
    ADVISE(data, all, cudaMemAdviseSetAccessedBy, 0);
    ADVISE(data, all, cudaMemAdviseSetAccessedBy, cudaCpuDeviceId);
    PREFETCH(data, all, cudaCpuDeviceId);
    tell("all advised", data, all);

    ADVISE(data + kPage, kPage, cudaMemAdviseUnsetReadMostly, 0);
    ADVISE(data + kPage, kPage, cudaMemAdviseUnsetPreferredLocation, 0);
    ADVISE(data + kPage, kPage, cudaMemAdviseUnsetAccessedBy, 0);
    PREFETCH(data + kPage + 100, 1, 0);
    tell("one page differs", data, all);
    tell("the other page", data, kPage);
    tell("a byte is its page", data + all - 1, 1);
    int first = 7;
    cudaMemRangeGetAttribute(&first, 4, cudaMemRangeAttributeAccessedBy, data, all);
    std::printf("room for one: %d\n", first);
    int preferred = 7, prefetched = 7;
    cudaMemRangeGetAttribute(&preferred, 4, (cudaMemRangeAttribute)5, data, kPage);  // PreferredLocationType
    cudaMemRangeGetAttribute(&prefetched, 4, (cudaMemRangeAttribute)7, data, kPage); // LastPrefetchLocationType
    std::printf("types: %d %d\n", preferred, prefetched);

    int value[3] = {7, 7, 7};
    const CUdeviceptr address = (CUdeviceptr)data;
    cuMemRangeGetAttribute(&value[0], 4, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, address, kPage);
    cuMemRangeGetAttribute(&value[1], 4, CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, address, kPage);
    cuMemRangeGetAttribute(&value[2], 4, CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION, address, kPage);
    std::printf("driver: %d %d %d\n", value[0], value[1], value[2]);
    // CUDA 13's form.
    const CUmemLocation here{CU_MEM_LOCATION_TYPE_DEVICE, 0}, host{CU_MEM_LOCATION_TYPE_HOST, 0};
    cuMemAdvise(address, kPage, CU_MEM_ADVISE_UNSET_READ_MOSTLY, here);
    cuMemAdvise(address, kPage, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, host);
    cuMemPrefetchAsync(address, kPage, here, 0, nullptr);
    cuMemRangeGetAttribute(&value[0], 4, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, address, kPage);
    cuMemRangeGetAttribute(&value[1], 4, CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, address, kPage);
    cuMemRangeGetAttribute(&value[2], 4, CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION, address, kPage);
    std::printf("driver, for places: %d %d %d\n", value[0], value[1], value[2]);

    cudaFree(data);
    cudaMallocManaged(&data, all);
    tell("freed", data, all);

    long wide;
    std::printf("sizes: %d %d %d %d\n", cudaMemRangeGetAttribute(&wide, 8, cudaMemRangeAttributeReadMostly, data, 1),
                cudaMemRangeGetAttribute(&wide, 0, cudaMemRangeAttributeAccessedBy, data, 1),
                cudaMemRangeGetAttribute(&wide, 8, cudaMemRangeAttributeAccessedBy, data, 1),
                cudaMemRangeGetAttribute(&wide, 4, cudaMemRangeAttributeReadMostly, data, 0));
    std::printf("devices: %d %d %d %d %d\n", PREFETCH(data, 1, 1),
                ADVISE(data, 1, cudaMemAdviseSetPreferredLocation, 1), ADVISE(data, 1, cudaMemAdviseSetAccessedBy, 1),
                ADVISE(data, 1, cudaMemAdviseSetReadMostly, 1), ADVISE(data, 1, (cudaMemoryAdvise)20, 0));
    char* device;
    cudaMalloc(&device, 4);
    std::printf("other memory: %d %d %d\n", PREFETCH(device, 4, 0), ADVISE(device, 4, cudaMemAdviseSetReadMostly, 0),
                cudaMemRangeGetAttribute(&first, 4, cudaMemRangeAttributeReadMostly, &wide, 4));
}
