// Products of matrices of a warpgroup: wgmma.
//
// Threads of four consecutive PTX warps execute a product together: they wait for each other before it. Then each warp
// multiplies the 16 rows of A that belong to it, by eight columns of B in each micro-op. A product executes at once,
// which PTX allows; the warps wait for each other again where a program waits for products, so that none of them reads
// its factors later. wgmma.fence has nothing to order.
#include <algorithm>

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

// `groups_plus_1`: of a wait for products, the groups that may be on their way plus 1; 0: it is none.
void emit_meeting(FunctionLowering& f, std::int64_t groups_plus_1) {
    MicroOp op = make_op(Opcode::Wgmma);
    op.sub = Sub::WarpgroupMeets;
    op.work = Work::Control;
    op.imm = groups_plus_1;
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

bool wgmma_operation_fits(const Matrix& x, const MatrixWords& words) {
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

bool read_descriptor(FunctionLowering& f, const Operand& operand, Place& to) {
    if (f.cursor.find(operand).kind == Symbol::Kind::Variable) {
        f.cursor.error(
            operand.where,
            fmt::format("'{}' needs a matrix descriptor here: a register of 64 bits, or an integer", f.cursor.text()));
        return false;
    }
    const std::optional<Place> descriptor = f.operands.source(operand, Type::U64);
    to = descriptor.value_or(kNowhere);
    return descriptor.has_value();
}

// scale-d: a predicate, 0 or 1.
bool read_scale(FunctionLowering& f, const Operand& operand, ProductPlaces& places) {
    if (operand.kind == Operand::Kind::Integer && !choice(f, operand, "the scale of d", 0, 1))
        return false;
    const std::optional<Place> adds = f.operands.predicate(operand, places.adds_negated);
    places.adds_c = adds.value_or(kNowhere);
    return adds.has_value();
}

// A as registers or as a descriptor.
bool read_a(FunctionLowering& f, const Operand& operand, Matrix& x, ProductPlaces& places) {
    x.a_in_memory.present = !is_vector(f.cursor, operand);
    if (x.a_in_memory.present)
        return read_descriptor(f, operand, places.descriptor_a);
    const std::optional<std::vector<Place>> registers = fragment_registers(f, operand, x.a, ListUse::Source);
    places.a = registers.value_or(std::vector<Place>{});
    return registers.has_value();
}

// The registers of D, which are those of C too.
bool read_accumulator(FunctionLowering& f, const Operand& operand, const Fragment& part, unsigned columns,
                      ProductPlaces& places) {
    const std::optional<std::vector<Place>> registers =
        matrix_registers(f, operand, part.registers() * columns / kColumns, type_of_registers(part), ListUse::Both);
    places.c = places.d = registers.value_or(std::vector<Place>{});
    return registers.has_value();
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
    if (!wgmma_exists(x, words.shape) || !wgmma_operation_fits(x, words))
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
    if (!read_accumulator(f, f.cursor.operand(0), x.d, words.shape.n, places) ||
        !read_descriptor(f, f.cursor.operand(2), places.descriptor_b) ||
        (x.sparse && !read_metadata(f, 3, x, places.metadata)) || !read_scale(f, f.cursor.operand(scale_d), places) ||
        (floats && !read_factor_options(f, scale_d + 1, transposes, x)))
        return;
    emit_meeting(f, 0);
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
    if (!waits) {
        MicroOp op = make_matrix_op(f.places, Opcode::WarpBarrier);
        op.imm = words.action == Action::CommitGroup ? 1 : 0; // which cores with tensor units tell apart
        return static_cast<void>(f.emitter.emit(op));
    }
    const std::optional<std::int64_t> groups = f.operands.integer(f.cursor.operand(0), "the number of groups");
    if (!groups)
        return;
    if (*groups < 0)
        return f.cursor.error(f.cursor.operand(0).where,
                              fmt::format("the number of groups of '{}' is not negative", f.cursor.text()));
    constexpr std::int64_t kMost = 1000; // so that one more fits; no program has as many on their way
    emit_meeting(f, std::min(*groups, kMost) + 1);
}

} // namespace heddle::ir
