// Loads, stores and atomics.
#include <algorithm>
#include <initializer_list>

#include <fmt/format.h>

#include "ir/selection/families.h"
#include "ir/selection/make_op.h"
#include "ir/selection/memory_operands.h"
#include "ir/selection/wide_registers.h"

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
        return is({Type::B32, Type::B64, Type::B128});
    case Sub::AtomCas:
        return is({Type::B16, Type::B32, Type::B64, Type::B128});
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

// The data of an access of 128 bits: one vector of two elements of 64 bits. False: an error is reported.
bool read_wide(FunctionLowering& f, const Operand& operand, MicroOp& op, Place& low, Place& high) {
    if (op.vector != 1) {
        f.cursor.error(fmt::format("'{}': a vector has up to 256 bits, and elements of up to 64", f.cursor.text()));
        return false;
    }
    const std::optional<Halves> halves = read_halves(f, operand);
    if (!halves)
        return false;
    op.type = Type::B64;
    op.vector = 2;
    low = halves->low;
    high = halves->high;
    return true;
}

// Whether the vector of the access exists; else an error is reported.
bool check_vector(FunctionLowering& f, const MicroOp& op) {
    const unsigned bytes = op.vector * ptx::size_of(op.type);
    if (bytes > 32) {
        f.cursor.error(fmt::format("'{}': a vector has up to 256 bits", f.cursor.text()));
        return false;
    }
    const bool global = op.space == Space::Global || op.space == Space::Generic;
    if (bytes > 16 && (!global || op.opcode == Opcode::Ldu)) {
        f.cursor.error(fmt::format("'{}': a vector of 256 bits is for ld and st in global memory", f.cursor.text()));
        return false;
    }
    return true;
}

// An access with more elements or bytes than a micro-op has is two micro-ops, a half each.
bool is_split(const MicroOp& op) {
    return op.vector > 4 || op.vector * ptx::size_of(op.type) > 16;
}

// One half of a vector operand. `second`: the upper half.
Operand half_of(const Operand& operand, bool second) {
    const auto middle = operand.elements.begin() + static_cast<std::ptrdiff_t>(operand.elements.size() / 2);
    Operand half = operand;
    half.elements = second ? std::vector<Operand>(middle, operand.elements.end())
                           : std::vector<Operand>(operand.elements.begin(), middle);
    return half;
}

MicroOp half_access(const MicroOp& op, bool second) {
    MicroOp half = op;
    half.vector = op.vector / 2;
    if (second)
        half.imm += half.vector * ptx::size_of(op.type);
    return half;
}

// The vector operand of an access that is split, as a list of elements. No elements: an error is reported.
Operand whole_vector(FunctionLowering& f, Operand operand, const MicroOp& op) {
    operand.elements = elements(f.cursor, operand, op.vector);
    operand.kind = Operand::Kind::Vector;
    if (!check_kinds(f.cursor, operand.elements))
        operand.elements.clear();
    return operand;
}

// Both halves use one address, so a load that overwrites the register of its address uses a copy of it.
void split_load(FunctionLowering& f, MicroOp op) {
    std::array<MicroOp, 2> halves{half_access(op, false), half_access(op, true)};
    const Operand vector = whole_vector(f, f.cursor.operand(0), op);
    if (vector.elements.empty())
        return;
    for (const bool second : {false, true})
        if (!read_elements_to(f, half_of(vector, second), halves[second]))
            return;
    const auto& first = halves[0].dst;
    if (op.src[0] != kNowhere && std::find(first.begin(), first.end(), op.src[0]) != first.end()) {
        MicroOp copy = make_op(Opcode::Mov, op.src_bytes == 8 ? Type::B64 : Type::B32);
        copy.dst[0] = halves[0].src[0] = halves[1].src[0] = f.places.temporary(copy.type);
        copy.src[0] = op.src[0];
        copy.dst_bytes = copy.src_bytes = op.src_bytes;
        f.emitter.emit(copy);
    }
    f.emitter.emit(halves[0]);
    f.emitter.emit(halves[1]);
    fill_upper_halves(f, f.cursor.operand(0), op.type);
}

