#include "native/uniform/atomics.h"

#include <map>
#include <utility>
#include <vector>

#include "native/flow/liveness.h"
#include "native/selection/selector.h"
#include "native/uniform/analysis.h"

namespace heddle::native {

namespace {

using Kind = Operand::Kind;
using Sub = ir::Sub;

constexpr unsigned kLanes = 32;

bool is_reduction(Sub sub) {
    return sub == Sub::AtomAdd || sub == Sub::AtomMin || sub == Sub::AtomMax || sub == Sub::AtomAnd ||
           sub == Sub::AtomOr || sub == Sub::AtomXor;
}

bool is_on_memory(const Modifiers& m) {
    using S = ir::Space;
    return (m.source == ir::Opcode::Atom || m.source == ir::Opcode::Red) && m.vector == 1 &&
           (m.space == S::Global || m.space == S::Generic || m.space == S::Shared);
}

class Combination {
public:
    Combination(Function& function, const Target& target, bool uniform)
        : function_(function), target_(target), uniform_(uniform), equal_(find_equal(function)),
          reads_(function.virtuals.size(), 0), writes_(function.virtuals.size(), 0),
          constants_(function.virtuals.size()) {}

    void run() {
        for (const std::uint32_t b : function_.order)
            for (const Instruction& i : function_.blocks[b].code)
                look_at(i);
        for (const std::uint32_t b : function_.order) {
            begin(b);
            const std::uint32_t next = function_.blocks[b].next;
            for (Instruction& i : std::exchange(function_.blocks[b].code, {}))
                if (suits(i))
                    combine(std::move(i));
                else
                    out_.push_back(std::move(i));
            end(next);
        }
        function_.order = std::move(order_);
    }

private:
    void begin(std::uint32_t block) {
        block_ = block;
        order_.push_back(block);
        out_.clear();
        specials_.clear();
    }
    void end(std::uint32_t next) {
        function_.blocks[block_].code = std::move(out_);
        function_.blocks[block_].next = next;
    }
    // The code so far ends, and goes on in a new block.
    void go_on() {
        const auto behind = static_cast<std::uint32_t>(function_.blocks.size());
        function_.blocks.emplace_back();
        end(behind);
        begin(behind);
    }

    void look_at(const Instruction& i) {
        each_read(i, [&](const Operand& o) { ++reads_[o.number]; });
        const bool is_constant = i.op == Op::Mov && !i.is_guarded() && i.src[0].is(Kind::Immediate);
        each_write(i, [&](const Operand& o) {
            const bool is_first = writes_[o.number]++ == 0;
            constants_[o.number] = is_first && is_constant ? i.src[0] : Operand{};
        });
    }

    [[nodiscard]] bool is_equal(const Operand& o) const {
        return !o.is(Kind::Register) || equal_[o.number];
    }
    [[nodiscard]] bool has_result(const Instruction& i) const {
        return i.op == Op::Atom && i.dst[0].is(Kind::Register) && reads_[i.dst[0].number] != 0;
    }
    [[nodiscard]] bool suits(const Instruction& i) const {
        if ((i.op != Op::Red && i.op != Op::Atom) || !is_on_memory(i.mods) || ptx::size_of(i.mods.type) != 4 ||
            ptx::is_float(i.mods.type) || !is_reduction(i.mods.sub) || !is_equal(i.src[0]))
            return false;
        return !has_result(i) || i.mods.sub == Sub::AtomAdd;
    }

    // The threads that execute the operation are those of the group whose guard is true.
    void combine(Instruction i) {
        atom_ = std::move(i);
        condition_ = atom_.is_guarded() ? atom_.guard : always();
        value_ = atom_.src[1];
        if (has_result(atom_))
            is_equal(value_) ? add_equal_with_result() : add_with_result();
        else if (atom_.mods.sub == Sub::AtomAdd && is_equal(value_))
            add_equal();
        else if (target_.reduces)
            reduce();
        else if (is_equal(value_)) // the same again changes nothing, but for exclusive or
            atom_.mods.sub == Sub::AtomXor ? reduce_by_exchanges() : perform(is_leader(), value_);
        else
            reduce_by_exchanges();
    }

    // RED.ADD of one value: its product with the number of threads.
    void add_equal() {
        const Operand ballot = vote();
        perform(is_leader(ballot), times(value_, count(ballot)));
    }

    void reduce() {
        const Operand leader = is_leader();
        Instruction& i = add(Op::Redux, {vector()}, {value_});
        i.guard = atom_.guard;
        exchange(i, ir::Opcode::Redux, atom_.mods.sub, 1);
        i.mods.type = atom_.mods.type;
        const Operand all = i.dst[0];
        perform(leader, all);
    }

