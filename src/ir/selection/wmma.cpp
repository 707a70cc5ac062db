// Loads and stores of wmma. After a barrier of the warp, each thread computes the addresses of its pieces of the
// matrix, which ordinary loads and stores move.
#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "ir/selection/families.h"
#include "ir/selection/make_op.h"
#include "ir/selection/matrix_operands.h"
#include "ir/selection/sequences.h"

namespace heddle::ir {

namespace {

constexpr unsigned kGroup = 4; // registers of a thread that one access moves

std::uint8_t logarithm(unsigned power_of_two) {
    return static_cast<std::uint8_t>(std::countr_zero(power_of_two));
}

// Elements of the matrix.
unsigned size_of(const Fragment& fragment) {
    return fragment.rows() * fragment.columns();
}

// Of a register.
Type type_in_memory(const Fragment& fragment) {
    return fragment.element == Element::F64 ? Type::B64 : Type::B32;
}

PieceOfMatrix piece_of(const Fragment& fragment, unsigned group) {
    PieceOfMatrix piece;
    piece.start = static_cast<std::uint16_t>(group * kPtxWarp * fragment.group());
    piece.apart = logarithm(fragment.group());
    piece.size = logarithm(size_of(fragment));
    piece.line = logarithm(fragment.line());
    piece.bits = logarithm(bits_of(fragment.element));
    return piece;
}

// A temporary with the address of a thread's piece of a matrix. `access` has the base.
Place piece_address(FunctionLowering& f, const MicroOp& access, Place lines_apart, const PieceOfMatrix& piece) {
    MicroOp op = make_op(Opcode::WmmaAddress);
    op.src[0] = access.src[0];
    op.src[1] = lines_apart;
    op.src_bytes = access.src_bytes;
    op.dst[0] = f.places.temporary(Type::U64);
    op.dst_bytes = 8;
    op.imm = std::bit_cast<std::int64_t>(piece);
    f.emitter.emit(op);
    return op.dst[0];
}

// A load or store of registers that lie side by side in memory, at `address`.
void move_piece(FunctionLowering& f, MicroOp access, Place address, Type type, std::span<const Place> registers) {
    access.type = type;
    access.vector = static_cast<std::uint8_t>(registers.size());
    access.src[0] = address;
    const bool loads = access.kind == Kind::Load;
    std::copy(registers.begin(), registers.end(), loads ? access.dst.begin() : access.src.begin() + 1);
    const std::uint8_t bytes = type == Type::B64 ? 8 : 4;
    access.src_bytes = loads ? 8 : bytes;
    access.dst_bytes = loads ? bytes : 8;
    f.emitter.emit(access);
}

// Matrices whose elements are numbered in the order of their addresses: one access moves a group of registers.
void access_in_order(FunctionLowering& f, const MicroOp& access, Place lines_apart, const Fragment& fragment,
                     std::span<const Place> registers) {
    const unsigned wide = std::min<unsigned>(kGroup, fragment.registers());
    const unsigned groups = fragment.registers() / wide;
    const unsigned distinct = std::clamp(size_of(fragment) / (kPtxWarp * fragment.group()), 1U, groups);
    const bool loads = access.kind == Kind::Load;
    std::vector<Place> address; // all of them before the first load, which may overwrite a register of the base
    for (unsigned j = 0; j < distinct; ++j)
        address.push_back(piece_address(f, access, lines_apart, piece_of(fragment, j)));
    for (unsigned j = 0; j < distinct; ++j)
        move_piece(f, access, address[j], type_in_memory(fragment), registers.subspan(std::size_t{j} * wide, wide));
    // A fragment with more registers than elements of the matrix has elements twice.
    for (std::size_t i = std::size_t{distinct} * wide; loads && i < registers.size(); ++i)
        emit_copy(f, registers[i], registers[i % (std::size_t{distinct} * wide)]);
}

// 32-bit and 64-bit accumulators that lie in memory column by column, one register at a time.
void access_across(FunctionLowering& f, const MicroOp& access, std::span<const Place> address, const Fragment& fragment,
                   std::span<const Place> registers) {
    // Further groups are some rows further down, which lie side by side in a column.
    const unsigned down = kPtxWarp * fragment.group() / fragment.columns() * bits_of(fragment.element) / 8;
    for (std::size_t i = 0; i < registers.size(); ++i) {
        MicroOp one = access;
        one.imm += static_cast<std::int64_t>(i / kGroup * down);
        move_piece(f, one, address[i % fragment.group()], type_in_memory(fragment), registers.subspan(i, 1));
    }
}

// 16-bit accumulators that lie in memory column by column, a half of a register at a time.
void access_halves_across(FunctionLowering& f, const MicroOp& access, std::span<const Place> address,
                          std::span<const Place> registers) {
    const bool loads = access.kind == Kind::Load;
    MicroOp pairs = make_op(loads ? Opcode::Pack : Opcode::Unpack, Type::B32);
    pairs.from = Type::B16;
    pairs.vector = 2;
    for (std::size_t r = 0; r < registers.size(); ++r) {
        const std::array<Place, 2> half{f.places.temporary(Type::B16), f.places.temporary(Type::B16)};
        const auto move = [&] {
            for (std::size_t e = 0; e < half.size(); ++e)
                move_piece(f, access, address[2 * r + e], Type::B16, std::span(half).subspan(e, 1));
        };
        std::copy(half.begin(), half.end(), loads ? pairs.src.begin() : pairs.dst.begin());
        (loads ? pairs.dst[0] : pairs.src[0]) = registers[r];
        if (loads)
            move();
        f.emitter.emit(pairs);
        if (!loads)
            move();
    }
}

// The address of each element of a group, for an accumulator that lies in memory column by column.
std::vector<Place> addresses_across(FunctionLowering& f, const MicroOp& access, Place lines_apart,
                                    const Fragment& fragment) {
    std::vector<Place> address;
    for (unsigned e = 0; e < fragment.group(); ++e) {
        PieceOfMatrix piece = piece_of(fragment, 0);
        piece.step = static_cast<std::uint8_t>(e);
        piece.transposed = true;
        address.push_back(piece_address(f, access, lines_apart, piece));
    }
    return address;
}

// The fragment that the modifiers describe. Reports a fragment that does not exist, and returns nothing then.
std::optional<Fragment> read_fragment(Cursor& cursor, const MatrixWords& words) {
    const bool loads = words.action == MatrixWords::Action::Load;
    const bool stores = words.action == MatrixWords::Action::Store && words.matrix == 'd';
    const bool named = stores || (loads && words.matrix >= 'a' && words.matrix <= 'c');
    if (!named || words.layouts != 1 || words.type_count != 1 || words.saturate || words.popc || words.transposed ||
        words.count != 0 || words.b16 || !words.logic.empty()) {
        cursor.error(fmt::format("'{}' is no matrix instruction: there are wmma.load.a, .load.b, .load.c and .store.d "
                                 ".sync.aligned.layout.shape.space.type, and wmma.mma",
                                 cursor.text()));
        return std::nullopt;
    }
    Fragment fragment;
    fragment.role = words.matrix == 'a' ? MatrixRole::A : words.matrix == 'b' ? MatrixRole::B : MatrixRole::Accumulator;
    fragment.element = words.types[0];
    fragment.shape = words.shape;
    fragment.by_rows = words.by_rows[0];
    fragment.wmma = true;
    if (wmma_exists(fragment))
        return fragment;
    cursor.error(
        fmt::format("'{}': there is no such matrix: .f16, .bf16, .s8 and .u8 have m16n16k16, m32n8k16 and "
                    "m8n32k16, .tf32 m16n16k8, .f64 m8n8k4, .s4 and .u4 m8n8k32, .b1 m8n8k128 (a .row, b .col); "
                    "accumulators are .f16, .f32, .f64 or .s32",
                    cursor.text()));
    return std::nullopt;
}

} // namespace

// wmma.load.{a,b,c}.sync.aligned.layout.shape[.space].type r, [p][, stride];
// wmma.store.d.sync.aligned.layout.shape[.space].type [p], r[, stride];
void select_wmma_access(FunctionLowering& f, const MatrixWords& words) {
    const std::optional<Fragment> fragment = read_fragment(f.cursor, words);
    if (!fragment || !f.cursor.count(2, 3))
        return;
    const bool loads = words.action == MatrixWords::Action::Load;
    MicroOp op = make_op(loads ? Opcode::Ld : Opcode::St);
    op.space = words.space;
    const bool based = read_matrix_address(f, f.cursor.operand(loads ? 1 : 0), false, op);
    const std::optional<std::vector<Place>> registers =
        fragment_registers(f, f.cursor.operand(loads ? 0 : 1), *fragment, loads ? ListUse::Result : ListUse::Source);
    const bool transposed = fragment->role == MatrixRole::Accumulator && !fragment->by_rows;
    std::optional<Place> apart = f.places.constant(transposed ? fragment->rows() : fragment->line());
    if (f.cursor.operands().size() == 3)
        apart = f.operands.source(f.cursor.operand(2), Type::U32);
    if (!based || !registers || !apart)
        return;
    f.emitter.emit(make_matrix_op(f.places, Opcode::WarpBarrier)); // all threads of the warp take part
    if (!transposed)
        return access_in_order(f, op, *apart, *fragment, *registers);
    const std::vector<Place> address = addresses_across(f, op, *apart, *fragment);
    if (fragment->element == Element::F16)
        access_halves_across(f, op, address, *registers);
    else
        access_across(f, op, address, *fragment, *registers);
}

} // namespace heddle::ir
