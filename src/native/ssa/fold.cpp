#include "native/ssa/fold.h"

#include "native/integer_pair.h"
#include "native/ssa/form.h"

namespace heddle::native {

using ir::Opcode;
using ir::Sub;

bool fold(const ir::MicroOp& op, std::array<std::uint64_t, 3> source, std::uint64_t& result) {
    if (op.kind != ir::Kind::Alu)
        return false;
    if (op.opcode == Opcode::Setp)
        return fold_comparison(op, source[0], source[1], result);
    if (ptx::is_float(op.type) || op.opcode == Opcode::Cvt)
        return fold_floating(op, source[0], source[1], result);
    if (op.type == ir::Type::Pred || is_integer_pair(op.type) || op.has(ir::kSaturate) || op.has(ir::kRelu))
        return false;
    const unsigned bytes = ptx::size_of(op.type);
    if (bytes < 4 || bytes > 8)
        return false;
    const bool negative = ptx::is_signed(op.type);
    const auto value = [&](std::size_t i) {
        return negative ? sign_extended(source.at(i), bytes) : cut(source.at(i), bytes);
    };
    const std::uint64_t a = value(0);
    const std::uint64_t b = value(1);
    const auto amount = static_cast<std::uint32_t>(source[1]);
    switch (op.opcode) {
    case Opcode::Add:
        result = a + b;
        break;
    case Opcode::Sub:
        result = a - b;
        break;
    case Opcode::Mul:
        if (op.sub == Sub::Hi || (op.sub == Sub::Wide && bytes != 4))
            return false;
        result = a * b;
        if (op.sub == Sub::Wide)
            return true;
        break;
    case Opcode::Mad:
        if (op.sub != Sub::Lo)
            return false;
        result = a * b + source[2];
        break;
    case Opcode::And:
        result = a & b;
        break;
    case Opcode::Or:
        result = a | b;
        break;
    case Opcode::Xor:
        result = a ^ b;
        break;
    case Opcode::Not:
        result = ~a;
        break;
    case Opcode::Neg:
        result = 0 - a;
        break;
    case Opcode::Shl:
        result = amount >= 8 * bytes ? 0 : a << amount;
        break;
    case Opcode::Shr:
        if (negative)
            result = static_cast<std::uint64_t>(static_cast<std::int64_t>(a) >> (amount > 63 ? 63 : amount));
        else
            result = amount >= 8 * bytes ? 0 : a >> amount;
        break;
    case Opcode::Min:
    case Opcode::Max: {
        const bool less = negative ? static_cast<std::int64_t>(a) < static_cast<std::int64_t>(b) : a < b;
        result = less == (op.opcode == Opcode::Min) ? a : b;
        break;
    }
    case Opcode::Div:
    case Opcode::Rem: {
        const bool overflows = negative && b == ~std::uint64_t{0}; // the smallest number by -1
        if (b == 0 || overflows)
            return false;
        const bool divides = op.opcode == Opcode::Div;
        const auto x = static_cast<std::int64_t>(a);
        const auto y = static_cast<std::int64_t>(b);
        result = !negative ? (divides ? a / b : a % b) : static_cast<std::uint64_t>(divides ? x / y : x % y);
        break;
    }
    case Opcode::Mov:
        result = a;
        break;
    default:
        return false;
    }
    result = cut(result, bytes);
    return true;
}

ir::Place constant_place(ir::Draft& draft, std::uint64_t bits, unsigned bytes) {
    if (bytes == 4)
        bits = (bits & 0xffff'ffffU) | bits << 32;
    for (std::size_t i = 1; i < draft.constants.size(); ++i)
        if (draft.constants[i].bits == bits)
            return ir::kPool | static_cast<ir::Place>(i);
    draft.constants.push_back({});
    draft.constants.back().bits = bits;
    return ir::kPool | static_cast<ir::Place>(draft.constants.size() - 1);
}

} // namespace heddle::native
