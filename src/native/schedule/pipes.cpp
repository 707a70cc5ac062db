#include "native/schedule/pipes.h"

#include "native/control/resources.h"

namespace heddle::native {

namespace {

using Kind = Operand::Kind;

bool is_plain_register(const Operand& o) {
    return o.is_register(File::Vector) && !o.inverted && !o.absolute;
}

// IADD3 R, R, R, RZ without a carry; one summand may be negative.
bool adds_two(const Instruction& i) {
    return i.op == Op::Iadd3 && i.dst[1].is(Kind::None) && is_plain_register(i.src[0]) && is_plain_register(i.src[1]) &&
           i.src[2].is(Kind::Zero) && !(i.src[0].minus && i.src[1].minus);
}

// SHF.L R, R, n, RZ
bool multiplies_by_power(const Instruction& i) {
    return i.op == Op::Shf && i.mods.sub == ir::Sub::ShfLeft && ptx::size_of(i.mods.type) == 4 &&
           is_plain_register(i.src[0]) && i.src[1].is(Kind::Immediate) && i.src[1].value < 32 &&
           i.src[2].is(Kind::Zero);
}

bool reads_result(const Instruction& i, const Instruction& producer) {
    bool reads = false;
    each_result(producer, [&](std::uint32_t result) {
        each_source(i, [&](std::uint32_t source, Use) { reads |= source == result; });
    });
    return reads;
}

// `before`: the instruction in front of it in the block; null: none. Behind one of the pipe of multiply-adds whose
// result it does not wait for, that pipe is taken.
void choose(Instruction& i, const Instruction* before) {
    const bool taken = before != nullptr && info(before->op).pipe == Pipe::Fma && !reads_result(i, *before);
    if (i.op == Op::Mov && !(i.src[0].is(Kind::Immediate) && taken))
        i.op = Op::ImadMov;
    else if (multiplies_by_power(i))
        i.op = Op::ImadShl;
    else if (adds_two(i) && !taken)
        i.op = Op::ImadIadd;
}

} // namespace

void use_both_pipes(Function& function) {
    for (Block& block : function.blocks) {
        const Instruction* before = nullptr;
        for (Instruction& i : block.code) {
            choose(i, before);
            before = &i;
        }
    }
}

} // namespace heddle::native
