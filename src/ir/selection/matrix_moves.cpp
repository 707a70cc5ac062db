// Small matrices between shared memory and the registers of a warp: ldmatrix, stmatrix; and movmatrix.
//
// Each matrix has rows of 16 bytes. The first threads have the addresses of the rows. ldmatrix is an ordinary load
// between two exchanges, stmatrix an ordinary store behind two exchanges: the first gives each thread the address of a
// row, the other moves words between the threads with the rows and the threads with the fragments.
#include <algorithm>

#include <fmt/format.h>

#include "ir/selection/families.h"
#include "ir/selection/make_op.h"
#include "ir/selection/matrix_operands.h"

namespace heddle::ir {

namespace {

constexpr unsigned kWords = 4;           // of a row
constexpr unsigned kRowsOfARegister = 8; // a register of each thread is 128 bytes: eight rows

// The words of an instruction that moves matrices, without those that are the same for all.
MatrixWords move_words(const MatrixWords& words) {
    MatrixWords out = words;
    out.sync = out.aligned = false;
    out.space = Space::Generic;
    return out;
}

// The registers of a thread; 0 when PTX has no such load.
unsigned registers_loaded(const MatrixWords& given) {
    const MatrixWords words = move_words(given);
    const bool narrow = words.from_bits != 0; // elements of fewer than eight bits
    MatrixWords wanted;
    wanted.shape = words.shape;
    wanted.count = words.count;
    wanted.from_bits = words.from_bits;
    wanted.to_bytes = narrow;
    if (words.shape == MatrixShape{8, 8, 0}) {
        wanted.b16 = true;
        wanted.transposed = words.transposed;
    } else if (words.shape == MatrixShape{16, 16, 0}) {
        wanted.b8 = !narrow;
        wanted.transposed = true;
    } else if (words.shape != MatrixShape{8, 16, 0} || !narrow) {
        return 0;
    }
    if (words != wanted || words.count == 0 || (words.b16 && narrow))
        return 0;
    const unsigned registers = words.shape.m == 16 ? 2 * words.count : words.count;
    return registers <= kWords ? registers : 0;
}

// The registers of a thread; 0 when PTX has no such store.
unsigned registers_stored(const MatrixWords& given) {
    const MatrixWords words = move_words(given);
    MatrixWords wanted;
    wanted.shape = words.shape;
    wanted.count = words.count;
    if (words.shape == MatrixShape{8, 8, 0}) {
        wanted.b16 = true;
        wanted.transposed = words.transposed;
    } else if (words.shape == MatrixShape{16, 8, 0}) {
        wanted.b8 = wanted.transposed = true;
    } else {
        return 0;
    }
    return words == wanted ? words.count : 0;
}

Sub order_of(const MatrixWords& words) {
    return words.shape.m == 16 ? Sub::MatrixBytes : words.transposed ? Sub::MatrixTransposed : Sub::None;
}

// The places of exchanged words in MicroOp::src: src[3] is the mask.
Place& word_source(MicroOp& op, std::size_t i) {
    return op.src.at(i < 3 ? i : i + 1);
}

// Emits the exchange of addresses for an access, whose base it replaces. `base_bytes`: of the access. Returns a
// predicate: the thread has a row of its own.
Place share_addresses(FunctionLowering& f, MicroOp op, MicroOp& access, std::uint8_t& base_bytes,
                      bool wants_predicate) {
    op.sub = Sub::MatrixRows;
    op.src[0] = access.src[0];
    op.src_bytes = op.dst_bytes = base_bytes;
    op.dst[0] = f.places.temporary(base_bytes == 8 ? Type::U64 : Type::U32);
    if (wants_predicate)
        op.dst[1] = f.places.temporary(Type::Pred);
    f.emitter.emit(op);
    access.src[0] = op.dst[0];
    return op.dst[1];
}

} // namespace

// ldmatrix.sync.aligned.m8n8.num[.trans][.shared].b16 r, [p];
// ldmatrix.sync.aligned.m16n16.num.trans[.shared].b8 r, [p];
// ldmatrix.sync.aligned.{m8n16.num|m16n16.num.trans}[.shared].b8x16.{b6x16_p32|b4x16_p64} r, [p];
void select_ldmatrix(FunctionLowering& f, const MatrixWords& words) {
    const unsigned registers = registers_loaded(words);
    if (registers == 0)
        return f.cursor.error(fmt::format(
            "'{}' is no load of matrices: there is ldmatrix.sync.aligned.m8n8 with .x1, .x2 or .x4, .trans or not, "
            ".shared.b16; .m16n16 with .x1 or .x2, .trans.shared.b8; and these shapes, and .m8n16 without .trans, with "
            ".b8x16.b6x16_p32 or .b8x16.b4x16_p64",
            f.cursor.text()));
    if (!f.cursor.count(2, 2))
        return;
    MicroOp load = make_op(Opcode::Ld, Type::B32);
    load.space = words.space;
    load.vector = kWords;
    const bool based = read_matrix_address(f, f.cursor.operand(1), true, load);
    const std::optional<std::vector<Place>> list =
        matrix_registers(f, f.cursor.operand(0), registers, Type::B32, ListUse::Result);
    if (!based || !list)
        return;
    MicroOp op = make_matrix_op(f.places, Opcode::Ldmatrix);
    op.vector = static_cast<std::uint8_t>(registers);
    MicroOp hand_out = op;
    std::copy(list->begin(), list->end(), hand_out.dst.begin());
    share_addresses(f, op, load, load.src_bytes, false);
    for (std::size_t i = 0; i < kWords; ++i)
        load.dst.at(i) = word_source(hand_out, i) = f.places.temporary(Type::B32);
    f.emitter.emit(load);
    hand_out.sub = order_of(words);
    hand_out.imm = words.from_bits;
    f.emitter.emit(hand_out);
}

// stmatrix.sync.aligned.m8n8.num[.trans][.shared].b16 [p], r;
// stmatrix.sync.aligned.m16n8.num.trans[.shared].b8 [p], r;
void select_stmatrix(FunctionLowering& f, const MatrixWords& words) {
    const unsigned registers = registers_stored(words);
    if (registers == 0)
        return f.cursor.error(fmt::format(
            "'{}' is no store of matrices: there is stmatrix.sync.aligned.m8n8 with .x1, .x2 or .x4, .trans "
            "or not, .shared.b16; and .m16n8 with .x1, .x2 or .x4, .trans.shared.b8",
            f.cursor.text()));
    if (!f.cursor.count(2, 2))
        return;
    const bool some = registers * kRowsOfARegister < kPtxWarp; // not every thread has a row
    const std::optional<std::uint32_t> skip = some ? f.emitter.jump_over_instruction() : std::nullopt;
    MicroOp store = make_op(Opcode::St, Type::B32);
    store.space = words.space;
    store.vector = kWords;
    const bool based = read_matrix_address(f, f.cursor.operand(0), true, store);
    store.dst_bytes = store.src_bytes;
    const std::optional<std::vector<Place>> list =
        matrix_registers(f, f.cursor.operand(1), registers, Type::B32, ListUse::Source);
    if (!based || !list)
        return;
    MicroOp op = make_matrix_op(f.places, Opcode::Stmatrix);
    op.vector = static_cast<std::uint8_t>(registers);
    MicroOp collect = op;
    for (std::size_t i = 0; i < list->size(); ++i)
        word_source(collect, i) = (*list)[i];
    const Place has_row = share_addresses(f, op, store, store.dst_bytes, some);
    for (std::size_t i = 0; i < kWords; ++i)
        collect.dst.at(i) = store.src.at(i + 1) = f.places.temporary(Type::B32);
    collect.sub = order_of(words);
    f.emitter.emit(collect);
    store.src_bytes = 4;
    if (some)
        f.emitter.emit_if(has_row, false, store);
    else
        f.emitter.emit(store);
    if (skip)
        f.emitter.land(*skip);
}

// movmatrix.sync.aligned.m8n8.trans.b16 d, a;
void select_movmatrix(FunctionLowering& f, const MatrixWords& words) {
    MatrixWords wanted;
    wanted.shape = {8, 8, 0};
    wanted.sync = wanted.aligned = wanted.transposed = wanted.b16 = true;
    if (words != wanted)
        return f.cursor.error(fmt::format("'{}': there is movmatrix.sync.aligned.m8n8.trans.b16", f.cursor.text()));
    if (!f.cursor.count(2, 2))
        return;
    const std::optional<Place> d = f.operands.destination(f.cursor.operand(0), Type::B32);
    const std::optional<Place> a = f.operands.source(f.cursor.operand(1), Type::B32);
    if (!d || !a)
        return;
    MicroOp op = make_matrix_op(f.places, Opcode::Movmatrix);
    op.dst[0] = *d;
    op.src[0] = *a;
    f.emitter.emit(op);
}

} // namespace heddle::ir
