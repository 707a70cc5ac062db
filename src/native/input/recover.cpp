#include "native/input/recover.h"

#include <algorithm>
#include <cstring>

#include "ir/selection/make_op.h"
#include "native/input/recovery.h"

namespace heddle::native {

using ir::MicroOp;
using ir::Place;

Recovered Recovery::run(std::uint32_t which) {
    find_widths();
    draft_.constants.push_back({}); // kUndefined
    draft_.local_bytes = kernel_.local_bytes;
    if (cycles_.any())
        begin_stack(which == 0);
    if (which == 0) {
        append_function(program_.origins[kernel_.entry].function, nullptr);
    } else {
        const ir::Function& function = program_.functions[called_[which - 1]];
        append_code(called_[which - 1], function.begin);
        push(ir::make_op(ir::Opcode::Ret), function.end - 1);
    }
    if (cycles_.any())
        end_stack();
    return {std::move(draft_), std::move(pcs_)};
}

// 64-bit registers lie below those of 32 bits: the last place that is written as one ends them.
void Recovery::find_widths() {
    for (Pc pc = kernel_.begin; pc < kernel_.end; ++pc) {
        const MicroOp& op = program_.ops[pc];
        if (!writes_pairs(op))
            continue;
        for (const Place p : op.dst)
            if (p != ir::kNowhere && p < first_predicate())
                wide_end_ = std::max(wide_end_, p + 2 * kSlot);
    }
}

bool Recovery::writes_pairs(const MicroOp& op) const {
    if (op.is_matrix_product())
        return program_.matrices[static_cast<std::size_t>(op.imm)].d.element == ir::Element::F64;
    if (op.kind == ir::Kind::WarpSync && op.sub == ir::Sub::MatrixRows)
        return op.src_bytes == 8;
    return op.dst_bytes == 8 && op.opcode != ir::Opcode::Setp && op.kind != ir::Kind::WarpSync;
}

Place Recovery::fresh(ir::Type type) {
    draft_.registers.push_back({type});
    return static_cast<Place>(draft_.registers.size() - 1);
}

Place Recovery::register_at(Place place) {
    const auto found = registers_.find(place);
    if (found != registers_.end())
        return found->second;
    return registers_[place] = fresh(place >= first_predicate() ? ir::Type::Pred
                                     : place < wide_end_        ? ir::Type::B64
                                                                : ir::Type::B32);
}

Place Recovery::constant_at(Place place) {
    const auto [entry, fresh] = constants_.try_emplace(place, ir::kPool | static_cast<Place>(draft_.constants.size()));
    if (fresh) {
        ir::Constant constant;
        std::memcpy(&constant.bits, &program_.pool[kernel_.pool_begin + (place & ~ir::kPool)], 8);
        draft_.constants.push_back(constant);
    }
    return entry->second;
}

void Recovery::rename(Place& place) {
    if (place != ir::kNowhere)
        place = (place & ir::kPool) != 0 ? constant_at(place) : register_at(place);
}

// The ops of a function, with those of the functions that it calls in the place of the calls. Threads that return go on
// behind the call, or, from a function of a cycle, where its landings are chosen.
void Recovery::append_function(std::uint32_t number, Cycle* cycle, Pc site) {
    const ir::Function& function = program_.functions[number];
    const bool is_kernel = number == program_.origins[kernel_.entry].function;
    std::vector<std::uint32_t> at; // by op of the function
    std::vector<std::uint32_t> branches, returns;
    for (Pc pc = function.begin; pc < function.end; ++pc) {
        at.push_back(static_cast<std::uint32_t>(draft_.ops.size()));
        MicroOp op = program_.ops[pc];
        if (op.kind == ir::Kind::Call && cycle != nullptr &&
            std::binary_search(cycle->members.begin(), cycle->members.end(), callee_of(op))) {
            append_recursive_call(op, pc, *cycle);
            continue;
        }
        if (op.kind == ir::Kind::Call) {
            append_call(op, pc);
            continue;
        }
        if (is_bad_free(op) && site != kNoPc) {
            append(op, site);
            continue;
        }
        if (op.kind == ir::Kind::Branch)
            branches.push_back(at.back());
        if (op.kind == ir::Kind::Return && is_kernel) {
            op.kind = ir::Kind::Exit;
            op.opcode = ir::Opcode::Exit;
        } else if (op.kind == ir::Kind::Return) {
            (cycle != nullptr ? cycle->returns : returns).push_back(at.back());
            op.kind = ir::Kind::Branch;
            op.opcode = ir::Opcode::Bra;
        }
        append(op, pc);
    }
    for (const std::uint32_t b : branches)
        draft_.ops[b].target = at[draft_.ops[b].target - function.begin];
    for (const std::uint32_t r : returns)
        draft_.ops[r].target = static_cast<Pc>(draft_.ops.size());
}

// Its message is about the call of free.
bool Recovery::is_bad_free(const MicroOp& op) const {
    return op.kind == ir::Kind::System &&
           program_.system_calls[static_cast<std::size_t>(op.imm)].function == ir::SystemCall::Function::BadFree;
}

void Recovery::append_call(const MicroOp& call, Pc pc) {
    const ir::Call& site = program_.calls[static_cast<std::size_t>(call.imm)];
    const std::uint32_t skip = append_skip(call, pc);
    for (const ir::Call::Copy& copy : site.arguments)
        append_copy(copy, pc);
    append_callee(callee_of(call), pc);
    for (const ir::Call::Copy& copy : site.results)
        append_copy(copy, pc);
    land_skip(call, skip, pc);
}

void Recovery::append_callee(std::uint32_t function, Pc pc) {
    const auto found = std::find(called_.begin(), called_.end(), function);
    if (found != called_.end()) {
        if (around_ != 0)
            hand_on_stack(pc);
        MicroOp op = ir::make_op(ir::Opcode::Call);
        op.imm = found - called_.begin() + 1;
        push(op, pc);
    } else {
        append_code(function, pc);
    }
}

void Recovery::append_code(std::uint32_t function, Pc pc) {
    if (cycles_.of(function).empty())
        append_function(function, nullptr, pc);
    else
        append_cycle(function, pc);
}

std::uint32_t Recovery::append_skip(const MicroOp& call, Pc pc) {
    const auto at = static_cast<std::uint32_t>(draft_.ops.size());
    if (call.guard != ir::kNowhere) {
        MicroOp branch = ir::make_op(ir::Opcode::Bra);
        branch.guard = call.guard;
        branch.guard_negated = !call.guard_negated;
        append(branch, pc);
    }
    return at;
}

void Recovery::land_skip(const MicroOp& call, std::uint32_t skip, Pc pc) {
    append(ir::make_op(ir::Opcode::Nanosleep), pc); // a place to go on at: an op without effect
    if (call.guard != ir::kNowhere)
        draft_.ops[skip].target = static_cast<Pc>(draft_.ops.size() - 1);
}

std::uint32_t piece_of(std::uint32_t bytes, std::uint32_t from, std::uint32_t to) {
    std::uint32_t piece = 8;
    while (piece > bytes || from % piece != 0 || to % piece != 0)
        piece /= 2;
    return piece;
}

ir::Type type_of_piece(std::uint32_t bytes) {
    return bytes == 8 ? ir::Type::B64 : bytes == 4 ? ir::Type::B32 : bytes == 2 ? ir::Type::B16 : ir::Type::B8;
}

// Bytes of local memory.
void Recovery::append_copy(const ir::Call::Copy& copy, Pc pc) {
    for (std::uint32_t done = 0; done < copy.bytes;) {
        const std::uint32_t bytes = piece_of(copy.bytes - done, copy.from + done, copy.to + done);
        const ir::Type type = type_of_piece(bytes);
        const Place value = fresh(bytes == 8 ? ir::Type::B64 : ir::Type::B32);
        access(false, type, ir::kNowhere, copy.from + done, value, pc);
        access(true, type, ir::kNowhere, copy.to + done, value, pc);
        done += bytes;
    }
}

void Recovery::append(MicroOp op, Pc pc) {
    for (Place& p : op.dst)
        rename(p);
    if (op.is_matrix_product()) {
        draft_.matrices.push_back(program_.matrices[static_cast<std::size_t>(op.imm)]);
        op.imm = static_cast<std::int64_t>(draft_.matrices.size()) - 1;
    }
    each_source(draft_, op, [&](Place& p) { rename(p); });
    push(op, pc);
}

MicroOp& Recovery::push(const MicroOp& op, Pc pc) {
    draft_.ops.push_back(op);
    draft_.ops.back().reconvergence = kNoPc;
    draft_.lines.push_back({program_.origins[pc].where, {}});
    pcs_.push_back(pc);
    return draft_.ops.back();
}

Recovered recover(const ir::Program& program, const ir::Kernel& kernel, std::span<const std::uint32_t> called,
                  std::uint32_t which) {
    return Recovery(program, kernel, called).run(which);
}

} // namespace heddle::native
