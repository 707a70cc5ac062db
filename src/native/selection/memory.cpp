// Loads, stores, atomics, fences, textures.
#include <algorithm>

#include "ir/fetch.h"
#include "native/selection/selector.h"

namespace heddle::native {

namespace {

Op load_of(ir::Space space) {
    switch (space) {
    case ir::Space::Global:
        return Op::Ldg;
    case ir::Space::Shared:
        return Op::Lds;
    case ir::Space::Local:
        return Op::Ldl;
    case ir::Space::Const:
    case ir::Space::Param:
        return Op::Ldc;
    default:
        return Op::Ld;
    }
}

Op store_of(ir::Space space) {
    switch (space) {
    case ir::Space::Global:
        return Op::Stg;
    case ir::Space::Shared:
        return Op::Sts;
    case ir::Space::Local:
        return Op::Stl;
    default:
        return Op::St;
    }
}

} // namespace

// Whether a load reads parameters or constant variables at a known place: its results are operands c[bank][...] of
// their uses.
bool Selector::is_operand(const MicroOp& op) const {
    if (op.kind != ir::Kind::Load || op.guard != ir::kNowhere || ptx::size_of(op.type) != op.dst_bytes)
        return false;
    if (op.space == ir::Space::Param)
        return op.src[0] == ir::kNowhere && op.vector == 1;
    if (op.space != ir::Space::Const || is_register(op.src[0]))
        return false;
    const Address first = known_address(op);
    const std::uint64_t bytes = std::uint64_t{op.dst_bytes} * op.vector;
    const auto holds = [&](const ir::ConstantVariable& v) {
        return first - v.begin < v.bytes && v.bytes - (first - v.begin) >= bytes;
    };
    return std::any_of(form_.constant_variables.begin(), form_.constant_variables.end(), holds);
}

Address Selector::known_address(const MicroOp& op) const {
    return static_cast<Address>(op.imm) + (op.src[0] == ir::kNowhere ? 0 : bits(op.src[0]));
}

// A result of such a load, or a half of it.
Operand Selector::loaded(const MicroOp& op, Place result, unsigned half) const {
    const bool variable = op.space == ir::Space::Const;
    const auto element = std::find(op.dst.begin(), op.dst.end(), result) - op.dst.begin();
    Operand out;
    out.kind = Operand::Kind::Constant;
    out.bank = variable ? kVariableBank : 0;
    out.value = known_address(op) + (variable ? 0 : target_.parameters) +
                static_cast<std::uint64_t>(element) * op.dst_bytes + 4 * std::uint64_t{half};
    return out;
}

// The base register of an access; RZ for an absolute address. The displacement becomes the instruction's.
Operand Selector::address(const MicroOp& op, Instruction& i) {
    if (const Operand piece = piece_address(op, i); !piece.is(Operand::Kind::None))
        return piece;
    i.mods.imm = op.imm;
    if (op.space == ir::Space::Param)
        i.mods.imm += target_.parameters;
    const Place base = op.src[0];
    if (base == ir::kNowhere)
        return zero();
    const bool window = op.space == ir::Space::Shared || op.space == ir::Space::Local || op.space == ir::Space::Param;
    if (is_constant(base) && window) {
        i.mods.imm = static_cast<std::uint32_t>(static_cast<std::uint64_t>(i.mods.imm) + bits(base)); // wraps
        return zero();
    }
    return window ? in_register(word(base, 0)) : pair(base);
}

void Selector::load(const MicroOp& op) {
    if (is_operand(op))
        return;
    Instruction i;
    i.op = load_of(op.space);
    set_modifiers(i);
    const Operand base = address(op, i);
    if (op.space == ir::Space::Const && base.kind == Operand::Kind::Zero)
        i.src[0] = zero();
    else
        i.src[0] = base;
    const unsigned bytes = ptx::size_of(op.type);
    const unsigned words = bytes == 8 ? 2 : 1; // of an element
    i.guard = guard_;
    i.origins = {form_.pcs[op_]};
    i.keeps = !kept_.empty();
    if (op.vector > 1 && bytes < 4)
        return load_packed(op, std::move(i));
    if (words * op.vector > 4)
        refuse();
    if (op.vector == 1 && op.dst[0] != ir::kNowhere && op.dst_bytes / 4U == words) {
        i.dst[0] = value(op.dst[0]);
        out_.blocks[block_].code.push_back(std::move(i));
        return;
    }
    i.keeps = false;
    const unsigned most = i.op == Op::Ldc ? 2 / words : op.vector; // elements of an instruction: LDC has 64 bits
    for (unsigned first = 0; first < op.vector; first += most) {
        Instruction part = i;
        const unsigned elements = std::min<unsigned>(most, op.vector - first);
        part.mods.vector = static_cast<std::uint8_t>(elements);
        part.mods.imm += std::int64_t{first} * bytes;
        const Operand to = temporary(elements * words);
        part.dst[0] = to;
        out_.blocks[block_].code.push_back(std::move(part));
        for (unsigned e = 0; e < elements; ++e)
            if (const Place d = op.dst.at(first + e); d != ir::kNowhere)
                take_element(d, elements * words == 1 ? to : part_of(to, e * words, words));
    }
}

// The element of a load of several, or one into a wider register.
void Selector::take_element(Place d, const Operand& from) {
    const MicroOp& op = form_.draft.ops[op_];
    if (op.vector > 1 && op.dst_bytes / 4U == from.count && kept_.empty())
        values_[d] = from; // the element is its value
    else
        extend(value(d), from, op.type);
}

// The value of a load in a register that may be wider.
void Selector::extend(const Operand& to, const Operand& from, ir::Type type) {
    for (unsigned w = 0; w < to.count; ++w) {
        const Operand part = to.count == 1 ? to : part_of(to, w);
        if (w < from.count) {
            copy(part, from.count == 1 ? from : part_of(from, w));
        } else if (ptx::is_signed(type)) {
            Instruction& sign = emit(Op::Shf, {part}, {from, immediate(31), zero()});
            sign.mods.type = ir::Type::S32;
            sign.mods.sub = ir::Sub::ShfRight;
            sign.mods.flags = ir::kClamp;
        } else {
            copy(part, zero());
        }
    }
}

namespace {

ir::Type word_type(unsigned bytes) {
    return bytes == 2 ? ir::Type::B16 : ir::Type::B32;
}

} // namespace

// Elements of 8 and 16 bits come as words.
void Selector::load_packed(const MicroOp& op, Instruction i) {
    const unsigned bytes = ptx::size_of(op.type);
    const unsigned all = bytes * op.vector;
    const unsigned words = std::max(1U, all / 4);
    i.mods.type = word_type(all);
    i.mods.vector = static_cast<std::uint8_t>(words);
    i.keeps = false;
    const Operand to = temporary(words);
    i.dst[0] = to;
    out_.blocks[block_].code.push_back(std::move(i));
    for (unsigned e = 0; e < op.vector; ++e) {
        const Place d = op.dst.at(e);
        if (d == ir::kNowhere)
            continue;
        const unsigned offset = e * bytes;
        const Operand element = value(d).count == 1 ? value(d) : temporary();
        emit(Op::Prmt, {element},
             {words == 1 ? to : part_of(to, offset / 4),
              immediate(element_selector(offset % 4, bytes, ptx::is_signed(op.type))), zero()});
        if (value(d).count != 1)
            extend(value(d), element, op.type);
    }
}

// A release beyond the block has MEMBAR in front.
void Selector::release(const MicroOp& op) {
    if (!op.has(ir::kRelease) || op.has(ir::kBlockScope) || op.opcode == ir::Opcode::Mbarrier)
        return;
    Instruction& fence = emit(Op::Membar, {}, {});
    set_modifiers(fence);
    fence.mods.kind = ir::Kind::Fence;
    fence.mods.flags = ir::kBlockScope | ir::kReachesL2;
}

// An acquire beyond the block has CCTL.IVALL behind it, as ptxas has: behind fences, loads and atomics. A wait at the
// barrier of a cluster has it in front: ptxas has it between that wait and a barrier of the block, so that no warp goes
// on before all have dropped the lines, and while they wait none comes. (Behind a test of a barrier object that
// acquires from the cluster ptxas has one, too.)
void Selector::acquire(const MicroOp& op) {
    const bool waits = op.kind == ir::Kind::Barrier && op.sub == ir::Sub::BarClusterWait;
    const bool fences = op.kind == ir::Kind::Fence && (op.has(ir::kAcquire) || !op.has(ir::kRelease));
    const bool accesses = (op.kind == ir::Kind::Load || op.kind == ir::Kind::Atomic) && op.has(ir::kAcquire) &&
                          !op.has(ir::kTestsPhase) && op.opcode != ir::Opcode::Mbarrier;
    if (!op.has(ir::kBlockScope) && (waits || fences || accesses))
        emit(Op::Cctl, {}, {});
}

void Selector::store(const MicroOp& op) {
    release(op);
    Instruction i;
    i.op = store_of(op.space);
    set_modifiers(i);
    i.src[0] = address(op, i);
    const unsigned words = ptx::size_of(op.type) == 8 ? 2 : 1;
    if (words * op.vector > 4)
        refuse();
    if (op.vector == 1) {
        i.src[1] = words == 2 ? pair(op.src[1]) : in_register(word(op.src[1]));
    } else if (ptx::size_of(op.type) < 4) {
        const unsigned all = ptx::size_of(op.type) * op.vector;
        i.mods.type = word_type(all);
        i.mods.vector = static_cast<std::uint8_t>(std::max(1U, all / 4));
        std::vector<Operand> elements;
        for (unsigned e = 0; e < op.vector; ++e)
            elements.push_back(word(op.src.at(e + 1)));
        i.src[1] = group(packed(elements, ptx::size_of(op.type)));
    } else {
        std::vector<Operand> data;
        for (unsigned e = 0; e < op.vector; ++e)
            for (unsigned w = 0; w < words; ++w)
                data.push_back(word(op.src.at(e + 1), w));
        i.src[1] = group(data);
    }
    i.guard = guard_;
    i.origins = {form_.pcs[op_]};
    out_.blocks[block_].code.push_back(std::move(i));
}

void Selector::atomic(const MicroOp& op) {
    if (op.opcode != ir::Opcode::Atom && op.opcode != ir::Opcode::Red && op.opcode != ir::Opcode::Mbarrier &&
        op.opcode != ir::Opcode::Sured)
        refuse();
    if (op.vector > 1)
        refuse();
    release(op);
    if (op.type == ir::Type::B128)
        return atomic_quad(op);
    Instruction i;
    const bool result = op.dst[0] != ir::kNowhere;
    i.op = result ? Op::Atom : Op::Red;
    set_modifiers(i);
    i.src[0] = address(op, i);
    const bool wide_type = ptx::size_of(op.type) == 8;
    for (std::size_t s = 1; s < 3; ++s)
        if (op.src.at(s) != ir::kNowhere)
            i.src.at(s) = wide_type ? pair(op.src.at(s)) : in_register(word(op.src.at(s)));
    if (result)
        i.dst[0] = value(op.dst[0]);
    if (result && i.dst[0].count != (wide_type ? 2 : 1))
        refuse();
    i.guard = guard_;
    i.keeps = !kept_.empty();
    i.origins = {form_.pcs[op_]};
    out_.blocks[block_].code.push_back(std::move(i));
}

// 128 bits: two places of 64 bits for each value.
void Selector::atomic_quad(const MicroOp& op) {
    Instruction i;
    i.op = Op::Atom;
    set_modifiers(i);
    i.src[0] = address(op, i);
    for (std::size_t s = 1; s < 5; s += 2) {
        std::vector<Operand> words;
        for (std::size_t half = s; half < s + 2 && op.src.at(half) != ir::kNowhere; ++half)
            for (unsigned w = 0; w < 2; ++w)
                words.push_back(word(op.src.at(half), w));
        if (!words.empty())
            i.src.at((s + 1) / 2) = group(words);
    }
    const Operand to = temporary(4);
    i.dst[0] = to;
    i.guard = guard_;
    i.origins = {form_.pcs[op_]};
    out_.blocks[block_].code.push_back(std::move(i));
    for (unsigned half = 0; half < 2; ++half)
        if (const Place d = op.dst.at(half); d != ir::kNowhere)
            copy_words(value(d), part_of(to, 2 * half, 2));
}

void Selector::fence(const MicroOp&) {
    set_modifiers(emit(Op::Membar, {}, {}));
}

void Selector::texture(const MicroOp& op) {
    using enum ir::Opcode;
    Op native = Op::Nop;
    switch (op.opcode) {
    case Tex:
        native = Op::Tex;
        break;
    case Tld4:
        native = Op::Tld4;
        break;
    case Suld:
        native = Op::Suld;
        break;
    case Sust:
        native = Op::Sust;
        break;
    default:
        refuse();
    }
    Instruction i;
    i.op = native;
    stand_for(i);
    i.src[0] = pair(op.src[0]);
    i.mods.wide_sources = native == Op::Sust ? 1 : 1 | 1 << ir::fetch::kSampler | 1 << ir::fetch::kExtra;
    std::vector<Operand> coordinates;
    std::vector<Operand> data;
    for (std::size_t s = 1; s < op.src.size(); ++s) {
        if (op.src.at(s) == ir::kNowhere)
            continue;
        const bool is_data = native == Op::Sust && s >= 4;
        const bool is_wide = !is_data && s >= ir::fetch::kSampler;
        const bool wide_data = is_data && op.src_bytes == 8;
        if (!is_wide && !wide_data && is_register(op.src.at(s)) && storage(op.src.at(s)) == 8)
            refuse();
        if (wide_data)
            i.mods.wide_sources = static_cast<std::uint8_t>(i.mods.wide_sources | 1U << s);
        for (unsigned w = 0; w < (is_wide || wide_data ? 2U : 1U); ++w)
            (is_data ? data : coordinates).push_back(word(op.src.at(s), w));
    }
    if (coordinates.size() > 8 || data.size() > 8)
        refuse();
    i.src[1] = group(coordinates);
    if (!data.empty())
        i.src[2] = group(data);
    i.guard = guard_;
    i.origins = {form_.pcs[op_]};
    const bool loads = native != Op::Sust;
    const unsigned width = op.dst_bytes / 4U; // of an element
    const Operand to = loads ? temporary(width * op.vector) : Operand{};
    i.mods.results = static_cast<std::uint8_t>(loads ? (1U << op.vector) - 1 : 0);
    i.mods.wide_results = static_cast<std::uint8_t>(width == 2 ? i.mods.results : 0);
    i.dst[0] = to;
    out_.blocks[block_].code.push_back(std::move(i));
    for (unsigned e = 0; loads && e < op.vector; ++e)
        if (const Place d = op.dst.at(e); d != ir::kNowhere)
            copy_words(value(d), width * op.vector == 1 ? to : part_of(to, width * e, width));
}

} // namespace heddle::native
