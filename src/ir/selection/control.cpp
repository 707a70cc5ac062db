// Branches, returns and calls.
#include <algorithm>
#include <initializer_list>

#include <fmt/format.h>

#include "ir/selection/select.h"

namespace heddle::ir {

namespace {

// Storage type for moving a register of `type` through parameter memory.
Type memory_type(Type type) {
    return ptx::size_of(type) == 8   ? Type::B64
           : ptx::size_of(type) == 4 ? Type::B32
           : ptx::size_of(type) == 2 ? Type::B16
                                     : Type::B8;
}

MicroOp parameter_move(Opcode opcode, Type type, Place address, Place value, std::uint8_t bytes) {
    MicroOp op;
    op.opcode = opcode;
    op.kind = opcode == Opcode::Ld ? Kind::Load : Kind::Store;
    op.work = Work::Memory;
    op.type = memory_type(type);
    op.space = Space::Local;
    op.src[0] = address;
    if (opcode == Opcode::Ld) {
        op.dst[0] = value;
        op.dst_bytes = bytes;
        op.src_bytes = 8;
    } else {
        op.src[1] = value;
        op.src_bytes = bytes;
        op.dst_bytes = 8;
    }
    return op;
}

} // namespace

void Selector::select_branch(MicroOp op) {
    if (!count(1, 1))
        return;
    const Operand& operand = now_->operands[0];
    if (operand.kind != Operand::Kind::Name)
        return error(operand.where, fmt::format("'{}' needs a label", text()));
    const std::optional<std::uint32_t> label = names_.label(operand.name, at_);
    if (!label)
        return error(operand.where,
                     fmt::format("there is no label '{}' here{}", operand.name, names_.label_hint(operand.name, at_)));
    op.target = *label;
    branches_.push_back(emit(op));
}

// In an entry a return is the thread's end.
void Selector::select_return(MicroOp op) {
    if (function_.is_entry) {
        op.opcode = Opcode::Exit;
        op.kind = Kind::Exit;
    } else {
        store_results();
    }
    emit(op);
}

// Formals of a function that are registers come and go through parameter memory like the others.
void Selector::prologue() {
    if (function_.is_entry)
        return;
    for (std::uint32_t i = 0; i < function_.parameters.size(); ++i) {
        const ptx::Variable& v = function_.parameters[i];
        if (v.space != Space::Reg)
            continue;
        const Symbol symbol{Symbol::Kind::Register, Symbol::Owner::Parameter, &v, i, 0};
        const Place to = virtual_register(symbol, {});
        Constant c;
        c.base = Constant::Base::Param;
        c.wide = true;
        c.bits = formals_.parameters[i];
        emit(parameter_move(Opcode::Ld, v.type, constant(c), to, storage(to)));
        draft_.lines.back() = {function_.where, {}};
    }
}

void Selector::store_results() {
    for (std::uint32_t i = 0; i < function_.results.size(); ++i) {
        const ptx::Variable& v = function_.results[i];
        if (v.space != Space::Reg)
            continue;
        const Symbol symbol{Symbol::Kind::Register, Symbol::Owner::Result, &v, i, 0};
        const Place from = virtual_register(symbol, {});
        Constant c;
        c.base = Constant::Base::Param;
        c.wide = true;
        c.bits = formals_.results[i];
        emit(parameter_move(Opcode::St, v.type, constant(c), from, storage(from)));
    }
}

// Pairs actual with formal arguments (or results): a .param variable is copied by the call, a register or a constant
// goes through bytes of its own behind the body's .param variables, by moves around the call.
bool Selector::arguments(const std::vector<Operand>& actual, const std::vector<ptx::Variable>& formal,
                         const std::vector<std::uint32_t>& offsets, bool results, CallSite& site,
                         std::vector<MicroOp>& moves) {
    if (actual.size() != formal.size()) {
        error(now_->where, fmt::format("the call gives {} {}{}, the function has {}", actual.size(),
                                       results ? "result" : "argument", actual.size() == 1 ? "" : "s", formal.size()));
        return false;
    }
    bool good = true;
    for (std::size_t i = 0; i < actual.size(); ++i) {
        const Operand& operand = actual[i];
        const ptx::Variable& v = formal[i];
        const auto bytes = static_cast<std::uint32_t>(v.bytes());
        std::uint32_t mine = 0;
        const Symbol found = operand.kind == Operand::Kind::Name ? names_.find(operand.name, at_) : Symbol{};
        if (operand.kind == Operand::Kind::Sink && results)
            continue;
        if (found.kind == Symbol::Kind::Variable && found.variable->space == Space::Param &&
            !(function_.is_entry && found.owner == Symbol::Owner::Parameter)) {
            if (found.variable->bytes() != bytes) {
                error(operand.where, fmt::format("'{}' has {} bytes, '{}' of the function has {}", operand.name,
                                                 found.variable->bytes(), v.name, bytes));
                good = false;
                continue;
            }
            mine = static_cast<std::uint32_t>(address_of(operand, found).value_or(Constant{}).bits);
        } else {
            mine = static_cast<std::uint32_t>(align_up(params_.bytes, v.alignment()));
            params_.bytes = mine + bytes;
            Constant c;
            c.base = Constant::Base::Param;
            c.wide = true;
            c.bits = mine;
            const std::optional<Place> value = results ? destination(operand, v.type) : source(operand, v.type);
            if (!value) {
                good = false;
                continue;
            }
            moves.push_back(
                parameter_move(results ? Opcode::Ld : Opcode::St, v.type, constant(c), *value, storage(*value)));
        }
        if (results)
            site.results.push_back({offsets[i], mine, bytes});
        else
            site.arguments.push_back({mine, offsets[i], bytes});
    }
    return good;
}

// What the device's runtime serves, by name and sizes of arguments and result.
static std::optional<SystemCall::Function> system_function(const ptx::Function& function) {
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

// call[.uni] [(results),] function[, (arguments)];   call[.uni] [(results),] pointer, (arguments), prototype or
// targets;
void Selector::select_call(MicroOp op) {
    static const std::vector<Operand> nothing;
    const std::vector<Operand>& operands = now_->operands;
    std::size_t next = 0;
    const std::vector<Operand>* results = &nothing;
    const std::vector<Operand>* actual = &nothing;
    if (next < operands.size() && operands[next].kind == Operand::Kind::List)
        results = &operands[next++].elements;
    if (next >= operands.size() || operands[next].kind != Operand::Kind::Name)
        return error(now_->where, fmt::format("'{}' needs the name of a function", text()));
    const Operand& callee = operands[next++];
    if (next < operands.size() && operands[next].kind == Operand::Kind::List)
        actual = &operands[next++].elements;
    const Symbol found = symbol(callee);
    if (found.kind == Symbol::Kind::None)
        return;
    const bool by_pointer = found.kind == Symbol::Kind::Register;
    if (by_pointer && next < operands.size())
        ++next; // the prototype: the operands say the same
    if (next != operands.size())
        return error(callee.where, fmt::format("'{}' has too many operands", text()));
    if (by_pointer)
        return call_by_pointer(op, callee, {*results, *actual, true});
    if (found.kind != Symbol::Kind::Function)
        return error(callee.where, fmt::format("'{}' is no function", callee.name));
    call_by_name(op, callee, found.index, {*results, *actual});
}

void Selector::call_by_name(MicroOp op, const Operand& callee, std::uint32_t index, const CallOperands& with) {
    const ptx::Function& function = *context_.names.functions()[index];
    if (function.is_entry)
        return error(callee.where, fmt::format("'{}' is a kernel and can not be called", callee.name));
    CallSite site;
    site.callee = index;
    site.by_pointer = with.by_pointer;
    const Formals formals = layout_formals(function);
    std::vector<MicroOp> before, after;
    const bool good = arguments(with.results, function.results, formals.results, true, site, after);
    if (!arguments(with.arguments, function.parameters, formals.parameters, false, site, before) || !good)
        return;
    const std::optional<SystemCall::Function> system = system_function(function);
    if (!function.has_body && !system) {
        op.kind = Kind::Nop;
        draft_.undefined_calls.emplace_back(emit(op), callee.name);
        return;
    }
    for (const MicroOp& move : before)
        emit(move);
    if (system) {
        op.kind = Kind::System;
        SystemCall call;
        call.function = *system;
        for (const Call::Copy& copy : site.arguments)
            call.arguments.push_back(copy.from);
        if (!site.results.empty())
            call.result = site.results.front().to;
        draft_.system_calls.emplace_back(emit(op), std::move(call));
    } else {
        site.op = emit(op);
        draft_.calls.push_back(std::move(site));
    }
    for (const MicroOp& move : after)
        emit(move);
}

} // namespace heddle::ir
