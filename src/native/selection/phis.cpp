// Phis become copies.
#include "native/selection/selector.h"

namespace heddle::native {

// Each phi has a register of its own: predecessors copy to it at their ends, and its block copies it to the value at
// its begin. Nothing else reads or writes that register, so the copies of a block may follow each other in any order,
// and a predecessor with several successors may copy for all of them. Copies that need not be vanish (flow/coalesce.h).
void Selector::place_phis() {
    guard_ = {};
    kept_.clear();
    forget_registers();
    for (const std::uint32_t b : form_.order) {
        std::vector<Instruction> begin;
        for (const Phi& phi : form_.phis[b]) {
            const Operand to = value(phi.dst);
            const Operand between = out_.fresh(to.file, to.count);
            const auto copy_to = [&](std::uint32_t block, const Operand& target, const Operand& source) {
                std::vector<Instruction> made;
                std::swap(made, out_.blocks[block].code);
                block_ = block;
                op_ = form_.cfg.blocks[block].begin;
                if (target.file == File::Predicate)
                    copy(target, source);
                else
                    copy_words(target, source);
                std::swap(made, out_.blocks[block].code);
                return made;
            };
            for (Instruction& i : copy_to(b, to, between))
                begin.push_back(std::move(i));
            for (std::size_t p = 0; p < form_.predecessors[b].size(); ++p) {
                const std::uint32_t from = form_.predecessors[b][p];
                const Place source = phi.from.at(p);
                std::vector<Instruction> copies;
                // A register without a value is one without code. A predicate is false, as at the begin of a thread:
                // the carry of the first sum of a chain may be read so.
                if (source == kUndefined && to.file != File::Predicate) {
                    Instruction none;
                    none.dst[0] = between;
                    copies.push_back(none);
                } else {
                    const Operand value_of = to.file == File::Predicate ? predicate(source)
                                             : to.count == 2            ? wide(source)
                                                                        : word(source);
                    copies = copy_to(from, between, value_of);
                }
                auto& code = out_.blocks[pieces_[from].back()].code;
                const bool branches = !code.empty() && code.back().op == Op::Bra;
                code.insert(branches ? code.end() - 1 : code.end(), copies.begin(), copies.end());
            }
        }
        auto& code = out_.blocks[b].code;
        code.insert(code.begin(), begin.begin(), begin.end());
    }
}

} // namespace heddle::native
