// ldmatrix, stmatrix and movmatrix: the exchanges between the threads that have a row of a matrix in memory, and the
// threads that hold its fragments.
#include <array>
#include <bit>
#include <cstring>

#include "exec/matrix.h"

namespace heddle::exec {

using ir::MicroOp;
using ir::Place;
using ir::Sub;

namespace {

using Lanes = std::array<std::uint32_t, kPtxWarp>;
constexpr unsigned kWords = 4; // of a row
using Rows = std::array<Lanes, kWords>;

// Where a piece of a thread's register lies in the rows of the matrices.
struct Piece {
    unsigned row; // by thread
    unsigned bit; // the lowest
};

// How the pieces of a thread's register lie in the rows. PTX ISA, "ldmatrix" and "stmatrix".
enum class Order {
    Rows,       // 32 bits of row t / 4, from element 2 (t mod 4) on
    Columns,    // two elements of 16 bits of column t / 4, from row 2 (t mod 4) on
    Bytes,      // elements of 8 bits in two rows of columns t / 4 and t / 4 + 8
    ByteColumns // of a matrix of 16 rows in two registers: four rows of column t / 4, and of column t / 4 + 8
};

constexpr unsigned bits_of(Order order) {
    return order == Order::Rows ? 32 : order == Order::Columns ? 16 : 8;
}

// Of piece `e` of register `j` of thread `t`.
template <Order kOrder>
Piece piece_of(unsigned j, unsigned t, unsigned e) {
    switch (kOrder) {
    case Order::Columns:
        return {8 * j + 2 * (t % 4) + e, 16 * (t / 4)};
    case Order::Bytes:
        return {8 * j + 2 * (t % 4) + e % 2, 8 * (t / 4 + 8 * (e / 2))};
    case Order::ByteColumns:
        return {16 * (j / 2) + 4 * (t % 4) + e, 8 * (t / 4 + 8 * (j % 2))};
    default:
        return {8 * j + t / 4, 32 * (t % 4)};
    }
}

constexpr std::uint32_t low_bits(unsigned count) {
    return count == 32 ? ~0U : (1U << count) - 1;
}

// Calls f(row word, its shift, the mask of a piece, the register of thread `t`, its shift) for each piece of register
// `j` of all threads.
template <Order kOrder, class F>
void for_each_piece_in(Rows& rows, unsigned j, Lanes& registers, const F& f) {
    constexpr unsigned kBits = bits_of(kOrder);
    for (unsigned t = 0; t < kPtxWarp; ++t)
        for (unsigned e = 0; e < 32 / kBits; ++e) {
            const Piece piece = piece_of<kOrder>(j, t, e);
            f(rows[piece.bit / 32][piece.row], piece.bit % 32, low_bits(kBits), registers[t], kBits * e);
        }
}

template <class F>
void for_each_piece(const MicroOp& op, Rows& rows, unsigned j, Lanes& registers, const F& f) {
    if (op.sub == Sub::MatrixTransposed)
        for_each_piece_in<Order::Columns>(rows, j, registers, f);
    else if (op.sub != Sub::MatrixBytes)
        for_each_piece_in<Order::Rows>(rows, j, registers, f);
    else if (op.opcode == ir::Opcode::Ldmatrix)
        for_each_piece_in<Order::ByteColumns>(rows, j, registers, f);
    else
        for_each_piece_in<Order::Bytes>(rows, j, registers, f);
}

// The places of exchanged words in MicroOp::src: src[3] is the mask.
Place word_source(const MicroOp& op, unsigned i) {
    return op.src[i < 3 ? i : i + 1];
}

// PTX ISA, formats b6x16_p32 and b4x16_p64: a row begins with 16 elements of `bits` bits, each of which becomes the low
// bits of a byte.
void widen(Rows& rows, unsigned bits) {
    for (unsigned row = 0; row < kPtxWarp; ++row) {
        std::array<std::uint32_t, kWords> wide{};
        for (unsigned i = 0; i < 16; ++i) {
            const unsigned first = i * bits;
            std::uint64_t words = rows[first / 32][row];
            if (first / 32 + 1 < kWords)
                words |= std::uint64_t{rows[first / 32 + 1][row]} << 32;
            wide[i / 4] |= (static_cast<std::uint32_t>(words >> first % 32) & low_bits(bits)) << (8 * (i % 4));
        }
        for (unsigned w = 0; w < kWords; ++w)
            rows[w][row] = wide[w];
    }
}

} // namespace

void MatrixUnit::share_row_addresses(const MicroOp& op, std::span<const Segment> of_warp) const {
    const unsigned with_rows = 8U * op.vector;
    std::array<std::uint64_t, kPtxWarp> address{};
    for (const Segment& s : of_warp)
        for (std::uint32_t m = s.mask; m != 0; m &= m - 1) {
            const auto i = static_cast<unsigned>(std::countr_zero(m));
            std::memcpy(&address[lanes_.laneid(s, i)],
                        source(op.src[0], s.frame, state_.pool()) + std::size_t{i} * op.src_bytes, op.src_bytes);
        }
    for (const Segment& s : of_warp) {
        std::uint32_t has_row = 0;
        for (std::uint32_t m = s.mask; m != 0; m &= m - 1) {
            const auto i = static_cast<unsigned>(std::countr_zero(m));
            const unsigned lane = lanes_.laneid(s, i);
            std::memcpy(s.frame + op.dst[0] + std::size_t{i} * op.src_bytes, &address[lane % with_rows], op.src_bytes);
            has_row |= lane < with_rows ? 1U << i : 0;
        }
        write_predicate(s.frame, op.dst[1], has_row, s.mask);
    }
}

void MatrixUnit::hand_out(const MicroOp& op, std::span<const Segment> of_warp) const {
    Rows rows{};
    for (unsigned w = 0; w < kWords; ++w)
        for (const Segment& s : of_warp)
            lanes_.read(word_source(op, w), s, rows[w].data());
    if (op.imm != 0)
        widen(rows, static_cast<unsigned>(op.imm));
    for (unsigned j = 0; j < op.vector; ++j) {
        Lanes result{};
        for_each_piece(op, rows, j, result,
                       [](std::uint32_t& in_row, unsigned from, std::uint32_t mask, std::uint32_t& held, unsigned to) {
                           held |= (in_row >> from & mask) << to;
                       });
        for (const Segment& s : of_warp)
            lanes_.write(s, op.dst[j], result.data());
    }
}

void MatrixUnit::collect(const MicroOp& op, std::span<const Segment> of_warp) const {
    Rows rows{};
    for (unsigned j = 0; j < op.vector; ++j) {
        Lanes registers{};
        for (const Segment& s : of_warp)
            lanes_.read(word_source(op, j), s, registers.data());
        for_each_piece(op, rows, j, registers,
                       [](std::uint32_t& in_row, unsigned to, std::uint32_t mask, std::uint32_t& held, unsigned from) {
                           in_row |= (held >> from & mask) << to;
                       });
    }
    for (unsigned w = 0; w < kWords; ++w)
        for (const Segment& s : of_warp)
            lanes_.write(s, op.dst[w], rows[w].data());
}

// PTX ISA, "movmatrix": a thread holds the elements that ldmatrix would load, and gets those that ldmatrix.trans would
// load.
void MatrixUnit::transpose(const MicroOp& op, std::span<const Segment> of_warp) const {
    Lanes held{}, result{};
    for (const Segment& s : of_warp)
        lanes_.read(op.src[0], s, held.data());
    for (unsigned t = 0; t < kPtxWarp; ++t)
        for (unsigned e = 0; e < 2; ++e) {
            const unsigned row = 2 * (t % 4) + e, column = t / 4;
            result[t] |= (held[4 * row + column / 2] >> (16 * (column % 2)) & 0xffff) << (16 * e);
        }
    for (const Segment& s : of_warp)
        lanes_.write(s, op.dst[0], result.data());
}

void MatrixUnit::exchange(const MicroOp& op, std::span<const Segment> of_warp) const {
    if (op.sub == Sub::MatrixRows)
        share_row_addresses(op, of_warp);
    else if (op.opcode == ir::Opcode::Movmatrix)
        transpose(op, of_warp);
    else if (op.opcode == ir::Opcode::Stmatrix)
        collect(op, of_warp);
    else
        hand_out(op, of_warp);
}

} // namespace heddle::exec
