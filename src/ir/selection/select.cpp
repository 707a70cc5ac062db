#include "ir/selection/select.h"

#include <fmt/format.h>

#include "base/suggest.h"
#include "ir/isa/access_rules.h"
#include "ir/isa/matrix_words.h"
#include "ir/isa/opcode.h"
#include "ir/selection/choose_form.h"
#include "ir/selection/families.h"
#include "ir/selection/formals.h"
#include "ir/selection/make_op.h"
#include "ir/selection/memory_operands.h"

namespace heddle::ir {

namespace {

bool is_hopper_hint(Opcode opcode) {
    return opcode == Opcode::CreatePolicy || opcode == Opcode::ApplyPriority || opcode == Opcode::Discard ||
           opcode == Opcode::GridDependency || opcode == Opcode::SetMaxRegisters;
}

// Instructions whose modifiers have a dictionary of their own. False: not one of them.
bool select_by_opcode(FunctionLowering& f, Opcode opcode) {
    const ptx::Instruction& instruction = f.cursor.instruction();
    if (opcode == Opcode::CpAsync && is_bulk(instruction))
        select_bulk(f);
    else if (opcode == Opcode::CpAsync)
        select_async(f); // has two spaces
    else if (opcode == Opcode::Mbarrier)
        select_barrier_object(f);
    else if (opcode == Opcode::TensorMap)
        select_tensor_map(f);
    else if (is_matrix_opcode(opcode))
        select_matrix(f, opcode);
    else if (opcode == Opcode::Cvt && f.cursor.instruction().modifiers.size() > 0 &&
             f.cursor.instruction().modifiers[0] == "pack")
        select_convert_pack(f);
    else if (opcode >= Opcode::Vadd && opcode <= Opcode::Vmad)
        select_video(f, opcode);
    else if (opcode >= Opcode::Vadd2 && opcode <= Opcode::Vset4)
        select_elements(f, opcode);
    else if (opcode == Opcode::Mapa)
        select_map_address(f);
    else if (opcode == Opcode::Getctarank)
        select_rank_of_address(f);
    else if (is_cluster_barrier(instruction))
        select_cluster_barrier(f);
    else if (is_async_store(instruction))
        select_async_store(f);
    else if (is_hopper_hint(opcode))
        select_hopper_hint(f, opcode);
    else if (is_special_fence(instruction))
        select_special_fence(f);
    else
        return false;
    return true;
}

// A hint has one operand, and no effect.
void select_hint(FunctionLowering& f, MicroOp op) {
    if (!f.cursor.count(1, 1))
        return;
    if (op.opcode == Opcode::Nanosleep) {
        if (!f.operands.source(f.cursor.operand(0), Type::U32))
            return;
    } else if (!read_address(f, f.cursor.operand(0), op, op.src_bytes)) {
        return;
    }
    op.src[0] = kNowhere;
    op.imm = 0;
    op.space = Space::Generic;
    op.type = Type::None;
    f.emitter.emit(op);
}

// pmevent event;   pmevent.mask events;   no profiler counts the events.
void select_event(FunctionLowering& f, const MicroOp& op, const Modifiers& modifiers) {
    if (!f.cursor.count(1, 1))
        return;
    const bool mask = modifiers.has(kWithMask);
    const std::optional<std::int64_t> value =
        f.operands.integer(f.cursor.operand(0), mask ? "the events" : "the event");
    if (!value)
        return;
    if (*value < 0 || *value > (mask ? 0xffff : 15))
        return f.cursor.error(f.cursor.operand(0).where, mask ? "a mask of events is a number from 0 to 0xffff"
                                                              : "an event is a number from 0 to 15");
    f.emitter.emit(op);
}

// Instructions without a signature: to their families.
void select_by_family(FunctionLowering& f, const MicroOp& op, const Modifiers& modifiers) {
    switch (op.opcode) {
    case Opcode::Set:
    case Opcode::Setp:
        return select_compare(f, op, modifiers);
    case Opcode::Add:
    case Opcode::Sub:
    case Opcode::Mad:
    case Opcode::AddC:
    case Opcode::SubC:
    case Opcode::MadC:
        return select_carry(f, op, modifiers);
    case Opcode::Lop3:
        return select_lop3(f, op);
    case Opcode::Mov:
        return select_move(f, op);
    case Opcode::Cvt:
        return select_convert(f, op, modifiers);
    case Opcode::Cvta:
        return select_cvta(f, op);
    case Opcode::Isspacep:
        return select_isspacep(f, op);
    case Opcode::Alloca:
    case Opcode::Stacksave:
    case Opcode::Stackrestore:
        return select_stack(f, op);
    case Opcode::Ld:
    case Opcode::Ldu:
    case Opcode::St:
    case Opcode::Atom:
    case Opcode::Red:
        return select_memory(f, op, modifiers);
    case Opcode::Tex:
    case Opcode::Tld4:
    case Opcode::Suld:
    case Opcode::Sust:
        return select_texture(f, op, modifiers);
    case Opcode::Sured:
        return select_surface_reduction(f, op, modifiers);
    case Opcode::Txq:
    case Opcode::Suq:
        return select_texture_query(f, op, modifiers);
    case Opcode::Istypep:
        return select_istypep(f, op);
    case Opcode::Bar:
    case Opcode::Barrier:
    case Opcode::Shfl:
    case Opcode::Vote:
    case Opcode::Match:
    case Opcode::Redux:
    case Opcode::Elect:
    case Opcode::Activemask:
        return select_sync(f, op, modifiers);
    case Opcode::Bra:
        return select_branch(f, op);
    case Opcode::BrxIdx:
        return select_table_branch(f);
    case Opcode::Ret:
        if (f.cursor.count(0, 0))
            select_return(f, op);
        return;
    case Opcode::Call:
        return select_call(f, op);
    case Opcode::Prefetch:
    case Opcode::PrefetchU:
    case Opcode::Nanosleep:
        return select_hint(f, op);
    case Opcode::Pmevent:
        return select_event(f, op, modifiers);
    default: // membar, fence, exit, trap, brkpt
        if (f.cursor.count(0, 0))
            f.emitter.emit(op);
        return;
    }
}

// Reads the guard of the instruction. False: an error is reported.
bool read_guard(FunctionLowering& f) {
    const ptx::Instruction& instruction = f.cursor.instruction();
    if (instruction.guard.empty())
        return true;
    Operand operand;
    operand.name = instruction.guard;
    operand.where = instruction.where;
    bool negated = false;
    const std::optional<Place> place = f.operands.predicate(operand, negated);
    if (place)
        f.emitter.set_guard(*place, instruction.guard_negated);
    return place.has_value();
}

// Instructions with two destinations, or whose second is reported by their family.
bool has_pair(Opcode opcode) {
    switch (opcode) {
    case Opcode::Setp:
    case Opcode::Set:
    case Opcode::Lop3:
    case Opcode::Shfl:
    case Opcode::Match:
    case Opcode::Elect:
    case Opcode::Tex:
    case Opcode::Tld4:
        return true;
    default:
        return false;
    }
}

// The first modifier of st.bulk is a part of its name.
std::optional<Opcode> opcode_of(const ptx::Instruction& instruction) {
    const bool bulk = !instruction.modifiers.empty() && instruction.modifiers.front() == "bulk";
    return find_opcode(bulk && instruction.opcode == "st" ? "st.bulk" : instruction.opcode);
}

void select_instruction(FunctionLowering& f) {
    const std::string_view name = f.cursor.instruction().opcode;
    const std::optional<Opcode> opcode = opcode_of(f.cursor.instruction());
    if (!opcode)
        return f.cursor.error(fmt::format("unknown instruction '{}'{}", name, did_you_mean(nearest_opcode(name))));
    if (!read_guard(f))
        return;
    if (!info(*opcode).executable || *opcode == Opcode::Other)
        return f.emitter.placeholder(*opcode);
    if (f.cursor.instruction().paired && !has_pair(*opcode))
        return f.cursor.error(f.cursor.operand(1).where,
                              fmt::format("'{}' has no pair a|b of destinations", f.cursor.text()));
    if (select_by_opcode(f, *opcode))
        return;
    Modifiers modifiers;
    if (!f.cursor.decode(groups_of(*opcode), modifiers))
        return;
    if (!modifiers.not_executable.empty())
        return f.emitter.placeholder(*opcode);
    const Form* const form = choose_form(*opcode, modifiers, f.cursor);
    if (form == nullptr)
        return;
    if (const std::string wrong = wrong_access(f.cursor.instruction(), *opcode, modifiers); !wrong.empty())
        return f.cursor.error(fmt::format("'{}': {}", f.cursor.text(), wrong));
    const MicroOp op = make_op(*opcode, modifiers);
    if (form->operands.empty())
        select_by_family(f, op, modifiers);
    else
        select_by_signature(f, op, form->operands);
}

} // namespace

void select(const Context& context, const ptx::Function& function, Draft& draft) {
    draft.source = &function;
    FunctionLowering f(context, function, draft);
    load_formals(f);
    begin_stack(f);
    for (std::uint32_t i = 0; i < function.body.size() && !context.diagnostics.full(); ++i) {
        f.cursor.move_to(i);
        f.emitter.begin_instruction();
        select_instruction(f);
    }
    f.cursor.move_behind_the_last();
    f.emitter.begin_instruction();
    // The end of the body is a return. The op is always there: labels may stand behind the last instruction.
    select_return(f, make_op(Opcode::Ret));
    if (!context.diagnostics.failed())
        f.emitter.resolve_targets();
    f.variables.finish();
}

} // namespace heddle::ir
