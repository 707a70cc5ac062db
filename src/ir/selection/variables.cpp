#include "ir/selection/variables.h"

#include <algorithm>

#include <fmt/format.h>

namespace heddle::ir {

Variables::Variables(const Context& context, Cursor& cursor, Draft& draft)
    : context_(context), cursor_(cursor), draft_(draft) {
    const ptx::Function& function = cursor.function();
    if (function.is_entry)
        parameters_ = layout_parameters(function.parameters);
    else
        formals_ = layout_formals(function);
    locals_ = layout_locals(function.locals, Space::Local, 0);
    params_ = layout_locals(function.locals, Space::Param, formals_.bytes);
}

bool Variables::is_kernel_parameter(const Symbol& symbol) const {
    return cursor_.function().is_entry && symbol.owner == Symbol::Owner::Parameter;
}

std::optional<Constant> Variables::address_of(const Operand& operand, const Symbol& symbol) {
    const ptx::Variable& v = *symbol.variable;
    Constant c;
    c.wide = true;
    c.bits = static_cast<std::uint64_t>(operand.offset);
    switch (v.space) {
    case Space::Shared:
        c.base = Constant::Base::Shared;
        c.variable = context_.names.shared_index(&v);
        if (std::find(draft_.shared.begin(), draft_.shared.end(), c.variable) == draft_.shared.end())
            draft_.shared.push_back(c.variable);
        return c;
    case Space::Local:
        if (symbol.owner != Symbol::Owner::Body)
            break;
        c.base = frame_ == kNowhere ? Constant::Base::Local : Constant::Base::None;
        c.bits += locals_.offset[symbol.index];
        return c;
    case Space::Param:
        if (is_kernel_parameter(symbol)) {
            c.bits += parameters_.parameters[symbol.index].offset;
            return c;
        }
        c.base = Constant::Base::Param;
        c.bits += symbol.owner == Symbol::Owner::Body ? params_.offset[symbol.index]
                                                      : formal_offset(symbol.owner, symbol.index);
        return c;
    case Space::Global:
    case Space::Const:
        if (const Address address = context_.address_of(v); address != 0) {
            c.bits += address;
            return c;
        }
        cursor_.error(operand.where, fmt::format("variable '{}' has no address: it is defined nowhere", v.name));
        return std::nullopt;
    default:
        break;
    }
    cursor_.error(operand.where, fmt::format("the address of '{}' can not be taken", operand.name));
    return std::nullopt;
}

std::uint32_t Variables::formal_offset(Symbol::Owner owner, std::uint32_t index) const {
    return owner == Symbol::Owner::Result ? formals_.results[index] : formals_.parameters[index];
}

std::uint32_t Variables::reserve_parameter(std::uint32_t bytes, std::uint32_t alignment) {
    const auto offset = static_cast<std::uint32_t>(align_up(params_.bytes, alignment));
    params_.bytes = offset + bytes;
    return offset;
}

Constant Variables::parameter_address(std::uint32_t offset) {
    Constant c;
    c.base = Constant::Base::Param;
    c.wide = true;
    c.bits = offset;
    return c;
}

void Variables::finish() {
    draft_.local_bytes = frame_ == kNowhere ? locals_.bytes : 0;
    draft_.param_bytes = params_.bytes;
    std::sort(draft_.shared.begin(), draft_.shared.end());
}

} // namespace heddle::ir
