#include "native/flow/clean.h"

#include "native/flow/liveness.h"

namespace heddle::native {

bool is_pure(const Instruction& i) {
    switch (info(i.op).pipe) {
    case Pipe::Branch:
        return i.op == Op::Routine;
    case Pipe::Memory:
        return i.op == Op::Ldc || i.op == Op::Txq ||
               ((i.op == Op::Ldg || i.op == Op::Ld || i.op == Op::Lds || i.op == Op::Ldl) &&
                (i.mods.flags & ir::kVolatile) == 0);
    default:
        return !depends_on_issue(i.op) && i.op != Op::Gmma; // which reads memory
    }
}

void remove_unread(Function& function) {
    const Parts parts(function);
    std::vector<std::uint32_t> reads(parts.begin.back(), 0);
    const auto count = [&](const Instruction& i, int by) {
        each_read(i, [&](const Operand& o) {
            for (unsigned k = 0; k < o.count; ++k)
                reads[parts.of(o, k)] += static_cast<std::uint32_t>(by);
        });
    };
    for (const std::uint32_t b : function.order)
        for (const Instruction& i : function.blocks[b].code)
            count(i, 1);
    bool changed = true;
    while (changed) {
        changed = false;
        for (auto b = function.order.rbegin(); b != function.order.rend(); ++b) {
            auto& code = function.blocks[*b].code;
            for (std::size_t n = code.size(); n-- > 0;) {
                const Instruction& i = code[n];
                bool writes = false;
                bool read = false;
                each_write(i, [&](const Operand& o) {
                    writes = true;
                    for (unsigned k = 0; k < o.count; ++k)
                        read = read || reads[parts.of(o, k)] != 0;
                });
                if (!writes || read || !is_pure(i))
                    continue;
                count(i, -1);
                code.erase(code.begin() + static_cast<std::ptrdiff_t>(n));
                changed = true;
            }
        }
    }
}

} // namespace heddle::native
