// How often each ASCII character occurs in a text. The threads are persistent and stride over the text in words of four
// characters; every block counts in shared memory and adds what it has counted to the result.

#include <exception>

#include "common/check.h"
#include "common/command_line.h"
#include "common/device.h"
#include "histogram/text.h"

constexpr int kBins = static_cast<int>(histogram::kCharacters);

// ---- device ----

/// `text` begins at a word.
__global__ void count_characters(unsigned* bins, const unsigned char* text, int count) {
    __shared__ unsigned counted[kBins];
    for (unsigned bin = threadIdx.x; bin < kBins; bin += blockDim.x)
        counted[bin] = 0;
    __syncthreads();

    const int words = count / 4;
    const unsigned* const fours = reinterpret_cast<const unsigned*>(text);
    for (int i = workload::thread_index(); i < words; i += workload::thread_count()) {
        const unsigned four = fours[i];
        atomicAdd(&counted[four & 0xff], 1);
        atomicAdd(&counted[four >> 8 & 0xff], 1);
        atomicAdd(&counted[four >> 16 & 0xff], 1);
        atomicAdd(&counted[four >> 24], 1);
    }
    for (int i = 4 * words + workload::thread_index(); i < count; i += workload::thread_count())
        atomicAdd(&counted[text[i]], 1);

    __syncthreads();
    for (unsigned bin = threadIdx.x; bin < kBins; bin += blockDim.x) {
        if (counted[bin] != 0)
            atomicAdd(&bins[bin], counted[bin]);
    }
}

namespace {

histogram::Text make_text(const std::string& file, const workload::Options& options) {
    if (file.empty())
        return histogram::random_text(options.amount.size, options.seed);
    try {
        return histogram::read_text(file);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "histogram: error: %s\n", error.what());
        std::exit(EXIT_FAILURE);
    }
}

} // namespace

int main(int argc, char** argv) {
    workload::CommandLine line("histogram", "How often each ASCII character occurs in a text",
                               {{"lwm", {16 << 20, 1024, 1}, {256 << 10, 1024, 1}}});
    std::string file;
    line.size("characters of the random text", 1, histogram::kMostText).threads().block().seed();
    line.text("--input", file, "read this text instead: a file of ASCII characters");
    const workload::Options options = line.parse(argc, argv);

    const histogram::Text text = make_text(file, options);
    const workload::Grid grid = workload::grid_for(options, text.size());
    workload::DeviceArray<std::uint8_t> device_text(text);
    workload::DeviceArray<unsigned> bins(kBins);
    bins.fill_bytes(0);
    count_characters<<<grid.blocks, grid.block>>>(bins.data(), device_text.data(), static_cast<int>(text.size()));
    workload::finish_kernels();

    workload::Check check;
    const std::vector<unsigned> got = bins.to_host();
    std::size_t used = 0;
    for (std::size_t bin = 0; bin < got.size(); ++bin) {
        const auto expected = std::count(text.begin(), text.end(), static_cast<std::uint8_t>(bin));
        check.equal("bin", bin, got[bin], expected);
        used += expected != 0;
    }
    std::printf("histogram: %u threads, %zu characters, %zu of them different\n", grid.threads(), text.size(), used);
    return check.finish();
}
