// Loads, stores and atomics.
#include <initializer_list>

#include <fmt/format.h>

#include "ir/selection/families.h"
#include "ir/selection/memory_operands.h"

namespace heddle::ir {

namespace {

bool may(Space space, std::initializer_list<Space> spaces) {
    for (const Space s : spaces)
        if (s == space)
            return true;
    return false;
}

// Types that each atomic operation exists for.
bool atomic_exists(Sub sub, Type type) {
    const auto is = [type](std::initializer_list<Type> types) {
        for (const Type t : types)
            if (t == type)
                return true;
        return false;
    };
    switch (sub) {
    case Sub::AtomAnd:
    case Sub::AtomOr:
    case Sub::AtomXor:
        return is({Type::B32, Type::B64});
    case Sub::AtomExch:
        return is({Type::B32, Type::B64});
    case Sub::AtomCas:
        return is({Type::B16, Type::B32, Type::B64});
    case Sub::AtomAdd:
        return is({Type::U32, Type::S32, Type::U64, Type::F32, Type::F64}) || ptx::is_half(type);
    case Sub::AtomInc:
    case Sub::AtomDec:
        return is({Type::U32});
    default:
        return is({Type::U32, Type::S32, Type::U64, Type::S64});
    }
}

// Counts operands: `plain` of them, one more with a cache policy (which has no effect).
bool memory_operands(FunctionLowering& f, std::size_t plain, const Modifiers& modifiers) {
    const std::size_t wanted = plain + (modifiers.has(kWithPolicy) ? 1 : 0);
    if (!f.cursor.count(wanted, wanted))
        return false;
    return !modifiers.has(kWithPolicy) || f.operands.source(f.cursor.operands().back(), Type::B64).has_value();
}

void select_load(FunctionLowering& f, MicroOp op, const Modifiers& modifiers) {
    if (!memory_operands(f, 2, modifiers))
        return;
    if (op.vector * ptx::size_of(op.type) > 16)
        return f.emitter.placeholder(op.opcode); // 256-bit accesses came with sm_100
    if (!read_address(f, f.cursor.operand(1), op, op.src_bytes))
        return;
    if (read_elements_to(f, f.cursor.operand(0), op))
        f.emitter.emit(op);
}

void select_store(FunctionLowering& f, MicroOp op, const Modifiers& modifiers) {
    if (!memory_operands(f, 2, modifiers))
        return;
    if (op.vector * ptx::size_of(op.type) > 16)
        return f.emitter.placeholder(op.opcode);
    const bool kernel_parameter = op.space == Space::Param && f.cursor.function().is_entry;
    if (op.space == Space::Const)
        return f.cursor.error(fmt::format("'{}': constant memory can not be written", f.cursor.text()));
    if (!read_address(f, f.cursor.operand(0), op, op.dst_bytes))
        return;
    if (op.space == Space::Const || (kernel_parameter && op.space == Space::Param))
        return f.cursor.error(fmt::format("'{}': {} can not be written", f.cursor.text(),
                                          op.space == Space::Const ? "constant memory" : "a kernel's parameters"));
    if (read_elements_from(f, f.cursor.operand(1), op, 1))
        f.emitter.emit(op);
}

// atom[.space].op.type d, [a], b[, c];   red[.space].op.type [a], b;
void select_atomic(FunctionLowering& f, MicroOp op, const Modifiers& modifiers) {
    const bool result = op.opcode == Opcode::Atom;
    const bool cas = op.sub == Sub::AtomCas;
    if (!result && (cas || op.sub == Sub::AtomExch))
        return f.cursor.error(fmt::format("'{}' has a result: write atom", f.cursor.text()));
    if (!atomic_exists(op.sub, op.type))
        return f.cursor.error(fmt::format("'{}': this operation has no such type", f.cursor.text()));
    if (!may(op.space, {Space::Generic, Space::Global, Space::Shared, Space::SharedCluster}))
        return f.cursor.error(fmt::format("'{}': atomics work on global and shared memory", f.cursor.text()));
    const std::size_t first = result ? 1 : 0;
    if (!memory_operands(f, first + 2 + (cas ? 1 : 0), modifiers))
        return;
    bool good = read_address(f, f.cursor.operand(first), op, op.src_bytes);
    for (std::size_t i = 1; i <= (cas ? 2U : 1U); ++i) {
        const std::optional<Place> s = f.operands.source(f.cursor.operand(first + i), op.type);
        good = good && s.has_value();
        op.src[i] = s.value_or(kNowhere);
    }
    if (result) {
        const std::optional<Place> d = f.operands.destination(f.cursor.operand(0), op.type, Width::Exact, true);
        good = good && d.has_value();
        op.dst[0] = d.value_or(kNowhere);
    }
    if (!good)
        return;
    if (!may(op.space, {Space::Generic, Space::Global, Space::Shared, Space::SharedCluster}))
        return f.cursor.error(fmt::format("'{}': atomics work on global and shared memory", f.cursor.text()));
    op.dst_bytes = ptx::size_of(op.type) == 8 ? 8 : 4;
    f.emitter.emit(op);
}

} // namespace

void select_memory(FunctionLowering& f, MicroOp op, const Modifiers& modifiers) {
    switch (op.opcode) {
    case Opcode::St:
        return select_store(f, op, modifiers);
    case Opcode::Atom:
    case Opcode::Red:
        return select_atomic(f, op, modifiers);
    default: // ld, ldu
        return select_load(f, op, modifiers);
    }
}

} // namespace heddle::ir
