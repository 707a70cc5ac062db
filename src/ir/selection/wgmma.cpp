// Products of matrices of a warpgroup: wgmma.
//
// Threads of four consecutive PTX warps execute a product together: they wait for each other before it. Then each warp
// multiplies the 16 rows of A that belong to it, by eight columns of B in each micro-op. A product executes at once,
// which PTX allows; the warps wait for each other again where a program waits for products, so that none of them reads
// its factors later. wgmma.fence has nothing to order.
#include <fmt/format.h>

#include "ir/selection/families.h"
#include "ir/selection/make_op.h"
#include "ir/selection/matrix_operands.h"
#include "ir/selection/matrix_product.h"
#include "ir/selection/memory_operands.h"

namespace heddle::ir {

namespace {

constexpr std::uint8_t kRows = 16, kColumns = 8; // of a micro-op's part of the product

using Action = MatrixWords::Action;

void emit_meeting(FunctionLowering& f) {
    MicroOp op = make_op(Opcode::Wgmma);
    op.sub = Sub::WarpgroupMeets;
    op.work = Work::Control;
    f.emitter.emit(op);
}

// Whether words are left that a product does not have.
bool has_stray_words(const MatrixWords& words) {
    MatrixWords none;
    none.sync = none.aligned = true;
    none.action = words.action;
    none.saturate = words.saturate;
    none.popc = words.popc;
    none.logic = words.logic;
    none.shape = words.shape;
    none.types = words.types;
    none.type_count = words.type_count;
    none.sparse = words.sparse;
    return words != none || words.ordered;
}

Matrix read_matrix(const MatrixWords& words) {
    Matrix x;
    x.saturate = words.saturate;
    x.both = words.logic == "and";
    x.sparse = words.sparse;
    const auto fragment = [&](MatrixRole role, Element element) {
        return Fragment{role, element, {kRows, kColumns, words.shape.k}, role != MatrixRole::B, false};
    };
    x.a = fragment(MatrixRole::A, words.types[1]);
    x.b = fragment(MatrixRole::B, words.types[2]);
    x.c = x.d = fragment(MatrixRole::Accumulator, words.types[0]);
    x.b_in_memory.present = true;
    if (x.sparse)
        x.a.shape.k /= 2;
    return x;
}

bool operation_fits(const Matrix& x, const MatrixWords& words) {
    const bool bits = x.a.element == Element::B1;
    return (!words.saturate || (x.d.element == Element::S32 && !bits)) && bits == words.popc &&
           bits != words.logic.empty();
}

// An integer constant that is `low` or `high`.
std::optional<bool> choice(FunctionLowering& f, const Operand& operand, std::string_view what, int low, int high) {
    const std::optional<std::int64_t> value = f.operands.integer(operand, what);
    if (!value)
        return std::nullopt;
    if (*value == low || *value == high)
        return *value == high;
    f.cursor.error(operand.where,
                   fmt::format("{} of '{}' is {} or {}, not {}", what, f.cursor.text(), low, high, *value));
    return std::nullopt;
}

// The operands behind scale-d, which only floating-point types have: the signs of A and B, and of f16 and bf16 the
// order in memory.
bool read_factor_options(FunctionLowering& f, std::size_t next, bool transposes, Matrix& x) {
    const auto negated = [&](std::string_view what, bool& to) {
        const std::optional<bool> positive = choice(f, f.cursor.operand(next++), what, -1, 1);
        to = positive.has_value() && !*positive;
        return positive.has_value();
    };
    const auto transposed = [&](std::string_view what, SharedFactor& factor) {
        const std::optional<bool> across = choice(f, f.cursor.operand(next++), what, 0, 1);
        factor.along_k = !across.value_or(false);
        return across.has_value();
    };
    if (!negated("the scale of a", x.negate_a) || !negated("the scale of b", x.negate_b))
        return false;
    if (!transposes)
        return true;
    return (!x.a_in_memory.present || transposed("the transposition of a", x.a_in_memory)) &&
           transposed("the transposition of b", x.b_in_memory);
}

// A as registers or as a descriptor.
bool read_a(FunctionLowering& f, const Operand& operand, Matrix& x, ProductPlaces& places) {
    const Symbol found = f.cursor.find(operand);
    const bool several =
        operand.kind == Operand::Kind::Vector || (found.kind == Symbol::Kind::Register && found.variable->vector > 1);
    x.a_in_memory.present = !several;
    if (several) {
        const std::optional<std::vector<Place>> registers = fragment_registers(f, operand, x.a, false);
        places.a = registers.value_or(std::vector<Place>{});
        return registers.has_value();
    }
    const std::optional<Place> descriptor = f.operands.source(operand, Type::B64);
    places.descriptor_a = descriptor.value_or(kNowhere);
    return descriptor.has_value();
}

// The registers of D, which are those of C too.
bool read_accumulator(FunctionLowering& f, const Operand& operand, const Fragment& part, unsigned columns,
                      ProductPlaces& places) {
    const std::vector<Operand> list = elements(f.cursor, operand, part.registers() * columns / kColumns);
    for (const Operand& element : list) {
        const std::optional<Place> place = f.operands.destination(element, type_of_registers(part));
        if (!place)
            return false;
        places.d.push_back(*place);
    }
    places.c = places.d;
    return !list.empty();
}

// wgmma.mma_async.sync.aligned.shape.dtype.atype.btype d, a, b-desc, scale-d[, scale-a, scale-b[, [trans-a, ]trans-b]];
// wgmma.mma_async.sp.sync.aligned.shape.dtype.atype.btype d, a, b-desc, metadata, selector, scale-d[, ...];
// with .satfinite for integers; .s32.b1.b1.and.popc. a: registers or a descriptor.
void select_async_product(FunctionLowering& f, const MatrixWords& words) {
    if (has_stray_words(words) || words.type_count != 3)
        return f.cursor.error(
            fmt::format("'{}' is no product of a warpgroup: it has .sync.aligned, a shape and the types "
                        "of d, a and b",
                        f.cursor.text()));
    Matrix x = read_matrix(words);
    if (!wgmma_exists(x, words.shape) || !operation_fits(x, words))
        return f.cursor.error(fmt::format("'{}': there is no product of such matrices", f.cursor.text()));
    const std::size_t scale_d = x.sparse ? 5 : 3;
    if (f.cursor.operands().size() < 2)
        return static_cast<void>(f.cursor.count(scale_d + 1, scale_d + 5));
    ProductPlaces places;
    if (!read_a(f, f.cursor.operand(1), x, places))
        return;
    const bool floats = x.d.element != Element::S32, transposes = floats && bits_of(x.a.element) == 16;
    const std::size_t options =
        (floats ? 2U : 0U) + (transposes ? 1U : 0U) + (transposes && x.a_in_memory.present ? 1U : 0U);
    if (!f.cursor.count(scale_d + 1 + options, scale_d + 1 + options))
        return;
    const std::optional<Place> b = f.operands.source(f.cursor.operand(2), Type::B64);
    const std::optional<Place> adds = f.operands.predicate(f.cursor.operand(scale_d), places.adds_negated);
    if (!b || !adds || !read_accumulator(f, f.cursor.operand(0), x.d, words.shape.n, places) ||
        (x.sparse && !read_metadata(f, 3, x, places.metadata)) ||
        (floats && !read_factor_options(f, scale_d + 1, transposes, x)))
        return;
    places.descriptor_b = *b;
    places.adds_c = *adds;
    emit_meeting(f);
    multiply_in_parts(f, Opcode::Wgmma, x, places);
}

} // namespace

// wgmma.mma_async: above
// wgmma.fence.sync.aligned;   wgmma.commit_group.sync.aligned;   wgmma.wait_group.sync.aligned n;
void select_wgmma(FunctionLowering& f, const MatrixWords& words) {
    if (words.action == Action::MultiplyAsync)
        return select_async_product(f, words);
    MatrixWords wanted;
    wanted.sync = wanted.aligned = true;
    wanted.action = words.action;
    const bool waits = words.action == Action::WaitGroup;
    if (words != wanted || !(waits || words.action == Action::Fence || words.action == Action::CommitGroup))
        return f.cursor.error(fmt::format("'{}' does not exist: there are wgmma.mma_async, and wgmma.fence, "
                                          ".commit_group and .wait_group with .sync.aligned",
                                          f.cursor.text()));
    const std::size_t operands = waits ? 1 : 0;
    if (!f.cursor.count(operands, operands))
        return;
    if (!waits)
        return static_cast<void>(f.emitter.emit(make_matrix_op(f.places, Opcode::WarpBarrier)));
    const std::optional<std::int64_t> groups = f.operands.integer(f.cursor.operand(0), "the number of groups");
    if (!groups)
        return;
    if (*groups < 0)
        return f.cursor.error(f.cursor.operand(0).where,
                              fmt::format("the number of groups of '{}' is not negative", f.cursor.text()));
    emit_meeting(f);
}

} // namespace heddle::ir
