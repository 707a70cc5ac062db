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

/// A complex number.
template <typename Real>
struct alignas(2 * sizeof(Real)) Point {
    Real x;
    Real y;
};

/// Points between the end of a row and the next one: 32 bytes, the line of MAWS's D-caches. Rows are powers of two
/// long; without it what the threads work on at a time would lie in few sets of a cache. SPLASH-2 pads for the same
/// reason. Less than a line would have threads of two cores write to one.
template <typename Real>
constexpr int kPad = static_cast<int>(32 / sizeof(Point<Real>));

// ---- device ----

template <typename Real>
__device__ inline Point<Real> product(Point<Real> a, Point<Real> b) {
    return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
}

/// Radix-2 transform in place: points in bit-reversed order, then butterflies of distance 1, 2, 4 and so on. `roots`
/// has w_m^k for k < m / 2, m a power of two and at least the row's length.
template <typename Real>
__device__ inline void transform_row(Point<Real>* row, int log_length, const Point<Real>* roots, int root_count) {
    const int length = 1 << log_length;
#pragma unroll 1
    for (int i = 0; i < length; ++i) {
        const int j = static_cast<int>(__brev(static_cast<unsigned>(i)) >> (32 - log_length));
        if (i < j) {
            const Point<Real> point = row[i];
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
                Point<Real>* const low = row + first + i;
                Point<Real>* const high = low + distance;
                const Point<Real> a = *low;
                const Point<Real> b = product(*high, roots[i * root_stride]);
                *low = {a.x + b.x, a.y + b.y};
                *high = {a.x - b.x, a.y - b.y};
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

template <typename Real>
__global__ void transform_rows(Point<Real>* matrix, int rows, int log_length, const Point<Real>* roots, int root_count,
                               workload::Deal deal) {
    const workload::Share share = share_of_rows(rows, deal);
    for (int row = share.first; row < share.end; row += share.step)
        transform_row(matrix + row * ((1 << log_length) + kPad<Real>), log_length, roots, root_count);
}

/// The same, and multiplies by `twiddles`, which is laid out as `matrix` is.
template <typename Real>
__global__ void transform_and_twiddle_rows(Point<Real>* matrix, const Point<Real>* twiddles, int rows, int log_length,
                                           const Point<Real>* roots, int root_count, workload::Deal deal) {
    const int length = 1 << log_length;
    const workload::Share share = share_of_rows(rows, deal);
    for (int row = share.first; row < share.end; row += share.step) {
        const int begin = row * (length + kPad<Real>);
        transform_row(matrix + begin, log_length, roots, root_count);
#pragma unroll 1
        for (int i = begin; i < begin + length; ++i)
            matrix[i] = product(matrix[i], twiddles[i]);
    }
}

/// `to` has `rows` rows of `columns` points, which are written in order and read a row apart.
template <typename Real>
__global__ void transpose(Point<Real>* to, const Point<Real>* from, int rows, int columns, workload::Deal deal) {
    const int to_stride = columns + kPad<Real>;
    const int from_stride = rows + kPad<Real>;
    const workload::Share share = workload::share_of(rows * columns, deal);
    for (int i = share.first; i < share.end; i += share.step) {
        const int row = i / columns;
        const int column = i % columns;
        to[row * to_stride + column] = from[column * from_stride + row];
    }
}

// ---- host ----

namespace {

using Complex = std::complex<double>;

/// exp(-2 pi i k / n).
Complex root(std::size_t k, std::size_t n) {
    return std::polar(1.0, -2.0 * M_PI * static_cast<double>(k) / static_cast<double>(n));
}

template <typename Real>
Point<Real> rounded(Complex value) {
    return {static_cast<Real>(value.real()), static_cast<Real>(value.imag())};
}

/// A matrix as the kernels have it: rows with kPad points behind each.
template <typename Real>
struct Shape {
    std::size_t rows;
    std::size_t columns;

    std::size_t stride() const {
        return columns + kPad<Real>;
    }
    std::size_t points() const {
        return rows * stride();
    }
    /// Where point i of a vector goes that fills the rows one after the other.
    std::size_t place(std::size_t i) const {
        return i / columns * stride() + i % columns;
    }
};

template <typename Real>
std::vector<Point<Real>> padded(const std::vector<Point<Real>>& points, const Shape<Real>& shape) {
    std::vector<Point<Real>> matrix(shape.points());
    for (std::size_t i = 0; i < points.size(); ++i)
        matrix[shape.place(i)] = points[i];
    return matrix;
}

template <typename Real>
std::vector<Point<Real>> root_table(std::size_t n) {
    std::vector<Point<Real>> roots(n / 2);
    for (std::size_t k = 0; k < roots.size(); ++k)
        roots[k] = rounded<Real>(root(k, n));
    return roots;
}

/// w_n^(c r') in row c and column r'.
template <typename Real>
std::vector<Point<Real>> twiddle_table(const Shape<Real>& shape) {
    std::vector<Point<Real>> twiddles(shape.points());
    const std::size_t n = shape.rows * shape.columns;
    for (std::size_t i = 0; i < n; ++i)
        twiddles[shape.place(i)] = rounded<Real>(root(i / shape.columns * (i % shape.columns), n));
    return twiddles;
}

int log2_of(std::size_t power) {
    int log = 0;
    while ((std::size_t{1} << log) < power)
        ++log;
    return log;
}

template <typename Real>
std::vector<Point<Real>> transform(const std::vector<Point<Real>>& points, const workload::Options& options) {
    const int log_n = log2_of(points.size());
    const int log_rows = log_n / 2;
    const int log_columns = log_n - log_rows;
    const int rows = 1 << log_rows;
    const int columns = 1 << log_columns;
    const Shape<Real> upright{std::size_t{1} << log_rows, std::size_t{1} << log_columns};
    const Shape<Real> across{upright.columns, upright.rows};

    workload::DeviceArray<Point<Real>> a(padded(points, upright));
    workload::DeviceArray<Point<Real>> b(across.points());
    workload::DeviceArray<Point<Real>> twiddles(twiddle_table(across));
    workload::DeviceArray<Point<Real>> roots(root_table<Real>(upright.columns));
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

    const std::vector<Point<Real>> matrix = b.to_host();
    std::vector<Point<Real>> result(points.size());
    for (std::size_t i = 0; i < result.size(); ++i)
        result[i] = matrix[across.place(i)];
    return result;
}

// ---- reference ----

/// The transform of `count` points that lie `stride` apart: of the even and of the odd ones, then put together.
std::vector<Complex> reference(const Complex* points, std::size_t count, std::size_t stride) {
    if (count == 1)
        return {*points};
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

/// A butterfly with roots rounded to the unit roundoff u has a relative error below 4 u, so the whole transform one
/// below 4 u log2(n) by the 2-norm. Points within the unit square have transforms of some sqrt(n) each, over which the
/// error spreads evenly. The reference has errors of double precision itself.
template <typename Real>
double tolerance(std::size_t n) {
    const double unit = workload::unit_roundoff<Real>() + workload::unit_roundoff<double>();
    return 4.0 * unit * log2_of(n) * std::sqrt(static_cast<double>(n));
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

template <typename Real>
int run(const workload::Options& options) {
    const std::size_t n = options.amount.size;
    workload::Random random(options.seed);
    std::vector<Point<Real>> points(n);
    std::vector<Complex> exact(n);
    for (std::size_t i = 0; i < n; ++i) {
        points[i].x = random.uniform(-1.0f, 1.0f);
        points[i].y = random.uniform(-1.0f, 1.0f);
        exact[i] = Complex(points[i].x, points[i].y);
    }
    const std::vector<Point<Real>> got = transform(points, options);

    workload::Check check;
    const std::vector<Complex> expected = reference(exact.data(), n, 1);
    for (std::size_t k = 0; k < n; ++k) {
        check.near("real", k, got[k].x, expected[k].real(), tolerance<Real>(n));
        check.near("imaginary", k, got[k].y, expected[k].imag(), tolerance<Real>(n));
    }
    std::printf("fft: %zu points, largest error %.2e (tolerance %.1e)\n", n, check.worst(), tolerance<Real>(n));
    return check.finish();
}

} // namespace

int main(int argc, char** argv) {
    bool single = false;
    workload::CommandLine line(
        "fft", "Fast Fourier transform of complex numbers in one dimension",
        {{"maws", {1u << 15, workload::kDeviceThreads, 1}, {4096, workload::kDeviceThreads, 1}, workload::Deal::Tiles},
         {"dwf", {1u << 18, workload::kDeviceThreads, 1}, {4096, workload::kDeviceThreads, 1}}});
    line.size("points, a power of two", kLeastPoints, kMostPoints)
        .threads()
        .block()
        .seed()
        .deal()
        .flag("--single", single, "single precision in place of double, which SPLASH-2 has");
    const workload::Options options = line.parse(argc, argv);
    require_power_of_two(options.amount.size);
    return single ? run<float>(options) : run<double>(options);
}
