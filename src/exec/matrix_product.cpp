// Sums of f16, bf16, tf32, e4m3 and e5m2 are taken in f32, from c on in the order of k, each rounded to the nearest.
// Products of two f16, or of two numbers of 8 bits, are exact in f32, so that a fused operation has the same result; so
// are products of bf16 and tf32 that are normal numbers. Sums of f64 are fused multiply-adds in the order of k, as PTX
// says.
#include "exec/matrix_product.h"

#include <algorithm>
#include <bit>
#include <cfenv>
#include <cmath>
#include <limits>

namespace heddle::exec {

using ir::Element;
using ir::Matrix;

namespace {

// Sets the rounding of the host's arithmetic during its lifetime. Compilers do not know that the rounding changes: the
// barriers keep arithmetic on values from memory between them.
class HostRounding {
public:
    explicit HostRounding(ir::Rounding rounding) : before_(std::fegetround()) {
        std::fesetround(rounding == ir::Rounding::Rz   ? FE_TOWARDZERO
                        : rounding == ir::Rounding::Rm ? FE_DOWNWARD
                        : rounding == ir::Rounding::Rp ? FE_UPWARD
                                                       : FE_TONEAREST);
        asm volatile("" ::: "memory");
    }
    ~HostRounding() {
        asm volatile("" ::: "memory");
        std::fesetround(before_);
    }
    HostRounding(const HostRounding&) = delete;
    HostRounding& operator=(const HostRounding&) = delete;

private:
    int before_;
};

// fma.f64. A NaN is the first operand that is a NaN, quieted.
double fused(double a, double b, double c) {
    const double sum = std::fma(a, b, c);
    if (sum == sum)
        return sum;
    for (const double nan : {a, b, c})
        if (nan != nan)
            return std::bit_cast<double>(std::bit_cast<std::uint64_t>(nan) | 0x0008'0000'0000'0000);
    return std::bit_cast<double>(std::uint64_t{0xfff8'0000'0000'0000});
}

// Adds the products of row `i` of A, of matrix `q`, to the sums of that row.
template <bool kSparse, class T>
void add_products(const Matrix& x, unsigned q, unsigned i, const Operands<T>& v, T* __restrict sum) {
    const unsigned n = x.b.shape.n, k = x.a.shape.k, first = (q * x.a.shape.m + i) * k;
    for (unsigned p = 0; p < k; ++p) {
        const T factor = v.a[first + p];
        const T* const row = &v.b[std::size_t{q * k + (kSparse ? v.column[first + p] : p)} * n];
        for (unsigned j = 0; j < n; ++j)
            sum[j] += factor * row[j];
    }
}

// The number of bits set in both of two rows of `k` words (`both`), or in one of them only.
std::int32_t count_bits(const std::int32_t* a, const std::int32_t* b, unsigned k, bool both) {
    int n = 0;
    for (unsigned p = 0; p < k; ++p)
        n += std::popcount(static_cast<std::uint32_t>(both ? a[p] & b[p] : a[p] ^ b[p]));
    return n;
}

std::int64_t saturated(std::int64_t value) {
    using Limits = std::numeric_limits<std::int32_t>;
    return std::clamp(value, std::int64_t{Limits::min()}, std::int64_t{Limits::max()});
}

} // namespace

void compute(const Matrix& x, const MatrixPositions& at, Operands<float>& v) {
    for (unsigned q = 0; q < x.a.matrices(); ++q)
        for (unsigned i = at.first_row; i < at.end_row; ++i) {
            float* const sum = &v.c[std::size_t{q * x.a.shape.m + i} * x.b.shape.n];
            if (x.sparse)
                add_products<true>(x, q, i, v, sum);
            else
                add_products<false>(x, q, i, v, sum);
        }
}

// Not inline: the compiler could keep inlined matrices in registers, where the barriers have no effect.
[[gnu::noinline]] void compute(const Matrix& x, const MatrixPositions& at, Operands<double>& v) {
    const unsigned n = x.a.shape.n, k = x.a.shape.k;
    const HostRounding rounding(x.rounding);
    for (unsigned i = at.first_row; i < at.end_row; ++i)
        for (unsigned j = 0; j < n; ++j) {
            double& sum = v.c[std::size_t{i} * n + j];
            for (unsigned p = 0; p < k; ++p)
                sum = fused(v.a[std::size_t{i} * k + p], v.b[std::size_t{p} * n + j], sum);
        }
}

void compute(const Matrix& x, const MatrixPositions& at, Operands<std::int32_t>& v) {
    const bool bits = x.a.element == Element::B1;
    const unsigned n = x.b.shape.n, words = x.a.shape.k / 32U;
    for (unsigned i = at.first_row; i < at.end_row; ++i) {
        std::array<std::int32_t, 32> sum{}; // fits: 64 products of two bytes at most
        for (unsigned j = 0; bits && j < n; ++j)
            sum[j] = count_bits(&v.a[std::size_t{i} * words], &v.b[std::size_t{j} * words], words, x.both);
        if (!bits && x.sparse)
            add_products<true>(x, 0, i, v, sum.data());
        else if (!bits)
            add_products<false>(x, 0, i, v, sum.data());
        for (unsigned j = 0; j < n; ++j) {
            std::int32_t& c = v.c[std::size_t{i} * n + j];
            const std::int64_t value = std::int64_t{c} + sum[j];
            c = static_cast<std::int32_t>(x.saturate ? saturated(value) : value);
        }
    }
}

} // namespace heddle::exec
