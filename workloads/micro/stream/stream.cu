// Vector addition over the whole device: c[i] = a[i] + b[i], one element a thread.

#include "common/check.h"
#include "common/command_line.h"
#include "common/device.h"

// ---- device ----

__global__ void add(const float* a, const float* b, float* c, unsigned n) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}

// ---- host ----

int main(int argc, char** argv) {
    workload::CommandLine line("micro-stream", "Vector addition, one element a thread",
                               {{"micro", {4u << 20, 0, 1}, {256u << 10, 0, 1}}});
    line.size("elements", 1, 1u << 28).block();
    const workload::Options options = line.parse(argc, argv);
    const auto n = static_cast<unsigned>(options.amount.size);
    const unsigned block = workload::block_threads(options, 256);

    std::vector<float> a(n), b(n), sum(n);
    for (unsigned i = 0; i < n; ++i) {
        a[i] = static_cast<float>(i % 1000);
        b[i] = static_cast<float>(i % 77);
        sum[i] = a[i] + b[i]; // whole numbers: exact
    }
    workload::DeviceArray<float> device_a(a), device_b(b), device_c(n);
    add<<<(n + block - 1) / block, block>>>(device_a.data(), device_b.data(), device_c.data(), n);
    workload::finish_kernels();

    workload::Check check;
    check.equal("sums", device_c.to_host(), sum);
    return check.finish();
}
