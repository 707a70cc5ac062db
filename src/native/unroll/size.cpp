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

SsaForm simplified(const SsaForm& form) {
    SsaForm out = form;
    simplify(out);
    remove_dead_code(out);
    return out;
}

std::optional<unsigned> round_size(const SsaForm& simplified, const InnerLoop& loop) {
    constexpr unsigned kEnd = 3;
    unsigned size = 0;
    for (const std::uint32_t b : loop.blocks)
        for (std::uint32_t i = simplified.cfg.blocks[b].begin; i < simplified.cfg.blocks[b].end; ++i) {
            const MicroOp& op = simplified.draft.ops[i];
            if (forbids(op) || has_slow_path(op))
                return std::nullopt;
            size += size_of(op);
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
