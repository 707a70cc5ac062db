// Sums of f16, bf16 and tf32 are taken in f32, from c on in the order of k, each rounded to the nearest. Products of
// two f16 are exact in f32, so that a fused operation has the same result; so are products of bf16 and tf32 that are
// normal numbers. Sums of f64 are fused multiply-adds in the order of k, as PTX says.
#include "exec/matrix.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cfenv>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "exec/half_bits.h"

namespace heddle::exec {

using ir::Element;
using ir::Matrix;
using ir::MicroOp;
using ir::Place;
using ir::Sub;

namespace {

using Lanes = std::array<std::uint32_t, kPtxWarp>;

constexpr unsigned kMostElements = 1024; // of the matrices a, or b, of one instruction
constexpr unsigned kMostResults = 256;

template <class T>
struct Operands { // filled from fragments
    alignas(64) std::array<T, kMostElements> a, b;
    alignas(64) std::array<T, kMostResults> c{}; // an instruction for a part of the result reads that part of c
};

// A register of each thread, where elements are computed as T.
template <class T>
using Words = std::array<std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>, kPtxWarp>;

std::uint32_t to_f32(float value) {
    return value != value ? 0x7fffffff : std::bit_cast<std::uint32_t>(value);
}

// Copies the `kElements` elements of each register, from its lowest bit up, to the positions `to`. The values are
// computed first, in a loop that compilers vectorise.
template <unsigned kElements, class T, class F>
void unpack_as(const Lanes& words, const std::uint16_t* to, T* matrix, const F& value) {
    constexpr unsigned kBits = 32 / kElements;
    std::array<T, kElements * kPtxWarp> values;
    for (unsigned e = 0; e < kElements; ++e)
        for (unsigned lane = 0; lane < kPtxWarp; ++lane)
            values[e * kPtxWarp + lane] = value(kElements == 1 ? words[lane] : words[lane] >> (kBits * e));
    for (unsigned lane = 0; lane < kPtxWarp; ++lane)
        for (unsigned e = 0; e < kElements; ++e)
            matrix[to[lane * kElements + e]] = values[e * kPtxWarp + lane];
}

void unpack(Element element, const Lanes& words, const std::uint16_t* to, float* matrix) {
    switch (element) {
    case Element::F16:
        return unpack_as<2>(words, to, matrix, [](std::uint32_t word) { return float_of_f16(word & 0xffff); });
    case Element::BF16:
        return unpack_as<2>(words, to, matrix, [](std::uint32_t word) { return std::bit_cast<float>(word << 16); });
    case Element::TF32: // other bits of a register are ignored
        return unpack_as<1>(words, to, matrix,
                            [](std::uint32_t word) { return std::bit_cast<float>(word & 0xffffe000); });
    default:
        return unpack_as<1>(words, to, matrix, [](std::uint32_t word) { return std::bit_cast<float>(word); });
    }
}

void unpack(Element, const Words<double>& words, const std::uint16_t* to, double* matrix) {
    for (unsigned lane = 0; lane < kPtxWarp; ++lane)
        matrix[to[lane]] = std::bit_cast<double>(words[lane]);
}

void unpack(Element element, const Lanes& words, const std::uint16_t* to, std::int32_t* matrix) {
    switch (element) {
    case Element::S8:
        return unpack_as<4>(words, to, matrix,
                            [](std::uint32_t word) { return std::int32_t{static_cast<std::int8_t>(word)}; });
    case Element::U8:
        return unpack_as<4>(words, to, matrix,
                            [](std::uint32_t word) { return static_cast<std::int32_t>(word & 0xff); });
    case Element::S4:
        return unpack_as<8>(words, to, matrix,
                            [](std::uint32_t word) { return static_cast<std::int32_t>((word & 0xf) ^ 8) - 8; });
    case Element::U4:
        return unpack_as<8>(words, to, matrix,
                            [](std::uint32_t word) { return static_cast<std::int32_t>(word & 0xf); });
    default: // S32, and single bits as words of 32
        return unpack_as<1>(words, to, matrix, [](std::uint32_t word) { return static_cast<std::int32_t>(word); });
    }
}

void compute(const Matrix& x, const MatrixPositions& at, Operands<float>& v) {
    const unsigned m = x.a.shape.m, n = x.a.shape.n, k = x.a.shape.k;
    for (unsigned q = 0; q < x.a.matrices(); ++q)
        for (unsigned i = at.first_row; i < at.end_row; ++i) {
            float* const sum = &v.c[std::size_t{q * m + i} * n];
            for (unsigned p = 0; p < k; ++p) {
                const float factor = v.a[std::size_t{q * m + i} * k + p];
                const float* const row = &v.b[std::size_t{q * k + p} * n];
                for (unsigned j = 0; j < n; ++j)
                    sum[j] += factor * row[j];
            }
        }
}

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

// The number of bits set in both of two rows of `k` words (`both`), or in one of them only.
std::int32_t count_bits(const std::int32_t* a, const std::int32_t* b, unsigned k, bool both) {
    int n = 0;
    for (unsigned p = 0; p < k; ++p)
        n += std::popcount(static_cast<std::uint32_t>(both ? a[p] & b[p] : a[p] ^ b[p]));
    return n;
}

void compute(const Matrix& x, const MatrixPositions& at, Operands<std::int32_t>& v) {
    const bool bits = x.a.element == Element::B1;
    const unsigned n = x.a.shape.n, k = bits ? x.a.shape.k / 32U : x.a.shape.k;
    const auto saturated = [](std::int64_t value) {
        using Limits = std::numeric_limits<std::int32_t>;
        return std::clamp(value, std::int64_t{Limits::min()}, std::int64_t{Limits::max()});
    };
    for (unsigned i = at.first_row; i < at.end_row; ++i) {
        std::array<std::int32_t, 32> sum{}; // fits: 64 products of two bytes at most
        for (unsigned j = 0; bits && j < n; ++j)
            sum[j] = count_bits(&v.a[std::size_t{i} * k], &v.b[std::size_t{j} * k], k, x.both);
        for (unsigned p = 0; !bits && p < k; ++p)
            for (unsigned j = 0; j < n; ++j)
                sum[j] += v.a[std::size_t{i} * k + p] * v.b[std::size_t{p} * n + j];
        for (unsigned j = 0; j < n; ++j) {
            std::int32_t& c = v.c[std::size_t{i} * n + j];
            const std::int64_t value = std::int64_t{c} + sum[j];
            c = static_cast<std::int32_t>(x.saturate ? saturated(value) : value);
        }
    }
}

std::uint32_t pack(Element element, const std::uint16_t* from, const float* matrix) {
    if (element == Element::F32)
        return to_f32(matrix[from[0]]);
    return f16_of_float(matrix[from[0]]) | f16_of_float(matrix[from[1]]) << 16;
}

std::uint64_t pack(Element, const std::uint16_t* from, const double* matrix) {
    return std::bit_cast<std::uint64_t>(matrix[from[0]]);
}

std::uint32_t pack(Element, const std::uint16_t* from, const std::int32_t* matrix) {
    return static_cast<std::uint32_t>(matrix[from[0]]);
}

unsigned elements_of(const ir::Fragment& f) { // the elements of a register in MatrixPositions
    return f.element == Element::B1 ? 1 : f.per_register();
}

// The number of registers of a thread with distinct elements: registers behind them, of wmma, repeat elements.
unsigned distinct_registers(const ir::Fragment& f) {
    if (!f.wmma)
        return f.registers();
    const unsigned groups = std::max(1U, f.rows() * f.columns() / (kPtxWarp * f.group()));
    return std::min(f.registers(), groups * f.group() / f.per_register());
}

// Reads the fragments by `read(place, lanes)`, multiplies and writes the results by `write(register, lanes)`.
template <class T, class Read, class Write>
void multiply_as(const Matrix& x, const MatrixPositions& at, unsigned results, const Read& read, const Write& write) {
    Operands<T> v;
    const auto take = [&](const ir::Fragment& f, const std::uint16_t* to, unsigned source, unsigned first,
                          unsigned count, T* matrix) {
        for (unsigned r = 0; r < count; ++r) {
            Words<T> lanes;
            read(x.source[source + r], lanes);
            unpack(f.element, lanes, to + std::size_t{first + r} * kPtxWarp * elements_of(f), matrix);
        }
    };
    const unsigned b = x.a.registers(), c = b + x.b.registers();
    take(x.a, at.a, 0, 0, distinct_registers(x.a), v.a.data());
    take(x.b, at.b, b, 0, distinct_registers(x.b), v.b.data());
    take(x.c, at.c, c, x.first_c, x.c_registers, v.c.data());
    compute(x, at, v);
    for (unsigned i = 0; i < results; ++i) {
        Words<T> lanes;
        for (unsigned lane = 0; lane < kPtxWarp; ++lane)
            lanes[lane] =
                pack(x.d.element, at.d + (std::size_t{x.first + i} * kPtxWarp + lane) * elements_of(x.d), v.c.data());
        write(i, lanes);
    }
}

// Element (row, column) of matrix `m` as the threads have loaded the matrix: thread 8 m + row holds the words of the
// row.
std::uint32_t element(const std::array<Lanes, 4>& words, unsigned m, unsigned row, unsigned column) {
    return words[column / 2][8 * m + row] >> (16 * (column % 2)) & 0xffff;
}

} // namespace

void MatrixUnit::multiply(const MicroOp& op, std::span<const Segment> of_warp) const {
    const auto index = static_cast<std::size_t>(op.imm);
    const Matrix& x = state_.code().program().matrices[index];
    const MatrixPositions& positions = state_.code().positions(index);
    const auto results = static_cast<unsigned>(std::find(op.dst.begin(), op.dst.end(), ir::kNowhere) - op.dst.begin());
    const std::uint32_t there = lanes_.present(of_warp);
    const auto read = [&](Place place, auto& lanes) {
        for (const Segment& s : of_warp)
            lanes_.read(place, s, lanes.data());
        for (std::uint32_t missing = ~there; missing != 0; missing &= missing - 1)
            lanes[static_cast<unsigned>(std::countr_zero(missing))] = 0;
    };
    const auto write = [&](unsigned i, const auto& lanes) {
        for (const Segment& s : of_warp)
            lanes_.write(s, op.dst[i], lanes.data());
    };
    if (x.d.element == Element::F64)
        multiply_as<double>(x, positions, results, read, write);
    else if (x.d.element == Element::S32)
        multiply_as<std::int32_t>(x, positions, results, read, write);
    else
        multiply_as<float>(x, positions, results, read, write);
}

void MatrixUnit::share_row_addresses(const MicroOp& op, std::span<const Segment> of_warp) const {
    std::array<std::uint64_t, kPtxWarp> address{};
    for (const Segment& s : of_warp)
        for (std::uint32_t m = s.mask; m != 0; m &= m - 1) {
            const auto i = static_cast<unsigned>(std::countr_zero(m));
            std::memcpy(&address[lanes_.laneid(s, i)],
                        source(op.src[0], s.frame, state_.pool()) + std::size_t{i} * op.src_bytes, op.src_bytes);
        }
    for (const Segment& s : of_warp)
        for (std::uint32_t m = s.mask; m != 0; m &= m - 1) {
            const auto i = static_cast<unsigned>(std::countr_zero(m));
            const unsigned lane = lanes_.laneid(s, i);
            std::memcpy(s.frame + op.dst[0] + std::size_t{i} * op.src_bytes, &address[lane % (8U * op.vector)],
                        op.src_bytes);
        }
}

// PTX ISA, "ldmatrix" and "movmatrix": thread t gets elements 2 (t mod 4) and 2 (t mod 4) + 1 of row t / 4, or of
// column t / 4 when transposed.
void MatrixUnit::exchange(const MicroOp& op, std::span<const Segment> of_warp) const {
    if (op.sub == Sub::MatrixRows)
        return share_row_addresses(op, of_warp);
    const bool moves = op.opcode == ir::Opcode::Movmatrix;
    std::array<Lanes, 4> words{};
    if (moves) { // thread t holds the elements that ldmatrix would load
        Lanes held{};
        for (const Segment& s : of_warp)
            lanes_.read(op.src[0], s, held.data());
        for (unsigned t = 0; t < kPtxWarp; ++t)
            words[t % 4][t / 4] = held[t];
    } else {
        const std::array<Place, 4> places{op.src[0], op.src[1], op.src[2], op.src[4]};
        for (std::size_t i = 0; i < places.size(); ++i)
            for (const Segment& s : of_warp)
                lanes_.read(places[i], s, words[i].data());
    }
    const bool transposed = moves || op.sub == Sub::MatrixTransposed;
    for (unsigned j = 0; j < (moves ? 1U : op.vector); ++j) {
        Lanes result;
        for (unsigned t = 0; t < kPtxWarp; ++t) {
            const unsigned line = t / 4, first = t % 4 * 2;
            result[t] = transposed ? element(words, j, first, line) | element(words, j, first + 1, line) << 16
                                   : element(words, j, line, first) | element(words, j, line, first + 1) << 16;
        }
        for (const Segment& s : of_warp)
            lanes_.write(s, op.dst[j], result.data());
    }
}

void MatrixUnit::piece_address(const warp::Group& group, const MicroOp& op, warp::Outcome& outcome) const {
    const auto piece = std::bit_cast<ir::PieceOfMatrix>(op.imm);
    const auto thread_part = [&](unsigned lane, std::uint64_t apart) {
        const std::uint32_t number = (piece.start + (lane << piece.apart)) & ((1U << piece.size) - 1);
        const std::uint32_t quotient = number >> piece.line, rest = number & ((1U << piece.line) - 1);
        const std::uint64_t elements =
            piece.transposed ? (rest + piece.step) * apart + quotient : quotient * apart + rest;
        return (elements << piece.bits) / 8;
    };
    outcome.executed = state_.for_each_segment(parts_of(group), op, [&](const Segment& s) {
        const std::byte* const base = source(op.src[0], s.frame, state_.pool());
        const auto* const apart = reinterpret_cast<const std::uint32_t*>(source(op.src[1], s.frame, state_.pool()));
        alignas(64) std::array<std::uint64_t, kVectorLanes> address;
        for (unsigned i = 0; i < kVectorLanes; ++i) {
            std::uint64_t from = 0;
            std::memcpy(&from, base + std::size_t{i} * op.src_bytes, op.src_bytes);
            address[i] = from + thread_part(lanes_.laneid(s, i), apart[i]);
        }
        rowops_.copy64(s.frame + op.dst[0], reinterpret_cast<const std::byte*>(address.data()), s.mask);
    });
}

} // namespace heddle::exec
