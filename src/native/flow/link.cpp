#include "native/flow/link.h"

#include <algorithm>
#include <iterator>

namespace heddle::native {

namespace {

bool is_nop(const Instruction& i) {
    return i.op == Op::Nop;
}

Instruction jump_to(std::uint32_t block, const std::vector<Pc>& origins) {
    Instruction jump;
    jump.op = Op::Bra;
    jump.target = block;
    jump.origins = origins;
    return jump;
}

bool is_matrix_product(const Instruction& i) {
    ir::MicroOp op;
    op.kind = i.mods.kind;
    op.opcode = i.mods.source;
    op.sub = i.mods.sub;
    return op.is_matrix_product();
}

class Linking {
public:
    explicit Linking(Function kernel) : out_(std::move(kernel)), begins_{out_.order.front()} {}

    Function run(std::vector<Function>& functions) {
        for (std::size_t n = 1; n < functions.size(); ++n)
            append(functions[n]);
        const std::vector<std::uint32_t> order = out_.order; // grows
        for (const std::uint32_t b : order)
            end_at_calls(b);
        for (const std::uint32_t b : out_.order)
            if (const Instruction* const call = out_.call_at_end(b); call != nullptr)
                return_to(call->target, out_.blocks[b].next);
        return std::move(out_);
    }

private:
    void append(Function& function) {
        // Calls go to the first block, which blocks without code are not (lay_out).
        Block& begin = function.blocks[function.order.front()];
        std::erase_if(begin.code, is_nop);
        if (begin.code.empty())
            begin = {{jump_to(begin.next, {})}, Instruction::kNoBlock};
        const auto first = static_cast<std::uint32_t>(out_.blocks.size());
        const auto first_matrix = static_cast<std::int64_t>(out_.matrices.size());
        for (Block& b : function.blocks) {
            if (b.next != Instruction::kNoBlock)
                b.next += first;
            for (Instruction& i : b.code) {
                if (i.target != Instruction::kNoBlock)
                    i.target += first;
                if (is_matrix_product(i))
                    i.mods.imm += first_matrix;
            }
            out_.blocks.push_back(std::move(b));
        }
        begins_.push_back(function.order.front() + first);
        out_.called.push_back({function.name, begins_.back()});
        for (const std::uint32_t b : function.order)
            out_.order.push_back(b + first);
        out_.matrices.insert(out_.matrices.end(), function.matrices.begin(), function.matrices.end());
        out_.registers = std::max(out_.registers, function.registers);
        out_.predicates = std::max(out_.predicates, function.predicates);
        out_.barriers = std::max(out_.barriers, function.barriers);
        out_.local_bytes = std::max(out_.local_bytes, function.local_bytes);
        out_.spilled += function.spilled;
    }

    // The code behind a call becomes a block of its own.
    void end_at_calls(std::uint32_t b) {
        std::erase_if(out_.blocks[b].code, is_nop);
        for (;;) {
            auto& code = out_.blocks[b].code;
            const auto call = std::find_if(code.begin(), code.end(), [](const Instruction& i) {
                return i.op == Op::Call && i.target == Instruction::kNoBlock;
            });
            if (call == code.end())
                return;
            call->target = begins_.at(static_cast<std::size_t>(call->mods.imm));
            const auto behind = static_cast<std::uint32_t>(out_.blocks.size());
            Block rest{{std::make_move_iterator(call + 1), std::make_move_iterator(code.end())}, out_.blocks[b].next};
            if (rest.code.empty()) // threads return to what stands behind the call in the text
                rest = {{jump_to(rest.next, call->origins)}, Instruction::kNoBlock};
            code.erase(call + 1, code.end());
            out_.blocks[b].next = behind;
            out_.blocks.push_back(std::move(rest));
            out_.order.insert(std::find(out_.order.begin(), out_.order.end(), b) + 1, behind);
            b = behind;
        }
    }

    void return_to(std::uint32_t begin, std::uint32_t behind_call) {
        const auto from = std::find(out_.order.begin(), out_.order.end(), begin);
        const auto is_next = [&](std::uint32_t b) {
            return std::find(begins_.begin(), begins_.end(), b) != begins_.end();
        };
        const auto to = std::find_if(from + 1, out_.order.end(), is_next);
        for (auto b = from; b != to; ++b)
            if (auto& code = out_.blocks[*b].code; !code.empty() && code.back().op == Op::Ret)
                out_.blocks[*b].returns.push_back(behind_call);
    }

    Function out_;
    std::vector<std::uint32_t> begins_; // by function
};

} // namespace

Function link(std::vector<Function> functions) {
    Function kernel = std::move(functions.front());
    return functions.size() == 1 ? kernel : Linking(std::move(kernel)).run(functions);
}

} // namespace heddle::native
