#include "native/unroll/size.h"

#include <algorithm>
#include <string_view>

namespace heddle::native {

namespace {

using ir::Kind;
using ir::MicroOp;
using ir::Opcode;

// Fences, and operations of the threads of a warp together other than products of matrices.
bool forbids(const MicroOp& op) {
    switch (op.kind) {
    case Kind::WarpSync:
        return !op.is_matrix_product() && op.opcode != Opcode::Ldmatrix && op.opcode != Opcode::Stmatrix;
    case Kind::Fence:
    case Kind::Call:
    case Kind::Indirect:
    case Kind::System:
    case Kind::Trap:
        return true;
    default:
        return false;
    }
}

// Operations whose code has a path that is seldom taken: correctly rounded quotients, reciprocals and roots.
bool has_slow_path(const MicroOp& op) {
    const bool divides = op.opcode == Opcode::Div || op.opcode == Opcode::Rcp || op.opcode == Opcode::Sqrt;
    return divides && (op.type == ir::Type::F64 || op.type == ir::Type::F32) && !op.has(ir::kApprox) &&
           !op.has(ir::kFull);
}

unsigned size_of(const MicroOp& op) {
    constexpr unsigned kAccess = 2, kAtomic = 11, kFunction = 6, kWideProduct = 4, kDivision = 20, kLongDivision = 80,
                       kQuotient = 14;
    switch (op.kind) {
    case Kind::Nop:
        return 0;
    case Kind::Branch:
        return op.guard == ir::kNowhere ? 0 : 1;
    case Kind::Load:
    case Kind::Store:
    case Kind::Texture:
    case Kind::Surface:
    case Kind::Barrier:
        return kAccess;
    case Kind::Atomic:
        return kAtomic;
    default:
        break;
    }
    switch (op.opcode) {
    case Opcode::Mov:
    case Opcode::Cvta:
        return op.kind == Kind::Alu ? 0 : 1;
    case Opcode::Ex2:
    case Opcode::Lg2:
    case Opcode::Sqrt:
    case Opcode::Rsqrt:
        return op.type == ir::Type::F32 && !op.has(ir::kFtz) ? kFunction
                                                             : 1; // numbers below the normal ones are scaled
    case Opcode::Mul:
    case Opcode::Mad:
        return op.sub == ir::Sub::Wide ? kWideProduct : 1;
    case Opcode::Div:
    case Opcode::Rem:
        if (ptx::is_float(op.type))
            return kQuotient;
        return ptx::size_of(op.type) == 8 ? kLongDivision : kDivision;
    default:
        return 1;
    }
}

} // namespace

std::vector<bool> constant_in_rounds(const SsaForm& form, const Definitions& definitions, const InnerLoop& loop) {
    std::vector<bool> constant(form.draft.registers.size(), false);
    for (const Induction& i : inductions(form, definitions, loop))
        constant[i.phi->dst] = i.begin.has_value();
    const auto is_constant_here = [&](ir::Place p) {
        const ir::Place from = definitions.past_copies(p);
        return from == ir::kNowhere || (from != kUndefined && is_constant(from)) ||
               (is_register(from) && constant[from]);
    };
    for (const std::uint32_t b : loop.blocks)
        for (std::uint32_t i = form.cfg.blocks[b].begin; i < form.cfg.blocks[b].end; ++i) {
            const MicroOp& op = form.draft.ops[i];
            if (op.kind == Kind::Alu && op.guard == ir::kNowhere && op.dst[0] != ir::kNowhere &&
                std::all_of(op.src.begin(), op.src.end(), is_constant_here))
                constant[op.dst[0]] = true;
        }
    return constant;
}

std::optional<unsigned> round_size(const SsaForm& form, const InnerLoop& loop, const std::vector<bool>& constant) {
    constexpr unsigned kEnd = 3;
    unsigned size = 0;
    const auto& phis = form.phis[loop.header];
    const auto is_counter = [&](ir::Place p) { // or the end of one, which kEnd holds
        return std::any_of(phis.begin(), phis.end(), [&](const Phi& phi) {
            return std::find(phi.from.begin(), phi.from.end(), p) != phi.from.end();
        });
    };
    for (const std::uint32_t b : loop.blocks)
        for (std::uint32_t i = form.cfg.blocks[b].begin; i < form.cfg.blocks[b].end; ++i) {
            const MicroOp& op = form.draft.ops[i];
            if (forbids(op) || has_slow_path(op))
                return std::nullopt;
            const bool is_free = op.kind == Kind::Alu && op.dst[0] != ir::kNowhere && constant[op.dst[0]] &&
                                 op.opcode != Opcode::Setp && !is_counter(op.dst[0]);
            size += is_free ? 0 : size_of(op);
        }
    return size > kEnd ? size - kEnd : 1;
}

bool asks_to_stay(const ir::Program& program, Pc pc) {
    const ir::Origin& here = program.origins[pc];
    if (here.where.line == 0)
        return false;
    // Between two instructions of the text there are labels, directives and comments alone.
    const bool follows = pc > 0 && program.origins[pc - 1].function == here.function;
    const std::uint32_t first = follows ? program.origins[pc - 1].where.line : here.where.line;
    for (std::uint32_t line = here.where.line; line >= first && line > 0; --line) {
        std::string_view text = program.units[here.unit].source->line(line);
        text = text.substr(0, text.find("//"));
        if (line == here.where.line)
            text = text.substr(0, here.where.column - 1);
        if (line == first && follows && first != here.where.line)
            text = text.substr(std::min<std::size_t>(text.size(), program.origins[pc - 1].where.column - 1));
        const std::size_t pragma = text.find(".pragma");
        if (pragma != std::string_view::npos && text.find("\"nounroll\"", pragma) != std::string_view::npos)
            return true;
    }
    return false;
}

} // namespace heddle::native
