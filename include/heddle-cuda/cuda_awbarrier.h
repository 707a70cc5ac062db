// The class of the barriers of cuda_awbarrier_primitives.h.
#pragma once
#pragma GCC system_header

#include "cuda_awbarrier_primitives.h"

#ifdef __CUDA__
namespace nvcuda {
namespace experimental {

class pipeline;

class awbarrier {
public:
    class arrival_token {
    public:
        arrival_token() = default;
        __device__ uint32_t pending_count() const {
            return __mbarrier_token_pending_count(token_);
        }

    private:
        friend class awbarrier;
        __device__ explicit arrival_token(__mbarrier_token_t token) : token_(token) {}
        __mbarrier_token_t token_;
    };

    awbarrier() = default;
    awbarrier(const awbarrier&) = delete;
    awbarrier& operator=(const awbarrier&) = delete;

    __device__ arrival_token arrive() {
        return arrival_token(__mbarrier_arrive(&barrier_));
    }
    __device__ arrival_token arrive_and_drop() {
        return arrival_token(__mbarrier_arrive_and_drop(&barrier_));
    }
    __device__ bool timed_wait(arrival_token token, uint32_t hint_cycles) {
        const long long begin = clock64();
        bool is_over = false;
        while (!(is_over = __mbarrier_test_wait(&barrier_, token.token_)) && clock64() - begin < hint_cycles)
            ;
        return is_over;
    }
    __device__ bool timed_wait_parity(bool phase, uint32_t hint_cycles) {
        const long long begin = clock64();
        bool is_over = false;
        while (!(is_over = __mbarrier_test_wait_parity(&barrier_, phase)) && clock64() - begin < hint_cycles)
            ;
        return is_over;
    }
    __device__ void wait(arrival_token token) {
        while (!__mbarrier_test_wait(&barrier_, token.token_))
            ;
    }
    __device__ void arrive_and_wait() {
        wait(arrive());
    }
    __device__ bool try_wait(arrival_token token, uint32_t max_sleep_nanosec) {
        return __mbarrier_try_wait(&barrier_, token.token_, max_sleep_nanosec);
    }
    __device__ bool try_wait_parity(bool phase, uint32_t max_sleep_nanosec) {
        return __mbarrier_try_wait_parity(&barrier_, phase, max_sleep_nanosec);
    }
    static __host__ __device__ uint32_t max() {
        return __mbarrier_maximum_count();
    }

private:
    friend __device__ inline void init(awbarrier* barrier, uint32_t expected_count);
    friend __device__ inline void inval(awbarrier* barrier);
    friend class pipeline;
    __mbarrier_t barrier_;
};

__device__ inline void init(awbarrier* barrier, uint32_t expected_count) {
    __mbarrier_init(&barrier->barrier_, expected_count);
}
__device__ inline void inval(awbarrier* barrier) {
    __mbarrier_inval(&barrier->barrier_);
}

} // namespace experimental
} // namespace nvcuda
#endif
