// Queries of textures, samplers and surfaces (txq, suq), and of the types of handles (istypep).
#include <fmt/format.h>

#include "ir/selection/families.h"
#include "ir/selection/make_op.h"
#include "ir/selection/opaque_operands.h"
#include "ir/selection/sequences.h"

namespace heddle::ir {

namespace {

bool exists(const MicroOp& op, Query query, bool of_level) {
    if (of_level)
        return query <= Query::Depth;
    if (op.opcode == Opcode::Txq)
        return true;
    return !is_of_sampler(query) && query != Query::NormalizedCoords && query != Query::MipmapLevels &&
           query != Query::Samples;
}

std::optional<Place> read_object(FunctionLowering& f, const Operand& operand, const MicroOp& op, Query query) {
    if (op.opcode == Opcode::Suq)
        return read_handle(f, operand, {Type::Surfref});
    if (query == Query::ForceUnnormalizedCoords)
        return read_handle(f, operand, {Type::Samplerref});
    return is_of_sampler(query) ? read_handle(f, operand, {Type::Texref, Type::Samplerref})
                                : read_handle(f, operand, {Type::Texref});
}

} // namespace

// txq.query.b32 d, [a];   txq.level.query.b32 d, [a], level;   suq.query.b32 d, [a];
void select_texture_query(FunctionLowering& f, MicroOp op, const Modifiers& modifiers) {
    const bool of_level = modifiers.has(kWithLod);
    const std::size_t wanted = of_level ? 3 : 2;
    if (!exists(op, modifiers.query, of_level))
        return f.cursor.error(fmt::format("'{}': there is no such query", f.cursor.text()));
    if (!f.cursor.count(wanted, wanted))
        return;
    const std::optional<Place> d = f.operands.destination(f.cursor.operand(0), Type::B32);
    const Operand& address = f.cursor.operand(1);
    if (!d)
        return;
    if (address.kind != Operand::Kind::Address || address.name.empty() || !address.elements.empty())
        return f.cursor.error(address.where,
                              fmt::format("'{}' needs an object in brackets here, like [%rd1]", f.cursor.text()));
    const std::optional<Place> object = read_object(f, address, op, modifiers.query);
    if (!object)
        return;
    if (of_level) {
        const std::optional<Place> level = f.operands.source(f.cursor.operand(2), Type::S32);
        if (!level)
            return;
        op.src[1] = *level;
    }
    op.dst[0] = *d;
    op.src[0] = *object;
    op.imm = static_cast<std::int64_t>(modifiers.query);
    f.emitter.emit(op);
}

// istypep.type p, a;
void select_istypep(FunctionLowering& f, MicroOp op) {
    if (!f.cursor.count(2, 2))
        return;
    if (const Operand& a = f.cursor.operand(1); f.cursor.find(a).kind == Symbol::Kind::Variable)
        return f.cursor.error(a.where, fmt::format("'{}' needs a register or a number here", f.cursor.text()));
    const std::optional<Place> p = f.operands.predicate_destination(f.cursor.operand(0), false);
    const std::optional<Place> a = f.operands.source(f.cursor.operand(1), Type::U64);
    if (!p || !a)
        return;
    op.src[0] = *a;
    op.dst[0] = f.places.temporary(Type::U32);
    f.emitter.emit(op);
    emit_compare(f, Sub::Ne, Type::U32, *p, op.dst[0], f.places.constant(0));
}

} // namespace heddle::ir
