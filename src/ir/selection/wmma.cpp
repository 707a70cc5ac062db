// Loads and stores of wmma: the threads wait for each other, each finds where its pieces of the matrix lie and moves
// them by ordinary loads and stores.
#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "ir/selection/select.h"

namespace heddle::ir {

namespace {

constexpr unsigned kGroup = 4; // registers of a thread that are moved at once

std::uint8_t logarithm(unsigned power_of_two) {
    return static_cast<std::uint8_t>(std::countr_zero(power_of_two));
}

// Elements of a fragment that has each of the matrix's once.
unsigned size_of(const Fragment& f) {
    return f.rows() * f.columns();
}

Type type_in_memory(const Fragment& f) { // of a register
    return f.element == Element::F64 ? Type::B64 : Type::B32;
}

PieceOfMatrix piece_of(const Fragment& f, unsigned group) {
    PieceOfMatrix piece;
    piece.start = static_cast<std::uint16_t>(group * kPtxWarp * f.group());
    piece.apart = logarithm(f.group());
    piece.size = logarithm(size_of(f));
    piece.line = logarithm(f.line());
    piece.bits = logarithm(bits_of(f.element));
    return piece;
}

} // namespace

// wmma.load.{a,b,c}.sync.aligned.layout.shape[.space].type r, [p][, stride];
// wmma.store.d.sync.aligned.layout.shape[.space].type [p], r[, stride];
void Selector::select_wmma_access(const MatrixWords& words) {
    const bool loads = words.action == MatrixWords::Action::Load;
    const bool stores = words.action == MatrixWords::Action::Store && words.matrix == 'd';
    const bool named = stores || (loads && words.matrix >= 'a' && words.matrix <= 'c');
    if (!named || words.layouts != 1 || words.type_count != 1 || words.saturate || words.popc || words.transposed ||
        words.count != 0 || words.b16 || !words.logic.empty())
        return error(now_->where,
                     fmt::format("'{}' is no matrix instruction: there are wmma.load.a, .load.b, .load.c and .store.d "
                                 ".sync.aligned.layout.shape.space.type, and wmma.mma",
                                 text()));
    Fragment f;
    f.role = words.matrix == 'a' ? MatrixRole::A : words.matrix == 'b' ? MatrixRole::B : MatrixRole::Accumulator;
    f.element = words.types[0];
    f.shape = words.shape;
    f.by_rows = words.by_rows[0];
    f.wmma = true;
    if (!wmma_exists(f))
        return error(
            now_->where,
            fmt::format("'{}': there is no such matrix: .f16, .bf16, .s8 and .u8 have m16n16k16, m32n8k16 and "
                        "m8n32k16, .tf32 m16n16k8, .f64 m8n8k4, .s4 and .u4 m8n8k32, .b1 m8n8k128 (a .row, b .col); "
                        "accumulators are .f16, .f32, .f64 or .s32",
                        text()));
    if (!count(2, 3))
        return;
    MicroOp op;
    op.opcode = loads ? Opcode::Ld : Opcode::St;
    op.kind = loads ? Kind::Load : Kind::Store;
    op.space = words.space;
    const bool based = matrix_base(now_->operands[loads ? 1 : 0], false, op);
    const std::optional<std::vector<Place>> registers = fragment_registers(now_->operands[loads ? 0 : 1], f, loads);
    const bool transposed = f.role == MatrixRole::Accumulator && !f.by_rows;
    std::optional<Place> apart = constant(transposed ? f.rows() : f.line());
    if (now_->operands.size() == 3)
        apart = source(now_->operands[2], Type::U32);
    if (!based || !registers || !apart)
        return;
    wait_for_warp();
    if (transposed)
        access_across(op, *apart, f, *registers);
    else
        access_in_order(op, *apart, f, *registers);
}

// A temporary that holds where a thread's piece of a matrix lies. `access` has the base.
Place Selector::piece_address(const MicroOp& access, Place lines_apart, const PieceOfMatrix& piece) {
    MicroOp op;
    op.opcode = Opcode::WmmaAddress;
    op.kind = Kind::Special;
    op.work = info(Opcode::WmmaAddress).work;
    op.src[0] = access.src[0];
    op.src[1] = lines_apart;
    op.src_bytes = access.src_bytes;
    op.dst[0] = temporary(Type::U64);
    op.dst_bytes = 8;
    op.imm = std::bit_cast<std::int64_t>(piece);
    emit(op);
    return op.dst[0];
}

// A load or store of registers that lie side by side in memory, at `address`.
void Selector::move_piece(MicroOp access, Place address, Type type, std::span<const Place> registers) {
    access.type = type;
    access.vector = static_cast<std::uint8_t>(registers.size());
    access.src[0] = address;
    const bool loads = access.kind == Kind::Load;
    std::copy(registers.begin(), registers.end(), loads ? access.dst.begin() : access.src.begin() + 1);
    const std::uint8_t bytes = type == Type::B64 ? 8 : 4;
    access.src_bytes = loads ? 8 : bytes;
    access.dst_bytes = loads ? bytes : 8;
    emit(access);
}

// Matrices whose elements are numbered as they lie in memory: a thread's groups of registers are moved at once.
void Selector::access_in_order(const MicroOp& access, Place lines_apart, const Fragment& f,
                               std::span<const Place> registers) {
    const unsigned wide = std::min<unsigned>(kGroup, f.registers());
    const unsigned groups = f.registers() / wide;
    const unsigned distinct = std::clamp(size_of(f) / (kPtxWarp * f.group()), 1U, groups);
    const bool loads = access.kind == Kind::Load;
    std::vector<Place> address; // all of them before a register is loaded: it may be one of an address
    for (unsigned j = 0; j < distinct; ++j)
        address.push_back(piece_address(access, lines_apart, piece_of(f, j)));
    for (unsigned j = 0; j < distinct; ++j)
        move_piece(access, address[j], type_in_memory(f), registers.subspan(std::size_t{j} * wide, wide));
    for (std::size_t i = std::size_t{distinct} * wide; loads && i < registers.size(); ++i) // what is there once more
        copy_register(registers[i], registers[i % (std::size_t{distinct} * wide)]);
}

// Accumulators that lie in memory column by column: element by element.
void Selector::access_across(const MicroOp& access, Place lines_apart, const Fragment& f,
                             std::span<const Place> registers) {
    const bool halves = f.element == Element::F16;
    const bool loads = access.kind == Kind::Load;
    std::vector<Place> address;
    for (unsigned e = 0; e < f.group(); ++e) {
        PieceOfMatrix piece = piece_of(f, 0);
        piece.step = static_cast<std::uint8_t>(e);
        piece.transposed = true;
        address.push_back(piece_address(access, lines_apart, piece));
    }
    if (!halves) {
        // Further groups are some rows further down, which lie side by side in a column.
        const unsigned down = kPtxWarp * f.group() / f.columns() * bits_of(f.element) / 8;
        for (std::size_t i = 0; i < registers.size(); ++i) {
            MicroOp one = access;
            one.imm += static_cast<std::int64_t>(i / kGroup * down);
            move_piece(one, address[i % f.group()], type_in_memory(f), registers.subspan(i, 1));
        }
        return;
    }
    MicroOp pairs;
    pairs.opcode = loads ? Opcode::Pack : Opcode::Unpack;
    pairs.work = info(pairs.opcode).work;
    pairs.type = Type::B32;
    pairs.from = Type::B16;
    pairs.vector = 2;
    for (std::size_t r = 0; r < registers.size(); ++r) {
        const std::array<Place, 2> half{temporary(Type::B16), temporary(Type::B16)};
        const auto move = [&] {
            for (std::size_t e = 0; e < half.size(); ++e)
                move_piece(access, address[2 * r + e], Type::B16, std::span(half).subspan(e, 1));
        };
        std::copy(half.begin(), half.end(), loads ? pairs.src.begin() : pairs.dst.begin());
        (loads ? pairs.dst[0] : pairs.src[0]) = registers[r];
        if (loads)
            move();
        emit(pairs);
        if (!loads)
            move();
    }
}

} // namespace heddle::ir
