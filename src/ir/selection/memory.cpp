// Loads, stores and atomics.

#include <fmt/format.h>

#include "ir/selection/select.h"

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
    case Sub::AtomCas:
        return is({Type::B32, Type::B64, Type::U32, Type::U64, Type::S32, Type::S64, Type::F32, Type::B16});
    case Sub::AtomAdd:
        return is({Type::U32, Type::S32, Type::U64, Type::F32, Type::F64}) || ptx::is_half(type);
    case Sub::AtomInc:
    case Sub::AtomDec:
        return is({Type::U32});
    default:
        return is({Type::U32, Type::S32, Type::U64, Type::S64});
    }
}

} // namespace

// The base of an address whose name is a variable: a constant in the variable's own space.
bool Selector::symbol_base(const Operand& operand, const Symbol& symbol, MicroOp& op) {
    const ptx::Variable& v = *symbol.variable;
    if (op.space == Space::Generic)
        op.space = v.space; // a plain ld or st of a variable goes where the variable is
    if (op.space != v.space) {
        error(operand.where, fmt::format("'{}' is in .{}; '{}' needs a variable of .{}", operand.name,
                                         ptx::name_of(v.space), text(), ptx::name_of(op.space)));
        return false;
    }
    Operand plain = operand;
    plain.offset = 0;
    const std::optional<Constant> c = address_of(plain, symbol);
    if (!c)
        return false;
    op.imm = operand.offset;
    if (v.space == Space::Param) {
        if (function_.is_entry && symbol.owner == Symbol::Owner::Parameter) {
            op.imm += static_cast<std::int64_t>(c->bits);
            return true;
        }
        op.space = Space::Local;
    }
    op.src[0] = constant(*c);
    return true;
}

// Fills space, src[0] and imm from an address operand; `bytes`: storage of the base.
bool Selector::base(const Operand& operand, MicroOp& op, std::uint8_t& bytes) {
    bytes = 8;
    if (operand.kind != Operand::Kind::Address) {
        error(operand.where, fmt::format("'{}' needs an address in brackets here", text()));
        return false;
    }
    op.imm = operand.offset;
    if (operand.name.empty())
        return true;
    const Symbol found = symbol(operand);
    if (found.kind == Symbol::Kind::None)
        return false;
    if (found.kind == Symbol::Kind::Variable)
        return symbol_base(operand, found, op);
    if (found.kind == Symbol::Kind::Function) {
        error(operand.where, fmt::format("'{}' is a function and holds no data", operand.name));
        return false;
    }
    const Type has = found.variable->type;
    if (ptx::is_float(has) || has == Type::Pred || ptx::size_of(has) < 4 || found.variable->vector != 1) {
        error(operand.where,
              fmt::format("'{}' has type .{} and can not hold an address", operand.name, ptx::name_of(has)));
        return false;
    }
    op.src[0] = virtual_register(found, {});
    bytes = storage(op.src[0]);
    if (op.space == Space::Param && !function_.is_entry)
        op.space = Space::Local; // parameters of functions are in local memory
    return true;
}

// The elements of a vector operand, or the components of a vector register; `operand` itself when one is wanted.
std::vector<ptx::Operand> Selector::elements(const Operand& operand, unsigned wanted) {
    std::vector<Operand> list;
    const Symbol found = operand.kind == Operand::Kind::Name ? names_.find(operand.name, at_) : Symbol{};
    if (operand.kind == Operand::Kind::Vector) {
        list = operand.elements;
    } else if (found.kind == Symbol::Kind::Register && found.variable->vector > 1 && operand.component.empty()) {
        for (unsigned i = 0; i < found.variable->vector; ++i) {
            list.push_back(operand);
            list.back().component = std::string_view("xyzw").substr(i, 1);
        }
    } else {
        list.push_back(operand);
    }
    if (list.size() != wanted) {
        error(operand.where,
              fmt::format("'{}' needs {} element{} here, not {}", text(), wanted, wanted == 1 ? "" : "s", list.size()));
        list.clear();
    }
    return list;
}

// Counts operands: `plain` of them, one more with a cache policy (which has no effect).
bool Selector::memory_operands(std::size_t plain, const Modifiers& modifiers) {
    const std::size_t wanted = plain + (modifiers.has(kWithPolicy) ? 1 : 0);
    if (!count(wanted, wanted))
        return false;
    return !modifiers.has(kWithPolicy) || source(now_->operands.back(), Type::B64).has_value();
}

