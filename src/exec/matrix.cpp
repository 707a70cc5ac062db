#include "exec/matrix.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <type_traits>

#include <fmt/format.h>

#include "exec/matrix_formats.h"
#include "exec/matrix_product.h"
#include "exec/shared_tile.h"

namespace heddle::exec {

using ir::Element;
using ir::Fragment;
using ir::Matrix;
using ir::MicroOp;
using ir::Place;

namespace {

using Lanes = std::array<std::uint32_t, kPtxWarp>;

// A register of each thread, where elements are computed as T.
template <class T>
using Words = std::array<std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>, kPtxWarp>;

// Copies the elements of each register, from its lowest bit up, to the positions `to`. The values are computed first,
// in a loop that compilers vectorise.
template <class T>
void unpack(Element element, const Lanes& words, const std::uint16_t* to, T* matrix) {
    with_format(element, T{}, [&](auto in_register, const auto& value) {
        constexpr unsigned kElements = in_register;
        constexpr unsigned kBits = 32 / kElements;
        std::array<T, kElements * kPtxWarp> values;
        for (unsigned e = 0; e < kElements; ++e)
            for (unsigned lane = 0; lane < kPtxWarp; ++lane)
                values[e * kPtxWarp + lane] = value(kElements == 1 ? words[lane] : words[lane] >> (kBits * e));
        for (unsigned lane = 0; lane < kPtxWarp; ++lane)
            for (unsigned e = 0; e < kElements; ++e)
                matrix[to[lane * kElements + e]] = values[e * kPtxWarp + lane];
    });
}

void unpack(Element, const Words<double>& words, const std::uint16_t* to, double* matrix) {
    for (unsigned lane = 0; lane < kPtxWarp; ++lane)
        matrix[to[lane]] = std::bit_cast<double>(words[lane]);
}

unsigned elements_of(const Fragment& f) { // the elements of a register in MatrixPositions
    return f.element == Element::B1 ? 1 : f.per_register();
}

// The number of registers of a thread with distinct elements: registers behind them, of wmma, repeat elements.
unsigned distinct_registers(const Fragment& f) {
    if (!f.wmma)
        return f.registers();
    const unsigned groups = std::max(1U, f.rows() * f.columns() / (kPtxWarp * f.group()));
    return std::min(f.registers(), groups * f.group() / f.per_register());
}

// The lines of a factor that a micro-op reads from shared memory: rows of A, or columns of B.
struct Part {
    unsigned first, count;
    unsigned k;                   // elements of a line; single bits as words of 32
    unsigned line_apart, k_apart; // in the matrix of numbers
};

// Reads a part of a factor. `unit(address)` gives 16 bytes of shared memory.
template <class T, class Unit>
void read_part(Element element, const ir::SharedFactor& factor, std::uint64_t descriptor, const Part& part,
               const Unit& unit, T* matrix) {
    const SharedTile tile(descriptor, factor.along_k);
    with_format(element, T{}, [&](auto in_register, const auto& value) {
        constexpr unsigned kElements = in_register, kBits = 32 / kElements;
        constexpr unsigned kInUnit = 4 * kElements;
        const unsigned first = factor.along_k ? part.first : 0, lines = factor.along_k ? part.count : part.k;
        const unsigned begin = factor.along_k ? 0 : part.first, across = factor.along_k ? part.k : part.count;
        const unsigned along = factor.along_k ? part.k_apart : part.line_apart;
        const unsigned apart = factor.along_k ? part.line_apart : part.k_apart;
        for (unsigned line = 0; line < lines; ++line)
            for (unsigned i = 0; i < across; i += kInUnit) {
                std::array<std::uint32_t, 4> words;
                std::memcpy(words.data(), unit(tile.address(first + line, (begin + i) / kInUnit)), sizeof words);
                for (unsigned e = 0; e < kInUnit; ++e)
                    matrix[line * apart + (i + e) * along] = value(words[e / kElements] >> (kBits * (e % kElements)));
            }
    });
}

} // namespace

const std::byte* MatrixUnit::shared_unit(Pc pc, const Segment& s, Address address) const {
    if (address + SharedTile::kUnit > state_.shared_bytes())
        faults_.fault(Fault::Kind::Address, pc, s.row, s.lane(static_cast<unsigned>(std::countr_zero(s.mask))),
                      fmt::format("out-of-bounds read of 16 bytes of a matrix at offset {:#x} in shared memory of the "
                                  "block, which has {} bytes",
                                  address, state_.shared_bytes()));
    return state_.shared_of(s.row) + address;
}

template <class Word>
void MatrixUnit::read_register(Place place, std::span<const Segment> of_warp, std::uint32_t missing,
                               Word* by_laneid) const {
    for (const Segment& s : of_warp)
        lanes_.read(place, s, by_laneid);
    for (; missing != 0; missing &= missing - 1)
        by_laneid[static_cast<unsigned>(std::countr_zero(missing))] = 0;
}

std::uint32_t MatrixUnit::without_addend(const MicroOp& op, std::span<const Segment> of_warp) const {
    if (op.src[2] == ir::kNowhere)
        return 0;
    std::uint32_t lanes = 0;
    for (const Segment& s : of_warp) {
        const std::uint32_t adds = state_.predicate_bits(op.src[2], s.frame);
        lanes |= lanes_.reordered(s, s.mask & (op.has(ir::kSourceNegated) ? adds : ~adds)) << lanes_.shift_of(s);
    }
    return lanes;
}

template <class T>
void MatrixUnit::read_columns(const MicroOp& op, const Matrix& x, std::span<const Segment> of_warp,
                              Operands<T>& v) const {
    Lanes metadata;
    read_register(op.src[4], of_warp, ~lanes_.present(of_warp), metadata.data());
    const ir::Metadata layout = ir::metadata_of(x);
    for (unsigned i = 0; i < x.a.rows(); ++i)
        for (unsigned p = 0; p < x.a.shape.k; ++p) {
            const auto at = layout.position(x.selector, i, layout.chunk_of(p));
            v.column[i * x.a.shape.k + p] =
                static_cast<std::uint8_t>(layout.column(p, metadata[at.lane] >> at.bit & 0xf));
        }
}

std::uint64_t MatrixUnit::descriptor(Place place, std::span<const Segment> of_warp) const {
    std::array<std::uint64_t, kPtxWarp> by_laneid;
    for (const Segment& s : of_warp)
        lanes_.read(place, s, by_laneid.data());
    return by_laneid[static_cast<unsigned>(std::countr_zero(lanes_.present(of_warp)))];
}

template <class T>
void MatrixUnit::read_factors(Pc pc, const MicroOp& op, const Matrix& x, std::span<const Segment> of_warp,
                              Operands<T>& v) const {
    const auto unit = [&](Address address) { return shared_unit(pc, of_warp[0], address); };
    const unsigned in_number = x.a.element == Element::B1 ? 32 : 1; // elements that count as one number
    const unsigned k_of_a = x.a.shape.k / in_number, k_of_b = x.b.shape.k / in_number, n = x.b.shape.n;
    const unsigned warp = state_.first_thread(of_warp[0]) / kPtxWarp % 4;
    if (x.a_in_memory.present)
        read_part(x.a.element, x.a_in_memory, descriptor(op.src[0], of_warp),
                  {warp * x.a.shape.m, x.a.shape.m, k_of_a, k_of_a, 1}, unit, v.a.data());
    const bool bits = in_number != 1;
    read_part(x.b.element, x.b_in_memory, descriptor(op.src[1], of_warp),
              {x.first_column, n, k_of_b, bits ? k_of_b : 1, bits ? 1 : n}, unit, v.b.data());
}

template <class T>
void MatrixUnit::multiply_as(Pc pc, const MicroOp& op, const Matrix& x, std::span<const Segment> of_warp) const {
    const MatrixPositions& at = state_.code().positions(static_cast<std::size_t>(op.imm));
    Operands<T> v;
    Words<T> lanes;
    const std::uint32_t missing = ~lanes_.present(of_warp);
    const auto take = [&](const Fragment& f, const std::uint16_t* to, unsigned source, unsigned count, T* matrix) {
        for (unsigned r = 0; r < count; ++r) {
            read_register(x.source[source + r], of_warp, missing, lanes.data());
            unpack(f.element, lanes, to + std::size_t{r} * kPtxWarp * elements_of(f), matrix);
        }
    };
    const unsigned b = x.a_registers(), c = b + x.b_registers();
    if (!x.a_in_memory.present)
        take(x.a, at.a, 0, distinct_registers(x.a), v.a.data());
    if (!x.b_in_memory.present)
        take(x.b, at.b, b, distinct_registers(x.b), v.b.data());
    if constexpr (sizeof(T) == 4) {
        if (x.b_in_memory.present)
            read_factors(pc, op, x, of_warp, v);
        if (x.sparse)
            read_columns(op, x, of_warp, v);
    }
    const std::uint32_t zeros = missing | without_addend(op, of_warp);
    for (unsigned r = 0; r < x.c_registers; ++r) {
        read_register(x.source[c + r], of_warp, zeros, lanes.data());
        unpack(x.c.element, lanes, at.c + std::size_t{x.first_c + r} * kPtxWarp * elements_of(x.c), v.c.data());
    }
    if (x.negate_a != x.negate_b) // the sign of all products
        for (unsigned i = 0; i < x.a.rows() * x.a.columns(); ++i)
            v.a[i] = -v.a[i];
    compute(x, at, v);
    for (unsigned i = 0; i < op.dst.size() && op.dst[i] != ir::kNowhere; ++i) {
        for (unsigned lane = 0; lane < kPtxWarp; ++lane)
            lanes[lane] =
                pack(x.d.element, at.d + (std::size_t{x.first + i} * kPtxWarp + lane) * elements_of(x.d), v.c.data());
        for (const Segment& s : of_warp)
            lanes_.write(s, op.dst[i], lanes.data());
    }
}

void MatrixUnit::multiply(Pc pc, const MicroOp& op, std::span<const Segment> of_warp) const {
    const Matrix& x = state_.code().program().matrices[static_cast<std::size_t>(op.imm)];
    if (x.d.element == Element::F64)
        multiply_as<double>(pc, op, x, of_warp);
    else if (x.d.element == Element::S32)
        multiply_as<std::int32_t>(pc, op, x, of_warp);
    else
        multiply_as<float>(pc, op, x, of_warp);
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
