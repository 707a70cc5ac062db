#include "exec/control.h"

#include <bit>
#include <cstring>

#include <fmt/format.h>

#include "exec/frame.h"

namespace heddle::exec {

using ir::MicroOp;
using warp::Group;
using warp::Outcome;

namespace {

// Deeper recursion counts as endless. A GPU's default stack of 1 KiB a thread ends far earlier.
constexpr std::size_t kMaxCallDepth = 1024;

bool saves(const ir::Call& site) {
    return !site.save_wide.empty() || site.save_slots + site.save_predicates + site.save_param_bytes != 0;
}

// Calls f(address, bytes), which may read or write there, for everything that a recursive call saves of lane i: its
// registers, predicates (a byte each) and parameter memory. The order and the sizes are the same in every call.
template <class F>
void transfer_frame(const ir::Call& site, std::uint32_t slots, const Segment& s, unsigned i, std::byte* memory, F&& f) {
    for (std::uint32_t slot = site.save_slot; slot < site.save_slot + site.save_slots; ++slot)
        f(s.frame + slot_place(slot) + i * 4, 4);
    for (const std::uint32_t slot : site.save_wide)
        f(s.frame + slot_place(slot) + i * 8, 8);
    for (std::uint32_t p = site.save_predicate; p < site.save_predicate + site.save_predicates; ++p) {
        std::byte* at = s.frame + predicate_place(slots, p);
        std::uint32_t word;
        std::memcpy(&word, at, sizeof word);
        auto bit = static_cast<std::byte>((word >> i) & 1);
        f(&bit, 1);
        word = (word & ~(1U << i)) | static_cast<std::uint32_t>(bit) << i;
        std::memcpy(at, &word, sizeof word);
    }
    f(memory + site.save_param, site.save_param_bytes);
}

// The message for a trap that the lowering has put in place of another instruction.
std::string why_it_traps(const ir::Program& program, Pc pc) {
    const MicroOp& op = program.ops[pc];
    if (op.opcode == ir::Opcode::Call && op.imm != 0) // of native code
        return fmt::format("calls nest deeper than the thread's stack of {} bytes", op.imm);
    return op.opcode == ir::Opcode::Call
               ? "a call of a function that has no body here, or through a pointer to no function that it could be"
               : fmt::format("'{}', which cannot be executed yet", program.instruction(pc));
}

} // namespace

void ControlFlow::mark_divergence(const Group& group, const MicroOp& op, Outcome& outcome) const {
    if (!op.has(ir::kDivergesAtReturn))
        return;
    outcome.diverges_at_return = true;
    outcome.return_pc = kNoPc;
    for (unsigned p = 0; p < group.parts && !state_.calls().empty(); ++p) {
        const warp::Part& part = group.part[p];
        if (part.lanes == 0)
            continue;
        const auto& calls = state_.calls().of(part.row, static_cast<unsigned>(std::countr_zero(part.lanes))).frames;
        if (!calls.empty())
            outcome.return_pc = calls.back().pc;
        return;
    }
}

void ControlFlow::branch(const Group& group, const MicroOp& op, Outcome& outcome) {
    outcome.kind = Outcome::Kind::Branch;
    outcome.target = op.target;
    state_.take_by_guard(group, op, outcome);
    mark_divergence(group, op, outcome);
}

void ControlFlow::exit(const Group& group, const MicroOp& op, Outcome& outcome) {
    outcome.kind = Outcome::Kind::Exit;
    state_.take_by_guard(group, op, outcome);
    mark_divergence(group, op, outcome); // before some of the threads end
    for (unsigned p = 0; p < group.parts; ++p)
        state_.end_threads(group.part[p].row, outcome.taken[p]);
}

void ControlFlow::trap(const Group& group, const MicroOp& op, Outcome& outcome) const {
    outcome.executed = state_.for_each_segment(parts_of(group), op, [&](const Segment& s) {
        faults_.fault(Fault::Kind::Other, group.pc, s.row, s.lane(static_cast<unsigned>(std::countr_zero(s.mask))),
                      op.opcode == ir::Opcode::Trap ? "the kernel stopped itself with 'trap'"
                                                    : why_it_traps(state_.code().program(), group.pc));
    });
}

void ControlFlow::call(const Group& group, const MicroOp& op, Outcome& outcome) {
    const auto index = static_cast<std::uint32_t>(op.imm);
    const ir::Call& site = state_.code().program().calls[index];
    outcome.kind = Outcome::Kind::Branch;
    outcome.target = op.target;
    outcome.depth_change = 1;
    for (unsigned p = 0; p < group.parts; ++p)
        outcome.taken[p] = 0;
    outcome.executed = state_.for_each_segment(parts_of(group), op, [&](const Segment& s) {
        outcome.taken[s.part] |= s.lanes();
        for (std::uint32_t m = s.mask; m != 0; m &= m - 1)
            push_call(site, index, group.pc, s, static_cast<unsigned>(std::countr_zero(m)));
    });
    mark_divergence(group, op, outcome);
}

void ControlFlow::push_call(const ir::Call& site, std::uint32_t index, Pc pc, const Segment& s, unsigned i) {
    CallStack& stack = state_.calls().of(s.row, s.lane(i));
    if (stack.frames.size() >= kMaxCallDepth)
        faults_.fault(Fault::Kind::Other, pc, s.row, s.lane(i),
                      fmt::format("calls nest deeper than {} levels", kMaxCallDepth));
    stack.frames.push_back({pc + 1, index});
    std::byte* memory = state_.local_of(s.row, s.lane(i));
    if (saves(site))
        transfer_frame(site, state_.launch().kernel->slots, s, i, memory, [&](void* at, std::size_t bytes) {
            const auto* from = static_cast<const std::byte*>(at);
            stack.saved.insert(stack.saved.end(), from, from + bytes);
        });
    for (const ir::Call::Copy& copy : site.arguments)
        std::memmove(memory + copy.to, memory + copy.from, copy.bytes);
}

void ControlFlow::pop_call(const Segment& s, unsigned i) {
    CallStack& stack = state_.calls().of(s.row, s.lane(i));
    const ir::Call& site = state_.code().program().calls[stack.frames.back().call];
    stack.frames.pop_back();
    std::byte* memory = state_.local_of(s.row, s.lane(i));
    // In a recursion the memory of the results may be part of the memory that the caller has saved.
    results_.clear();
    for (const ir::Call::Copy& copy : site.results)
        results_.insert(results_.end(), memory + copy.from, memory + copy.from + copy.bytes);
    if (saves(site)) {
        std::size_t bytes = 0;
        transfer_frame(site, state_.launch().kernel->slots, s, i, memory, [&](void*, std::size_t n) { bytes += n; });
        const std::byte* saved = stack.saved.data() + (stack.saved.size() - bytes);
        transfer_frame(site, state_.launch().kernel->slots, s, i, memory, [&](void* at, std::size_t n) {
            std::memcpy(at, saved, n);
            saved += n;
        });
        stack.saved.resize(stack.saved.size() - bytes);
    }
    const std::byte* from = results_.data();
    for (const ir::Call::Copy& copy : site.results) {
        std::memcpy(memory + copy.to, from, copy.bytes);
        from += copy.bytes;
    }
}

bool ControlFlow::in_called_function(const Group& group) const {
    for (unsigned p = 0; p < group.parts && !state_.calls().empty(); ++p)
        if (const LaneMask lanes = group.part[p].lanes; lanes != 0)
            return !state_.calls().of(group.part[p].row, static_cast<unsigned>(std::countr_zero(lanes))).frames.empty();
    return false;
}

void ControlFlow::ret(const Group& group, const MicroOp& op, Outcome& outcome) {
    state_.take_by_guard(group, op, outcome);
    if (!in_called_function(group)) // an entry function's `ret` ends the thread
        return exit(group, op, outcome);

    mark_divergence(group, op, outcome);
    outcome.depth_change = -1;
    Pc common = kNoPc;
    bool same = true;
    unsigned entry = 0;
    for (unsigned p = 0; p < group.parts; ++p)
        for (LaneMask m = group.part[p].lanes; m != 0; m &= m - 1) {
            const auto lane = static_cast<unsigned>(std::countr_zero(m));
            Pc& next = outcome.each[entry++];
            next = group.pc + 1;
            if (((outcome.taken[p] >> lane) & 1) == 0)
                continue;
            const RowId row = group.part[p].row;
            next = state_.calls().of(row, lane).frames.back().pc;
            same = same && (common == kNoPc || common == next);
            common = next;
            const unsigned half = lane / kVectorLanes;
            pop_call({state_.frame(row, half), 1, row, static_cast<std::uint16_t>(half), 0}, lane % kVectorLanes);
        }
    // One target is the common case, and a Branch is cheaper to apply than an Indirect outcome.
    outcome.kind = same ? Outcome::Kind::Branch : Outcome::Kind::Indirect;
    outcome.target = common == kNoPc ? group.pc + 1 : common;
}

} // namespace heddle::exec
