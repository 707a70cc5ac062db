// LU decomposition of a dense matrix in place, without pivoting, in blocks as the SPLASH-2 program has it. For every
// block on the diagonal, three kernels that wait for each other:
//   factor_diagonal  the block itself becomes its L and U; one block of threads
//   solve_perimeter  U right of it, a thread a column; then L below it, a thread a row
//   update_interior  what is right and below loses the product of the two, a thread an element
// Columns of threads read along rows of the matrix, rows of threads a whole row apart (MAWS Table 1: "alternating
// row-major and column-major computation"). No branch but those of loops (MAWS Table 2).

#include <cmath>

#include "common/check.h"
#include "common/command_line.h"
#include "common/device.h"
#include "common/random.h"

constexpr int kSide = 16; ///< of a block: the size that SPLASH-2 runs

// ---- device ----

/// The block of `side` rows whose first element is a[first][first]; for one block of threads.
template <typename Real>
__global__ void factor_diagonal(Real* a, int n, int first, int side) {
    Real* const corner = a + first * n + first;
    const int thread = static_cast<int>(threadIdx.x);
    const int threads = static_cast<int>(blockDim.x);
#pragma unroll 1
    for (int k = 0; k + 1 < side; ++k) {
        const int rest = side - 1 - k;
#pragma unroll 1
        for (int i = k + 1 + thread; i < side; i += threads)
            corner[i * n + k] /= corner[k * n + k];
        __syncthreads();
#pragma unroll 1
        for (int element = thread; element < rest * rest; element += threads) {
            const int i = k + 1 + element / rest;
            const int j = k + 1 + element % rest;
            corner[i * n + j] -= corner[i * n + k] * corner[k * n + j];
        }
        __syncthreads();
    }
}

template <typename Real>
__global__ void solve_perimeter(Real* a, int n, int first, int side, workload::Deal deal) {
    const int begin = first + side;
    const workload::Share share = workload::share_of(n - begin, deal);
    for (int column = begin + share.first; column < begin + share.end; column += share.step) {
#pragma unroll 1
        for (int i = first + 1; i < begin; ++i) {
            Real value = a[i * n + column];
#pragma unroll 1
            for (int k = first; k < i; ++k)
                value -= a[i * n + k] * a[k * n + column];
            a[i * n + column] = value;
        }
    }
    for (int row = begin + share.first; row < begin + share.end; row += share.step) {
#pragma unroll 1
        for (int j = first; j < begin; ++j) {
            Real value = a[row * n + j];
#pragma unroll 1
            for (int k = first; k < j; ++k)
                value -= a[row * n + k] * a[k * n + j];
            a[row * n + j] = value / a[j * n + j];
        }
    }
}

template <typename Real>
__global__ void update_interior(Real* a, int n, int first, int side, workload::Deal deal) {
    const int begin = first + side;
    const int rest = n - begin;
    const workload::Share share = workload::share_of(rest * rest, deal);
    for (int element = share.first; element < share.end; element += share.step) {
        const int i = begin + element / rest;
        const int j = begin + element % rest;
        Real value = a[i * n + j];
#pragma unroll 1
        for (int k = first; k < begin; ++k)
            value -= a[i * n + k] * a[k * n + j];
        a[i * n + j] = value;
    }
}

/// `matrix` becomes U on and above its diagonal and L, whose diagonal is 1, below it.
template <typename Real>
std::vector<Real> decompose(const std::vector<Real>& matrix, int n, const workload::Options& options) {
    workload::DeviceArray<Real> a(matrix);
    const unsigned block = workload::block_threads(options);
    for (int first = 0; first < n; first += kSide) {
        const int side = std::min(kSide, n - first);
        factor_diagonal<<<1, block>>>(a.data(), n, first, side);
        const std::uint64_t rest = static_cast<std::uint64_t>(n - first - side);
        if (rest == 0)
            break;
        const workload::Grid perimeter = workload::grid_for(options, rest);
        solve_perimeter<<<perimeter.blocks, perimeter.block>>>(a.data(), n, first, side, options.deal);
        const workload::Grid interior = workload::grid_for(options, rest * rest);
        update_interior<<<interior.blocks, interior.block>>>(a.data(), n, first, side, options.deal);
    }
    workload::finish_kernels();
    return a.to_host();
}

// ---- reference ----

