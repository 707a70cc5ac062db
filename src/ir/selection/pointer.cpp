// Calls through pointers: of functions, of virtual ones. Every function of the module that a pointer may point to and
// that takes such operands is compared with the pointer, and called by its name where they are the same.
#include <fmt/format.h>

#include "ir/selection/select.h"

namespace heddle::ir {

// Whether operands of a call are those of a function, by number and size.
bool Selector::fits(const std::vector<Operand>& actual, const std::vector<ptx::Variable>& formal) {
    if (actual.size() != formal.size())
        return false;
    for (std::size_t i = 0; i < actual.size(); ++i) {
        const Symbol found =
            actual[i].kind == Operand::Kind::Name ? names_.find(actual[i].name, at_) : Symbol{}; // else a constant: any
        if (found.variable != nullptr && found.variable->bytes() != formal[i].bytes())
            return false;
    }
    return true;
}

void Selector::compare(Sub how, Type type, Place to, Place a, Place b) {
    MicroOp op;
    op.opcode = Opcode::Setp;
    op.kind = Kind::Alu;
    op.work = Work::Logic;
    op.type = type;
    op.sub = how;
    op.dst[0] = to;
    op.src[0] = a;
    op.src[1] = b;
    op.src_bytes = storage(a);
    emit(op);
}

void Selector::call_by_pointer(const MicroOp& op, const Operand& pointer, const CallOperands& with) {
    const std::optional<Place> address = source(pointer, Type::B64);
    if (!address)
        return;
    const auto here = [&] { return static_cast<std::uint32_t>(draft_.ops.size()); };
    std::vector<std::uint32_t> to_end;
    if (guard_ != kNowhere) {
        to_end.push_back(emit(jump()));
        draft_.ops.back().guard_negated = !now_->guard_negated;
        guard_ = kNowhere;
    }
    const Place other = temporary(Type::Pred);
    for (const std::uint32_t f : context_.names.pointed_to()) {
        const ptx::Function& function = *context_.names.functions()[f];
        if (!function.has_body || !fits(with.results, function.results) || !fits(with.arguments, function.parameters))
            continue;
        compare(Sub::Ne, Type::B64, other, *address, constant(code_address(f), true));
        const std::uint32_t past = emit(jump());
        draft_.ops.back().guard = other;
        call_by_name(op, pointer, f, with);
        to_end.push_back(emit(jump()));
        draft_.ops[past].target = here();
    }
    MicroOp none = op;
    none.kind = Kind::Trap;
    emit(none);
    for (const std::uint32_t jump : to_end)
        draft_.ops[jump].target = here();
}

} // namespace heddle::ir