unsigned count_sinks(const Operand& vector) {
    return static_cast<unsigned>(std::count_if(vector.elements.begin(), vector.elements.end(),
                                               [](const Operand& e) { return e.kind == Operand::Kind::Sink; }));
}

// Appends stores of the elements that are not `_`, each as wide as may be. False: an error is reported.
bool store_elements(FunctionLowering& f, MicroOp op, const Operand& vector) {
    const unsigned sinks = count_sinks(vector);
    if (sinks == op.vector)
        return true;
    if (sinks != 0 || is_split(op))
        return store_elements(f, half_access(op, false), half_of(vector, false)) &&
               store_elements(f, half_access(op, true), half_of(vector, true));
    if (!read_elements_from(f, vector.elements.size() == 1 ? vector.elements.front() : vector, op, 1))
        return false;
    f.emitter.emit(op);
    return true;
}

// Memory of an element `_` stays as it is.
void split_store(FunctionLowering& f, const MicroOp& op) {
    const Operand vector = whole_vector(f, f.cursor.operand(1), op);
    if (vector.elements.empty())
        return;
    const unsigned sinks = count_sinks(vector);
    if (sinks == op.vector)
        f.cursor.error(vector.where, fmt::format("'{}' stores nothing: every element is '_'", f.cursor.text()));
    else if (constexpr unsigned kWhole = 32; sinks != 0 && op.vector * ptx::size_of(op.type) != kWhole)
        f.cursor.error(vector.where, fmt::format("'{}' takes '_' in vectors of 256 bits alone", f.cursor.text()));
    else
        static_cast<void>(store_elements(f, op, vector));
}

void select_load(FunctionLowering& f, MicroOp op, const Modifiers& modifiers) {
    if (!memory_operands(f, 2, modifiers) || !check_vector(f, op))
        return;
    if (!read_address(f, f.cursor.operand(1), op, op.src_bytes))
        return;
    const Operand& to = f.cursor.operand(0);
    if (op.type == Type::B128) {
        op.dst_bytes = 8;
        if (read_wide(f, to, op, op.dst[0], op.dst[1]))
            f.emitter.emit(op);
        return;
    }
    if (is_split(op))
        return split_load(f, op);
    if (!read_elements_to(f, to, op))
        return;
    f.emitter.emit(op);
    fill_upper_halves(f, to, op.type);
}

void select_store(FunctionLowering& f, MicroOp op, const Modifiers& modifiers) {
    if (!memory_operands(f, 2, modifiers) || !check_vector(f, op))
        return;
    const bool kernel_parameter = op.space == Space::Param && f.cursor.function().is_entry;
    if (op.space == Space::Const)
        return f.cursor.error(fmt::format("'{}': constant memory can not be written", f.cursor.text()));
    if (!read_address(f, f.cursor.operand(0), op, op.dst_bytes))
        return;
    if (op.space == Space::Const || (kernel_parameter && op.space == Space::Param))
        return f.cursor.error(fmt::format("'{}': {} can not be written", f.cursor.text(),
                                          op.space == Space::Const ? "constant memory" : "a kernel's parameters"));
    if (op.type == Type::B128) {
        op.src_bytes = 8;
        if (read_wide(f, f.cursor.operand(1), op, op.src[1], op.src[2]))
            f.emitter.emit(op);
        return;
    }
    if (is_split(op))
        return split_store(f, op);
    if (read_elements_from(f, f.cursor.operand(1), op, 1))
        f.emitter.emit(op);
}

// atom.exch.b128 d, [a], b;   atom.cas.b128 d, [a], b, c;   `op` has the address.
void select_wide_atomic(FunctionLowering& f, MicroOp op) {
    const std::size_t sources = op.sub == Sub::AtomCas ? 2 : 1;
    bool good = true;
    for (std::size_t i = 0; i < sources; ++i) {
        const std::optional<Halves> s = read_halves(f, f.cursor.operand(2 + i));
        good = good && s.has_value();
        op.src[1 + 2 * i] = s ? s->low : kNowhere;
        op.src[2 + 2 * i] = s ? s->high : kNowhere;
    }
    if (f.cursor.operand(0).kind != Operand::Kind::Sink) {
        const std::optional<Halves> d = read_halves(f, f.cursor.operand(0));
        good = good && d.has_value();
        op.dst[0] = d ? d->low : kNowhere;
        op.dst[1] = d ? d->high : kNowhere;
    }
    if (!good)
        return;
    op.dst_bytes = 8;
    f.emitter.emit(op);
}

