#include "native/opcode.h"

#include <array>
#include <cstddef>

namespace heddle::native {

namespace {

constexpr std::array kInfo = {
#define HEDDLE_NATIVE(name, text, pipe, latency, meaning) OpInfo{text, Pipe::pipe, Latency::latency, meaning},
#include "native/opcodes.def"
#undef HEDDLE_NATIVE
};

constexpr std::array<std::string_view, static_cast<std::size_t>(Pipe::kCount)> kPipes = {
    "int", "fma", "half", "double", "special", "memory", "tensor", "branch", "uniform"};
constexpr std::array<std::string_view, static_cast<std::size_t>(Latency::kCount)> kLatencies = {
    "none",    "alu",    "imad",   "imad_wide", "fp32",    "fp16",    "minmax", "predicate", "uniform", "fp64",
    "special", "global", "shared", "constant",  "texture", "shuffle", "store",  "tensor",    "barrier", "routine"};

struct Forms {
    Op vector, uniform;
};
constexpr std::array<Forms, 20> kForms = {
    {{Op::Mov, Op::Umov},       {Op::Mov, Op::Uldc},       {Op::Ldc, Op::UldcAt},         {Op::Iadd3, Op::Uiadd3},
     {Op::Iadd3X, Op::Uiadd3X}, {Op::Imad, Op::Uimad},     {Op::ImadWide, Op::UimadWide}, {Op::Lop3, Op::Ulop3},
     {Op::Shf, Op::Ushf},       {Op::Lea, Op::Ulea},       {Op::Prmt, Op::Uprmt},         {Op::Sel, Op::Usel},
     {Op::Isetp, Op::Uisetp},   {Op::IsetpX, Op::UisetpX}, {Op::Lop3P, Op::Ulop3P},       {Op::Plop3, Op::Uplop3},
     {Op::Vote, Op::Voteu},     {Op::Flo, Op::Uflo},       {Op::Popc, Op::Upopc},         {Op::S2r, Op::S2ur}}};

} // namespace

Op vector_form(Op op) {
    for (const Forms& f : kForms)
        if (f.uniform == op)
            return f.vector;
    return op;
}

std::optional<Op> uniform_form(Op op, bool constant) {
    if (op == Op::Mov)
        return constant ? Op::Uldc : Op::Umov;
    for (const Forms& f : kForms)
        if (f.vector == op)
            return f.uniform;
    return std::nullopt;
}

const OpInfo& info(Op op) {
    return kInfo.at(static_cast<std::size_t>(op));
}
std::string_view name_of(Pipe pipe) {
    return kPipes.at(static_cast<std::size_t>(pipe));
}
std::string_view name_of(Latency latency) {
    return kLatencies.at(static_cast<std::size_t>(latency));
}

} // namespace heddle::native
