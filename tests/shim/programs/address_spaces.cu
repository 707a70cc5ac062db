// Which memory generic addresses lie in, and the addresses there.
// EXPECT: constant: global 0, shared 0, local 0, constant 1, parameter 0, there and back 1, value 5
// EXPECT: global: global 1, shared 0, local 0, constant 0, parameter 0, there and back 1, value 6
// EXPECT: shared: global 0, shared 1, local 0, constant 0, parameter 0, there and back 1, value 7
// EXPECT: local: global 0, shared 0, local 1, constant 0, parameter 0, there and back 1, value 8
// EXPECT: parameter: constant 0, shared 0
#include <cstdio>
#include <cuda_runtime.h>

struct Place {
    unsigned global, shared, local, constant, parameter;
    bool same;
    int value;
};
struct Numbers {
    int v[4];
};
__constant__ int in_constant = 5;
__device__ int in_global = 6;

// The pointers come from memory, so that the compiler does not know where they point.
__global__ void look(Place* out, const int** pointers, const __grid_constant__ Numbers numbers, int i) {
    __shared__ int in_shared;
    in_shared = 7;
    volatile int in_local = 8;
    pointers[0] = &in_constant;
    pointers[1] = &in_global;
    pointers[2] = &in_shared;
    pointers[3] = const_cast<const int*>(&in_local);
    pointers[4] = &numbers.v[i];
    __threadfence();
    for (int k = 0; k < 5; ++k) {
        const int* const p = *static_cast<const int* volatile*>(pointers + k);
        void* back = nullptr;
        if (k == 0)
            back = __cvta_constant_to_generic(__cvta_generic_to_constant(p));
        else if (k == 1)
            back = __cvta_global_to_generic(__cvta_generic_to_global(p));
        else if (k == 2)
            back = __cvta_shared_to_generic(__cvta_generic_to_shared(p));
        else if (k == 3)
            back = __cvta_local_to_generic(__cvta_generic_to_local(p));
        out[k] = {__isGlobal(p),
                  __isShared(p),
                  __isLocal(p),
                  __isConstant(p),
                  __isGridConstant(p),
                  back == p,
                  *static_cast<const int*>(p)};
    }
}

int main() {
    Place* places;
    const int** pointers;
    cudaMallocManaged(reinterpret_cast<void**>(&places), 5 * sizeof *places);
    cudaMallocManaged(reinterpret_cast<void**>(&pointers), 5 * sizeof *pointers);
    look<<<1, 1>>>(places, pointers, Numbers{{9, 10, 11, 12}}, 2);
    cudaDeviceSynchronize();
    const char* const names[] = {"constant", "global", "shared", "local"};
    for (int k = 0; k < 4; ++k) {
        const Place& p = places[k];
        std::printf("%s: global %u, shared %u, local %u, constant %u, parameter %u, there and back %d, value %d\n",
                    names[k], p.global, p.shared, p.local, p.constant, p.parameter, p.same, p.value);
    }
    // nvcc leaves this parameter where it is, clang copies it to local memory.
    const bool found = places[4].value == 11 && places[4].local + places[4].parameter == 1;
    std::printf("parameter: constant %u, shared %u%s\n", places[4].constant, places[4].shared, found ? "" : ", wrong");
}
