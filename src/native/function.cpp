#include "native/function.h"

#include <algorithm>

namespace heddle::native {

Operand Function::fresh(File file, unsigned width) {
    Operand out;
    out.kind = Operand::Kind::Register;
    out.file = file;
    out.count = static_cast<std::uint8_t>(width);
    out.number = static_cast<std::uint32_t>(virtuals.size());
    virtuals.push_back({file, static_cast<std::uint8_t>(width)});
    return out;
}

std::vector<std::uint32_t> Function::successors(std::uint32_t block) const {
    std::vector<std::uint32_t> out = blocks[block].returns;
    if (const Instruction* const call = call_at_end(block); call != nullptr) {
        out.push_back(call->target);
        return out;
    }
    for (const Instruction& i : blocks[block].code)
        if (i.op == Op::Bra)
            out.push_back(i.target);
    if (blocks[block].next != Instruction::kNoBlock)
        out.push_back(blocks[block].next);
    return out;
}

const Instruction* Function::call_at_end(std::uint32_t block) const {
    const auto& code = blocks[block].code;
    const bool calls = !code.empty() && code.back().op == Op::Call && code.back().target != Instruction::kNoBlock;
    return calls ? &code.back() : nullptr;
}

bool Function::only_ends(std::uint32_t block) const {
    const auto& code = blocks[block].code;
    return successors(block).empty() && std::all_of(code.begin(), code.end(), [](const Instruction& i) {
               return i.op == Op::Exit || i.op == Op::Bpt;
           });
}

std::vector<bool> Function::ends() const {
    const auto has_end = [&](std::uint32_t b, bool guarded) {
        return std::any_of(blocks[b].code.begin(), blocks[b].code.end(), [&](const Instruction& i) {
            return (i.op == Op::Exit || i.op == Op::Ret || i.op == Op::Bpt) && i.is_guarded() == guarded;
        });
    };
    std::vector<bool> out(blocks.size(), false);
    for (const std::uint32_t b : order)
        out[b] = has_end(b, false);
    std::vector<bool> leads = out; // to an end
    for (bool grew = true; grew;) {
        grew = false;
        for (auto b = order.rbegin(); b != order.rend(); ++b) {
            const std::vector<std::uint32_t> next = leads[*b] ? std::vector<std::uint32_t>() : successors(*b);
            if (std::any_of(next.begin(), next.end(), [&](std::uint32_t s) { return leads[s]; }))
                leads[*b] = grew = true;
        }
    }
    for (const std::uint32_t b : order)
        out[b] = out[b] || (!leads[b] && has_end(b, true));
    return out;
}

std::size_t Function::instructions() const {
    std::size_t n = 0;
    for (const std::uint32_t b : order)
        n += blocks[b].code.size();
    return n;
}

std::array<std::uint32_t, static_cast<std::size_t>(Pipe::kCount)> Function::count_by_pipe() const {
    std::array<std::uint32_t, static_cast<std::size_t>(Pipe::kCount)> counts{};
    for (const std::uint32_t b : order)
        for (const Instruction& i : blocks[b].code)
            ++counts.at(static_cast<std::size_t>(info(i.op).pipe));
    return counts;
}

} // namespace heddle::native
