// Halves and bytes of registers, each by itself, against the definition of PTX: extract, compute, clamp, then merge or
// add.
#include <algorithm>
#include <cstdlib>

#include "vector_harness.h"

namespace heddle::exec::test {
namespace {

namespace rule = ir::element_rule;

std::int64_t element(std::uint64_t word, unsigned e, unsigned bits, bool is_signed) {
    const auto value = static_cast<std::int64_t>(word >> (bits * e) & ((1U << bits) - 1));
    return is_signed && value >> (bits - 1) != 0 ? value - (std::int64_t{1} << bits) : value;
}

std::int64_t result_of(Opcode opcode, ir::Sub sub, std::int64_t a, std::int64_t b) {
    using enum Opcode;
    switch (opcode) {
    case Vadd2:
    case Vadd4:
        return a + b;
    case Vsub2:
    case Vsub4:
        return a - b;
    case Vavrg2:
    case Vavrg4:
        return a + b >= 0 ? (a + b + 1) >> 1 : (a + b) >> 1;
    case Vabsdiff2:
    case Vabsdiff4:
        return std::abs(a - b);
    case Vmin2:
    case Vmin4:
        return std::min(a, b);
    case Vmax2:
    case Vmax4:
        return std::max(a, b);
    default:
        return sub == ir::Sub::Lt ? a < b : sub == ir::Sub::Ge ? a >= b : sub == ir::Sub::Eq ? a == b : a != b;
    }
}

std::uint64_t reference(const MicroOp& op, unsigned elements, const std::vector<std::uint64_t>& in) {
    const unsigned bits = 32 / elements;
    const bool is_signed = op.type == Type::S32;
    const std::int64_t least = is_signed ? -(std::int64_t{1} << (bits - 1)) : 0;
    std::uint64_t out = in[2];
    for (unsigned e = 0; e < elements; ++e) {
        if ((op.imm >> e & 1) == 0)
            continue;
        std::int64_t value = result_of(op.opcode, op.sub, element(in[0], e, bits, op.from == Type::S32),
                                       element(in[1], e, bits, (op.imm & rule::kSignedB) != 0));
        if (op.has(ir::kSaturate))
            value = std::clamp(value, least, least + (std::int64_t{1} << bits) - 1);
        const std::uint64_t field = std::uint64_t{(1U << bits) - 1} << (bits * e);
        out = (op.imm & rule::kAdds) != 0 ? out + static_cast<std::uint64_t>(value)
                                          : (out & ~field) | (static_cast<std::uint64_t>(value) << (bits * e) & field);
    }
    return out & 0xffffffff;
}

TEST(VectorElements, EveryOperationTypeAndRule) {
    using enum Opcode;
    constexpr Opcode kHalves[] = {Vadd2, Vsub2, Vavrg2, Vabsdiff2, Vmin2, Vmax2, Vset2};
    constexpr Opcode kBytes[] = {Vadd4, Vsub4, Vavrg4, Vabsdiff4, Vmin4, Vmax4, Vset4};
    const std::vector<Type> words{Type::U32, Type::U32, Type::U32};
    for (std::size_t i = 0; i < std::size(kHalves); ++i)
        for (const unsigned elements : {2U, 4U})
            for (const ir::Sub sub : {ir::Sub::Lt, ir::Sub::Ge, ir::Sub::Eq, ir::Sub::Ne})
                for (const Type type : {Type::U32, Type::S32})
                    for (const std::int64_t imm : {std::int64_t{0xf}, rule::kSignedB | 0xf, rule::kAdds | 0xf,
                                                   rule::kSignedB | std::int64_t{1}}) {
                        const Opcode opcode = elements == 2 ? kHalves[i] : kBytes[i];
                        const bool adds = (imm & rule::kAdds) != 0;
                        MicroOp op =
                            make(opcode, type, sub, Rounding::None, adds || i == 6 ? ir::Flag{} : ir::kSaturate,
                                 (imm & rule::kSignedB) != 0 ? Type::S32 : Type::U32);
                        op.imm = imm;
                        check(
                            op, words, 32, [&](const auto& in) { return reference(op, elements, in); }, 4);
                    }
}

} // namespace
} // namespace heddle::exec::test
