// Tensor units of warps: latency and rate of mma and wmma by shape and type. A chain of products of one warp gives the
// cycles from a product to one that adds to its result; 16 warps, each with four independent chains, give the
// multiply-adds of an SM in a cycle. And the cycles that ldmatrix takes of shared memory.

#include "measure.h"

// clang compiles for every chip; nvcc for the GPU of the computer.
#if defined(__clang__) || !defined(__CUDA_ARCH__)
#define HAS_SM(arch) 1
#else
#define HAS_SM(arch) (__CUDA_ARCH__ >= (arch) * 10)
#endif

namespace {

constexpr int kRounds = 4;
constexpr int kUnrolledChain = 64; ///< products of a chain in the body of a loop, of one chain
constexpr int kUnrolled = 16;      ///< of several
constexpr int kLoads = 16; ///< of matrices, one after the other
constexpr int kLoadRounds = 16;
constexpr int kThreads = 512;
constexpr int kChains = 4;
constexpr int kRegisters = 8; ///< of a thread and matrix at most

// A product adds to eight registers or fewer of a thread: %0 to %7. A has %8 to %15, B %16 to %23. WORK: multiply-adds.
#define REGISTERS_OF(CONSTRAINT, x)                                                                                    \
    CONSTRAINT(x[0]), CONSTRAINT(x[1]), CONSTRAINT(x[2]), CONSTRAINT(x[3]), CONSTRAINT(x[4]), CONSTRAINT(x[5]),        \
        CONSTRAINT(x[6]), CONSTRAINT(x[7])
#define PRODUCT(STRUCT, NAME, TYPE, FACTOR, SUM_CONSTRAINT, CONSTRAINT, ARCH, WORK, PTX)                               \
    struct STRUCT {                                                                                                    \
        using Sum = TYPE;                                                                                              \
        using Factor = FACTOR;                                                                                         \
        static constexpr const char* name = NAME;                                                                      \
        static constexpr int arch = ARCH, work = WORK;                                                                 \
        static __device__ void step(Sum (&d)[kRegisters], const Factor (&a)[kRegisters],                               \
                                    const Factor (&b)[kRegisters]) {                                                   \
            if (HAS_SM(ARCH))                                                                                          \
                asm volatile(PTX                                                                                       \
                             : REGISTERS_OF(SUM_CONSTRAINT, d)                                                         \
                             : REGISTERS_OF(CONSTRAINT, a), REGISTERS_OF(CONSTRAINT, b));                              \
        }                                                                                                              \
    };
#define FLOATS(STRUCT, NAME, ARCH, WORK, PTX) PRODUCT(STRUCT, NAME, float, unsigned, "+f", "r", ARCH, WORK, PTX)
#define WORDS(STRUCT, NAME, ARCH, WORK, PTX) PRODUCT(STRUCT, NAME, unsigned, unsigned, "+r", "r", ARCH, WORK, PTX)
#define DOUBLES(STRUCT, NAME, ARCH, WORK, PTX) PRODUCT(STRUCT, NAME, double, double, "+d", "d", ARCH, WORK, PTX)

#define FOUR "{%0, %1, %2, %3}"
#define EIGHT "{%0, %1, %2, %3, %4, %5, %6, %7}"
#define EIGHT_OF_A "{%8, %9, %10, %11, %12, %13, %14, %15}"
#define EIGHT_OF_B "{%16, %17, %18, %19, %20, %21, %22, %23}"
#define A4_B2 "{%8, %9, %10, %11}, {%16, %17}"

FLOATS(WmmaF32, "wmma.m16n16k16.f32", 70, 4096,
       "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 " EIGHT ", " EIGHT_OF_A ", " EIGHT_OF_B ", " EIGHT ";")
WORDS(WmmaF16, "wmma.m16n16k16.f16", 70, 4096,
      "wmma.mma.sync.aligned.row.col.m16n16k16.f16.f16 " FOUR ", " EIGHT_OF_A ", " EIGHT_OF_B ", " FOUR ";")
WORDS(K8F16, "mma.m16n8k8.f16", 75, 1024,
      "mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%0, %1}, {%8, %9}, {%16}, {%0, %1};")
FLOATS(K8F32, "mma.m16n8k8.f32", 75, 1024,
       "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 " FOUR ", {%8, %9}, {%16}, " FOUR ";")
WORDS(K16S8, "mma.m8n8k16.s8", 75, 1024,
      "mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%0, %1}, {%8}, {%16}, {%0, %1};")
WORDS(K16F16, "mma.m16n8k16.f16", 80, 2048,
      "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0, %1}, " A4_B2 ", {%0, %1};")
FLOATS(K16F32, "mma.m16n8k16.f32", 80, 2048,
       "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 " FOUR ", " A4_B2 ", " FOUR ";")
FLOATS(K8TF32, "mma.m16n8k8.tf32", 80, 1024,
       "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 " FOUR ", " A4_B2 ", " FOUR ";")
WORDS(K32S8, "mma.m16n8k32.s8", 80, 4096,
      "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 " FOUR ", " A4_B2 ", " FOUR ";")
WORDS(K64S4, "mma.m16n8k64.s4", 80, 8192,
      "mma.sync.aligned.m16n8k64.row.col.s32.s4.s4.s32 " FOUR ", " A4_B2 ", " FOUR ";")
WORDS(K256B1, "mma.m16n8k256.b1", 80, 32768,
      "mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.xor.popc " FOUR ", " A4_B2 ", " FOUR ";")
DOUBLES(K4F64, "mma.m8n8k4.f64", 80, 256,
        "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%8}, {%16}, {%0, %1};")
// The zeros count as work: as published.
FLOATS(K32Sparse, "mma.sp.m16n8k32.f32", 80, 4096,
       "mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 " FOUR ", {%8, %9, %10, %11}, {%16, %17, %18, %19}, " FOUR
       ", %20, 0;")

template <int kCount>
constexpr int unrolled = kCount == 1 ? kUnrolledChain : kUnrolled;

template <class Op, int kCount>
__device__ void steps(typename Op::Sum (&d)[kCount][kRegisters], const typename Op::Factor (&a)[kRegisters],
                      const typename Op::Factor (&b)[kRegisters]) {
#pragma unroll 1
    for (int round = 0; round < kRounds; ++round) {
#pragma unroll
        for (int i = 0; i < unrolled<kCount>; ++i)
#pragma unroll
            for (int c = 0; c < kCount; ++c)
                Op::step(d[c], a, b);
    }
}

template <class Op, int kCount>
__global__ void products(typename Op::Sum* sums, long long* begins, long long* ends,
                         const typename Op::Factor* factors) {
    typename Op::Sum d[kCount][kRegisters];
    typename Op::Factor a[kRegisters], b[kRegisters];
#pragma unroll
    for (int r = 0; r < kRegisters; ++r) {
        a[r] = factors[2 * r];
        b[r] = factors[2 * r + 1];
#pragma unroll
        for (int c = 0; c < kCount; ++c)
            d[c][r] = sums[kChains * r + c];
    }
    long long begin = 0;
#pragma unroll 1
    for (int pass = 0; pass < 2; ++pass) { // the first pass brings the code into the instruction cache
        __syncthreads();
        begin = clock64();
        __syncthreads(); // no warp works before all have read the clock
        steps<Op>(d, a, b);
    }
    typename Op::Sum sum = 0;
#pragma unroll
    for (int c = 0; c < kCount; ++c)
#pragma unroll
        for (int r = 0; r < kRegisters; ++r)
            sum += d[c][r]; // needs all of the last product of each chain
    begins[threadIdx.x] = begin;
    ends[threadIdx.x] = clock64();
    sums[threadIdx.x] = sum;
}

template <class Op, int kCount>
double cycles(int threads) {
    workload::DeviceArray<typename Op::Sum> sums(std::vector<typename Op::Sum>(kThreads, 0));
    workload::DeviceArray<typename Op::Factor> factors(std::vector<typename Op::Factor>(2 * kRegisters, 0));
    workload::DeviceArray<long long> begins(threads), ends(threads);
    products<Op, kCount><<<1, threads>>>(sums.data(), begins.data(), ends.data(), factors.data());
    workload::finish_kernels();
    return validation::block_cycles(begins, ends);
}

template <class Op>
void measure(int arch) {
    if (arch < Op::arch)
        return;
    char name[64];
    std::snprintf(name, sizeof name, "latency.%s", Op::name);
    validation::report(name, cycles<Op, 1>(32) / (kRounds * unrolled<1>), "cycles");
    std::snprintf(name, sizeof name, "throughput.%s", Op::name);
    const double work = static_cast<double>(Op::work) * kRounds * unrolled<kChains> * kChains * (kThreads / 32);
    validation::report(name, work / cycles<Op, kChains>(kThreads), "FMA/cycle/SM");
}

template <class... Ops>
void measure_all(int arch) {
    (measure<Ops>(arch), ...);
}

// `apart`: bytes from row to row. Rows of 16 bytes side by side have no conflicts. `zero`: so that a round's addresses
// are not known to be those of the round before, whose values could be taken.
__global__ void load_matrices(long long* begins, long long* ends, unsigned* sums, unsigned apart, unsigned zero) {
    constexpr unsigned kBytes = 32 * 128; // of rows in one bank
    __shared__ __align__(128) unsigned words[2 * kBytes / 4 + 32];
    for (unsigned i = threadIdx.x; i < 2 * kBytes / 4 + 32; i += blockDim.x)
        words[i] = i;
    auto address =
        static_cast<unsigned>(__cvta_generic_to_shared(words)) + threadIdx.x % 32 * apart;
    unsigned sum = 0;
    long long begin = 0;
#pragma unroll 1
    for (int pass = 0; pass < 2; ++pass) {
        __syncthreads();
        begin = clock64();
        __syncthreads(); // no warp works before all have read the clock
#pragma unroll 1
        for (int round = 0; round < kLoadRounds; ++round) {
            unsigned r[kLoads][4];
#pragma unroll
            for (int i = 0; i < kLoads; ++i)
                if (HAS_SM(75))
                    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                                 : "=r"(r[i][0]), "=r"(r[i][1]), "=r"(r[i][2]), "=r"(r[i][3])
                                 : "r"(address + i % 8 * 16 + i / 8 * kBytes));
#pragma unroll
            for (int i = 0; i < kLoads; ++i)
                sum ^= r[i][0] ^ r[i][1] ^ r[i][2] ^ r[i][3];
            address += zero;
        }
    }
    begins[threadIdx.x] = begin;
    ends[threadIdx.x] = clock64();
    sums[threadIdx.x] = sum;
}

void measure_loads(unsigned apart, const char* name) {
    workload::DeviceArray<unsigned> sums(kThreads);
    workload::DeviceArray<long long> begins(kThreads), ends(kThreads);
    load_matrices<<<1, kThreads>>>(begins.data(), ends.data(), sums.data(), apart, 0);
    workload::finish_kernels();
    const double cycles = validation::block_cycles(begins, ends);
    validation::report(name, cycles / (kLoadRounds * kLoads * (kThreads / 32)), "cycles/load/SM");
}

} // namespace

int main() {
    cudaDeviceProp device{};
    CUDA_CHECK(cudaGetDeviceProperties(&device, 0));
    const int arch = device.major * 10 + device.minor;
    measure_all<WmmaF32, WmmaF16, K8F16, K8F32, K16S8, K16F16, K16F32, K8TF32, K32S8, K64S4, K256B1, K4F64, K32Sparse>(
        arch);
    if (arch < 75)
        return 0;
    measure_loads(16, "ldmatrix.x4.rows_side_by_side");
    measure_loads(128, "ldmatrix.x4.rows_in_one_bank");
}
