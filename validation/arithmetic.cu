// Latency and throughput of arithmetic. A chain of one thread gives the cycles from an instruction to one that needs its
// result; one block of 1024 threads, each with four independent chains, gives the results of an SM in a cycle.

#include "measure.h"

namespace {

constexpr int kUnrolled = 64; ///< instructions of a chain in the body of a loop
constexpr int kRounds = 8;    ///< of a chain of one thread; the first pass over them only loads instructions
constexpr int kBusyRounds = 16; ///< of a rate: the warps' start and end, one after the other, shall not count
constexpr int kThreads = 1024;
constexpr int kChains = 4;

// An operation has a type and a step, which takes the value of chain `c` to the next one, the `i`-th. `volatile` keeps
// each step as far as PTX; ptxas joins instructions and leaves out those that it can compute.
#define OPERATION(NAME, TYPE, CONSTRAINT, PTX)                                                                         \
    struct NAME {                                                                                                      \
        using Type = TYPE;                                                                                             \
        static constexpr const char* name = #NAME;                                                                     \
        static __device__ void step(TYPE& value, TYPE (&others)[kChains], int c, int) {                                \
            asm volatile(PTX : "+" CONSTRAINT(value) : CONSTRAINT(others[c]));                                         \
        }                                                                                                              \
    };

// Sums of one value after another could become one instruction of three operands, and the greatest of a value and the
// same other one twice is that of one step. So each result is needed twice: by the next step and by the one after it.
#define OPERATION_ON_TWO(NAME, TYPE, CONSTRAINT, PTX)                                                                  \
    struct NAME {                                                                                                      \
        using Type = TYPE;                                                                                             \
        static constexpr const char* name = #NAME;                                                                     \
        static __device__ void step(TYPE& value, TYPE (&before)[kChains], int c, int) {                                \
            TYPE next;                                                                                                 \
            asm volatile(PTX : "=" CONSTRAINT(next) : CONSTRAINT(value), CONSTRAINT(before[c]));                       \
            before[c] = value;                                                                                         \
            value = next;                                                                                              \
        }                                                                                                              \
    };

// Of three summands, as sums of two are multiply-adds in turn.
OPERATION_ON_TWO(int_add, int, "r", "{ .reg .s32 t; add.s32 t, %1, %2; add.s32 %0, t, 7; }")
OPERATION_ON_TWO(int_max, int, "r", "max.s32 %0, %1, %2;")
OPERATION(int_mad, int, "r", "mad.lo.s32 %0, %0, %1, %1;")
OPERATION(popc, int, "r", "popc.b32 %0, %0;")
OPERATION(fp32_add, float, "f", "add.f32 %0, %0, %1;")
OPERATION(fp32_fma, float, "f", "fma.rn.f32 %0, %0, %1, %1;")
OPERATION(fp16x2_fma, int, "r", "fma.rn.f16x2 %0, %0, %1, %1;")
OPERATION(fp64_add, double, "d", "add.f64 %0, %0, %1;")
OPERATION(fp64_fma, double, "d", "fma.rn.f64 %0, %0, %1, %1;")
OPERATION(fp64_div, double, "d", "div.rn.f64 %0, %0, %1;")
OPERATION(sqrt_approx, float, "f", "sqrt.approx.ftz.f32 %0, %0;") // one MUFU; without .ftz it is four instructions
OPERATION(brev, int, "r", "brev.b32 %0, %0;")
OPERATION(convert, int, "r", "{ .reg .f32 f; cvt.rn.f32.s32 f, %0; cvt.rni.s32.f32 %0, f; }") // two conversions
OPERATION(ex2_approx, float, "f", "ex2.approx.ftz.f32 %0, %0;")
OPERATION(match, int, "r", "match.any.sync.b32 %0, %0, 0xffffffff;")
OPERATION(shuffle, int, "r", "shfl.sync.up.b32 %0, %0, 1, 0, 0xffffffff;")

// Two steps have five inputs, so that they cannot be one instruction.
struct logic {
    using Type = int;
    static constexpr const char* name = "logic";
    static __device__ void step(int& value, int (&others)[kChains], int, int i) {
        asm volatile("lop3.b32 %0, %0, %1, %2, 0xe8;" : "+r"(value) : "r"(others[2 * i % 4]), "r"(others[2 * i % 4 + 1]));
    }
};

template <class Op>
__global__ void chain(typename Op::Type* values, long long* cycles) {
    // Not one value for all lanes: a shuffle of that would be none.
    typename Op::Type value = values[threadIdx.x], others[kChains];
#pragma unroll
    for (int c = 0; c < kChains; ++c)
        others[c] = values[threadIdx.x + c + 1];
    long long begin = 0;
#pragma unroll 1
    for (int pass = 0; pass < 2; ++pass) { // the first pass brings the code into the instruction cache
        begin = clock64();
#pragma unroll 1
        for (int round = 0; round < kRounds; ++round) {
#pragma unroll
            for (int i = 0; i < kUnrolled; ++i)
                Op::step(value, others, 0, i);
        }
    }
    *cycles = clock64() - begin;
    values[threadIdx.x] = value;
}

template <class Op>
__global__ void busy(typename Op::Type* values, long long* begins, long long* ends) {
    typename Op::Type value[kChains], others[kChains];
#pragma unroll
    for (int c = 0; c < kChains; ++c) {
        value[c] = values[kThreads * c + threadIdx.x];
        others[c] = value[c];
    }
    long long begin = 0;
#pragma unroll 1
    for (int pass = 0; pass < 2; ++pass) {
        __syncthreads();
        begin = clock64();
        __syncthreads(); // no warp works before all have read the clock
#pragma unroll 1
        for (int round = 0; round < kBusyRounds; ++round) {
#pragma unroll
            for (int i = 0; i < kUnrolled; ++i)
#pragma unroll
                for (int c = 0; c < kChains; ++c)
                    Op::step(value[c], others, c, i);
        }
    }
    const long long end = clock64(); // before the stores of this and other warps keep the load/store unit busy
    begins[threadIdx.x] = begin;
    ends[threadIdx.x] = end;
#pragma unroll
    for (int c = 0; c < kChains; ++c) // every chain is needed
        values[kThreads * c + threadIdx.x] = value[c];
}

template <class Op>
void latency() {
    workload::DeviceArray<typename Op::Type> values(std::vector<typename Op::Type>(kThreads, 1));
    workload::DeviceArray<long long> cycles(1);
    // A shuffle needs the whole warp; the other chains are of one thread.
    chain<Op><<<1, std::is_same_v<Op, shuffle> ? 32 : 1>>>(values.data(), cycles.data());
    workload::finish_kernels();
    char name[64];
    std::snprintf(name, sizeof name, "latency.%s", Op::name);
    validation::report(name, static_cast<double>(cycles.to_host()[0]) / (kRounds * kUnrolled), "cycles");
}

template <class Op>
void throughput() {
    workload::DeviceArray<typename Op::Type> values(std::vector<typename Op::Type>(kChains * kThreads, 1));
    workload::DeviceArray<long long> begins(kThreads), ends(kThreads);
    busy<Op><<<1, kThreads>>>(values.data(), begins.data(), ends.data());
    workload::finish_kernels();
    const double cycles = validation::block_cycles(begins, ends);
    char name[64];
    std::snprintf(name, sizeof name, "throughput.%s", Op::name);
    validation::report(name, static_cast<double>(kThreads) * kChains * kBusyRounds * kUnrolled / cycles,
                       "results/cycle/SM");
}

template <class... Ops>
void latencies() {
    (latency<Ops>(), ...);
}
template <class... Ops>
void throughputs() {
    (throughput<Ops>(), ...);
}

} // namespace

int main() {
    latencies<int_add, int_max, int_mad, logic, popc, fp32_add, fp32_fma, fp16x2_fma, fp64_add, fp64_fma, fp64_div,
              sqrt_approx, ex2_approx, brev, convert, shuffle>();
    throughputs<int_add, int_mad, logic, popc, fp32_add, fp32_fma, fp16x2_fma, fp64_fma, sqrt_approx, shuffle, match>();
}
