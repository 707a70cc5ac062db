// Edge detection in a grey image by the operator of Sobel: of the 3x3 neighbourhood of every pixel
//            -1 0 1             -1 -2 -1
//   across = -2 0 2  ,  down =   0  0  0  ,  edge = min(|across| + |down|, white).
//            -1 0 1              1  2  1
// A pixel beyond the border is the nearest one within. A pixel is a 32-bit integer in memory: MAWS's program is among
// those that miss the cache most often (Table 2), which bytes, 32 to a line, would not. No branch but those of loops
// (the same table).

#include <exception>

#include "common/check.h"
#include "common/command_line.h"
#include "common/device.h"
#include "filter/pgm.h"

// ---- device ----

__global__ void sobel(int* edges, const int* image, int width, int height, int white, workload::Deal deal) {
    const workload::Share share = workload::share_of(width * height, deal);
    for (int pixel = share.first; pixel < share.end; pixel += share.step) {
        const int x = pixel % width;
        const int y = pixel / width;
        int across = 0;
        int down = 0;
#pragma unroll 1
        for (int dy = -1; dy <= 1; ++dy) {
            const int* const row = image + min(max(y + dy, 0), height - 1) * width;
            for (int dx = -1; dx <= 1; ++dx) {
                const int grey = row[min(max(x + dx, 0), width - 1)];
                across += dx * (2 - abs(dy)) * grey;
                down += dy * (2 - abs(dx)) * grey;
            }
        }
        edges[pixel] = min(abs(across) + abs(down), white);
    }
}

std::vector<int> detect_edges(const filter::Image& image, const workload::Grid& grid, workload::Deal deal) {
    workload::DeviceArray<int> greys(std::vector<int>(image.pixels.begin(), image.pixels.end()));
    workload::DeviceArray<int> edges(image.pixels.size());
    edges.fill_bytes(0xff); // a pixel that no thread writes shall not pass
    sobel<<<grid.blocks, grid.block>>>(edges.data(), greys.data(), static_cast<int>(image.width),
                                       static_cast<int>(image.height), static_cast<int>(image.brightest), deal);
    workload::finish_kernels();
    return edges.to_host();
}

// ---- reference ----

namespace {

/// Both sums are separable: a difference in one direction, and 1 2 1 in the other. On an image with its border repeated
/// around it, so that no index is beyond.
std::vector<int> reference(const filter::Image& image) {
    const std::size_t stride = image.width + 2;
    std::vector<int> padded(stride * (image.height + 2));
    for (std::size_t y = 0; y < image.height + 2; ++y) {
        const std::size_t row = y == 0 ? 0 : std::min(y, image.height) - 1;
        for (std::size_t x = 0; x < stride; ++x)
            padded[y * stride + x] = image.pixels[row * image.width + (x == 0 ? 0 : std::min(x, image.width) - 1)];
    }
    std::vector<int> edges(image.pixels.size());
    for (std::size_t y = 0; y < image.height; ++y) {
        for (std::size_t x = 0; x < image.width; ++x) {
            const int* const above = &padded[y * stride + x];
            const int* const beside = above + stride;
            const int* const below = beside + stride;
            const int left = above[0] + 2 * beside[0] + below[0];
            const int right = above[2] + 2 * beside[2] + below[2];
            const int top = above[0] + 2 * above[1] + above[2];
            const int bottom = below[0] + 2 * below[1] + below[2];
            edges[y * image.width + x] =
                std::min(std::abs(right - left) + std::abs(bottom - top), static_cast<int>(image.brightest));
        }
    }
    return edges;
}

/// Runs what reads or writes a file; an error ends the program.
template <typename Work>
auto or_exit(Work work) {
    try {
        return work();
    } catch (const std::exception& error) {
        std::fprintf(stderr, "filter: error: %s\n", error.what());
        std::exit(EXIT_FAILURE);
    }
}

} // namespace

int main(int argc, char** argv) {
    workload::CommandLine line(
        "filter", "Edge detection in a grey image by the operator of Sobel",
        {{"maws", {500, workload::kDeviceThreads, 1}, {100, workload::kDeviceThreads, 1}, workload::Deal::Tiles}});
    std::string input;
    std::string output;
    line.size("rows and columns of the random image", 1, filter::kMostSide).threads().block().seed().deal();
    line.text("--input", input, "read this image instead: a PGM file, P2 or P5, of at most 256 greys");
    line.text("--output", output, "write the edges to this PGM file, P2 if the input is, else P5");
    const workload::Options options = line.parse(argc, argv);

    const filter::Image image = or_exit([&] {
        return input.empty() ? filter::random_image(options.amount.size, options.seed) : filter::read_pgm(input);
    });
    const workload::Grid grid = workload::grid_for(options, image.pixels.size());
    const std::vector<int> edges = detect_edges(image, grid, options.deal);

    workload::Check check;
    check.equal("edge", edges, reference(image));
    if (!output.empty()) {
        filter::Image result = image;
        std::copy(edges.begin(), edges.end(), result.pixels.begin());
        or_exit([&] { filter::write_pgm(output, result); });
    }
    std::printf("filter: %u threads, %zux%zu pixels\n", grid.threads(), image.width, image.height);
    return check.finish();
}
