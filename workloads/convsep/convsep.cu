// Convolution of an image with a separable filter of 17 x 17: rows, then columns. A thread computes some pixels of a
// row or column from a piece of the image in shared memory, with a halo on both sides; outside the image pixels are 0.
//
// The shape is that of the CUDA SDK's convolutionSeparable: blocks of 16x4 threads for rows, 16x8 for columns. PRO
// Table II has 18432 and 9216 of them; with 8 pixels a thread, as there, they make an image of 3072x3072. Here a thread
// has 4 pixels and the image, of as many blocks, is 1536 wide and 3072 high: the same kernels, of half the length.
// Every operation is rounded once, in the order in which the reference has it, so the check is exact.

#include <cmath>

#include "common/check.h"
#include "common/command_line.h"
#include "common/device.h"
#include "common/random.h"

constexpr int kRadius = 8;
constexpr int kTaps = 2 * kRadius + 1;
constexpr int kPixels = 4;    ///< that a thread computes
constexpr int kRowsX = 16;    ///< threads of a block of the row filter
constexpr int kRowsY = 4;     //
constexpr int kColumnsX = 16; ///< threads of a block of the column filter
constexpr int kColumnsY = 8;  //

static_assert(kRowsX >= kRadius && kColumnsY >= kRadius, "a halo is one pixel a thread on each side");

// ---- device ----

__constant__ float filter[kTaps];

__global__ void convolve_rows(float* out, const float* in, int width) {
    __shared__ float piece[kRowsY][(kPixels + 2) * kRowsX];
    const int x = static_cast<int>(threadIdx.x);
    const int y = static_cast<int>(threadIdx.y);
    const int first = static_cast<int>(blockIdx.x) * kPixels * kRowsX + x; // the thread's pixels are kRowsX apart
    const int row = (static_cast<int>(blockIdx.y) * kRowsY + y) * width;
#pragma unroll
    for (int i = -1; i <= kPixels; ++i) {
        const int column = first + i * kRowsX;
        const bool inside = (i >= 0 || column >= 0) && (i < kPixels || column < width);
        piece[y][(i + 1) * kRowsX + x] = inside ? in[row + column] : 0.0f;
    }
    __syncthreads();
    float sum[kPixels] = {};
#pragma unroll
    for (int tap = 0; tap < kTaps; ++tap) {
        const float factor = filter[tap];
#pragma unroll
        for (int i = 0; i < kPixels; ++i)
            sum[i] = fmaf(factor, piece[y][(i + 1) * kRowsX + x + tap - kRadius], sum[i]);
    }
#pragma unroll
    for (int i = 0; i < kPixels; ++i)
        out[row + first + i * kRowsX] = sum[i];
}

__global__ void convolve_columns(float* out, const float* in, int width, int height) {
    __shared__ float piece[kColumnsX][(kPixels + 2) * kColumnsY + 1]; // one more: threads of a row on all banks
    const int x = static_cast<int>(threadIdx.x);
    const int y = static_cast<int>(threadIdx.y);
    const int first = static_cast<int>(blockIdx.y) * kPixels * kColumnsY + y;
    const int column = static_cast<int>(blockIdx.x) * kColumnsX + x;
#pragma unroll
    for (int i = -1; i <= kPixels; ++i) {
        const int row = first + i * kColumnsY;
        const bool inside = (i >= 0 || row >= 0) && (i < kPixels || row < height);
        piece[x][(i + 1) * kColumnsY + y] = inside ? in[row * width + column] : 0.0f;
    }
    __syncthreads();
    float sum[kPixels] = {};
#pragma unroll
    for (int tap = 0; tap < kTaps; ++tap) {
        const float factor = filter[tap];
#pragma unroll
        for (int i = 0; i < kPixels; ++i)
            sum[i] = fmaf(factor, piece[x][(i + 1) * kColumnsY + y + tap - kRadius], sum[i]);
    }
#pragma unroll
    for (int i = 0; i < kPixels; ++i)
        out[(first + i * kColumnsY) * width + column] = sum[i];
}

namespace {

/// Both sides of a block of either filter divide it.
constexpr std::size_t kGrain = 64;
static_assert(kGrain % (kPixels * kRowsX) == 0 && kGrain % (kPixels * kColumnsY) == 0);

struct Image {
    std::size_t width;
    std::size_t height;
    std::vector<float> pixels;
};

std::vector<float> convolve(const Image& image, const std::vector<float>& taps) {
    const auto width = static_cast<unsigned>(image.width);
    const auto height = static_cast<unsigned>(image.height);
    workload::DeviceArray<float> in(image.pixels);
    workload::DeviceArray<float> between(image.pixels.size());
    workload::DeviceArray<float> out(image.pixels.size());
    between.fill_bytes(0xff); // not numbers
    out.fill_bytes(0xff);
    CUDA_CHECK(cudaMemcpyToSymbol(filter, taps.data(), taps.size() * sizeof(float)));
    const dim3 row_blocks(width / (kPixels * kRowsX), height / kRowsY);
    const dim3 column_blocks(width / kColumnsX, height / (kPixels * kColumnsY));
    convolve_rows<<<row_blocks, dim3(kRowsX, kRowsY)>>>(between.data(), in.data(), static_cast<int>(width));
    convolve_columns<<<column_blocks, dim3(kColumnsX, kColumnsY)>>>(out.data(), between.data(), static_cast<int>(width),
                                                                    static_cast<int>(height));
    workload::finish_kernels();
    std::printf("convsep: %u blocks of %d threads for rows, %u of %d for columns, %ux%u pixels\n",
                row_blocks.x * row_blocks.y, kRowsX * kRowsY, column_blocks.x * column_blocks.y, kColumnsX * kColumnsY,
                width, height);
    return out.to_host();
}

// ---- reference ----

/// One of the two passes: from pixel to pixel lies `step`, along lines of `length`. Adds tap by tap to whole lines.
std::vector<float> pass(const std::vector<float>& in, const std::vector<float>& taps, std::size_t step,
                        std::size_t length) {
    std::vector<float> out(in.size());
    for (std::size_t tap = 0; tap < taps.size(); ++tap) {
        for (std::size_t at = 0; at < in.size(); ++at) {
            const std::size_t to = at / step % length + tap; // kRadius too far
            if (to >= kRadius && to < length + kRadius)
                out[at] = std::fma(taps[tap], in[at + tap * step - kRadius * step], out[at]);
        }
    }
    return out;
}

} // namespace

int main(int argc, char** argv) {
    workload::CommandLine line("convsep", "Convolution of an image with a separable filter",
                               {{"pro", {3072, 0, 1}, {384, 0, 1}}});
    line.size("rows of the image, twice its columns, a multiple of 128", 1, 16'384).seed();
    const workload::Options options = line.parse(argc, argv);
    const std::size_t height = options.amount.size;
    if (height % (2 * kGrain) != 0) {
        std::fprintf(stderr, "convsep: error: --size %zu: the number of rows must be a multiple of %zu\n", height,
                     2 * kGrain);
        return EXIT_FAILURE;
    }
    workload::require_block_of(kColumnsX * kColumnsY, "convsep", "the column filter");

    workload::Random random(options.seed);
    const std::vector<float> taps = random.uniform(kTaps, 0.0f, 1.0f);
    const Image image{height / 2, height, random.uniform(height / 2 * height, 0.0f, 16.0f)};
    const std::vector<float> got = convolve(image, taps);
    const std::vector<float> rows = pass(image.pixels, taps, 1, image.width);
    workload::Check check;
    check.near("pixel", got, pass(rows, taps, image.width, image.height), 0);
    return check.finish();
}