// The registers that the elements of an access go to; of several any may be left out.
bool Selector::elements_to(const Operand& operand, MicroOp& op) {
    const std::vector<Operand> list = elements(operand, op.vector);
    bool good = !list.empty();
    std::uint8_t bytes = 0;
    for (std::size_t i = 0; i < list.size(); ++i) {
        const std::optional<Place> d = destination(list[i], op.type, Width::AtLeast, op.vector > 1);
        good = good && d.has_value();
        op.dst[i] = d.value_or(kNowhere);
        if (!d || *d == kNowhere)
            continue;
        if (bytes != 0 && bytes != storage(*d)) {
            error(list[i].where, fmt::format("the registers of '{}' differ in size", text()));
            good = false;
        }
        bytes = storage(*d);
    }
    op.dst_bytes = bytes == 0 ? 4 : bytes;
    return good;
}

void Selector::select_load(MicroOp op, const Modifiers& modifiers) {
    if (!memory_operands(2, modifiers))
        return;
    if (op.vector * ptx::size_of(op.type) > 16)
        return placeholder(op.opcode); // 256-bit accesses came with sm_100
    if (!base(now_->operands[1], op, op.src_bytes))
        return;
    if (elements_to(now_->operands[0], op))
        emit(op);
}

// The registers and constants that the elements of a store come from, in op.src from `first` on.
bool Selector::elements_from(const Operand& operand, MicroOp& op, std::size_t first) {
    const std::vector<Operand> list = elements(operand, op.vector);
    bool good = !list.empty();
    std::uint8_t bytes = 0;
    for (std::size_t i = 0; i < list.size(); ++i) {
        const std::optional<Place> s = source(list[i], op.type, Width::AtLeast);
        good = good && s.has_value();
        op.src[first + i] = s.value_or(kNowhere);
        if (!s)
            continue;
        if (bytes != 0 && bytes != storage(*s)) {
            error(list[i].where, fmt::format("the operands of '{}' differ in size", text()));
            good = false;
        }
        bytes = storage(*s);
    }
    op.src_bytes = bytes;
    return good;
}

void Selector::select_store(MicroOp op, const Modifiers& modifiers) {
    if (!memory_operands(2, modifiers))
        return;
    if (op.vector * ptx::size_of(op.type) > 16)
        return placeholder(op.opcode);
    const bool kernel_parameter = op.space == Space::Param && function_.is_entry;
    if (op.space == Space::Const)
        return error(now_->where, fmt::format("'{}': constant memory can not be written", text()));
    if (!base(now_->operands[0], op, op.dst_bytes))
        return;
    if (op.space == Space::Const || (kernel_parameter && op.space == Space::Param))
        return error(now_->where, fmt::format("'{}': {} can not be written", text(),
                                              op.space == Space::Const ? "constant memory" : "a kernel's parameters"));
    if (elements_from(now_->operands[1], op, 1))
        emit(op);
}

// atom[.space].op.type d, [a], b[, c];   red[.space].op.type [a], b;
void Selector::select_atomic(MicroOp op, const Modifiers& modifiers) {
    const bool result = op.opcode == Opcode::Atom;
    const bool cas = op.sub == Sub::AtomCas;
    if (!result && (cas || op.sub == Sub::AtomExch))
        return error(now_->where, fmt::format("'{}' has a result: write atom", text()));
    if (!atomic_exists(op.sub, op.type))
        return error(now_->where, fmt::format("'{}': this operation has no such type", text()));
    if (!may(op.space, {Space::Generic, Space::Global, Space::Shared}))
        return error(now_->where, fmt::format("'{}': atomics work on global and shared memory", text()));
    const std::size_t first = result ? 1 : 0;
    if (!memory_operands(first + 2 + (cas ? 1 : 0), modifiers))
        return;
    bool good = base(now_->operands[first], op, op.src_bytes);
    for (std::size_t i = 1; i <= (cas ? 2U : 1U); ++i) {
        const std::optional<Place> s = source(now_->operands[first + i], op.type);
        good = good && s.has_value();
        op.src[i] = s.value_or(kNowhere);
    }
    if (result) {
        const std::optional<Place> d = destination(now_->operands[0], op.type, Width::Exact, true);
        good = good && d.has_value();
        op.dst[0] = d.value_or(kNowhere);
    }
    if (!good)
        return;
    if (!may(op.space, {Space::Generic, Space::Global, Space::Shared}))
        return error(now_->where, fmt::format("'{}': atomics work on global and shared memory", text()));
    op.dst_bytes = ptx::size_of(op.type) == 8 ? 8 : 4;
    emit(op);
}

} // namespace heddle::ir
