#include "native/routine.h"

#include <array>
#include <cstddef>

#include "native/integer_pair.h"

namespace heddle::native {

namespace {

enum class Which : std::uint8_t {
#define HEDDLE_ROUTINE(enumerator, name, registers, meaning) enumerator,
#include "native/routines.def"
#undef HEDDLE_ROUTINE
    None,
};

constexpr std::array kRoutines = {
#define HEDDLE_ROUTINE(enumerator, name, registers, meaning) Routine{name, registers, meaning},
#include "native/routines.def"
#undef HEDDLE_ROUTINE
};

Which division(const ir::MicroOp& op) {
    if (ptx::is_half(op.type))
        return Which::HalfRest;
    if (op.type == ir::Type::F64)
        return Which::DivF64;
    if (op.type == ir::Type::F32)
        return op.has(ir::kApprox) || op.has(ir::kFull) ? Which::DivApprox : Which::DivF32;
    return ptx::size_of(op.type) == 8 ? Which::Div64 : Which::Div32;
}

Which root(const ir::MicroOp& op) {
    if (ptx::is_half(op.type))
        return Which::HalfRest;
    if (op.type == ir::Type::F64)
        return op.has(ir::kApprox) ? Which::Approx64 : op.opcode == ir::Opcode::Sqrt ? Which::SqrtF64 : Which::RcpF64;
    return op.opcode == ir::Opcode::Sqrt ? Which::SqrtF32 : Which::RcpF32;
}

Which find(const ir::MicroOp& op) {
    using enum ir::Opcode;
    switch (op.opcode) {
    case Div:
    case Rem:
        return division(op);
    case Rcp:
    case Sqrt:
    case Rsqrt:
        return root(op);
    case Cvta:
    case Isspacep:
    case Mapa:
    case Getctarank:
        return Which::Window;
    case WmmaAddress:
    case SuredAddress:
    case TexLevel:
    case CpBulk:
    case Istypep:
        return Which::Address;
    case Bfe:
    case Bfi:
    case Szext:
    case Bmsk:
    case Bfind:
    case Clz:
    case Brev:
    case Popc:
    case Fns:
    case Cnot:
    case Prmt:
    case Lop3:
    case Set:
        return Which::Bits;
    case Min:
    case Max:
        return op.type == ir::Type::F64 ? Which::Minmax64 : ptx::is_float(op.type) ? Which::HalfRest : Which::Video;
    case Mul:
    case Mad:
    case MadC:
    case AddC:
    case SubC:
        if (ptx::is_float(op.type))
            return Which::HalfRest;
        return op.has(ir::kSaturate) || ptx::size_of(op.type) < 8 ? Which::Saturated : Which::Wide;
    case Mul24:
    case Mad24:
    case Sad:
    case Copysign:
    case Testp:
    case CvtPack:
    case Neg:
    case Abs:
        return Which::Saturated;
    case Add:
    case Sub:
        return ptx::is_float(op.type) ? Which::HalfRest : is_integer_pair(op.type) ? Which::Video : Which::Saturated;
    case Cvt:
        return ptx::is_float(op.type) || ptx::is_float(op.from) ? Which::HalfRest : Which::Saturated;
    case Ex2:
    case Tanh:
    case Fma:
        return Which::HalfRest;
    default:
        return op.opcode >= Vadd && op.opcode <= Vset4 ? Which::Video : Which::None;
    }
}

} // namespace

const Routine* find_routine(const ir::MicroOp& op) {
    const Which which = find(op);
    return which == Which::None ? nullptr : &kRoutines.at(static_cast<std::size_t>(which));
}

const Routine* routine_of(const Instruction& i) {
    ir::MicroOp op;
    op.opcode = i.mods.source;
    op.type = i.mods.type;
    op.from = i.mods.from;
    op.flags = i.mods.flags;
    return find_routine(op);
}

} // namespace heddle::native
