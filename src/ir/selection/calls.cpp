// Calls. A call through a pointer becomes comparisons of the pointer with every function of the module that a pointer
// may point to and that takes such operands, and a call by name where they are equal.
#include <algorithm>
#include <initializer_list>

#include <fmt/format.h>

#include "ir/linking/layout.h"
#include "ir/selection/families.h"
#include "ir/selection/formals.h"
#include "ir/selection/sequences.h"

namespace heddle::ir {

namespace {

bool is_array(const ptx::Variable& v) {
    return !v.extents.empty();
}

struct CallOperands {
    const std::vector<Operand>& results;
    const std::vector<Operand>& arguments;
};

// The function of heddle's device runtime that serves a call, by name and sizes of arguments and result.
std::optional<SystemCall::Function> system_function(const ptx::Function& function) {
    const auto has = [&](std::string_view name, std::size_t results, std::initializer_list<std::uint64_t> bytes) {
        return !function.has_body && function.name == name && function.results.size() == results &&
               std::equal(function.parameters.begin(), function.parameters.end(), bytes.begin(), bytes.end(),
                          [](const ptx::Variable& v, std::uint64_t size) { return v.bytes() == size; });
    };
    if (has("vprintf", 1, {8, 8}))
        return SystemCall::Function::Print;
    if (has("__assertfail", 0, {8, 8, 4, 8, 8}))
        return SystemCall::Function::Assert;
    if (has("__heddle_bad_free", 0, {8}))
        return SystemCall::Function::BadFree;
    return std::nullopt;
}

// Passes the operands of one direction, arguments or results, between the caller and a function. A .param variable is
// copied by the call: `copies` are the bytes. A register or a constant takes bytes behind the .param variables of the
// caller, and a move before or after the call: `moves`.
class Passing {
public:
    Passing(FunctionLowering& f, bool results) : f_(f), results_(results) {}

    // Pairs the operands of the call with the formals of the function, which have these offsets in its parameter
    // memory. False: an error is reported.
    [[nodiscard]] bool pair(const std::vector<Operand>& actual, const std::vector<ptx::Variable>& formal,
                            const std::vector<std::uint32_t>& offsets) {
        if (actual.size() != formal.size()) {
            f_.cursor.error(fmt::format("the call gives {} {}{}, the function has {}", actual.size(),
                                        results_ ? "result" : "argument", actual.size() == 1 ? "" : "s",
                                        formal.size()));
            return false;
        }
        bool good = true;
        for (std::size_t i = 0; i < actual.size(); ++i)
            if (!(results_ && actual[i].kind == Operand::Kind::Sink))
                good = pass(actual[i], formal[i], offsets[i]) && good;
        return good;
    }

    std::vector<Call::Copy> copies;
    std::vector<MicroOp> moves;

private:
    [[nodiscard]] bool pass(const Operand& operand, const ptx::Variable& formal, std::uint32_t offset) {
        const Symbol found = f_.cursor.find(operand);
        const bool is_variable = found.kind == Symbol::Kind::Variable && found.variable->space == Space::Param &&
                                 !f_.variables.is_kernel_parameter(found);
        const std::optional<std::uint32_t> mine =
            is_variable ? variable_offset(operand, found, formal) : move(operand, formal);
        if (!mine)
            return false;
        const auto bytes = static_cast<std::uint32_t>(formal.bytes());
        copies.push_back(results_ ? Call::Copy{offset, *mine, bytes} : Call::Copy{*mine, offset, bytes});
        return true;
    }

    // The offset of a .param variable in the caller's parameter memory.
    [[nodiscard]] std::optional<std::uint32_t> variable_offset(const Operand& operand, const Symbol& symbol,
                                                               const ptx::Variable& formal) {
        if (symbol.variable->bytes() != formal.bytes()) {
            f_.cursor.error(operand.where, fmt::format("'{}' has {} bytes, '{}' of the function has {}", operand.name,
                                                       symbol.variable->bytes(), formal.name, formal.bytes()));
            return std::nullopt;
        }
        const ptx::Variable& mine = *symbol.variable;
        if (is_array(mine) != is_array(formal) || mine.alignment() < formal.alignment()) {
            f_.cursor.error(operand.where,
                            fmt::format("'{}' does not have the type and the alignment of '{}' of the function",
                                        operand.name, formal.name));
            return std::nullopt;
        }
        return static_cast<std::uint32_t>(f_.variables.address_of(operand, symbol).value_or(Constant{}).bits);
    }