namespace {

/// Uniform in [-1, 1) off the diagonal; on it, one more than the sum of the row's magnitudes, so that no pivot is
/// small and none has to be searched for.
template <typename Real>
std::vector<Real> dominant_matrix(std::size_t n, workload::Random& random) {
    std::vector<Real> matrix(n * n);
    for (Real& value : matrix)
        value = random.uniform(-1.0f, 1.0f);
    for (std::size_t i = 0; i < n; ++i) {
        Real sum = 1;
        for (std::size_t j = 0; j < n; ++j)
            sum += i == j ? 0 : std::fabs(matrix[i * n + j]);
        matrix[i * n + i] = sum;
    }
    return matrix;
}

/// Row by row, each element from its definition: a_ij less what the earlier k contribute.
template <typename Real>
std::vector<double> reference(const std::vector<Real>& matrix, std::size_t n) {
    std::vector<double> lu(matrix.begin(), matrix.end());
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t k = 0; k < i; ++k) {
            lu[i * n + k] /= lu[k * n + k];
            for (std::size_t j = k + 1; j < n; ++j)
                lu[i * n + j] -= lu[i * n + k] * lu[k * n + j];
        }
    }
    return lu;
}

/// Against the reference. An element's error is measured where the matrix has numbers of about 1: an element of L times
/// its pivot, an element of U as it is. n roundings, of the kernel's and of the reference's,
/// bound it while nothing grows, which a dominant diagonal sees to.
template <typename Real>
double check_factors(workload::Check& check, const std::vector<Real>& lu, const std::vector<Real>& matrix,
                     std::size_t n) {
    const std::vector<double> expected = reference(matrix, n);
    const double unit = static_cast<double>(n) * (workload::unit_roundoff<Real>() + workload::unit_roundoff<double>());
    double worst = 0; // error by its tolerance
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
            const std::size_t at = i * n + j;
            const double one = j < i ? 1.0 / std::fabs(expected[j * n + j]) : 1.0;
            const double tolerance = unit * (one + std::fabs(expected[at]));
            check.near("lu", at, double{lu[at]}, expected[at], tolerance);
            worst = std::max(worst, std::fabs(double{lu[at]} - expected[at]) / tolerance);
        }
    }
    return worst;
}

/// |LU - A| of every element, against n u |L||U|, u of the kernel and of the product here: the bound that holds for any
/// order of the operations, whatever the matrix (Higham, Accuracy and Stability of Numerical Algorithms, theorem 9.3).
template <typename Real>
double check_residual(workload::Check& check, const std::vector<Real>& lu, const std::vector<Real>& matrix,
                      std::size_t n) {
    const double unit = static_cast<double>(n) * (workload::unit_roundoff<Real>() + workload::unit_roundoff<double>());
    double worst = 0;
    std::vector<double> product(n);
    std::vector<double> magnitude(n);
    for (std::size_t i = 0; i < n; ++i) {
        std::fill(product.begin(), product.end(), 0.0);
        std::fill(magnitude.begin(), magnitude.end(), 0.0);
        for (std::size_t k = 0; k <= i; ++k) {
            const double l = k == i ? 1.0 : double{lu[i * n + k]};
            for (std::size_t j = k; j < n; ++j) {
                product[j] += l * double{lu[k * n + j]};
                magnitude[j] += std::fabs(l * double{lu[k * n + j]});
            }
        }
        for (std::size_t j = 0; j < n; ++j) {
            const double expected = matrix[i * n + j];
            check.near("L*U", i * n + j, product[j], expected, unit * magnitude[j]);
            worst = std::max(worst, std::fabs(product[j] - expected) / (unit * magnitude[j]));
        }
    }
    return worst;
}

template <typename Real>
int run(const workload::Options& options) {
    const std::size_t n = options.amount.size;
    workload::Random random(options.seed);
    const std::vector<Real> matrix = dominant_matrix<Real>(n, random);
    const std::vector<Real> lu = decompose(matrix, static_cast<int>(n), options);

    workload::Check check;
    const double factors = check_factors(check, lu, matrix, n);
    const double residual = check_residual(check, lu, matrix, n);
    std::printf("lu: %zux%zu, errors by their tolerances: factors %.3f, residual %.3f\n", n, n, factors, residual);
    return check.finish();
}

} // namespace

int main(int argc, char** argv) {
    bool single = false;
    workload::CommandLine line(
        "lu", "LU decomposition of a dense matrix in blocks, without pivoting",
        {{"maws", {300, workload::kDeviceThreads, 1}, {70, workload::kDeviceThreads, 1}, workload::Deal::Tiles},
         {"dwf", {256, 0, 1}, {70, 0, 1}}});
    line.size("rows and columns of the matrix", 1, 2048)
        .threads()
        .block()
        .seed()
        .deal()
        .flag("--single", single, "single precision in place of double, which SPLASH-2 has");
    const workload::Options options = line.parse(argc, argv);
    return single ? run<float>(options) : run<double>(options);
}
