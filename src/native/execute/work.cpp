#include "native/execute/work.h"

namespace heddle::native {
namespace {

bool is_wide(ir::Type type) {
    using ir::Type;
    return type == Type::F64 || type == Type::U64 || type == Type::S64 || type == Type::B64;
}

} // namespace

ir::NativeInstruction::Class class_of(const Instruction& i) {
    using Class = ir::NativeInstruction::Class;
    switch (i.op) {
    case Op::Popc:
        return Class::Popc;
    case Op::Flo:
    case Op::Brev:
        return Class::Flo;
    case Op::Isetp:
    case Op::IsetpX:
    case Op::Fsetp:
    case Op::Lop3P:
    case Op::Plop3:
        return Class::Compare;
    case Op::F2f:
    case Op::F2i:
    case Op::I2f:
    case Op::I2i:
        return is_wide(i.mods.type) || is_wide(i.mods.from) ? Class::ConvertWide : Class::Convert;
    default:
        break;
    }
    const Pipe pipe = info(i.op).pipe;
    return pipe == Pipe::Half ? Class::Half : pipe == Pipe::Uniform ? Class::Uniform : Class::Other;
}

void set_work(const Instruction& i, std::span<const ir::MicroOp> all, ir::MicroOp& op) {
    using ir::Domain;
    using ir::Work;
    const auto set = [&](Work work, Domain domain) {
        op.work = work;
        op.domain = domain;
    };
    switch (i.op) {
    case Op::Iadd3:
    case Op::Iadd3X:
    case Op::Lea:
    case Op::LeaHiX:
    case Op::Iabs:
        return set(Work::Add, Domain::Int);
    case Op::Imad:
    case Op::ImadMov:
    case Op::ImadIadd:
    case Op::ImadShl:
    case Op::Idp:
        return set(Work::Mad, Domain::Int);
    case Op::ImadHi:
    case Op::ImadWide:
        return set(Work::Mul, Domain::Int);
    case Op::Dadd:
        return set(Work::Add, Domain::F64);
    case Op::Dmul:
        return set(Work::Mul, Domain::F64);
    case Op::Dfma:
        return set(Work::Mad, Domain::F64);
    case Op::Dsetp:
        return set(Work::Max, Domain::F64);
    case Op::I2fp:
        return set(Work::Logic, Domain::Int);
    case Op::Match:
    case Op::Redux:
    case Op::MoveMatrix:
        return set(Work::Shuffle, Domain::Int);
    default:
        if (info(i.op).pipe == Pipe::Special)
            return set(Work::Special, Domain::Int);
        if (i.mods.carried != 0) // the last of a sequence, whose micro-op is that of the operation
            return i.op == Op::Fadd   ? set(Work::Add, Domain::F32)
                   : i.op == Op::Fmul ? set(Work::Mul, Domain::F32)
                   : i.op == Op::Ffma ? set(Work::Mad, Domain::F32)
                                      : set(Work::Logic, Domain::Int);
        if (op.kind != ir::Kind::Alu)
            return;
        for (const ir::MicroOp& step : all)
            if (step.work != Work::Logic)
                return set(step.work, step.domain);
    }
}

} // namespace heddle::native
