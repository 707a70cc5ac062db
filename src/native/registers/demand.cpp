#include "native/registers/demand.h"

#include <algorithm>
#include <numeric>

#include "native/routine.h"
#include "native/target.h"

namespace heddle::native {

namespace {

constexpr std::uint32_t kReadLate = 11;

// The instruction at which the sources of the access `n` are read for certain.
std::uint32_t read_by(const std::vector<Instruction>& code, std::uint32_t n) {
    const auto end = std::min(static_cast<std::uint32_t>(code.size()), n + kReadLate);
    for (std::uint32_t m = n + 1; m < end; ++m) {
        bool waits = false;
        each_read(code[m], [&](const Operand& o) {
            for (const Operand& d : code[n].dst)
                waits = waits || (d.kind == Operand::Kind::Register && d.number == o.number);
        });
        if (waits)
            return m;
    }
    return n + kReadLate;
}

// By instruction: vector registers that hold values before and after it.
std::vector<std::int32_t> alive_across(const Function& function, const Parts& parts,
                                       const std::vector<std::vector<Span>>& spans) {
    std::vector<std::int32_t> out(function.instructions() + 1, 0); // changes at first
    for (std::uint32_t v = 0; v < function.virtuals.size(); ++v)
        for (std::uint32_t p = parts.begin[v]; function.virtuals[v].file == File::Vector && p < parts.begin[v + 1]; ++p)
            for (const Span& s : spans[p])
                if (const std::uint32_t from = (s.from + 1) / 2, to = s.to / 2; from < to) {
                    ++out[from];
                    --out[to];
                }
    std::partial_sum(out.begin(), out.end(), out.begin());
    return out;
}

} // namespace

std::vector<std::vector<Span>> unread_spans(const Function& function, const Parts& parts,
                                            const std::vector<std::vector<Span>>& spans) {
    std::vector<std::vector<Span>> out(spans.size());
    const auto ends_at = [&](std::uint32_t part, std::uint32_t time) {
        return std::any_of(spans[part].begin(), spans[part].end(), [&](const Span& s) { return s.to == time; });
    };
    std::uint32_t begin = 0;
    for (const std::uint32_t b : function.order) {
        const auto& code = function.blocks[b].code;
        for (std::uint32_t n = 0; n < code.size(); ++n) {
            if (info(code[n].op).pipe != Pipe::Memory)
                continue;
            const Span unread = {2 * (begin + n + 1), 2 * (begin + read_by(code, n))};
            each_read(code[n], [&](const Operand& o) {
                for (unsigned k = 0; k < o.count; ++k)
                    if (const std::uint32_t p = parts.of(o, k); ends_at(p, 2 * (begin + n) + 1))
                        out[p].push_back(unread);
            });
        }
        begin += static_cast<std::uint32_t>(code.size());
    }
    return out;
}

std::uint32_t registers_at_routines(const Function& function, const Parts& parts,
                                    const std::vector<std::vector<Span>>& spans) {
    std::uint32_t most = 0;
    std::uint32_t at = 0;
    const std::vector<std::int32_t> across = alive_across(function, parts, spans);
    for (const std::uint32_t b : function.order)
        for (const Instruction& i : function.blocks[b].code) {
            const std::uint32_t own = i.op == Op::Routine ? routine_of(i)->registers : 0;
            if (own != 0)
                most =
                    std::max(most, static_cast<std::uint32_t>(across[at]) + own + kStackRegister + kUnnamedRegisters);
            ++at;
        }
    return most;
}

} // namespace heddle::native
