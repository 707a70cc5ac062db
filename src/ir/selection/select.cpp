#include "ir/selection/select.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "base/suggest.h"
#include "ir/isa/opcode.h"

namespace heddle::ir {

namespace {

std::string names_of(TypeSet types) {
    std::string text;
    for (unsigned t = 1; t <= static_cast<unsigned>(Type::Pred); ++t)
        if ((types & (1U << t)) != 0)
            text += fmt::format("{}.{}", text.empty() ? "" : " ", ptx::name_of(static_cast<Type>(t)));
    return text;
}

// Floating-point operations that may be written without a rounding mode and round to nearest then.
bool rounds_by_default(Opcode opcode, Type type) {
    const bool arithmetic = opcode == Opcode::Add || opcode == Opcode::Sub || opcode == Opcode::Mul;
    return arithmetic && ptx::is_float(type);
}

} // namespace

Domain domain_of(Type type) {
    return type == Type::F64 ? Domain::F64 : ptx::is_float(type) ? Domain::F32 : Domain::Int;
}

Selector::Selector(const Context& context, const ptx::Function& function, Draft& draft)
    : context_(context), function_(function), draft_(draft), names_(context.unit, function) {
    draft.source = &function;
    if (function.is_entry)
        parameters_ = layout_parameters(function.parameters);
    else
        formals_ = layout_formals(function);
    locals_ = layout_locals(function.locals, Space::Local, 0);
    params_ = layout_locals(function.locals, Space::Param, formals_.bytes);
}

void Selector::run() {
    draft_.ops.reserve(function_.body.size() + 1);
    first_op_.reserve(function_.body.size() + 1);
    prologue();
    for (at_ = 0; at_ < function_.body.size() && !context_.diagnostics.full(); ++at_) {
        now_ = &function_.body[at_];
        first_op_.push_back(static_cast<std::uint32_t>(draft_.ops.size()));
        instruction();
    }
    now_ = nullptr;
    guard_ = kNowhere;
    first_op_.push_back(static_cast<std::uint32_t>(draft_.ops.size()));
    // Falling off the end is a return. The op is always there: labels may stand behind the last instruction.
    MicroOp end;
    end.opcode = Opcode::Ret;
    end.kind = Kind::Return;
    end.work = Work::Control;
    select_return(end);
    finish_labels();
    draft_.local_bytes = locals_.bytes;
    draft_.param_bytes = params_.bytes;
    std::sort(draft_.shared.begin(), draft_.shared.end());
}

void Selector::finish_labels() {
    if (context_.diagnostics.failed())
        return;
    for (const std::uint32_t op : branches_)
        draft_.ops[op].target = first_op_.at(draft_.ops[op].target);
}

void Selector::instruction() {
    const std::optional<Opcode> opcode = find_opcode(now_->opcode);
    if (!opcode)
        return error(now_->where, fmt::format("unknown instruction '{}'{}", now_->opcode,
                                              did_you_mean(nearest_opcode(now_->opcode))));
    if (!guard())
        return;
    if (!info(*opcode).executable || *opcode == Opcode::Other)
        return placeholder(*opcode);
    if (*opcode == Opcode::CpAsync)
        return select_async(); // two spaces in one instruction: it reads its modifiers itself
    if (*opcode == Opcode::Mbarrier)
        return select_barrier_object();
    if (is_matrix_opcode(*opcode))
        return select_matrix(*opcode);
    if (*opcode >= Opcode::Vadd2 && *opcode <= Opcode::Vset4)
        return select_elements(*opcode);
    Modifiers modifiers;
    if (!decode(*now_, groups_of(*opcode), *context_.unit.text().source, context_.diagnostics, modifiers))
        return;
    if (!modifiers.not_executable.empty())
        return placeholder(*opcode);
    if (const Form* form = choose_form(*opcode, modifiers))
        execute(*opcode, modifiers, *form);
}

const Form* Selector::choose_form(Opcode opcode, const Modifiers& modifiers) {
    const std::span<const Form> forms = forms_of(opcode);
    TypeSet first = 0;
    const Form* near = nullptr; // right in its types, not in its modifiers
    for (const Form& form : forms) {
        first |= form.types;
        if ((form.types & set_of(modifiers.types[0])) == 0)
            continue;
        if (form.from == 0 ? modifiers.type_count > 1
                           : modifiers.type_count != 2 || (form.from & set_of(modifiers.types[1])) == 0)
            continue;
        near = &form;
        if ((modifiers.present & ~form.allowed) == 0)
            break;
    }
    if (near != nullptr)
        return check_groups(*near, modifiers) ? near : nullptr;
    if (ptx::is_half(modifiers.types[0]) || ptx::is_half(modifiers.types[1])) {
        placeholder(opcode); // later versions of PTX bring these types to more and more instructions
        return nullptr;
    }
    const unsigned wanted = forms.front().from != 0 ? 2 : first == set_of(Type::None) ? 0 : 1;
    if (modifiers.type_count > wanted && wanted < 2)
        error(now_->where, fmt::format("'{}' takes {}", text(), wanted == 0 ? "no type" : "one type"));
    else if (modifiers.type_count < wanted)
        error(now_->where,
              fmt::format("'{}' needs {}: {}", text(), wanted == 2 ? "two types" : "a type", names_of(first)));
    else
        error(now_->where, fmt::format("'{}' does not go with the type{}; '{}' takes {}", text(),
                                       wanted == 2 ? "s" : "", now_->opcode, names_of(first)));
    return nullptr;
}

bool Selector::check_groups(const Form& form, const Modifiers& modifiers) {
    if (const Groups stray = modifiers.present & ~form.allowed; stray != 0) {
        const Groups one = stray & (~stray + 1);
        error(now_->where, fmt::format("'{}' can not have {} with this type", text(), members_of(one)));
        return false;
    }
    for (const Groups required : {form.required, form.also}) {
        if (required == 0 || std::popcount(modifiers.present & required) == 1)
            continue;
        const bool none = (modifiers.present & required) == 0;
        error(now_->where,
              fmt::format("'{}' {} {}", text(), none ? "needs one of" : "takes only one of", members_of(required)));
        return false;
    }
    if (std::popcount(modifiers.present & (kWithRound | kWithRoundInt | kWithRoundAway)) > 1) {
        error(now_->where, fmt::format("'{}' takes only one rounding", text()));
        return false;
    }
    const bool nearest = modifiers.rounding == Rounding::None || modifiers.rounding == Rounding::Rn;
    if (form.opcode != Opcode::Cvt && ptx::is_half(modifiers.types[0]) && !nearest) {
        error(now_->where, fmt::format("'{}': .{} is rounded by .rn alone", text(), ptx::name_of(modifiers.types[0])));
        return false;
    }
    return true;
}

MicroOp Selector::start(Opcode opcode, const Modifiers& modifiers) const {
    MicroOp op;
    op.opcode = opcode;
    op.kind = info(opcode).kind;
    op.work = info(opcode).work;
    op.type = modifiers.types[0];
    op.from = modifiers.types[1];
    op.rounding = modifiers.rounding;
    if (op.rounding == Rounding::None && rounds_by_default(opcode, op.type))
        op.rounding = Rounding::Rn;
    op.sub = modifiers.sub;
    op.combine = modifiers.combine;
    op.space = modifiers.space;
    op.vector = modifiers.vector;
    op.flags = modifiers.flags;
    op.domain = domain_of(op.type);
    return op;
}

void Selector::execute(Opcode opcode, const Modifiers& modifiers, const Form& form) {
    MicroOp op = start(opcode, modifiers);
    if (!form.operands.empty())
        return by_signature(op, form);
    switch (opcode) {
    case Opcode::Set:
    case Opcode::Setp:
        return select_compare(op, modifiers);
    case Opcode::Add:
    case Opcode::Sub:
    case Opcode::Mad:
    case Opcode::AddC:
    case Opcode::SubC:
    case Opcode::MadC:
        return select_carry(op, modifiers);
    case Opcode::Lop3:
        return select_lop3(op);
    case Opcode::Mov:
        return select_move(op);
    case Opcode::Cvt:
        return select_convert(op, modifiers);
    case Opcode::Cvta:
        return select_cvta(op);
    case Opcode::Isspacep:
        return select_isspacep(op);
    case Opcode::Ld:
    case Opcode::Ldu:
        return select_load(op, modifiers);
    case Opcode::St:
        return select_store(op, modifiers);
    case Opcode::Atom:
    case Opcode::Red:
        return select_atomic(op, modifiers);
    case Opcode::Tex:
    case Opcode::Tld4:
        return select_fetch(op, modifiers);
    case Opcode::Suld:
        return select_surface_load(op, modifiers);
    case Opcode::Sust:
        return select_surface_store(op, modifiers);
    case Opcode::Bar:
    case Opcode::Barrier:
        return select_barrier(op, modifiers);
    case Opcode::Shfl:
        return select_shuffle(op);
    case Opcode::Vote:
        return select_vote(op);
    case Opcode::Match:
        return select_match(op);
    case Opcode::Redux:
        return select_reduction(op);
    case Opcode::Elect:
        return select_election(op);
    case Opcode::Activemask:
        return select_activemask(op);
    case Opcode::Bra:
        return select_branch(op);
    case Opcode::BrxIdx:
        return select_table_branch();
    case Opcode::Ret:
        if (count(0, 0))
            select_return(op);
        return;
    case Opcode::Call:
        return select_call(op);
    case Opcode::Prefetch:
    case Opcode::PrefetchU:
    case Opcode::Nanosleep: // a hint has one operand, and no effect
        if (count(1, 1)) {
            op.space = Space::Generic;
            op.type = Type::None;
            emit(op);
        }
        return;
    default: // membar, fence, exit, trap, brkpt
        if (count(0, 0))
            emit(op);
        return;
    }
}

std::uint32_t Selector::emit(const MicroOp& op) {
    draft_.ops.push_back(op);
    if (guard_ != kNowhere) {
        draft_.ops.back().guard = guard_;
        draft_.ops.back().guard_negated = now_->guard_negated;
    }
    draft_.lines.push_back(now_ != nullptr ? Line{now_->where, now_->source} : Line{function_.end, {}});
    return static_cast<std::uint32_t>(draft_.ops.size() - 1);
}

void Selector::placeholder(Opcode opcode) {
    MicroOp op;
    op.opcode = opcode;
    op.kind = Kind::Nop;
    op.work = info(opcode).work;
    draft_.not_executable.push_back(emit(op));
}

bool Selector::guard() {
    guard_ = kNowhere;
    if (now_->guard.empty())
        return true;
    Operand operand;
    operand.name = now_->guard;
    operand.where = now_->where;
    bool negated = false;
    const std::optional<Place> place = predicate(operand, negated);
    if (place)
        guard_ = *place;
    return place.has_value();
}

bool Selector::count(std::size_t least, std::size_t most) {
    const std::size_t have = now_->operands.size();
    if (have >= least && have <= most)
        return true;
    const std::string wanted = least == most ? fmt::format("{}", least) : fmt::format("{} to {}", least, most);
    error(now_->where,
          fmt::format("'{}' takes {} operand{}, not {}", text(), wanted, least == 1 && most == 1 ? "" : "s", have));
    return false;
}

void Selector::error(Position where, std::string message) {
    context_.diagnostics.error(where, std::move(message));
}

std::string Selector::text() const {
    return text_of(*now_);
}

} // namespace heddle::ir
