// vadd ... vset and vmad against the definition of PTX: extract, compute, clamp, then the second operation or the
// merge.
#include <algorithm>

#include "vector_harness.h"

namespace heddle::exec::test {

namespace {

using Values = const std::vector<std::uint64_t>&;
__extension__ using Big = __int128;
namespace rule = ir::video_rule;

struct Part {
    std::int64_t selector;
    unsigned first, bits; // of the register
};
constexpr Part kParts[] = {{rule::kWord, 0, 32},     {rule::kByte, 0, 8},      {rule::kByte + 1, 8, 8},
                           {rule::kByte + 2, 16, 8}, {rule::kByte + 3, 24, 8}, {rule::kHalf + 0, 0, 16},
                           {rule::kHalf + 1, 16, 16}};

Big part(std::uint64_t word, const Part& p, bool is_signed) {
    const Big value = (word & 0xffffffff) >> p.first & ((std::uint64_t{1} << p.bits) - 1);
    return is_signed && (value >> (p.bits - 1) & 1) != 0 ? value - (Big{1} << p.bits) : value;
}

Big clamped(Big value, bool is_signed, unsigned bits) {
    const Big least = is_signed ? -(Big{1} << (bits - 1)) : Big{0};
    return std::max(least, std::min(value, least + (Big{1} << bits) - 1));
}

Big primary(Opcode opcode, Sub sub, bool clamps, Big a, Big b) {
    switch (opcode) {
    case Opcode::Vadd:
        return a + b;
    case Opcode::Vsub:
        return a - b;
    case Opcode::Vabsdiff:
        return a > b ? a - b : b - a;
    case Opcode::Vmin:
        return a < b ? a : b;
    case Opcode::Vmax:
        return a > b ? a : b;
    case Opcode::Vshl:
    case Opcode::Vshr: {
        Big power = 1;
        for (Big i = clamps ? std::min(b, Big{32}) : b % 32; i > 0; --i)
            power *= 2;
        if (opcode == Opcode::Vshl)
            return a * power;
        return a >= 0 ? a / power : -((-a + power - 1) / power); // toward minus infinity
    }
    default:
        return sub == Sub::Eq   ? a == b
               : sub == Sub::Ne ? a != b
               : sub == Sub::Lt ? a < b
               : sub == Sub::Le ? a <= b
               : sub == Sub::Gt ? a > b
                                : a >= b;
    }
}

// The combinations of a test, drawn from a seed.
template <class T, std::size_t n>
const T& pick(const T (&from)[n], std::mt19937_64& random) {
    return from[random() % n];
}

} // namespace

TEST(VectorVideo, EveryOperation) {
    constexpr Opcode kOpcodes[] = {Opcode::Vadd, Opcode::Vsub, Opcode::Vabsdiff, Opcode::Vmin,
                                   Opcode::Vmax, Opcode::Vshl, Opcode::Vshr,     Opcode::Vset};
    constexpr Sub kSubs[] = {Sub::Eq, Sub::Ne, Sub::Lt, Sub::Le, Sub::Gt, Sub::Ge};
    constexpr std::int64_t kSecond[] = {0, rule::kAdds, rule::kMinimum, rule::kMaximum, rule::kMerges};
    std::mt19937_64 random(11);
    for (int i = 0; i < 2000; ++i) {
        const Opcode opcode = pick(kOpcodes, random);
        const bool shifts = opcode == Opcode::Vshl || opcode == Opcode::Vshr, sets = opcode == Opcode::Vset;
        const std::int64_t second = pick(kSecond, random);
        const Part& a = pick(kParts, random);
        const Part& b = pick(kParts, random);
        const Part& d = second == rule::kMerges ? kParts[1 + random() % 6] : kParts[0];
        const bool signed_a = random() % 2 != 0, signed_b = !shifts && random() % 2 != 0;
        const bool is_signed = !sets && random() % 2 != 0, saturates = !sets && random() % 2 != 0;
        const bool clamps = random() % 2 != 0;
        MicroOp op =
            make(opcode, is_signed ? Type::S32 : Type::U32, sets ? pick(kSubs, random) : Sub::None, Rounding::None,
                 (saturates ? 0U | ir::kSaturate : 0U) | (shifts && clamps ? 0U | ir::kClamp : 0U),
                 signed_a ? Type::S32 : Type::U32);
        op.imm = a.selector << rule::kSelectA | b.selector << rule::kSelectB | d.selector << rule::kSelectD | second |
                 (signed_b ? rule::kSignedB : 0);
        check(
            op, {Type::U32, shifts ? kCount : Type::U32, Type::U32}, 32,
            [&](Values v) {
                Big value = primary(opcode, op.sub, clamps, part(v[0], a, signed_a), part(v[1], b, signed_b));
                value = saturates ? clamped(value, is_signed, d.bits) : value;
                const Big word = part(static_cast<std::uint64_t>(value), kParts[0], is_signed);
                const Big c = part(v[2], kParts[0], is_signed);
                switch (second) {
                case rule::kAdds:
                    return static_cast<std::uint64_t>(word + c);
                case rule::kMinimum:
                    return static_cast<std::uint64_t>(std::min(word, c));
                case rule::kMaximum:
                    return static_cast<std::uint64_t>(std::max(word, c));
                case rule::kMerges: {
                    const std::uint64_t field = ((std::uint64_t{1} << d.bits) - 1) << d.first;
                    return (v[2] & ~field) | (static_cast<std::uint64_t>(value) << d.first & field);
                }
                default:
                    return static_cast<std::uint64_t>(word);
                }
            },
            2);
    }
}

TEST(VectorVideo, MultiplyAdd) {
    constexpr int kShifts[] = {0, 7, 15};
    std::mt19937_64 random(12);
    for (int i = 0; i < 1000; ++i) {
        const Part& a = pick(kParts, random);
        const Part& b = pick(kParts, random);
        const bool signed_a = random() % 2 != 0, signed_b = random() % 2 != 0, saturates = random() % 2 != 0;
        const int shift = pick(kShifts, random);
        const auto mode = random() % 4; // plain, -product, -c, + 1
        MicroOp op = make(Opcode::Vmad, Type::U32, Sub::None, Rounding::None, saturates ? 0U | ir::kSaturate : 0U,
                          signed_a ? Type::S32 : Type::U32);
        op.imm = a.selector << rule::kSelectA | b.selector << rule::kSelectB | (signed_b ? rule::kSignedB : 0) |
                 (mode == 1   ? rule::kNegatedProduct
                  : mode == 2 ? rule::kNegatedC
                  : mode == 3 ? rule::kPlusOne
                              : 0) |
                 std::int64_t{shift} << rule::kShift;
        check(
            op, {Type::U32, Type::U32, Type::U32}, 32,
            [&](Values v) {
                const bool signed_product = signed_a || signed_b || mode == 1;
                const Big product = part(v[0], a, signed_a) * part(v[1], b, signed_b);
                const Big c = part(v[2], kParts[0], signed_product);
                Big sum = (mode == 1 ? -product : product) + (mode == 2 ? -c : c) + (mode == 3 ? 1 : 0);
                const Big divisor = Big{1} << shift;
                sum = sum >= 0 ? sum / divisor : -((-sum + divisor - 1) / divisor);
                return static_cast<std::uint64_t>(saturates ? clamped(sum, signed_product || mode == 2, 32) : sum);
            },
            2);
    }
}

} // namespace heddle::exec::test
