// Matrix instructions: wmma, mma, ldmatrix, movmatrix.
//
// A product is one micro-op for each four registers of its result. ldmatrix is an ordinary load between two exchanges.
#include <algorithm>

#include <fmt/format.h>

#include "ir/selection/families.h"
#include "ir/selection/make_op.h"
#include "ir/selection/matrix_operands.h"
#include "ir/selection/memory_operands.h"
#include "ir/selection/sequences.h"

namespace heddle::ir {

namespace {

constexpr std::size_t kPart = 4; // registers of a result that a micro-op writes

void emit_product(FunctionLowering& f, Opcode opcode, const Matrix& matrix, std::span<const Place> results) {
    MicroOp op = make_matrix_op(f.places, opcode);
    op.domain = matrix.d.element == Element::F64   ? Domain::F64
                : matrix.d.element == Element::S32 ? Domain::Int
                                                   : Domain::F32;
    std::copy(results.begin(), results.end(), op.dst.begin());
    op.imm = static_cast<std::int64_t>(f.draft.matrices.size());
    f.draft.matrices.push_back(matrix);
    f.emitter.emit(op);
}

// Emits the product, a micro-op for each part of d.
void multiply_in_parts(FunctionLowering& f, Opcode opcode, Matrix x, const std::vector<Place>& d,
                       const std::array<std::vector<Place>, 3>& sources) {
    const auto& [a, b, c] = sources;
    const bool alike = c.size() == d.size(); // a part of d needs only the part of c of the same registers
    std::vector<std::pair<Place, Place>> moves;
    for (std::size_t first = 0; first < d.size(); first += kPart) {
        const std::size_t n = std::min(kPart, d.size() - first);
        const std::span<const Place> part = std::span(c).subspan(alike ? first : 0, alike ? n : c.size());
        x.first = static_cast<std::uint8_t>(first);
        x.first_c = static_cast<std::uint8_t>(alike ? first : 0);
        x.c_registers = static_cast<std::uint8_t>(part.size());
        auto* next = std::copy(a.begin(), a.end(), x.source.begin());
        next = std::copy(b.begin(), b.end(), next);
        std::copy(part.begin(), part.end(), next);
        const std::span<const Place> own = std::span(d).subspan(first, n);
        std::vector<Place> results(own.begin(), own.end());
        // A register that a later part reads is written after the last part.
        const std::span<const Place> later =
            first + n == d.size() ? std::span<const Place>{} : std::span(c).subspan(alike ? first + n : 0);
        for (Place& result : results) {
            const auto is_read = [&](std::span<const Place> by) {
                return std::find(by.begin(), by.end(), result) != by.end();
            };
            if (first + n == d.size() || !(is_read(a) || is_read(b) || is_read(later)))
                continue;
            moves.emplace_back(result, f.places.temporary(type_of_registers(x.d)));
            result = moves.back().second;
        }
        emit_product(f, opcode, x, results);
    }
    for (const auto& [to, from] : moves)
        emit_copy(f, to, from);
}

// wmma.mma[.op.popc].sync.aligned.alayout.blayout.shape.dtype[.atype.btype].ctype[.satfinite] d, a, b, c;
// mma.sync.aligned.shape.alayout.blayout.dtype.atype.btype.ctype[.satfinite][.op.popc] d, a, b, c;
// With types of f64 both may have a rounding.
void select_product(FunctionLowering& f, Opcode opcode, const MatrixWords& words) {
    const bool wmma = opcode == Opcode::Wmma;
    const bool short_types = wmma && words.type_count == 2; // a and b are f16
    const bool stray = (words.action != MatrixWords::Action::None) != wmma || words.matrix != 0 || words.transposed ||
                       words.count != 0 || words.b16 || words.space != Space::Generic;
    if (stray || words.layouts != 2 || (words.type_count != 4 && !short_types))
        return f.cursor.error(fmt::format("'{}' is no product of matrices: it has .sync.aligned, two layouts, a shape "
                                          "and the types of d, a, b and c",
                                          f.cursor.text()));
    Matrix x;
    x.saturate = words.saturate;
    x.rounding = words.rounding == Rounding::None ? Rounding::Rn : words.rounding;
    x.both = words.logic == "and";
    const auto fragment = [&](MatrixRole role, Element element, bool by_rows) {
        return Fragment{role, element, words.shape, by_rows, wmma};
    };
    x.a = fragment(MatrixRole::A, short_types ? Element::F16 : words.types[1], words.by_rows[0]);
    x.b = fragment(MatrixRole::B, short_types ? Element::F16 : words.types[2], words.by_rows[1]);
    x.c = fragment(MatrixRole::Accumulator, words.types[short_types ? 1 : 3], true);
    x.d = fragment(MatrixRole::Accumulator, words.types[0], true);
    const bool bits = x.a.element == Element::B1;
    const bool saturates_wrongly = words.saturate && (bits || x.d.element != Element::S32);
    const bool rounds_wrongly = words.rounding != Rounding::None && x.d.element != Element::F64;
    if (!exists(x) || saturates_wrongly || rounds_wrongly || bits != words.popc || bits == words.logic.empty())
        return f.cursor.error(fmt::format("'{}': there is no product of such matrices", f.cursor.text()));
    if (!f.cursor.count(4, 4))
        return;
    const auto d = fragment_registers(f, f.cursor.operand(0), x.d, true);
    const auto a = fragment_registers(f, f.cursor.operand(1), x.a, false);
    const auto b = fragment_registers(f, f.cursor.operand(2), x.b, false);
    const auto c = fragment_registers(f, f.cursor.operand(3), x.c, false);
    if (d && a && b && c)
        multiply_in_parts(f, opcode, x, *d, {*a, *b, *c});
}

// ldmatrix.sync.aligned.m8n8.number[.trans][.shared].b16 r, [p];
// Threads 8 m to 8 m + 7 have the addresses of the eight rows of matrix m. A first exchange gives each thread the
// address of a row, a load reads the row's four words, and a second exchange gives each thread the words of its
// fragments.
void select_ldmatrix(FunctionLowering& f, const MatrixWords& words) {
    if (words.shape != MatrixShape{8, 8, 0} || words.count == 0 || !words.b16 || words.layouts != 0 ||
        words.type_count != 0)
        return f.cursor.error(
            fmt::format("'{}' is no load of matrices: there is ldmatrix.sync.aligned.m8n8 with .x1, .x2 or .x4, "
                        ".trans or not, .shared.b16",
                        f.cursor.text()));
    if (!f.cursor.count(2, 2))
        return;
    MicroOp load = make_op(Opcode::Ld, Type::B32);
    load.space = words.space;
    load.vector = 4;
    const bool based = read_matrix_address(f, f.cursor.operand(1), true, load);
    const std::vector<Operand> list = elements(f.cursor, f.cursor.operand(0), words.count);
    MicroOp op = make_matrix_op(f.places, Opcode::Ldmatrix);
    op.vector = words.count;
    MicroOp hand_out = op;
    bool good = based && !list.empty();
    for (std::size_t i = 0; i < list.size(); ++i) {
        const std::optional<Place> d = f.operands.destination(list[i], Type::B32);
        good = good && d.has_value();
        hand_out.dst.at(i) = d.value_or(kNowhere);
    }
    if (!good)
        return;
    op.sub = Sub::MatrixRows;
    op.src[0] = load.src[0];
    op.src_bytes = op.dst_bytes = load.src_bytes;
    op.dst[0] = f.places.temporary(op.src_bytes == 8 ? Type::U64 : Type::U32);
    f.emitter.emit(op);
    load.src[0] = op.dst[0];
    for (Place& word : load.dst)
        word = f.places.temporary(Type::B32);
    f.emitter.emit(load);
    hand_out.sub = words.transposed ? Sub::MatrixTransposed : Sub::None;
    hand_out.src = {load.dst[0], load.dst[1], load.dst[2], op.src[3], load.dst[3]};
    f.emitter.emit(hand_out);
}

// movmatrix.sync.aligned.m8n8.trans.b16 d, a;
void select_movmatrix(FunctionLowering& f, const MatrixWords& words) {
    if (words.shape != MatrixShape{8, 8, 0} || !words.transposed || !words.b16)
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

} // namespace

void select_matrix(FunctionLowering& f, Opcode opcode) {
    const MatrixWords words = read_matrix_words(f.cursor.instruction());
    if (!words.unknown.empty())
        return f.cursor.error_misplaced(words.unknown);
    if (words.newer)
        return f.emitter.placeholder(opcode);
    const std::vector<std::string_view>& modifiers = f.cursor.instruction().modifiers;
    if (!words.sync || std::find(modifiers.begin(), modifiers.end(), "aligned") == modifiers.end())
        return f.cursor.error(
            fmt::format("'{}' needs .sync.aligned: all threads of a warp take part", f.cursor.text()));
    switch (opcode) {
    case Opcode::Ldmatrix:
        return select_ldmatrix(f, words);
    case Opcode::Movmatrix:
        return select_movmatrix(f, words);
    case Opcode::Mma:
        return select_product(f, opcode, words);
    default:
        if (words.action == MatrixWords::Action::Multiply)
            return select_product(f, opcode, words);
        return select_wmma_access(f, words);
    }
}

} // namespace heddle::ir
