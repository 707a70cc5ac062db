// Loads, stores, atomics.
#include "native/execute/expander.h"

namespace heddle::native {

using Kind = Operand::Kind;

bool Expander::memory(const Instruction& i) {
    switch (i.op) {
    case Op::Ldg:
    case Op::Ld:
    case Op::Lds:
    case Op::Ldl:
    case Op::Ldc:
        return load(i), true;
    case Op::Stg:
    case Op::St:
    case Op::Sts:
    case Op::Stl:
        return store(i), true;
    case Op::Ldgsts:
        return copy(i), true;
    case Op::Syncs:
        return test_phase(i), true;
    case Op::Atom:
    case Op::Red:
        return atomic(i), true;
    default:
        return false;
    }
}

// Sets the displacement; kNowhere for an absolute address.
ir::Place Expander::base(const Instruction& i, MicroOp& op) {
    op.imm = i.mods.imm - (i.mods.space == ir::Space::Param ? std::int64_t{target_.parameters} : 0);
    const Operand& o = i.src[0];
    if (!o.is(Kind::Register))
        return ir::kNowhere;
    return o.count == 2 ? out_.pair(o) : out_.raw(o);
}

void Expander::load(const Instruction& i) {
    MicroOp op = made(i, i.mods.source);
    op.kind = ir::Kind::Load;
    op.src[0] = base(i, op);
    op.src_bytes = out_.is_wide(op.src[0]) || op.src[0] == ir::kNowhere ? 8 : 4;
    const bool wide = ptx::size_of(op.type) == 8;
    op.dst_bytes = wide ? 8 : 4;
    for (unsigned e = 0; e < op.vector; ++e)
        op.dst.at(e) = wide ? out_.wide_temporary() : out_.target(i.dst[0], e);
    out_.result(op);
    for (unsigned e = 0; wide && e < op.vector; ++e)
        out_.write_pair(i.dst[0], op.dst.at(e), 2 * e);
}

void Expander::store(const Instruction& i) {
    MicroOp op = made(i, i.mods.source);
    op.kind = ir::Kind::Store;
    op.src[0] = base(i, op);
    op.dst_bytes = out_.is_wide(op.src[0]) || op.src[0] == ir::kNowhere ? 8 : 4;
    const bool wide = ptx::size_of(op.type) == 8;
    op.src_bytes = wide ? 8 : 4;
    for (unsigned e = 0; e < op.vector; ++e)
        op.src.at(e + 1) = wide ? out_.pair(i.src[1], 2 * e) : out_.raw(i.src[1], e);
    out_.result(op);
}

void Expander::copy(const Instruction& i) {
    MicroOp op = made(i, ir::Opcode::CpAsync);
    op.kind = ir::Kind::Load;
    op.src[0] = base(i, op);
    op.src_bytes = out_.is_wide(op.src[0]) || op.src[0] == ir::kNowhere ? 8 : 4;
    op.src[1] = out_.temporary();
    out_.compute(ir::Opcode::Add, ir::Type::U32, op.src[1], {out_.word(i.src[1]), out_.word(i.src[2])});
    op.dst_bytes = 4;
    for (unsigned e = 0; e < op.vector; ++e)
        op.dst.at(e) = out_.temporary();
    out_.result(op);
}

// By parity: bit 63 of the object differs from it. By state: bit 63 of the object differs from that of the state.
void Expander::test_phase(const Instruction& i) {
    MicroOp op = made(i, ir::Opcode::Ld);
    op.kind = ir::Kind::Load;
    op.src[0] = base(i, op);
    op.src_bytes = out_.is_wide(op.src[0]) || op.src[0] == ir::kNowhere ? 8 : 4;
    op.dst[0] = out_.wide_temporary();
    op.dst_bytes = 8;
    const bool by_state = i.src[1].count == 2;
    const Place phase = by_state ? out_.pair(i.src[1]) : out_.packed(out_.word(i.src[1]), out_.constant(0));
    out_.result(op);
    const Place bits = out_.wide_temporary();
    const Place d = out_.target(i.dst[0]);
    if (by_state) {
        out_.compute(ir::Opcode::Xor, ir::Type::B64, bits, {op.dst[0], phase});
        out_.result(ir::Opcode::Setp, ir::Type::S64, d, {bits, out_.wide_constant(0)}).sub = ir::Sub::Lt;
    } else {
        out_.compute(ir::Opcode::Shr, ir::Type::U64, bits, {op.dst[0], out_.constant(63)});
        out_.result(ir::Opcode::Setp, ir::Type::U64, d, {bits, phase}).sub = ir::Sub::Ne;
    }
}

void Expander::atomic(const Instruction& i) {
    MicroOp op = made(i, i.mods.source);
    op.kind = ir::Kind::Atomic;
    op.src[0] = base(i, op);
    op.src_bytes = out_.is_wide(op.src[0]) || op.src[0] == ir::kNowhere ? 8 : 4;
    if (op.type == ir::Type::B128)
        return atomic_quad(i, op);
    const bool wide = ptx::size_of(op.type) == 8;
    op.dst_bytes = wide ? 8 : 4;
    for (std::size_t s = 1; s < 3; ++s)
        if (!i.src.at(s).is(Kind::None))
            op.src.at(s) = wide ? out_.pair(i.src.at(s)) : out_.word(i.src.at(s));
    if (i.op == Op::Atom)
        op.dst[0] = wide ? out_.wide_temporary() : out_.target(i.dst[0]);
    out_.result(op);
    if (wide && i.op == Op::Atom)
        out_.write_pair(i.dst[0], op.dst[0]);
}

void Expander::atomic_quad(const Instruction& i, MicroOp op) {
    op.dst_bytes = 8;
    for (std::size_t s = 1; s < 3; ++s)
        for (unsigned half = 0; half < 2 && !i.src.at(s).is(Kind::None); ++half)
            op.src.at(2 * s - 1 + half) = out_.pair(i.src.at(s), 2 * half);
    for (unsigned half = 0; half < 2; ++half)
        op.dst.at(half) = out_.wide_temporary();
    out_.result(op);
    for (unsigned half = 0; half < 2; ++half)
        out_.write_pair(i.dst[0], op.dst.at(half), 2 * half);
}

} // namespace heddle::native
