// Fast Fourier transform of complex numbers in one dimension, in six steps as the SPLASH-2 program has it. The n points
// are a matrix of R rows and C columns, R C = n, R = C or 2 R = C; with w_m = exp(-2 pi i / m)
//   X[r' + R c'] = sum over c of w_C^(c c') w_n^(c r') sum over r of w_R^(r r') x[C r + c]
//   1 transpose, so that what belongs to one c is a row     2 transform the rows of R points
//   3 multiply by w_n^(c r')     4 transpose back     5 transform the rows of C points     6 transpose into order
// A row is one thread's: the parallel loops of SPLASH-2 and MAWS are over rows. 3 is done with 2, while the row is at
// hand. Roots of unity come from tables.

#include <cmath>
#include <complex>

#include "common/check.h"
#include "common/command_line.h"
#include "common/device.h"
#include "common/random.h"

/// Points between the end of a row and the next one: 32 bytes, the line of MAWS's D-caches. Rows are powers of two
/// long; without it what the threads work on at a time would lie in few sets of a cache. SPLASH-2 pads for the same
/// reason. Less than a line would have threads of two cores write to one.
constexpr int kPad = 4;

// ---- device ----

__device__ inline float2 product(float2 a, float2 b) {
    return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

/// Radix-2 transform in place: points in bit-reversed order, then butterflies of distance 1, 2, 4 and so on. `roots`
/// has w_m^k for k < m / 2, m a power of two and at least the row's length.
__device__ inline void transform_row(float2* row, int log_length, const float2* roots, int root_count) {
    const int length = 1 << log_length;
#pragma unroll 1
    for (int i = 0; i < length; ++i) {
        const int j = static_cast<int>(__brev(static_cast<unsigned>(i)) >> (32 - log_length));
        if (i < j) {
            const float2 point = row[i];
            row[i] = row[j];
            row[j] = point;
        }
    }
#pragma unroll 1
    for (int distance = 1; distance < length; distance *= 2) {
        const int root_stride = root_count / distance;
#pragma unroll 1
        for (int first = 0; first < length; first += 2 * distance) {
#pragma unroll 1
            for (int i = 0; i < distance; ++i) {
                float2* const low = row + first + i;
                float2* const high = low + distance;
                const float2 a = *low;
                const float2 b = product(*high, roots[i * root_stride]);
                *low = make_float2(a.x + b.x, a.y + b.y);
                *high = make_float2(a.x - b.x, a.y - b.y);
            }
        }
    }
}

/// A thread's rows. Threads are counted across blocks, so that all cores have some where there are fewer rows than
/// threads.
__device__ inline workload::Share share_of_rows(int rows, workload::Deal deal) {
    const int thread = static_cast<int>(threadIdx.x * gridDim.x + blockIdx.x);
    return workload::share_of(rows, deal, thread, workload::thread_count());
}

__global__ void transform_rows(float2* matrix, int rows, int log_length, const float2* roots, int root_count,
                               workload::Deal deal) {
    const workload::Share share = share_of_rows(rows, deal);
    for (int row = share.first; row < share.end; row += share.step)
        transform_row(matrix + row * ((1 << log_length) + kPad), log_length, roots, root_count);
}

/// The same, and multiplies by `twiddles`, which is laid out as `matrix` is.
__global__ void transform_and_twiddle_rows(float2* matrix, const float2* twiddles, int rows, int log_length,
                                           const float2* roots, int root_count, workload::Deal deal) {
    const int length = 1 << log_length;
    const workload::Share share = share_of_rows(rows, deal);
    for (int row = share.first; row < share.end; row += share.step) {
        const int begin = row * (length + kPad);
        transform_row(matrix + begin, log_length, roots, root_count);
#pragma unroll 1
        for (int i = begin; i < begin + length; ++i)
            matrix[i] = product(matrix[i], twiddles[i]);
    }
}

/// `to` has `rows` rows of `columns` points, which are written in order and read a row apart.
__global__ void transpose(float2* to, const float2* from, int rows, int columns, workload::Deal deal) {
    const workload::Share share = workload::share_of(rows * columns, deal);
    for (int i = share.first; i < share.end; i += share.step) {
        const int row = i / columns;
        const int column = i % columns;
        to[row * (columns + kPad) + column] = from[column * (rows + kPad) + row];
    }
}

// ---- host ----

namespace {

using Complex = std::complex<double>;

/// exp(-2 pi i k / n).
Complex root(std::size_t k, std::size_t n) {
    return std::polar(1.0, -2.0 * M_PI * static_cast<double>(k) / static_cast<double>(n));
}

float2 rounded(Complex value) {
    return {static_cast<float>(value.real()), static_cast<float>(value.imag())};
}

/// A matrix as the kernels have it: rows with kPad points behind each.
struct Shape {
    std::size_t rows;
    std::size_t columns;

    std::size_t points() const {
        return rows * (columns + kPad);
    }
    /// Where point i of a vector goes that fills the rows one after the other.
    std::size_t place(std::size_t i) const {
        return i / columns * (columns + kPad) + i % columns;
    }
};

std::vector<float2> padded(const std::vector<float2>& points, const Shape& shape) {
    std::vector<float2> matrix(shape.points());
    for (std::size_t i = 0; i < points.size(); ++i)
        matrix[shape.place(i)] = points[i];
    return matrix;
}

std::vector<float2> root_table(std::size_t n) {
    std::vector<float2> roots(n / 2);
    for (std::size_t k = 0; k < roots.size(); ++k)
        roots[k] = rounded(root(k, n));
    return roots;
}

/// w_n^(c r') in row c and column r'.
std::vector<float2> twiddle_table(const Shape& shape) {
    std::vector<float2> twiddles(shape.points());
    for (std::size_t i = 0; i < shape.rows * shape.columns; ++i)
        twiddles[shape.place(i)] = rounded(root(i / shape.columns * (i % shape.columns), shape.rows * shape.columns));
    return twiddles;
}

int log2_of(std::size_t power) {
    int log = 0;
    while ((std::size_t{1} << log) < power)
        ++log;
    return log;
}

std::vector<float2> transform(const std::vector<float2>& points, const workload::Options& options) {
    const int log_n = log2_of(points.size());
    const int log_rows = log_n / 2;
    const int log_columns = log_n - log_rows;
    const int rows = 1 << log_rows;
    const int columns = 1 << log_columns;
    const Shape upright{std::size_t{1} << log_rows, std::size_t{1} << log_columns};
    const Shape across{upright.columns, upright.rows};

    workload::DeviceArray<float2> a(padded(points, upright));
    workload::DeviceArray<float2> b(across.points());
    workload::DeviceArray<float2> twiddles(twiddle_table(across));
    workload::DeviceArray<float2> roots(root_table(upright.columns));
    const int root_count = columns / 2;
    const workload::Grid all = workload::grid_for(options, points.size());
    const workload::Grid of_a = workload::grid_for(options, upright.rows);
    const workload::Grid of_b = workload::grid_for(options, across.rows);

    transpose<<<all.blocks, all.block>>>(b.data(), a.data(), columns, rows, options.deal);
    transform_and_twiddle_rows<<<of_b.blocks, of_b.block>>>(b.data(), twiddles.data(), columns, log_rows, roots.data(),
                                                            root_count, options.deal);
    transpose<<<all.blocks, all.block>>>(a.data(), b.data(), rows, columns, options.deal);
    transform_rows<<<of_a.blocks, of_a.block>>>(a.data(), rows, log_columns, roots.data(), root_count, options.deal);
    transpose<<<all.blocks, all.block>>>(b.data(), a.data(), columns, rows, options.deal);
    workload::finish_kernels();

    const std::vector<float2> matrix = b.to_host();
    std::vector<float2> result(points.size());
    for (std::size_t i = 0; i < result.size(); ++i)
        result[i] = matrix[across.place(i)];
    return result;
}

// ---- reference ----

/// The transform of `count` points that lie `stride` apart: of the even and of the odd ones, then put together.
std::vector<Complex> reference(const float2* points, std::size_t count, std::size_t stride) {
    if (count == 1)
        return {Complex(double{points->x}, double{points->y})};
    const std::vector<Complex> even = reference(points, count / 2, 2 * stride);
    const std::vector<Complex> odd = reference(points + stride, count / 2, 2 * stride);
    std::vector<Complex> result(count);
    for (std::size_t k = 0; k < count / 2; ++k) {
        const Complex turned = root(k, count) * odd[k];
        result[k] = even[k] + turned;
        result[k + count / 2] = even[k] - turned;
    }
    return result;
}

/// A butterfly with roots rounded to u = 2^-24 has a relative error below 4 u, so the whole transform one below
/// 4 u log2(n) by the 2-norm. Points within the unit square have transforms of some sqrt(n) each, over which the error
/// spreads evenly.
double tolerance(std::size_t n) {
    return 4.0 * 0x1p-24 * log2_of(n) * std::sqrt(static_cast<double>(n));
}

constexpr std::size_t kLeastPoints = 4; // rows of two points, the shortest that have a bit to reverse
constexpr std::size_t kMostPoints = 1u << 22;

void require_power_of_two(std::size_t n) {
    if ((n & (n - 1)) == 0)
        return;
    std::fprintf(stderr, "fft: error: --size %zu: the number of points must be a power of two, such as %zu\n", n,
                 std::size_t{1} << log2_of(n));
    std::exit(EXIT_FAILURE);
}

} // namespace

int main(int argc, char** argv) {
    workload::CommandLine line(
        "fft", "Fast Fourier transform of complex numbers in one dimension",
        {{"maws", {1u << 15, workload::kDeviceThreads, 1}, {4096, workload::kDeviceThreads, 1}, workload::Deal::Tiles},
         {"dwf", {1u << 18, workload::kDeviceThreads, 1}, {4096, workload::kDeviceThreads, 1}}});
    line.size("points, a power of two", kLeastPoints, kMostPoints).threads().block().seed().deal();
    const workload::Options options = line.parse(argc, argv);
    require_power_of_two(options.amount.size);

    const std::size_t n = options.amount.size;
    workload::Random random(options.seed);
    std::vector<float2> points(n);
    for (float2& point : points) {
        point.x = random.uniform(-1.0f, 1.0f);
        point.y = random.uniform(-1.0f, 1.0f);
    }
    const std::vector<float2> got = transform(points, options);

    workload::Check check;
    const std::vector<Complex> expected = reference(points.data(), n, 1);
    for (std::size_t k = 0; k < n; ++k) {
        check.near("real", k, double{got[k].x}, expected[k].real(), tolerance(n));
        check.near("imaginary", k, double{got[k].y}, expected[k].imag(), tolerance(n));
    }
    std::printf("fft: %zu points, largest error %.2e (tolerance %.1e)\n", n, check.worst(), tolerance(n));
    return check.finish();
}
