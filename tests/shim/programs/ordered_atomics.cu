// Atomic operations with an order and a scope (__nv_atomic_load and others).
// ARCH: 90
// EXPECT: messages: 0 lost of 32
// EXPECT: sums: 64 -64 6400000000 32 32
// EXPECT: before the last: 63
// EXPECT: extrema: -31 31 0 63
// EXPECT: bits: 0 ffffffff 0 f00000000
// EXPECT: exchange: 5 6, 1.5 2.5, {1 2 3 4} {5 6 7 8}
// EXPECT: compare: 0 6 1 7, 0 2.5 1 3.5, 0 7 1 9, 0 1 5 1 9
// EXPECT: small: -3 200 40000
#include <cstdio>
#include <cuda_runtime.h>

struct alignas(16) Four {
    int v[4];
};
struct Memory {
    int payload, flag, lost;
    int sum, difference, most_before, least, most;
    unsigned unsigned_most;
    unsigned long long big, big_least;
    float real;
    double precise;
    unsigned all, any, odd;
    unsigned long long long_any;

    int word, word_before, word_expected[2];
    float number, number_before, number_expected[2];
    Four four, four_before, four_expected[2];
    unsigned short half, half_expected[2];
    bool done[8];
    signed char byte, byte_copy;
    unsigned char positive, positive_copy;
    unsigned short half_copy;
};

