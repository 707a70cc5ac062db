#include "native/registers/granted.h"

#include <algorithm>
#include <limits>

#include "native/target.h"

namespace heddle::native {

namespace {

// The registers behind an instruction.
unsigned behind(const Instruction& i, unsigned registers, unsigned at_launch) {
    if (i.op != Op::SetRegisters)
        return registers;
    const unsigned set = std::max(static_cast<unsigned>(i.src[0].value), at_launch);
    return i.is_guarded() ? std::min(registers, set) : set;
}

} // namespace

unsigned most_granted(const SsaForm& form) {
    unsigned most = 0;
    for (const ir::MicroOp& op : form.draft.ops)
        if (op.opcode == ir::Opcode::SetMaxRegisters)
            most = std::max(most, static_cast<unsigned>(op.imm));
    return std::min(most, kMostRegisters);
}

std::vector<unsigned> granted_registers(const Function& function, unsigned at_launch) {
    constexpr unsigned kNotReached = std::numeric_limits<unsigned>::max();
    std::vector<unsigned> before(function.blocks.size(), kNotReached);
    before[function.order.front()] = at_launch;
    std::vector<std::uint32_t> work{function.order.front()};
    while (!work.empty()) {
        const std::uint32_t block = work.back();
        work.pop_back();
        unsigned registers = before[block];
        for (const Instruction& i : function.blocks[block].code)
            registers = behind(i, registers, at_launch);
        for (const std::uint32_t next : function.successors(block))
            if (registers < before[next]) {
                before[next] = registers;
                work.push_back(next);
            }
    }
    std::vector<unsigned> out;
    out.reserve(function.instructions());
    for (const std::uint32_t block : function.order) {
        unsigned registers = before[block];
        for (const Instruction& i : function.blocks[block].code) {
            out.push_back(registers);
            registers = behind(i, registers, at_launch);
        }
    }
    return out;
}

} // namespace heddle::native
