// Barriers of which a thread arrives first and waits later (split arrive/wait), as words of shared memory: barrier objects
// of PTX from compute capability 8.0 on, below it atomic operations on a word of
//   bit 63: the parity of the phase; bits 62 to 32: arrivals that the phase still needs; below: arrivals of a phase.
#pragma once
#pragma GCC system_header

#include "cuda_runtime.h"

#include <stdint.h>

#ifdef __CUDA__
typedef uint64_t __mbarrier_t;
typedef uint64_t __mbarrier_token_t;

static __host__ __device__ inline uint32_t __mbarrier_maximum_count() {
    return (1U << 14) - 1;
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ < 800

static __device__ inline void __mbarrier_init(__mbarrier_t* barrier, uint32_t expected_count) {
    *static_cast<volatile __mbarrier_t*>(barrier) = uint64_t{expected_count} << 32 | expected_count;
}
static __device__ inline void __mbarrier_inval(__mbarrier_t*) {}

static __device__ inline uint32_t __mbarrier_token_pending_count(__mbarrier_token_t token) {
    return static_cast<uint32_t>(token >> 32) & 0x7fffffff;
}

HEDDLE_CUDA_DEVICE __mbarrier_token_t heddle_arrive(__mbarrier_t* barrier, uint64_t taken) {
    auto* const word = reinterpret_cast<unsigned long long*>(barrier);
    __threadfence_block();
    const uint64_t before = atomicAdd(word, 0ULL - taken);
    if (__mbarrier_token_pending_count(before) == 1) // the last: nobody else arrives before the next phase
        atomicAdd(word, 1ULL << 63 | static_cast<uint32_t>(before - taken) * (1ULL << 32));
    return before;
}
static __device__ inline __mbarrier_token_t __mbarrier_arrive(__mbarrier_t* barrier) {
    return heddle_arrive(barrier, uint64_t{1} << 32);
}
static __device__ inline __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t* barrier) {
    return heddle_arrive(barrier, uint64_t{1} << 32 | 1);
}

static __device__ inline bool __mbarrier_test_wait_parity(__mbarrier_t* barrier, bool phase_parity) {
    const bool is_over = *static_cast<volatile __mbarrier_t*>(barrier) >> 63 != phase_parity;
    __threadfence_block();
    return is_over;
}
static __device__ inline bool __mbarrier_test_wait(__mbarrier_t* barrier, __mbarrier_token_t token) {
    return __mbarrier_test_wait_parity(barrier, token >> 63 != 0);
}

#else

HEDDLE_CUDA_DEVICE uint32_t heddle_shared_address(const void* p) {
    return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}

static __device__ inline void __mbarrier_init(__mbarrier_t* barrier, uint32_t expected_count) {
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(heddle_shared_address(barrier)), "r"(expected_count) : "memory");
}
static __device__ inline void __mbarrier_inval(__mbarrier_t* barrier) {
    asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(heddle_shared_address(barrier)) : "memory");
}
static __device__ inline uint32_t __mbarrier_token_pending_count(__mbarrier_token_t token) {
    uint32_t count;
    asm("mbarrier.pending_count.b64 %0, %1;" : "=r"(count) : "l"(token));
    return count;
}
static __device__ inline __mbarrier_token_t __mbarrier_arrive(__mbarrier_t* barrier) {
    __mbarrier_token_t token;
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(token) : "r"(heddle_shared_address(barrier)) : "memory");
    return token;
}
static __device__ inline __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t* barrier) {
    __mbarrier_token_t token;
    asm volatile("mbarrier.arrive_drop.shared.b64 %0, [%1];" : "=l"(token) : "r"(heddle_shared_address(barrier)) : "memory");
    return token;
}
static __device__ inline bool __mbarrier_test_wait(__mbarrier_t* barrier, __mbarrier_token_t token) {
    uint32_t is_over;
    asm volatile("{\n.reg .pred p;\nmbarrier.test_wait.shared.b64 p, [%1], %2;\nselp.u32 %0, 1, 0, p;\n}"
                 : "=r"(is_over)
                 : "r"(heddle_shared_address(barrier)), "l"(token)
                 : "memory");
    return is_over != 0;
}
static __device__ inline bool __mbarrier_test_wait_parity(__mbarrier_t* barrier, bool phase_parity) {
    uint32_t is_over;
    asm volatile("{\n.reg .pred p;\nmbarrier.test_wait.parity.shared.b64 p, [%1], %2;\nselp.u32 %0, 1, 0, p;\n}"
                 : "=r"(is_over)
                 : "r"(heddle_shared_address(barrier)), "r"(static_cast<uint32_t>(phase_parity))
                 : "memory");
    return is_over != 0;
}

#endif

// Tests until the phase is over or the time has passed.
template <class Test>
HEDDLE_CUDA_DEVICE bool heddle_test_for(uint32_t nanoseconds, Test&& is_over) {
    uint64_t begin, now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
    do {
        if (is_over())
            return true;
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    } while (now - begin < nanoseconds);
    return false;
}
static __device__ inline bool __mbarrier_try_wait(__mbarrier_t* barrier, __mbarrier_token_t token,
                                                  uint32_t max_sleep_nanosec) {
    return heddle_test_for(max_sleep_nanosec, [&] { return __mbarrier_test_wait(barrier, token); });
}
static __device__ inline bool __mbarrier_try_wait_parity(__mbarrier_t* barrier, bool phase_parity,
                                                         uint32_t max_sleep_nanosec) {
    return heddle_test_for(max_sleep_nanosec, [&] { return __mbarrier_test_wait_parity(barrier, phase_parity); });
}
#endif
