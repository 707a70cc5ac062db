#include "native/unroll/copy.h"

#include "ir/selection/make_op.h"

namespace heddle::native {

using ir::MicroOp;

LoopCopier::Copy LoopCopier::begin_copy() {
    Copy copy;
    for (const std::uint32_t b : loop_.blocks)
        copy.blocks[b] = to_.fresh();
    return copy;
}

LoopCopier::Label LoopCopier::label_of(const Copy& copy, std::uint32_t block) const {
    if (block == loop_.header)
        return copy.next;
    const auto found = copy.blocks.find(block);
    return found != copy.blocks.end() ? found->second : form_.cfg.blocks[block].begin;
}

void LoopCopier::append_block(std::uint32_t block, const Copy& copy, Test test) {
    const ir::Block& range = form_.cfg.blocks[block];
    to_.place(copy.blocks.at(block));
    for (std::uint32_t i = range.begin; i + 1 < range.end; ++i) {
        to_.append(code_.recovered.draft.ops[i], i);
        if (test == Test::Part && i == trips_.compare)
            append_comparison();
    }
    append_end(block, copy, test);
}

// The last op, and a jump to the block behind it where threads go on there.
void LoopCopier::append_end(std::uint32_t block, const Copy& copy, Test test) {
    const std::uint32_t last = form_.cfg.blocks[block].end - 1;
    MicroOp op = code_.recovered.draft.ops[last];
    if (block == trips_.exit.block) {
        if (test == Test::Part) {
            op.guard = goes_on_;
            op.guard_negated = false;
            to_.append(op, last, label_of(copy, trips_.exit.inside));
            return to_.jump(behind_, last);
        }
        return to_.jump(label_of(copy, test == Test::Stays ? trips_.exit.inside : trips_.exit.outside), last);
    }
    to_.append(op, last,
               op.kind == ir::Kind::Branch ? label_of(copy, form_.cfg.block_of[op.target]) : Rewriter::kNoLabel);
    if (ir::falls_through(op) && block + 1 < form_.cfg.blocks.size())
        to_.jump(label_of(copy, block + 1), last);
}

void LoopCopier::append_copy(const Copy& copy, Test test) {
    for (const std::uint32_t b : loop_.blocks)
        append_block(b, copy, test);
}

void LoopCopier::unroll_whole(std::uint32_t rounds) {
    const std::uint32_t copies = trips_.stays + 1;
    for (const std::uint32_t b : loop_.blocks)
        for (std::uint32_t i = form_.cfg.blocks[b].begin; i < form_.cfg.blocks[b].end; ++i) {
            code_.marks[i].copies *= rounds;
            code_.marks[i].settled = false;
        }
    to_.append_around(form_, loop_.holds);
    Copy copy = begin_copy();
    to_.place(form_.cfg.blocks[loop_.header].begin);
    for (std::uint32_t c = 0; c < copies; ++c) {
        Copy next = begin_copy();
        // Nothing goes round after the last one.
        copy.next = c + 1 < copies ? next.blocks.at(loop_.header) : copy.blocks.at(loop_.header);
        append_copy(copy, c + 1 < copies ? Test::Stays : Test::Leaves);
        copy = std::move(next);
    }
    to_.finish();
}

// The last of the tests number `testing`, `testing` + `part` and so on; none: another has the same value.
std::optional<std::uint32_t> LoopCopier::last_test_of_part(std::uint32_t part, std::uint32_t testing) const {
    if (trips_.stays < testing)
        return std::nullopt;
    const std::uint32_t last = testing + (trips_.stays - testing) / part * part;
    for (std::uint32_t t = testing; t < last; t += part)
        if (trips_.tested[t] == trips_.tested[last])
            return std::nullopt;
    return last;
}

bool LoopCopier::unroll_part(std::uint32_t part, std::uint32_t testing) {
    const std::optional<std::uint32_t> last = last_test_of_part(part, testing);
    const MicroOp& compare = code_.recovered.draft.ops[trips_.compare];
    const bool in_block =
        trips_.compare >= form_.cfg.blocks[trips_.exit.block].begin && trips_.compare < trips_.exit.branch;
    const bool on_integers = compare.opcode == ir::Opcode::Setp && compare.domain == ir::Domain::Int &&
                             ptx::size_of(compare.type) >= 4 && compare.guard == ir::kNowhere &&
                             is_register(compare.src.at(trips_.operand));
    if (!last || !in_block || !on_integers)
        return false;
    last_test_ = *last;
    code_.recovered.draft.registers.push_back({ir::Type::Pred});
    goes_on_ = static_cast<ir::Place>(code_.recovered.draft.registers.size() - 1);
    const std::uint32_t first = form_.cfg.blocks[loop_.header].begin;
    code_.marks[first].settled = true;
    const std::uint32_t rest = trips_.stays - last_test_; // rounds behind the loop that end with a test
    to_.append_around(form_, loop_.holds);
    to_.place(first);
    std::vector<Copy> copies;
    for (std::uint32_t c = 0; c < part + rest + 1; ++c)
        copies.push_back(begin_copy());
    for (std::uint32_t c = 0; c + 1 < copies.size(); ++c)
        copies[c].next = copies[c + 1 == part ? 0 : c + 1].blocks.at(loop_.header);
    copies.back().next = copies.back().blocks.at(loop_.header); // nothing goes round after it
    behind_ = rest == 0 ? form_.cfg.blocks[trips_.exit.outside].begin : label_of(copies[part], trips_.exit.inside);
    for (std::uint32_t c = 0; c < part; ++c)
        append_copy(copies[c], c == testing ? Test::Part : Test::Stays);
    for (std::uint32_t c = part; c < copies.size(); ++c)
        append_copy(copies[c], c + 1 < copies.size() ? Test::Stays : Test::Leaves);
    to_.finish();
    return true;
}

// A thread stays until the operand has the value of the last test.
void LoopCopier::append_comparison() {
    ir::Draft& draft = code_.recovered.draft;
    const MicroOp& old = draft.ops[trips_.compare];
    MicroOp op = ir::make_op(ir::Opcode::Setp, old.type);
    op.sub = ir::Sub::Ne;
    op.dst_bytes = old.dst_bytes;
    op.src_bytes = old.src_bytes;
    op.dst[0] = goes_on_;
    op.src[0] = old.src.at(trips_.operand);
    op.src[1] = constant_place(draft, trips_.tested[last_test_], ptx::size_of(old.type));
    to_.append(op, trips_.compare);
}

} // namespace heddle::native
