// Products of a warpgroup (wgmma) of f16 with sums of f32: cycles from the issue of one to the end of a wait for it, and
// cycles of each of many that follow each other. `ss`: both factors in shared memory; `rs`: A in registers.

#include "hopper_pieces.h"
#include "measure.h"

namespace {

constexpr int kFew = 8;
constexpr int kMany = 24; ///< products that follow each other: what is measured is the time of kMany - kFew of them
constexpr int kThreads = 128;

struct Factors {
    unsigned long long a, b; ///< descriptors
    unsigned registers[4];   ///< of A
};

// The operands behind the sums: %N and %N+1 the descriptors of A and B, then registers of A, or of metadata.
#define WGMMA "wgmma.mma_async.sync.aligned.m64n"
#define SPARSE "wgmma.mma_async.sp.sync.aligned.m64n"
#define TYPES ".f32.f16.f16 "
#define PRODUCT(STRUCT, NAME, SUMS, REGISTERS, PTX)                                                                    \
    struct STRUCT {                                                                                                    \
        static constexpr const char* name = NAME;                                                                      \
        static constexpr int sums = SUMS;                                                                              \
        static __device__ void multiply(float (&d)[SUMS], const Factors& f) {                                          \
            if (HAS_WARPGROUPS)                                                                                        \
                asm volatile(PTX                                                                                       \
                             : REGISTERS                                                                               \
                             : "l"(f.a), "l"(f.b), "r"(f.registers[0]), "r"(f.registers[1]), "r"(f.registers[2]),      \
                               "r"(f.registers[3]));                                                                   \
        }                                                                                                              \
    };
#define OF_SHARED(A, B) ", %" A ", %" B ", 1, 1, 1, 0, 0;"
#define OF_REGISTERS(B, R0, R1, R2, R3) ", {%" R0 ", %" R1 ", %" R2 ", %" R3 "}, %" B ", 1, 1, 1, 0;"

PRODUCT(Ss8, "ss.n8", 4, HOPPER_D4(0), WGMMA "8k16" TYPES HOPPER_SUMS_4 OF_SHARED("4", "5"))
PRODUCT(Ss64, "ss.n64", 32, HOPPER_D32(0), WGMMA "64k16" TYPES HOPPER_SUMS_32 OF_SHARED("32", "33"))
PRODUCT(Ss128, "ss.n128", 64, HOPPER_D64(0), WGMMA "128k16" TYPES HOPPER_SUMS_64 OF_SHARED("64", "65"))
PRODUCT(Ss256, "ss.n256", 128, HOPPER_D128(0), WGMMA "256k16" TYPES HOPPER_SUMS_128 OF_SHARED("128", "129"))
PRODUCT(Rs8, "rs.n8", 4, HOPPER_D4(0), WGMMA "8k16" TYPES HOPPER_SUMS_4 OF_REGISTERS("5", "6", "7", "8", "9"))
PRODUCT(Rs64, "rs.n64", 32, HOPPER_D32(0), WGMMA "64k16" TYPES HOPPER_SUMS_32 OF_REGISTERS("33", "34", "35", "36", "37"))
PRODUCT(Rs256, "rs.n256", 128, HOPPER_D128(0), WGMMA "256k16" TYPES HOPPER_SUMS_128 OF_REGISTERS("129", "130", "131", "132", "133"))
PRODUCT(Sparse256, "sp.ss.n256", 128, HOPPER_D128(0),
        SPARSE "256k32" TYPES HOPPER_SUMS_128 ", %128, %129, %130, 0, 1, 1, 1, 0, 0;")
PRODUCT(SparseRs256, "sp.rs.n256", 128, HOPPER_D128(0),
        SPARSE "256k32" TYPES HOPPER_SUMS_128 ", {%130, %131, %132, %133}, %129, %130, 0, 1, 1, 1, 0;")

// The start of a tile without a swizzle: 128 bytes of eight rows follow each other along k, 512 along m or n.
__device__ unsigned long long plain_descriptor(const void* tile) {
    const unsigned long long start = __cvta_generic_to_shared(tile);
    return (start & 0x3ffff) >> 4 | 128ULL >> 4 << 16 | 512ULL >> 4 << 32;
}

template <class Op, int kCount>
__global__ void products(long long* cycles, float* sums) {
    __shared__ __align__(1024) unsigned char a[64 * 64], b[256 * 64];
    for (unsigned i = threadIdx.x; i < sizeof b; i += blockDim.x) {
        a[i % sizeof a] = 0;
        b[i] = 0;
    }
    const Factors factors{plain_descriptor(a), plain_descriptor(b), {0, 0, 0, 0}};
    float d[Op::sums];
#pragma unroll
    for (float& sum : d)
        sum = 0;
    long long took = 0;
#pragma unroll 1
    for (int pass = 0; pass < 2; ++pass) { // the first pass brings the code into the instruction cache
        __syncthreads();
        begin_products();
        const long long begin = clock64();
// In a loop ptxas would wait for the sums in each round, and for more products A would not fit the registers.
#pragma unroll
        for (int i = 0; i < kCount; ++i)
            Op::multiply(d, factors);
        end_products();
        took = clock64() - begin;
    }
    float sum = 0;
#pragma unroll
    for (const float one : d)
        sum += one;
    sums[threadIdx.x] = sum;
    if (threadIdx.x == 0)
        *cycles = took;
}

template <class Op, int kCount>
double measure() {
    workload::DeviceArray<long long> cycles(1);
    workload::DeviceArray<float> sums(kThreads);
    products<Op, kCount><<<1, kThreads>>>(cycles.data(), sums.data());
    workload::finish_kernels();
    return static_cast<double>(cycles.to_host()[0]);
}

template <class Op>
void single() {
    char name[64];
    std::snprintf(name, sizeof name, "wgmma.wait.%s", Op::name);
    validation::report(name, measure<Op, 1>(), "cycles");
}

template <class Op>
void many() {
    char name[64];
    std::snprintf(name, sizeof name, "wgmma.each.%s", Op::name);
    const double between = measure<Op, kMany>() - measure<Op, kFew>(); // without the wait at the end
    validation::report(name, between / (kMany - kFew), "cycles");
}

template <class... Ops>
void singles() {
    (single<Ops>(), ...);
}
template <class... Ops>
void all_many() {
    (many<Ops>(), ...);
}

} // namespace

int main() {
    cudaDeviceProp device{};
    CUDA_CHECK(cudaGetDeviceProperties(&device, 0));
    if (device.major != 9)
        return 0;
    singles<Ss64, Ss128, Rs8, Rs64>();
    all_many<Ss8, Ss64, Ss128, Ss256, Rs8, Rs64, Rs256, Sparse256, SparseRs256>();
}
