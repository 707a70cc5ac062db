// Products of matrices in the registers of a warp: wmma.mma, mma, mma.sp. The other matrix instructions have files of
// their own.
#include <fmt/format.h>

#include "ir/selection/families.h"
#include "ir/selection/matrix_operands.h"
#include "ir/selection/matrix_product.h"

namespace heddle::ir {

namespace {

// Whether words are left that a product does not have.
bool has_stray_words(MatrixWords words, bool wmma) {
    const bool right_action = (words.action != MatrixWords::Action::None) == wmma;
    MatrixWords none;
    none.sync = none.aligned = true;
    none.action = words.action;
    none.saturate = words.saturate;
    none.rounding = words.rounding;
    none.popc = words.popc;
    none.logic = words.logic;
    none.by_rows = words.by_rows;
    none.layouts = words.layouts;
    none.shape = words.shape;
    none.types = words.types;
    none.type_count = words.type_count;
    none.sparse = words.sparse && !wmma;
    none.ordered = words.ordered;
    return !right_action || words != none;
}

Matrix read_matrix(const MatrixWords& words, bool wmma) {
    const bool short_types = words.type_count == 2; // a and b are f16
    Matrix x;
    x.saturate = words.saturate;
    x.rounding = words.rounding == Rounding::None ? Rounding::Rn : words.rounding;
    x.both = words.logic == "and";
    x.sparse = words.sparse;
    const auto fragment = [&](MatrixRole role, Element element, bool by_rows) {
        return Fragment{role, element, words.shape, by_rows, wmma};
    };
    x.a = fragment(MatrixRole::A, short_types ? Element::F16 : words.types[1], words.by_rows[0]);
    x.b = fragment(MatrixRole::B, short_types ? Element::F16 : words.types[2], words.by_rows[1]);
    x.c = fragment(MatrixRole::Accumulator, words.types[short_types ? 1 : 3], true);
    x.d = fragment(MatrixRole::Accumulator, words.types[0], true);
    if (x.sparse)
        x.a.shape.k /= 2;
    return x;
}

// The words of the operation on the elements that only some types have.
bool operation_fits(const Matrix& x, const MatrixWords& words) {
    const bool bits = x.a.element == Element::B1;
    const bool saturates_wrongly = words.saturate && (bits || x.d.element != Element::S32);
    const bool rounds_wrongly = words.rounding != Rounding::None && x.d.element != Element::F64;
    return !saturates_wrongly && !rounds_wrongly && bits == words.popc && bits != words.logic.empty();
}

} // namespace

// wmma.mma[.op.popc].sync.aligned.alayout.blayout.shape.dtype[.atype.btype].ctype[.satfinite] d, a, b, c;
// mma.sync.aligned.shape.alayout.blayout.dtype.atype.btype.ctype[.satfinite][.op.popc] d, a, b, c;
// mma.sp[::ordered_metadata].sync.aligned.shape.row.col.dtype.atype.btype.ctype[.satfinite] d, a, b, c, e, f;
// With types of f64 the first two may have a rounding.
void select_product(FunctionLowering& f, Opcode opcode, const MatrixWords& words) {
    const bool wmma = opcode == Opcode::Wmma;
    if (has_stray_words(words, wmma) || words.layouts != 2 ||
        (words.type_count != 4 && !(wmma && words.type_count == 2)))
        return f.cursor.error(fmt::format("'{}' is no product of matrices: it has .sync.aligned, two layouts, a shape "
                                          "and the types of d, a, b and c",
                                          f.cursor.text()));
    Matrix x = read_matrix(words, wmma);
    if (!exists(x) || !operation_fits(x, words))
        return f.cursor.error(fmt::format("'{}': there is no product of such matrices", f.cursor.text()));
    const std::size_t operands = x.sparse ? 6 : 4;
    if (!f.cursor.count(operands, operands))
        return;
    const auto d = fragment_registers(f, f.cursor.operand(0), x.d, ListUse::Result);
    const auto a = fragment_registers(f, f.cursor.operand(1), x.a, ListUse::Source);
    const auto b = fragment_registers(f, f.cursor.operand(2), x.b, ListUse::Source);
    const auto c = fragment_registers(f, f.cursor.operand(3), x.c, ListUse::Source);
    if (!d || !a || !b || !c)
        return;
    ProductPlaces places;
    if (x.sparse && !read_metadata(f, 4, x, places.metadata))
        return;
    places.d = *d;
    places.a = *a;
    places.b = *b;
    places.c = *c;
    multiply_in_parts(f, opcode, x, places);
}

void select_matrix(FunctionLowering& f, Opcode opcode) {
    const MatrixWords words = read_matrix_words(f.cursor.instruction());
    if (!words.unknown.empty())
        return f.cursor.error_misplaced(words.unknown);
    if (!words.newer.empty())
        return f.cursor.error_at(words.newer,
                                 fmt::format("'.{}' needs a device of compute capability 10.0 or 12.0; heddle has no "
                                             "such products",
                                             words.newer));
    if (!words.sync || !words.aligned)
        return f.cursor.error(
            fmt::format("'{}' needs .sync.aligned: all threads of a warp take part", f.cursor.text()));
    switch (opcode) {
    case Opcode::Ldmatrix:
        return select_ldmatrix(f, words);
    case Opcode::Stmatrix:
        return select_stmatrix(f, words);
    case Opcode::Movmatrix:
        return select_movmatrix(f, words);
    case Opcode::Mma:
        return select_product(f, opcode, words);
    case Opcode::Wgmma:
        return select_wgmma(f, words);
    default:
        if (words.action == MatrixWords::Action::Multiply)
            return select_product(f, opcode, words);
        return select_wmma_access(f, words);
    }
}

} // namespace heddle::ir
