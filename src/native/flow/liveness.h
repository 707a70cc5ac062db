// Which registers hold values that are still needed, for native code before allocation.
#pragma once

#include <cstdint>
#include <vector>

#include "native/function.h"

namespace heddle::native {

// A stretch of the text, [from, to). The instruction with number i (in text order) reads at 2i and writes at 2i + 1.
struct Span {
    std::uint32_t from = 0, to = 0;
};

// A part is a register of a virtual register: part_begin[v] + part.
struct Parts {
    explicit Parts(const Function& function);
    [[nodiscard]] std::uint32_t of(const Operand& operand, unsigned i = 0) const {
        return begin[operand.number] + operand.part + i;
    }
    std::vector<std::uint32_t> begin; // by virtual register, and one more
};

// By part, its stretches in text order. A write under a guard that keeps old values does not end the life of the old
// one. Threads share registers lane by lane, so liveness along the paths of one thread is enough.
[[nodiscard]] std::vector<std::vector<Span>> live_spans(const Function& function, const Parts& parts);

[[nodiscard]] bool is_alive(std::uint32_t virtual_register, std::uint32_t at, const Parts& parts,
                            const std::vector<std::vector<Span>>& spans);

// The most vector registers that hold values at one time, and the first such time.
struct Peak {
    unsigned registers = 0;
    std::uint32_t at = 0;
};
[[nodiscard]] Peak most_alive(const Function& function, const Parts& parts,
                              const std::vector<std::vector<Span>>& spans);

// Calls visit(operand) for each register that the instruction reads, its guard included, or writes.
template <typename Visit>
void each_read(const Instruction& i, Visit visit) {
    for (const Operand& o : i.src)
        if (o.kind == Operand::Kind::Register)
            visit(o);
    if (i.guard.kind == Operand::Kind::Register)
        visit(i.guard);
}
template <typename Visit>
void each_write(const Instruction& i, Visit visit) {
    for (const Operand& o : i.dst)
        if (o.kind == Operand::Kind::Register)
            visit(o);
}

} // namespace heddle::native
