// Memory of the program's own that kernels reach after cudaHostRegister (zero copy).
// EXPECT: supported: 1
// EXPECT: doubled: 0 2 4 198
// EXPECT: beside it: 7 7
// EXPECT: written by the program: 60
// EXPECT: two in one page: 11 12, 13 14
// EXPECT: copies: 5 5
// EXPECT: attributes: 1 1 1, 1 1
// EXPECT: large: 0
// EXPECT: registered twice: cudaErrorHostMemoryAlreadyRegistered
// EXPECT: a part of it: cudaErrorHostMemoryAlreadyRegistered
// EXPECT: not registered: cudaErrorHostMemoryNotRegistered
// EXPECT: a part is no registration: cudaErrorHostMemoryNotRegistered
// EXPECT: bad flags: cudaErrorInvalidValue
// EXPECT: no bytes: cudaErrorInvalidValue
// EXPECT: shared with other processes: cudaErrorInvalidValue
// EXPECT: memory of the device: cudaErrorInvalidValue
// EXPECT: the stack of a thread: cudaErrorInvalidValue
// EXPECT: used again: 2
// EXPECT: afterwards: 198 7, cudaErrorInvalidValue
// EXPECT: a kernel afterwards: cudaErrorIllegalAddress
// ERROR: and what cudaHostRegister takes
// ERROR: no private memory that the program may write
// ERROR: cudaHostRegister of 0x
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <thread>
#include <vector>

#include <sys/mman.h>

__global__ void twice(int* data, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        data[i] *= 2;
}

template <class T>
T* on_device(T* host) {
    T* device = nullptr;
    cudaHostGetDevicePointer(&device, host, 0);
    return device;
}

int main() {
    int supported = 0;
    cudaDeviceGetAttribute(&supported, cudaDevAttrHostRegisterSupported, 0);
    std::printf("supported: %d\n", supported);

    std::vector<int> memory(102, 7); // the first and the last one are not registered
    int* const data = memory.data() + 1;
    for (int i = 0; i < 100; ++i)
        data[i] = i;
    cudaHostRegister(data, 100 * sizeof(int), cudaHostRegisterMapped);
    int* const device = on_device(data);
    twice<<<1, 128>>>(device, 100);
    cudaDeviceSynchronize();
    std::printf("doubled: %d %d %d %d\n", data[0], data[1], data[2], data[99]);
    std::printf("beside it: %d %d\n", memory[0], memory[101]);
    data[3] = 30;
    twice<<<1, 128>>>(on_device(data + 3), 1);
    cudaDeviceSynchronize();
    std::printf("written by the program: %d\n", data[3]);

    int* const page = static_cast<int*>(std::aligned_alloc(4096, 4096));
    for (int i = 0; i < 4; ++i)
        page[i] = 11 + i;
    cudaHostRegister(page, 8, 0);
    cudaHostRegister(page + 2, 8, 0);
    int *first = on_device(page), *second = on_device(page + 2), got[4];
    cudaMemcpy(got, first, 8, cudaMemcpyDeviceToHost);
    cudaMemcpy(got + 2, second, 8, cudaMemcpyDeviceToHost);
    std::printf("two in one page: %d %d, %d %d\n", got[0], got[1], got[2], got[3]);
    cudaHostUnregister(page);
    page[2] = 5;
    cudaMemcpy(got, second, 4, cudaMemcpyDefault);
    cudaMemcpy(second + 1, got, 4, cudaMemcpyHostToDevice);
    std::printf("copies: %d %d\n", got[0], page[3]);

    cudaPointerAttributes a, b;
    cudaPointerGetAttributes(&a, data + 1);
    cudaPointerGetAttributes(&b, device + 1);
    std::printf("attributes: %d %d %d, %d %d\n", a.type == cudaMemoryTypeHost, a.devicePointer == device + 1,
                a.hostPointer == data + 1, b.type == cudaMemoryTypeHost, b.hostPointer == data + 1);

    const int n = 3 << 20;
    std::vector<int> large(n, 21);
    cudaHostRegister(large.data(), n * sizeof(int), cudaHostRegisterDefault);
    twice<<<n / 256, 256>>>(on_device(large.data()), n);
    cudaDeviceSynchronize();
    cudaHostUnregister(large.data());
    int wrong = 0;
    for (const int x : large)
        wrong += x != 42;
    std::printf("large: %d\n", wrong);

    std::printf("registered twice: %s\n", cudaGetErrorName(cudaHostRegister(data, 4, 0)));
    std::printf("a part of it: %s\n", cudaGetErrorName(cudaHostRegister(memory.data(), 8, 0)));
    std::printf("not registered: %s\n", cudaGetErrorName(cudaHostUnregister(memory.data())));
    std::printf("a part is no registration: %s\n", cudaGetErrorName(cudaHostUnregister(data + 1)));
    std::printf("bad flags: %s\n", cudaGetErrorName(cudaHostRegister(got, 4, 16)));
    std::printf("no bytes: %s\n", cudaGetErrorName(cudaHostRegister(got, 0, 0)));
    void* shared = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    cudaHostRegister(shared, 4096, 0);
    std::printf("shared with other processes: %s\n", cudaGetErrorName(cudaHostGetDevicePointer(&shared, shared, 0)));

    void* of_device = nullptr;
    cudaMalloc(&of_device, 256);
    std::printf("memory of the device: %s\n", cudaGetErrorName(cudaHostRegister(of_device, 256, 0)));
    std::thread([] {
        int here[4];
        void* there = nullptr;
        cudaHostRegister(here, sizeof here, 0);
        std::printf("the stack of a thread: %s\n", cudaGetErrorName(cudaHostGetDevicePointer(&there, here, 0)));
        cudaHostUnregister(here);
    }).join();

    constexpr std::size_t kBytes = 1 << 20; // unmapped before its registration ends, and the address used again
    int* gone = static_cast<int*>(mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    cudaHostRegister(gone, kBytes, 0);
    gone[0] = 1;
    on_device(gone);
    munmap(gone, kBytes);
    mmap(gone, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    gone[0] = 2;
    cudaHostUnregister(gone);
    std::printf("used again: %d\n", gone[0]);

    cudaHostUnregister(data);
    std::printf("afterwards: %d %d, %s\n", data[99], memory[0],
                cudaGetErrorName(cudaHostGetDevicePointer(&first, data, 0)));
    twice<<<1, 128>>>(device, 100);
    std::printf("a kernel afterwards: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
