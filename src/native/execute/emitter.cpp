#include "native/execute/emitter.h"

#include <algorithm>
#include <stdexcept>

#include "ir/selection/make_op.h"

namespace heddle::native {

namespace {

using ir::Opcode;
using ir::Place;
using Kind = Operand::Kind;

constexpr std::uint32_t kSlot = 4 * kVectorLanes;
// Temporaries of an instruction; products of matrices of f64 take the most.
constexpr unsigned kWords = 12;
constexpr unsigned kPairs = 22;
constexpr unsigned kBits = 6;

constexpr ir::SpecialRegister dimension_at(std::uint64_t offset) {
    using S = ir::SpecialRegister;
    const auto first = static_cast<std::uint64_t>(offset < 12 ? S::NtidX : S::NctaidX);
    return static_cast<S>(first + offset / 4 % 3);
}

} // namespace

Emitter::Emitter(const Function& function, const Target& target)
    : machine_(target), lanes_(std::max(1U, function.registers)), vector_(lanes_ + function.uniform_registers),
      slots_(vector_ + kWords + 2 * kPairs), local_bytes_(function.local_bytes),
      bits_begin_(kMostPredicates + function.uniform_predicates) {}

Place Emitter::register_place(const Operand& o, unsigned part) const {
    switch (o.file) {
    case File::Vector:
        return (o.number + part) * kSlot;
    case File::Uniform:
        return (lanes_ + o.number + part) * kSlot;
    case File::Predicate:
        return slots_ * kSlot + 4 * o.number;
    default:
        return slots_ * kSlot + 4 * (kMostPredicates + o.number);
    }
}

std::uint32_t Emitter::predicates() const {
    return bits_begin_ + kBits;
}

std::uint32_t Emitter::temporary_predicates() const {
    return kBits;
}

void Emitter::begin(const Instruction& i) {
    words_ = pairs_ = bits_ = 0;
    guard_ = ir::kNowhere;
    guard_negated_ = i.guard.inverted;
    never_ = i.guard.is(Kind::True) && i.guard.inverted;
    if (!i.guard.is(Kind::Register))
        return;
    guard_ = raw_predicate(i.guard);
    for (const Operand& d : i.dst) // its micro-ops may follow the one that writes the guard
        if (d.is_register(i.guard.file) && d.number == i.guard.number) {
            const Place copy = predicate_temporary();
            compute(Opcode::Mov, ir::Type::Pred, copy, {guard_});
            guard_ = copy;
            break;
        }
}

Place Emitter::temporary() {
    if (words_ == kWords)
        throw std::logic_error("native code: an instruction needs too many temporaries");
    return (vector_ + words_++) * kSlot;
}
Place Emitter::wide_temporary() {
    if (pairs_ == kPairs)
        throw std::logic_error("native code: an instruction needs too many temporaries of 64 bits");
    return (vector_ + kWords + 2 * pairs_++) * kSlot;
}
Place Emitter::predicate_temporary() {
    if (bits_ == kBits)
        throw std::logic_error("native code: an instruction needs too many temporary predicates");
    return slots_ * kSlot + 4 * (bits_begin_ + bits_++);
}

bool Emitter::is_wide(Place place) const {
    if (place == ir::kNowhere)
        return false;
    if ((place & ir::kPool) != 0)
        return is_wide_entry_[(place & ~ir::kPool) / kSlot];
    return place >= (vector_ + kWords) * kSlot && place < slots_ * kSlot;
}

Place Emitter::pool_entry(std::uint64_t value, unsigned bytes) {
    const std::size_t begin = pool_.size();
    pool_.resize(begin + std::size_t{bytes} * kVectorLanes);
    for (std::size_t at = begin; at < pool_.size(); ++at)
        pool_[at] = static_cast<std::byte>(value >> (8 * ((at - begin) % bytes)));
    is_wide_entry_.resize(pool_.size() / kSlot, bytes == 8);
    return ir::kPool | static_cast<Place>(begin);
}

Place Emitter::constant(std::uint64_t value) {
    value &= 0xffff'ffffU;
    const auto [entry, fresh] = narrow_.try_emplace(value, 0);
    if (fresh)
        entry->second = pool_entry(value, 4);
    return entry->second;
}
Place Emitter::wide_constant(std::uint64_t value) {
    const auto [entry, fresh] = wide_.try_emplace(value, 0);
    if (fresh)
        entry->second = pool_entry(value, 8);
    return entry->second;
}

// Bank 0: parameters, and in front of them the sizes of block and grid and the stack pointer. Bank 3: constant memory.
Place Emitter::launch_constant(const Operand& o, unsigned part, unsigned bytes) {
    const std::uint64_t offset = o.value + 4 * std::uint64_t{part};
    if (o.bank == 0 && offset == kStackOffset)
        return constant(local_bytes_);
    ir::LaunchConstant constant{0, bytes};
    if (o.bank == kVariableBank)
        constant.memory = offset;
    else if (offset < machine_.parameters)
        constant.special = dimension_at(offset);
    else
        constant.parameter = static_cast<std::uint32_t>(offset - machine_.parameters);
    for (const ir::LaunchConstant& c : launch_constants_)
        if (c.bytes == bytes && c.special == constant.special && c.parameter == constant.parameter &&
            c.memory == constant.memory)
            return c.place;
    constant.place = pool_entry(0, bytes);
    launch_constants_.push_back(constant);
    return constant.place;
}

Place Emitter::raw(const Operand& o, unsigned part) {
    switch (o.kind) {
    case Kind::Register:
        return register_place(o, part);
    case Kind::Immediate:
        return constant(o.value >> (32 * part));
    case Kind::Constant:
        return launch_constant(o, part, 4);
    default:
        return constant(0);
    }
}

Place Emitter::word(const Operand& o, unsigned part) {
    if (o.minus || o.absolute)
        throw std::logic_error("native code: a sign on a word without one");
    const Place plain = raw(o, part);
    if (!o.inverted)
        return plain;
    const Place to = temporary();
    compute(Opcode::Not, ir::Type::B32, to, {plain});
    return to;
}

Place Emitter::packed(Place low, Place high) {
    const Place to = wide_temporary();
    MicroOp& op = compute(Opcode::Pack, ir::Type::B64, to, {low, high});
    op.from = ir::Type::B32;
    op.vector = 2;
    return to;
}

Place Emitter::pair(const Operand& o, unsigned part) {
    switch (o.kind) {
    case Kind::Register:
        return packed(raw(o, part), raw(o, part + 1));
    case Kind::Immediate:
        return wide_constant(o.value);
    case Kind::Constant:
        return launch_constant(o, part, 8);
    default:
        return wide_constant(0);
    }
}

// Signs are bits, so that a NaN keeps its others.
Place Emitter::number(const Operand& o, ir::Type type) {
    const unsigned bytes = ptx::size_of(type);
    const bool wide = bytes == 8;
    const bool is_half = ptx::is_half(type);
    Place place = wide ? pair(o) : raw(o);
    const std::uint64_t sign = wide ? std::uint64_t{1} << 63 : is_half ? 0x8000'8000U : 0x8000'0000U;
    const auto apply = [&](Opcode opcode, std::uint64_t mask) {
        const Place to = wide ? wide_temporary() : temporary();
        compute(opcode, wide ? ir::Type::B64 : ir::Type::B32, to, {place, wide ? wide_constant(mask) : constant(mask)});
        place = to;
    };
    if (o.absolute)
        apply(Opcode::And, ~sign);
    if (o.minus)
        apply(Opcode::Xor, sign);
    return place;
}

Place Emitter::raw_predicate(const Operand& o) {
    if (o.is(Kind::True))
        return constant(0xffff'ffffU);
    return register_place(o);
}

Place Emitter::predicate(const Operand& o) {
    if (!o.inverted)
        return raw_predicate(o);
    if (o.is(Kind::True))
        return constant(0);
    const Place to = predicate_temporary();
    compute(Opcode::Not, ir::Type::Pred, to, {raw_predicate(o)});
    return to;
}

Place Emitter::target(const Operand& o, unsigned part) const {
    if (!o.is(Kind::Register))
        return ir::kNowhere;
    return register_place(o, part);
}

void Emitter::write_pair(const Operand& o, Place wide, unsigned part) {
    if (!o.is(Kind::Register))
        return;
    MicroOp& op = result(Opcode::Unpack, ir::Type::B64, target(o, part), {wide});
    op.from = ir::Type::B32;
    op.vector = 2;
    op.dst[1] = target(o, part + 1);
}

void Emitter::set_sizes(MicroOp& op) const {
    op.dst_bytes = is_wide(op.dst[0]) ? 8 : 4;
    op.src_bytes = is_wide(op.src[0]) ? 8 : 4;
}

ir::MicroOp& Emitter::compute(Opcode opcode, ir::Type type, Place to, std::initializer_list<Place> from) {
    MicroOp op = ir::make_op(opcode, type);
    op.dst[0] = to;
    std::copy(from.begin(), from.end(), op.src.begin());
    set_sizes(op);
    ops_.push_back(op);
    return ops_.back();
}

ir::MicroOp& Emitter::result(Opcode opcode, ir::Type type, Place to, std::initializer_list<Place> from) {
    MicroOp& op = compute(opcode, type, to, from);
    op.guard = guard_;
    op.guard_negated = guard_ != ir::kNowhere && guard_negated_;
    return op;
}

ir::MicroOp& Emitter::result(const MicroOp& op) {
    ops_.push_back(op);
    ops_.back().guard = guard_;
    ops_.back().guard_negated = guard_ != ir::kNowhere && guard_negated_;
    return ops_.back();
}

} // namespace heddle::native
