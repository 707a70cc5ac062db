// Products of matrices by wmma in every layout, against sums on the host. Values are small integers, so that every
// order of summation gives the same.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <mma.h>
#include <utility>
#include <vector>

using namespace nvcuda::wmma;

namespace {

int failures = 0;

template <class T>
struct Value {
    static T of(int v) {
        return static_cast<T>(v);
    }
    static int to_int(T v) {
        return static_cast<int>(v);
    }
};
template <>
struct Value<__half> {
    static __half of(int v) {
        return __float2half(static_cast<float>(v));
    }
    static int to_int(__half v) {
        return static_cast<int>(__half2float(v));
    }
};

// What fragments of T are loaded from.
template <class T>
struct Memory {
    using type = T;
};
template <class T>
using InMemory = typename Memory<T>::type;

template <class Layout>
constexpr bool kRows = false;
template <>
constexpr bool kRows<row_major> = true;

// Lines are longer than the matrix.
constexpr int kLine = 48;

template <int m, int n, int k, class T, class A, class B, class C, class D>
__global__ void multiply(const InMemory<T>* a, const InMemory<T>* b, const C* c, D* d, layout_t c_layout,
                         layout_t d_layout) {
    __shared__ __align__(32) InMemory<T> staged[32 * kLine];
    fragment<matrix_a, m, n, k, T, A> fa;
    fragment<matrix_b, m, n, k, T, B> fb;
    fragment<accumulator, m, n, k, C> fc;
    fragment<accumulator, m, n, k, D> fd;
    for (unsigned i = threadIdx.x; i < sizeof staged / sizeof *staged; i += 32)
        staged[i] = b[i];
    __syncthreads();
    load_matrix_sync(fa, a, kLine);
    load_matrix_sync(fb, staged, kLine);
    load_matrix_sync(fc, c, kLine, c_layout);
    for (int i = 0; i < fc.num_elements; ++i)
        fc.x[i] = fc.x[i] + fc.x[i];
    mma_sync(fd, fa, fb, fc);
    store_matrix_sync(d, fd, kLine, d_layout);
}

template <class T>
struct OnDevice {
    T* data = nullptr;
    std::vector<T> host;
    explicit OnDevice(std::vector<T> values) : host(std::move(values)) {
        cudaMalloc(&data, host.size() * sizeof(T));
        cudaMemcpy(data, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice);
    }
    ~OnDevice() {
        cudaFree(data);
    }
    void fetch() {
        cudaMemcpy(host.data(), data, host.size() * sizeof(T), cudaMemcpyDeviceToHost);
    }
};

// Numbers from -3 (or 0) to 3; outside the matrix something else.
template <class T>
std::vector<T> numbers(unsigned seed, int low) {
    std::vector<T> out(32 * kLine);
    for (T& value : out) {
        seed = seed * 1664525 + 1013904223;
        value = Value<T>::of(low + static_cast<int>(seed >> 16) % (4 - low));
    }
    return out;
}

template <int m, int n, int k, class T, class A, class B, class C, class D>
void check(const char* what) {
    using Number = Value<InMemory<T>>;
    const int low = Number::to_int(Number::of(-1)) < 0 ? -3 : 0;
    for (int layouts = 0; layouts < 4; ++layouts) {
        const auto c_layout = (layouts & 1) != 0 ? mem_col_major : mem_row_major;
        const auto d_layout = (layouts & 2) != 0 ? mem_col_major : mem_row_major;
        OnDevice<InMemory<T>> a(numbers<InMemory<T>>(1, low)), b(numbers<InMemory<T>>(2, low));
        OnDevice<C> c(numbers<C>(3, -3));
        OnDevice<D> d(std::vector<D>(32 * kLine, Value<D>::of(77)));
        multiply<m, n, k, T, A, B, C, D><<<1, 32>>>(a.data, b.data, c.data, d.data, c_layout, d_layout);
        if (cudaDeviceSynchronize() != cudaSuccess) {
            std::printf("%s: %s\n", what, cudaGetErrorString(cudaGetLastError()));
            std::exit(1);
        }
        d.fetch();
        std::vector<int> expected(32 * kLine, 77);
        for (int i = 0; i < m; ++i)
            for (int j = 0; j < n; ++j) {
                int sum = 2 * Value<C>::to_int(c.host[c_layout == mem_row_major ? i * kLine + j : j * kLine + i]);
                for (int p = 0; p < k; ++p)
                    sum += Number::to_int(a.host[kRows<A> ? i * kLine + p : p * kLine + i]) *
                           Number::to_int(b.host[kRows<B> ? p * kLine + j : j * kLine + p]);
                expected[d_layout == mem_row_major ? i * kLine + j : j * kLine + i] = sum;
            }
        for (int i = 0; i < 32 * kLine; ++i)
            if (Value<D>::to_int(d.host[i]) != expected[i]) {
                std::printf("%s layouts %d: [%d] is %d, not %d\n", what, layouts, i, Value<D>::to_int(d.host[i]),
                            expected[i]);
                ++failures;
                break;
            }
    }
}

template <int m, int n, int k, class T, class C, class D>
void check_layouts(const char* what) {
    check<m, n, k, T, row_major, row_major, C, D>(what);
    check<m, n, k, T, row_major, col_major, C, D>(what);
    check<m, n, k, T, col_major, row_major, C, D>(what);
    check<m, n, k, T, col_major, col_major, C, D>(what);
}

} // namespace
