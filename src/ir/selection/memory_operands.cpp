#include "ir/selection/memory_operands.h"

#include <fmt/format.h>

namespace heddle::ir {

namespace {

// Reads the base of an address that names a variable: a constant in the space of the variable.
bool read_variable(FunctionLowering& f, const Operand& operand, const Symbol& symbol, MicroOp& op) {
    const ptx::Variable& v = *symbol.variable;
    if (ptx::is_opaque(v.type)) {
        f.cursor.error(operand.where, fmt::format("'{}' is a .{}: '{}' can not access it", operand.name,
                                                  ptx::name_of(v.type), f.cursor.text()));
        return false;
    }
    const bool generic = v.space == Space::Global || v.space == Space::Shared || v.space == Space::Local;
    if (op.space == Space::Generic && generic)
        op.space = v.space; // ld or st without a space, of a variable
    if (op.space == Space::Generic) {
        f.cursor.error(operand.where,
                       fmt::format("'{}' is in .{}; without a space '{}' accesses global, shared and local variables",
                                   operand.name, ptx::name_of(v.space), f.cursor.text()));
        return false;
    }
    if (op.space == Space::SharedCluster && v.space == Space::Shared)
        op.space = Space::Shared; // a variable is the thread's own block's
    if (op.space != v.space) {
        f.cursor.error(operand.where, fmt::format("'{}' is in .{}; '{}' needs a variable of .{}", operand.name,
                                                  ptx::name_of(v.space), f.cursor.text(), ptx::name_of(op.space)));
        return false;
    }
    Operand plain = operand;
    plain.offset = 0;
    const std::optional<Constant> c = f.variables.address_of(plain, symbol);
    if (!c)
        return false;
    op.imm = operand.offset;
    if (v.space == Space::Param) {
        if (f.variables.is_kernel_parameter(symbol)) {
            op.imm += static_cast<std::int64_t>(c->bits);
            return true;
        }
        op.space = Space::Local;
    }
    if (const Place frame = f.variables.frame_of(symbol); frame != kNowhere) {
        op.imm += static_cast<std::int64_t>(c->bits);
        op.src[0] = frame;
        return true;
    }
    op.src[0] = f.places.constant(*c);
    return true;
}

bool read_base_register(FunctionLowering& f, const Operand& operand, const Symbol& symbol, MicroOp& op) {
    const Type has = symbol.variable->type;
    if (ptx::is_float(has) || has == Type::Pred || (ptx::size_of(has) != 4 && ptx::size_of(has) != 8) ||
        symbol.variable->vector != 1) {
        f.cursor.error(operand.where,
                       fmt::format("'{}' has type .{} and can not hold an address", operand.name, ptx::name_of(has)));
        return false;
    }
    op.src[0] = f.places.virtual_register(symbol);
    if (op.space == Space::Param && !f.cursor.function().is_entry)
        op.space = Space::Local; // parameters of functions are in local memory
    return true;
}

} // namespace

bool read_address(FunctionLowering& f, const Operand& operand, MicroOp& op, std::uint8_t& bytes) {
    bytes = 8;
    if (operand.kind != Operand::Kind::Address) {
        f.cursor.error(operand.where, fmt::format("'{}' needs an address in brackets here", f.cursor.text()));
        return false;
    }
    if (!operand.elements.empty()) {
        f.cursor.error(operand.elements.front().where,
                       fmt::format("'{}' takes one address, and nothing behind it in the brackets", f.cursor.text()));
        return false;
    }
    op.imm = operand.offset;
    if (operand.name.empty())
        return true;
    const Symbol found = f.cursor.symbol(operand);
    switch (found.kind) {
    case Symbol::Kind::None:
        return false;
    case Symbol::Kind::Variable:
        return read_variable(f, operand, found, op);
    case Symbol::Kind::Function:
        f.cursor.error(operand.where, fmt::format("'{}' is a function and holds no data", operand.name));
        return false;
    case Symbol::Kind::Register:
        break;
    }
    if (!read_base_register(f, operand, found, op))
        return false;
    bytes = f.places.storage(op.src[0]);
    return true;
}

bool is_vector(const Cursor& cursor, const Operand& operand) {
    const Symbol found = cursor.find(operand);
    return operand.kind == Operand::Kind::Vector ||
           (found.kind == Symbol::Kind::Register && found.variable->vector > 1 && operand.component.empty());
}

std::vector<Operand> elements(Cursor& cursor, const Operand& operand, unsigned wanted) {
    std::vector<Operand> list;
    if (operand.kind == Operand::Kind::Vector) {
        list = operand.elements;
    } else if (is_vector(cursor, operand)) {
        for (unsigned i = 0; i < cursor.find(operand).variable->vector; ++i) {
            list.push_back(operand);
            list.back().component = std::string_view("xyzw").substr(i, 1);
        }
    } else {
        list.push_back(operand);
    }
    if (list.size() != wanted) {
        cursor.error(operand.where, fmt::format("'{}' needs {} element{} here, not {}", cursor.text(), wanted,
                                                wanted == 1 ? "" : "s", list.size()));
        list.clear();
    }
    return list;
}

namespace {

// The type of an element by which a list must agree; None: it agrees with any. All integers are one.
Type kind_of(const Cursor& cursor, const Operand& element) {
    if (element.kind == Operand::Kind::Integer)
        return Type::S32;
    const Symbol found = cursor.find(element);
    if (found.kind != Symbol::Kind::Register)
        return Type::None;
    const Type type = found.variable->type;
    if (ptx::is_float(type))
        return type;
    return type >= Type::U8 && type <= Type::S64 ? Type::S32 : Type::None;
}

} // namespace

bool check_kinds(Cursor& cursor, const std::vector<Operand>& list) {
    Type before = Type::None;
    for (const Operand& element : list) {
        const Type kind = kind_of(cursor, element);
        const bool is_constant = element.kind == Operand::Kind::Float && before == Type::S32;
        if (is_constant || (kind != Type::None && before != Type::None && kind != before)) {
            cursor.error(element.where,
                         fmt::format("'{}' takes integers or floating-point numbers of one type here, not both: "
                                     "registers of bits (.b32) fit every type",
                                     cursor.text()));
            return false;
        }
        before = kind;
    }
    return true;
}

namespace {

// Whether registers of a list have one size. False: an error is reported.
bool check_sizes(FunctionLowering& f, const std::vector<Operand>& list) {
    unsigned size = 0;
    for (const Operand& element : list) {
        const Symbol found = f.cursor.find(element);
        if (found.kind != Symbol::Kind::Register)
            continue;
        const unsigned mine = ptx::size_of(found.variable->type);
        if (size != 0 && mine != size) {
            f.cursor.error(element.where, fmt::format("the registers of '{}' differ in size", f.cursor.text()));
            return false;
        }
        size = mine;
    }
    return true;
}

} // namespace

bool read_elements_to(FunctionLowering& f, const Operand& operand, MicroOp& op) {
    const std::vector<Operand> list = elements(f.cursor, operand, op.vector);
    bool good = !list.empty() && check_kinds(f.cursor, list) && check_sizes(f, list);
    std::uint8_t bytes = 0;
    for (std::size_t i = 0; i < list.size() && good; ++i) {
        const std::optional<Place> d = f.operands.destination(list[i], op.type, Width::AtLeast, op.vector > 1);
        good = d.has_value();
        op.dst[i] = d.value_or(kNowhere);
        if (d && *d != kNowhere)
            bytes = f.places.storage(*d);
    }
    op.dst_bytes = bytes == 0 ? 4 : bytes;
    return good;
}

bool read_elements_from(FunctionLowering& f, const Operand& operand, MicroOp& op, std::size_t first) {
    const std::vector<Operand> list = elements(f.cursor, operand, op.vector);
    bool good = !list.empty() && check_kinds(f.cursor, list) && check_sizes(f, list);
    std::uint8_t bytes = 0;
    for (std::size_t i = 0; i < list.size() && good; ++i) {
        const std::optional<Place> s = f.operands.source(list[i], op.type, Width::AtLeast);
        good = good && s.has_value();
        op.src[first + i] = s.value_or(kNowhere);
        if (!s)
            continue;
        if (bytes != 0 && bytes != f.places.storage(*s)) {
            f.cursor.error(list[i].where, fmt::format("the operands of '{}' differ in size", f.cursor.text()));
            good = false;
        }
        bytes = f.places.storage(*s);
    }
    op.src_bytes = bytes;
    return good;
}

} // namespace heddle::ir