// Vectors that atomic operations exist for: of f32 and of pairs up to 16 bytes, of halves up to eight.
bool vector_atomic_exists(Sub sub, Type type, unsigned elements) {
    const bool exists = ptx::is_half(type) ? sub == Sub::AtomAdd || sub == Sub::AtomMin || sub == Sub::AtomMax
                                           : type == Type::F32 && sub == Sub::AtomAdd;
    return exists && elements * ptx::size_of(type) <= 16;
}

// Several operations on neighbouring words, each atomic for itself. `op` has the address, which a result may overwrite.
void select_vector_atomic(FunctionLowering& f, MicroOp op, std::size_t first) {
    const unsigned bytes = ptx::size_of(op.type), count = op.vector;
    op.vector = 1;
    op.dst_bytes = 4;
    const bool result = first != 0;
    const std::vector<Operand> to = result ? elements(f.cursor, f.cursor.operand(0), count) : std::vector<Operand>();
    const std::vector<Operand> from = elements(f.cursor, f.cursor.operand(first + 1), count);
    if (from.empty() || (result && to.empty()))
        return;
    std::vector<MicroOp> updates(count, op), copies;
    for (unsigned i = 0; i < count; ++i) {
        const std::optional<Place> s = f.operands.source(from[i], op.type);
        if (!s)
            return;
        updates[i].src[1] = *s;
        updates[i].imm += i * bytes;
        if (!result || to[i].kind == Operand::Kind::Sink)
            continue;
        const std::optional<Place> d = f.operands.destination(to[i], op.type, Width::Exact, true);
        if (!d)
            return;
        MicroOp copy = make_op(Opcode::Mov, Type::B32);
        copy.dst[0] = *d;
        copy.src[0] = updates[i].dst[0] = f.places.temporary(Type::B32);
        copies.push_back(copy);
    }
    for (const std::vector<MicroOp>* list : {&updates, &copies})
        for (const MicroOp& each : *list)
            f.emitter.emit(each);
}

// atom[.space].op.type d, [a], b[, c];   red[.space].op.type [a], b;
void select_atomic(FunctionLowering& f, MicroOp op, const Modifiers& modifiers) {
    const bool result = op.opcode == Opcode::Atom;
    const bool cas = op.sub == Sub::AtomCas;
    if (!result && (cas || op.sub == Sub::AtomExch))
        return f.cursor.error(fmt::format("'{}' has a result: write atom", f.cursor.text()));
    const bool exists =
        op.vector > 1 ? vector_atomic_exists(op.sub, op.type, op.vector) : atomic_exists(op.sub, op.type);
    if (!exists)
        return f.cursor.error(fmt::format("'{}': this operation has no such type", f.cursor.text()));
    if (!may(op.space, {Space::Generic, Space::Global, Space::Shared, Space::SharedCluster}))
        return f.cursor.error(fmt::format("'{}': atomics work on global and shared memory", f.cursor.text()));
    const std::size_t first = result ? 1 : 0;
    if (!memory_operands(f, first + 2 + (cas ? 1 : 0), modifiers))
        return;
    if (op.vector > 1 && !may(op.space, {Space::Generic, Space::Global}))
        return f.cursor.error(fmt::format("'{}': vectors are updated in global memory alone", f.cursor.text()));
    bool good = read_address(f, f.cursor.operand(first), op, op.src_bytes);
    if (op.vector > 1)
        return good ? select_vector_atomic(f, op, first) : void();
    if (op.type == Type::B128)
        return good ? select_wide_atomic(f, op) : void();
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