    // Chips without REDUX: exchanges of full warps; other threads do it one by one.
    void reduce_by_exchanges() {
        with_full_warp([&] {
            Operand sum = value_;
            for (unsigned distance = kLanes / 2; distance != 0; distance /= 2)
                sum = with(sum, shuffle(Sub::ShflBfly, sum, immediate(distance), {}));
            perform(compare(Sub::Eq, lane(), zero(), always()), sum);
        });
    }

    // One value, and each thread's own result: the old value and the product with the number of threads before it.
    void add_equal_with_result() {
        const Operand ballot = vote();
        const Operand first = leader_of(ballot, false);
        const Operand old = vector();
        perform(compare(Sub::Eq, lane(), first, condition_), times(value_, count(ballot)), old);
        const Operand before = vector();
        add(Op::Lop3, {before}, {special(ir::SpecialRegister::LanemaskLt), ballot, zero()}).mods.imm = kAnd;
        const Operand base = shuffle(Sub::ShflIdx, old, first, {});
        Instruction& i = add(Op::Imad, {atom_.dst[0]}, {count(before), factor(value_), base});
        i.mods.type = ir::Type::U32;
        i.guard = atom_.guard;
        i.keeps = atom_.keeps;
    }

    // Sums of the values of the lanes up to each one.
    void add_with_result() {
        with_full_warp([&] {
            Operand sum = value_;
            for (unsigned distance = 1; distance < kLanes; distance *= 2) {
                const Operand inside = function_.fresh(File::Predicate);
                const Operand below = shuffle(Sub::ShflUp, sum, immediate(distance), inside);
                const Operand next = vector();
                add(Op::Mov, {next}, {sum});
                Instruction& i = add(Op::Iadd3, {next}, {sum, below, zero()});
                i.guard = inside;
                i.keeps = true;
                sum = next;
            }
            const Operand old = vector();
            perform(compare(Sub::Eq, lane(), immediate(kLanes - 1), always()), sum, old);
            const Operand base = shuffle(Sub::ShflIdx, old, immediate(kLanes - 1), {});
            Operand own = value_;
            own.minus = true;
            add(Op::Iadd3, {atom_.dst[0]}, {base, sum, own});
        });
    }

    // The operation as it is where not all lanes execute it, else `f` in a block of its own.
    template <class F>
    void with_full_warp(F&& f) {
        const Operand ballot = vote(false);
        const Operand part = compare(Sub::Ne, ballot, immediate(~std::uint32_t{0}), always());
        Instruction alone = atom_;
        alone.guard = atom_.is_guarded() ? compare(Sub::Ne, ballot, immediate(~std::uint32_t{0}), condition_) : part;
        out_.push_back(std::move(alone));
        Instruction& branch = add(Op::Bra, {}, {});
        branch.guard = part;
        branch.target = static_cast<std::uint32_t>(function_.blocks.size()) + 1;
        branch.mods.flags |= ir::kUniform;
        go_on();
        f();
        go_on();
    }

    // ---- parts ----