// A block hands a value to another one by a flag.
__global__ void messages(Memory* m) {
    for (int i = 1; i <= 32; ++i) {
        if (threadIdx.x != 0)
            continue;
        if (blockIdx.x == 0) {
            m->payload = 3 * i;
            __nv_atomic_store_n(&m->flag, i, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
            while (__nv_atomic_load_n(&m->flag, __NV_ATOMIC_ACQUIRE) != -i) {
            }
        } else {
            int seen;
            do
                __nv_atomic_load(&m->flag, &seen, __NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_DEVICE);
            while (seen != i);
            m->lost += m->payload != 3 * i;
            int answer = -i;
            __nv_atomic_store(&m->flag, &answer, __NV_ATOMIC_SEQ_CST);
        }
    }
}

__global__ void updates(Memory* m) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x; // 0 to 63
    const int before = __nv_atomic_fetch_add(&m->sum, 1, __NV_ATOMIC_ACQ_REL, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_max(&m->most_before, before, __NV_ATOMIC_RELAXED);
    __nv_atomic_sub(&m->difference, 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_SYSTEM);
    __nv_atomic_fetch_add(&m->big, 100000000, __NV_ATOMIC_SEQ_CST);
    __nv_atomic_add(&m->real, 0.5f, __NV_ATOMIC_RELAXED);
    __nv_atomic_fetch_sub(&m->precise, -0.5, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_CLUSTER);
    __nv_atomic_fetch_min(&m->least, 32 - i, __NV_ATOMIC_CONSUME);
    __nv_atomic_fetch_max(&m->most, i - 32, __NV_ATOMIC_ACQUIRE);
    __nv_atomic_min(&m->big_least, static_cast<unsigned long long>(i), __NV_ATOMIC_RELAXED);
    __nv_atomic_fetch_max(&m->unsigned_most, i, __NV_ATOMIC_RELAXED);
    const unsigned bit = 1U << i % 32;
    __nv_atomic_fetch_and(&m->all, ~bit, __NV_ATOMIC_RELAXED);
    __nv_atomic_fetch_or(&m->any, bit, __NV_ATOMIC_RELAXED);
    __nv_atomic_xor(&m->odd, bit, __NV_ATOMIC_RELAXED); // twice each
    __nv_atomic_or(&m->long_any, 1ULL << (32 + i % 4), __NV_ATOMIC_RELAXED);
}

__global__ void swaps(Memory* m) {
    m->word_before = __nv_atomic_exchange_n(&m->word, 6, __NV_ATOMIC_SEQ_CST);
    float number = 2.5f;
    __nv_atomic_exchange(&m->number, &number, &m->number_before, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_BLOCK);
    Four four{{5, 6, 7, 8}};
    __nv_atomic_exchange(&m->four, &four, &m->four_before, __NV_ATOMIC_ACQ_REL);
    // Each first with a wrong value, which becomes the one in memory, then with that.
    for (int i = 0; i < 2; ++i) {
        int* const word = &m->word_expected[i];
        *word = i == 0 ? 0 : m->word_expected[0];
        m->done[i] = __nv_atomic_compare_exchange_n(&m->word, word, 7, false, __NV_ATOMIC_ACQ_REL, __NV_ATOMIC_ACQUIRE);
        float* const real = &m->number_expected[i];
        float desired = 3.5f;
        *real = i == 0 ? 0 : m->number_expected[0];
        m->done[2 + i] = __nv_atomic_compare_exchange(&m->number, real, &desired, true, __NV_ATOMIC_RELAXED,
                                                      __NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_DEVICE);
        unsigned short* const half = &m->half_expected[i];
        *half = i == 0 ? 0 : m->half_expected[0];
        m->done[4 + i] =
            __nv_atomic_compare_exchange_n(&m->half, half, 9, false, __NV_ATOMIC_RELAXED, __NV_ATOMIC_RELAXED);
        Four* const expected = &m->four_expected[i];
        Four other{{9, 9, 9, 9}};
        *expected = i == 0 ? Four{{5, 6, 7, 0}} : m->four_expected[0];
        m->done[6 + i] =
            __nv_atomic_compare_exchange(&m->four, expected, &other, false, __NV_ATOMIC_SEQ_CST, __NV_ATOMIC_SEQ_CST);
    }
    __nv_atomic_store_n(&m->byte, -3, __NV_ATOMIC_RELAXED);
    m->byte_copy = __nv_atomic_load_n(&m->byte, __NV_ATOMIC_RELAXED);
    __nv_atomic_store_n(&m->positive, 200, __NV_ATOMIC_RELEASE);
    m->positive_copy = __nv_atomic_load_n(&m->positive, __NV_ATOMIC_SEQ_CST);
    Four copy;
    __nv_atomic_load(&m->four, &copy, __NV_ATOMIC_ACQUIRE);
    __nv_atomic_store(&m->four, &copy, __NV_ATOMIC_RELEASE);
    unsigned short half = 40000;
    __nv_atomic_store(&m->half, &half, __NV_ATOMIC_SEQ_CST);
    __nv_atomic_load(&m->half, &m->half_copy, __NV_ATOMIC_RELAXED);
    __nv_atomic_thread_fence(__NV_ATOMIC_SEQ_CST);
    __nv_atomic_thread_fence(__NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_BLOCK);
}

int main() {
    Memory* m;
    cudaMallocManaged(reinterpret_cast<void**>(&m), sizeof *m);
    *m = Memory{};
    m->big_least = ~0ULL;
    m->all = ~0U;
    messages<<<2, 32>>>(m);
    cudaDeviceSynchronize();
    std::printf("messages: %d lost of 32\n", m->lost);
    updates<<<2, 32>>>(m);
    cudaDeviceSynchronize();
    std::printf("sums: %d %d %llu %g %g\n", m->sum, m->difference, m->big, m->real, m->precise);
    std::printf("before the last: %d\n", m->most_before);
    std::printf("extrema: %d %d %llu %u\n", m->least, m->most, m->big_least, m->unsigned_most);
    std::printf("bits: %x %x %x %llx\n", m->all, m->any, m->odd, m->long_any);
    m->word = 5;
    m->number = 1.5f;
    m->four = Four{{1, 2, 3, 4}};
    m->half = 7;
    swaps<<<1, 1>>>(m);
    cudaDeviceSynchronize();
    const int *a = m->four_before.v, *b = m->four_expected[0].v;
    std::printf("exchange: %d %d, %g %g, {%d %d %d %d} {%d %d %d %d}\n", m->word_before, m->word_expected[0],
                m->number_before, m->number_expected[0], a[0], a[1], a[2], a[3], b[0], b[1], b[2], b[3]);
    std::printf("compare: %d %d %d %d, %d %g %d %g, %d %d %d 9, %d %d %d %d %d\n", m->done[0], m->word_expected[1],
                m->done[1], m->word, m->done[2], m->number_expected[1], m->done[3], m->number, m->done[4],
                m->half_expected[1], m->done[5], m->done[6], m->done[7], m->four_expected[1].v[0], m->done[7],
                m->four.v[3]);
    std::printf("small: %d %d %d\n", m->byte_copy, m->positive_copy, m->half_copy);
}
