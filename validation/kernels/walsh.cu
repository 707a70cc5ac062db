// The fast Walsh-Hadamard transform of 2^23 values, as the CUDA sample fastWalshTransform divides it: passes of radix 4
// over global memory down to parts of 2^11 values, which a block then transforms in shared memory.

#include "timed_launch.h"

namespace {

constexpr unsigned kLogValues = 23;
constexpr unsigned kLogPart = 11; ///< of a block in shared memory
constexpr unsigned kThreads = 256;

__device__ void butterfly(float& a, float& b, float& c, float& d) {
    const float sum_ac = a + c, sum_bd = b + d, ac = a - c, bd = b - d;
    a = sum_ac + sum_bd;
    b = sum_ac - sum_bd;
    c = ac + bd;
    d = ac - bd;
}

/// A thread transforms four values `stride` apart.
__global__ void pass_of_radix_4(float* out, const float* in, unsigned stride) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, n = blockDim.x * gridDim.x * 4;
    out += blockIdx.y * n;
    in += blockIdx.y * n;
    const unsigned low = i & (stride - 1), at = ((i - low) << 2) + low;
    float a = in[at], b = in[at + stride], c = in[at + 2 * stride], d = in[at + 3 * stride];
    butterfly(a, b, c, d);
    out[at] = a;
    out[at + stride] = b;
    out[at + 2 * stride] = c;
    out[at + 3 * stride] = d;
}

__global__ void part_in_shared_memory(float* out, const float* in) {
    __shared__ float part[1 << kLogPart];
    constexpr unsigned kPart = 1 << kLogPart;
    in += blockIdx.x * kPart;
    out += blockIdx.x * kPart;
    for (unsigned i = threadIdx.x; i < kPart; i += blockDim.x)
        part[i] = in[i];
    const unsigned i = threadIdx.x;
    for (unsigned stride = kPart >> 2; stride > 0; stride >>= 2) {
        const unsigned low = i & (stride - 1), at = ((i - low) << 2) + low;
        __syncthreads();
        float a = part[at], b = part[at + stride], c = part[at + 2 * stride], d = part[at + 3 * stride];
        butterfly(a, b, c, d);
        part[at] = a;
        part[at + stride] = b;
        part[at + 2 * stride] = c;
        part[at + 3 * stride] = d;
    }
    __syncthreads();
    for (unsigned k = threadIdx.x; k < kPart / 2; k += blockDim.x) { // an odd logarithm leaves a pass of radix 2
        float2& pair = reinterpret_cast<float2*>(part)[k];
        pair = {pair.x + pair.y, pair.x - pair.y};
    }
    __syncthreads();
    for (unsigned k = threadIdx.x; k < kPart; k += blockDim.x)
        out[k] = part[k];
}

/// The transform of the host, in place.
void transform(std::vector<float>& values) {
    for (std::size_t stride = values.size() / 2; stride != 0; stride /= 2)
        for (std::size_t first = 0; first < values.size(); first += 2 * stride)
            for (std::size_t i = first; i < first + stride; ++i) {
                const float a = values[i], b = values[i + stride];
                values[i] = a + b;
                values[i + stride] = a - b;
            }
}

} // namespace

int main() {
    std::vector<float> values(std::size_t{1} << kLogValues);
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<float>((i * 2654435761U >> 7) % 16);
    workload::DeviceArray<float> data(values);
    validation::TimedLaunch launch;
    double passes = 0;
    unsigned count = 0, parts = 1;
    for (unsigned log = kLogValues; log > kLogPart; log -= 2, parts *= 4, ++count) {
        const unsigned n = 1U << log;
        passes += launch.cycles([&] {
            pass_of_radix_4<<<dim3(n / 4 / kThreads, parts), kThreads>>>(data.data(), data.data(), n / 4);
        });
    }
    const double shared =
        launch.cycles([&] { part_in_shared_memory<<<parts, (1U << kLogPart) / 4>>>(data.data(), data.data()); });
    workload::finish_kernels();
    transform(values);
    const auto here = data.to_host();
    for (std::size_t i = 0; i < values.size(); ++i)
        validation::expect_near("walsh", i, here[i], values[i], 0); // sums of small integers are exact
    validation::report("kernel.walsh.radix4", passes / count, "cycles");
    validation::report("kernel.walsh.shared", shared, "cycles");
}