    // The offset of new bytes in the caller's parameter memory for a register or a constant.
    [[nodiscard]] std::optional<std::uint32_t> move(const Operand& operand, const ptx::Variable& formal) {
        if (is_array(formal)) {
            f_.cursor.error(operand.where,
                            fmt::format("'{}' of the function has {} bytes and takes a variable of .param", formal.name,
                                        formal.bytes()));
            return std::nullopt;
        }
        const std::uint32_t mine =
            f_.variables.reserve_parameter(static_cast<std::uint32_t>(formal.bytes()), formal.alignment());
        const std::optional<Place> value =
            results_ ? f_.operands.destination(operand, formal.type) : f_.operands.source(operand, formal.type);
        if (!value)
            return std::nullopt;
        moves.push_back(parameter_move(f_.places, results_ ? Opcode::Ld : Opcode::St, formal.type, mine, *value));
        return mine;
    }

    FunctionLowering& f_;
    bool results_;
};

// Emits a call that the device's runtime serves.
void emit_system_call(FunctionLowering& f, MicroOp op, SystemCall::Function function, const Passing& arguments,
                      const Passing& results) {
    op.kind = Kind::System;
    SystemCall call;
    call.function = function;
    for (const Call::Copy& copy : arguments.copies)
        call.arguments.push_back(copy.from);
    if (!results.copies.empty())
        call.result = results.copies.front().to;
    f.draft.system_calls.emplace_back(f.emitter.emit(op), std::move(call));
}

// `index`: of the function in ModuleNames::functions().
void call_by_name(FunctionLowering& f, MicroOp op, const Operand& callee, std::uint32_t index, const CallOperands& with,
                  bool by_pointer) {
    const ptx::Function& function = *f.context.names.functions()[index];
    if (function.is_entry)
        return f.cursor.error(callee.where, fmt::format("'{}' is a kernel and can not be called", callee.name));
    const Formals formals = layout_formals(function);
    Passing results(f, true), arguments(f, false);
    const bool good = results.pair(with.results, function.results, formals.results);
    if (!arguments.pair(with.arguments, function.parameters, formals.parameters) || !good)
        return;
    const std::optional<SystemCall::Function> system = system_function(function);
    if (!function.has_body && !system) {
        op.kind = Kind::Nop;
        f.draft.undefined_calls.emplace_back(f.emitter.emit(op), callee.name);
        return;
    }
    for (const MicroOp& move : arguments.moves)
        f.emitter.emit(move);
    if (system) {
        emit_system_call(f, op, *system, arguments, results);
    } else {
        const std::uint32_t at = f.emitter.emit(op);
        f.draft.calls.push_back({at, index, by_pointer, std::move(arguments.copies), std::move(results.copies), {}});
    }
    for (const MicroOp& move : results.moves)
        f.emitter.emit(move);
}

// Whether operands of a call fit the formals of a function, by number and size. A constant fits each size.
bool fits(const Cursor& cursor, const std::vector<Operand>& actual, const std::vector<ptx::Variable>& formal) {
    return std::equal(actual.begin(), actual.end(), formal.begin(), formal.end(),
                      [&](const Operand& operand, const ptx::Variable& v) {
                          const Symbol found = cursor.find(operand);
                          return found.variable == nullptr || found.variable->bytes() == v.bytes();
                      });
}

// Whether operands of a call are such as a function of this signature takes. False: an error is reported.
bool check_signature(FunctionLowering& f, const CallOperands& with, const ptx::Function& function) {
    const Formals formals = layout_formals(function);
    Passing results(f, true), arguments(f, false);
    const bool good = results.pair(with.results, function.results, formals.results);
    return arguments.pair(with.arguments, function.parameters, formals.parameters) && good;
}

// Functions that a pointer may point to: those of a .calltargets list, or for a .callprototype all whose address is
// taken. Nothing: an error is reported.
std::optional<std::vector<std::uint32_t>> possible_callees(FunctionLowering& f, const Operand& list,
                                                           const CallOperands& with) {
    const std::vector<ptx::Targets>& lists = f.cursor.function().targets;
    const auto found = std::find_if(lists.begin(), lists.end(), [&](const ptx::Targets& t) {
        return t.name == list.name && t.kind != ptx::Targets::Kind::Branches;
    });
    if (list.kind != Operand::Kind::Name || found == lists.end()) {
        f.cursor.error(list.where, fmt::format("'{}' through a pointer needs the label of a .callprototype or of a "
                                               ".calltargets list",
                                               f.cursor.text()));
        return std::nullopt;
    }
    if (found->kind == ptx::Targets::Kind::Prototype) {
        ptx::Function signature;
        signature.results = found->results;
        signature.parameters = found->parameters;
        if (!check_signature(f, with, signature))
            return std::nullopt;
        return f.context.names.pointed_to();
    }
    std::vector<std::uint32_t> callees;
    for (const std::string_view name : found->targets) {
        const std::optional<std::uint32_t> index = f.context.unit.function(name);
        if (!index) {
            f.cursor.error(found->where, fmt::format("'{}' of '{}' is no function", name, found->name));
            return std::nullopt;
        }
        if (!check_signature(f, with, *f.context.names.functions()[*index]))
            return std::nullopt;
        callees.push_back(*index);
    }
    return callees;
}

// `list`: what the pointer may point to.
void call_by_pointer(FunctionLowering& f, const MicroOp& op, const Operand& pointer, const CallOperands& with,
                     const Operand& list) {
    const std::optional<Place> address = f.operands.source(pointer, Type::U64);
    const std::optional<std::vector<std::uint32_t>> callees = possible_callees(f, list, with);
    if (!address || !callees)
        return;
    std::vector<std::uint32_t> to_end;
    if (const std::optional<std::uint32_t> skip = f.emitter.jump_over_instruction())
        to_end.push_back(*skip);
    const Place other = f.places.temporary(Type::Pred);
    for (const std::uint32_t index : *callees) {
        const ptx::Function& function = *f.context.names.functions()[index];
        if (!function.has_body || !fits(f.cursor, with.results, function.results) ||
            !fits(f.cursor, with.arguments, function.parameters))
            continue;
        emit_compare(f, Sub::Ne, Type::B64, other, *address, f.places.constant(code_address(index), true));
        const std::uint32_t past = f.emitter.jump_if(other);
        call_by_name(f, op, pointer, index, with, true);
        to_end.push_back(f.emitter.jump());
        f.emitter.land(past);
    }
    MicroOp none = op;
    none.kind = Kind::Trap;
    f.emitter.emit(none);
    for (const std::uint32_t jump : to_end)
        f.emitter.land(jump);
}

} // namespace

// call[.uni] [(results),] function[, (arguments)];
// call[.uni] [(results),] pointer, (arguments), prototype or targets;
void select_call(FunctionLowering& f, MicroOp op) {
    static const std::vector<Operand> nothing;
    const std::vector<Operand>& operands = f.cursor.operands();
    std::size_t next = 0;
    const std::vector<Operand>* results = &nothing;
    const std::vector<Operand>* actual = &nothing;
    if (next < operands.size() && operands[next].kind == Operand::Kind::List)
        results = &operands[next++].elements;
    if (next >= operands.size() || operands[next].kind != Operand::Kind::Name)
        return f.cursor.error(fmt::format("'{}' needs the name of a function", f.cursor.text()));
    const Operand& callee = operands[next++];
    if (next < operands.size() && operands[next].kind == Operand::Kind::List)
        actual = &operands[next++].elements;
    const Symbol found = f.cursor.symbol(callee);
    if (found.kind == Symbol::Kind::None)
        return;
    const bool by_pointer = found.kind == Symbol::Kind::Register;
    if (by_pointer && next == operands.size())
        return f.cursor.error(callee.where, fmt::format("'{}' through a pointer needs a prototype behind its arguments",
                                                        f.cursor.text()));
    if (next + (by_pointer ? 1 : 0) != operands.size())
        return f.cursor.error(callee.where, fmt::format("'{}' has too many operands", f.cursor.text()));
    if (by_pointer)
        return call_by_pointer(f, op, callee, {*results, *actual}, operands[next]);
    if (found.kind != Symbol::Kind::Function)
        return f.cursor.error(callee.where, fmt::format("'{}' is no function", callee.name));
    call_by_name(f, op, callee, found.index, {*results, *actual}, false);
}

} // namespace heddle::ir