    // The operation, by the threads of a predicate.
    void perform(const Operand& who, const Operand& value, const Operand& old = {}) {
        Instruction i = atom_;
        i.op = old.is(Kind::Register) ? Op::Atom : Op::Red;
        i.guard = who;
        i.keeps = false;
        i.src[1] = value;
        i.dst[0] = old;
        out_.push_back(std::move(i));
    }
    // The threads, by lanes; `scalar`: in a uniform register, where there are some.
    Operand vote(bool scalar = true) {
        Instruction& i = add(uniform_ && scalar ? Op::Voteu : Op::Vote, {word(scalar)}, {condition_});
        exchange(i, ir::Opcode::Vote, Sub::VoteBallot, 1);
        return i.dst[0];
    }
    Operand leader_of(const Operand& ballot, bool scalar = true) {
        const Operand out = word(scalar);
        add(uniform_ && scalar ? Op::Uflo : Op::Flo, {out}, {ballot});
        return out;
    }
    Operand is_leader(const Operand& ballot) {
        const Operand first = leader_of(ballot);
        return compare(Sub::Eq, lane(), first, condition_);
    }
    Operand is_leader() {
        return is_leader(vote());
    }
    Operand count(const Operand& mask) {
        const Operand out = vector();
        add(Op::Popc, {out}, {mask});
        return out;
    }
    Operand times(const Operand& value, const Operand& number) {
        const Operand by = factor(value);
        if (by.is(Kind::Immediate) && by.value == 1)
            return number;
        const Operand out = vector();
        add(Op::Imad, {out}, {number, by, zero()}).mods.type = ir::Type::U32;
        return out;
    }
    [[nodiscard]] Operand factor(const Operand& value) const {
        const bool is_constant = value.is(Kind::Register) && constants_[value.number].is(Kind::Immediate);
        return is_constant ? constants_[value.number] : value;
    }
    Operand lane() {
        return special(ir::SpecialRegister::Laneid);
    }
    Operand special(ir::SpecialRegister which) {
        const auto [entry, fresh] = specials_.try_emplace(which);
        if (fresh) {
            entry->second = vector();
            add(Op::S2r, {entry->second}, {}).mods.imm = static_cast<std::int64_t>(which);
        }
        return entry->second;
    }
    Operand compare(Sub how, const Operand& a, const Operand& b, const Operand& also) {
        const Operand out = function_.fresh(File::Predicate);
        Instruction& i = add(Op::Isetp, {out}, {a, b, also});
        i.mods.type = ir::Type::U32;
        i.mods.sub = how;
        i.mods.combine = ir::BoolOp::And;
        return out;
    }
    Operand shuffle(Sub how, const Operand& data, const Operand& where, const Operand& inside) {
        const Operand out = vector();
        Instruction& i = add(Op::Shfl, {out, inside}, {data, where, immediate(how == Sub::ShflUp ? 0 : kLanes - 1)});
        exchange(i, ir::Opcode::Shfl, how, 7);
        i.mods.results = inside.is(Kind::Register) ? 3 : 1;
        return out;
    }
    Operand with(const Operand& a, const Operand& b) {
        const Operand out = vector();
        switch (atom_.mods.sub) {
        case Sub::AtomAdd:
            add(Op::Iadd3, {out}, {a, b, zero()});
            break;
        case Sub::AtomMin:
        case Sub::AtomMax:
            add(Op::Imnmx, {out}, {a, b, always(atom_.mods.sub == Sub::AtomMin)}).mods.type =
                atom_.mods.type == ir::Type::S32 ? ir::Type::S32 : ir::Type::U32;
            break;
        default:
            add(Op::Lop3, {out}, {a, b, zero()}).mods.imm = atom_.mods.sub == Sub::AtomAnd  ? kAnd
                                                            : atom_.mods.sub == Sub::AtomOr ? kOr
                                                                                            : kExclusiveOr;
        }
        return out;
    }

    Operand vector() {
        return function_.fresh(File::Vector);
    }
    Operand word(bool scalar) {
        return function_.fresh(uniform_ && scalar ? File::Uniform : File::Vector);
    }
    Instruction& add(Op op, std::initializer_list<Operand> results, std::initializer_list<Operand> sources) {
        Instruction& i = out_.emplace_back();
        i.op = op;
        std::copy(results.begin(), results.end(), i.dst.begin());
        std::copy(sources.begin(), sources.end(), i.src.begin());
        i.origins = atom_.origins;
        return i;
    }
    // The instruction stands for an operation of several lanes, of the threads that are there.
    static void exchange(Instruction& i, ir::Opcode opcode, Sub sub, std::uint8_t sources) {
        i.mods.source = opcode;
        i.mods.kind = ir::Kind::WarpSync;
        i.mods.type = ir::Type::B32;
        i.mods.sub = sub;
        i.mods.sources = sources;
        i.mods.results = 1;
    }

    static constexpr std::int64_t kAnd = 0xf0 & 0xcc, kOr = 0xf0 | 0xcc, kExclusiveOr = 0xf0 ^ 0xcc; // a and b

    Function& function_;
    const Target& target_;
    const bool uniform_;
    const std::vector<bool> equal_;
    std::vector<std::uint32_t> reads_, writes_;       // by virtual register
    std::vector<Operand> constants_;                  // likewise: what a MOV, its only write, gives it
    std::map<ir::SpecialRegister, Operand> specials_; // that the block has read
    std::vector<std::uint32_t> order_;                // of the new blocks
    std::uint32_t block_ = 0;                         // the one that is made
    std::vector<Instruction> out_;                    // its code
    Instruction atom_;                                // the one that is replaced
    Operand condition_;                               // its guard
    Operand value_;                                   // its value
};

} // namespace

void combine_atomics(Function& function, const Target& target, bool uniform) {
    Combination(function, target, uniform).run();
}

} // namespace heddle::native
