#include <bit>
#include <map>

#include "native/integer_pair.h"
#include "native/ssa/fold.h"
#include "native/ssa/form.h"

namespace heddle::native {

namespace {

using ir::Kind;
using ir::MicroOp;
using ir::Opcode;
using ir::Place;
using ir::Sub;

class Simplifier {
public:
    explicit Simplifier(SsaForm& form)
        : form_(form), draft_(form.draft), instead_(form.draft.registers.size(), ir::kNowhere),
          definition_(form.draft.registers.size(), kNone) {}

    // One pass over all blocks; true: it changed something.
    bool run() {
        changed_ = false;
        known_.clear();
        for (const std::uint32_t b : form_.order)
            visit(b);
        for (auto& list : form_.phis)
            for (Phi& phi : list)
                for (Place& p : phi.from)
                    resolve(p);
        return changed_;
    }

private:
    static constexpr std::uint32_t kNone = 0xffffffffU;

    void resolve(Place& p) const {
        while (p != ir::kNowhere && is_register(p) && instead_[p] != ir::kNowhere)
            p = instead_[p];
    }

    void replace(Place value, Place by) {
        instead_[value] = by;
        changed_ = true;
    }

    void visit(std::uint32_t b) {
        for (Phi& phi : form_.phis[b])
            visit(phi);
        std::erase_if(form_.phis[b], [&](const Phi& phi) { return instead_[phi.dst] != ir::kNowhere; });
        for (std::uint32_t i = form_.cfg.blocks[b].begin; i < form_.cfg.blocks[b].end; ++i) {
            MicroOp& op = draft_.ops[i];
            each_source(draft_, op, [&](Place& p) { resolve(p); });
            for (Place& p : form_.kept[i])
                resolve(p);
            guard_by_source(op);
            simplify(i, b);
            for (const Place d : op.dst)
                if (d != ir::kNowhere)
                    definition_[d] = i;
        }
    }

    void visit(Phi& phi) {
        Place only = ir::kNowhere;
        for (Place& p : phi.from) {
            resolve(p);
            if (p == phi.dst || p == only)
                continue;
            if (only != ir::kNowhere || p == kUndefined)
                return;
            only = p;
        }
        if (only != ir::kNowhere)
            replace(phi.dst, only);
    }

    void remove(MicroOp& op, Place by) {
        replace(op.dst[0], by);
        op = {};
        op.kind = Kind::Nop;
    }

    [[nodiscard]] const MicroOp* definition(Place p) const {
        return p != ir::kNowhere && is_register(p) && definition_[p] != kNone ? &draft_.ops[definition_[p]] : nullptr;
    }
    [[nodiscard]] std::uint64_t bits(Place p) const {
        return bits_of(draft_, p);
    }
    [[nodiscard]] unsigned storage(Place p) const {
        return draft_.registers[p].storage();
    }

    void simplify(std::uint32_t i, std::uint32_t b) {
        MicroOp& op = draft_.ops[i];
        if (op.kind == Kind::Load || op.kind == Kind::Store || op.kind == Kind::Atomic)
            fold_address(op);
        if (op.opcode == Opcode::Wgmma && op.is_matrix_product())
            leave_out_addend(op);
        if (op.guard != ir::kNowhere || op.dst[0] == ir::kNowhere)
            return;
        if (op.kind == Kind::Alu) {
            if (const Place copied = copy_of(op); copied != ir::kNowhere)
                return remove(op, copied);
            fold_constants(op);
            if (op.kind == Kind::Nop)
                return;
        }
        find_again(i, b);
    }

    // A product to which nothing is added does not read C, whose registers hold older values.
    void leave_out_addend(const MicroOp& op) {
        ir::Matrix& matrix = draft_.matrices[static_cast<std::size_t>(op.imm)];
        if (matrix.c_registers == 0 || !is_constant(op.src[2]) || op.src[2] == kUndefined)
            return;
        const bool adds = ((bits(op.src[2]) & 1) != 0) != op.has(ir::kSourceNegated);
        if (adds)
            return;
        matrix.c_registers = 0;
        changed_ = true;
    }

    // A guard by !p is a negated guard by p.
    void guard_by_source(MicroOp& op) {
        const MicroOp* not_op = definition(op.guard);
        if (not_op == nullptr || not_op->opcode != Opcode::Not || not_op->type != ir::Type::Pred ||
            not_op->guard != ir::kNowhere || not_op->has(ir::kSourceNegated) || !is_register(not_op->src[0]))
            return;
        op.guard = not_op->src[0];
        op.guard_negated = !op.guard_negated;
        changed_ = true;
    }

    // p | false, p ^ false, p & true.
    [[nodiscard]] bool neutral_for_predicate(const MicroOp& op) const {
        if (op.type != ir::Type::Pred || op.has(ir::kSourceNegated) || !is_register(op.src[0]) ||
            op.src[1] == ir::kNowhere || !is_constant(op.src[1]) || op.src[1] == kUndefined)
            return false;
        const bool b = (bits(op.src[1]) & 1) != 0;
        return op.opcode == Opcode::And ? b : (op.opcode == Opcode::Or || op.opcode == Opcode::Xor) && !b;
    }

    // The source of an op that changes no bit of it.
    [[nodiscard]] Place copy_of(const MicroOp& op) const {
        const Place from = op.src[0];
        if (from == kUndefined)
            return ir::kNowhere;
        if (op.opcode == Opcode::Mov && op.type == ir::Type::Pred)
            return op.has(ir::kSourceNegated) ? ir::kNowhere : from;
        if (neutral_for_predicate(op))
            return from;
        const bool same = is_constant(from) || storage(from) == storage(op.dst[0]);
        if (!same)
            return ir::kNowhere;
        const bool window = op.space == ir::Space::Shared || op.space == ir::Space::SharedCluster ||
                            op.space == ir::Space::Local || op.space == ir::Space::Param;
        if (op.opcode == Opcode::Mov || (op.opcode == Opcode::Cvta && !window))
            return ptx::size_of(op.type) == storage(op.dst[0]) || ptx::size_of(op.type) == 2 ? from : ir::kNowhere;
        const bool resizes = ptx::size_of(op.type) != ptx::size_of(op.from);
        if (op.opcode == Opcode::Cvt && op.domain == ir::Domain::Int && !resizes && !op.has(ir::kSaturate) &&
            ptx::size_of(op.type) == storage(op.dst[0]))
            return from;
        if (neutral(op) || is_product_by_one(op))
            return from;
        return ir::kNowhere;
    }

    // x * 1 of floating point, where x is the result of an operation that gives neither NaNs nor, with .ftz, subnormal
    // numbers that the product would change.
    [[nodiscard]] bool is_product_by_one(const MicroOp& op) const {
        const MicroOp* const made = definition(op.src[0]);
        if (op.opcode != Opcode::Mul || !is_constant(op.src[1]) || (op.flags & ~ir::kFtz) != 0 || made == nullptr ||
            made->kind != Kind::Alu || made->guard != ir::kNowhere || made->type != op.type || made->from != op.from ||
            (op.has(ir::kFtz) && !made->has(ir::kFtz)))
            return false;
        const bool rounds = made->opcode == Opcode::Add || made->opcode == Opcode::Sub || made->opcode == Opcode::Mul ||
                            made->opcode == Opcode::Fma;
        const std::uint64_t factor = cut(bits(op.src[1]), ptx::size_of(op.type));
        return rounds && ((op.type == ir::Type::F32 && factor == std::bit_cast<std::uint32_t>(1.0F)) ||
                          (op.type == ir::Type::F64 && factor == std::bit_cast<std::uint64_t>(1.0)));
    }

    // x + 0, x * 1, x << 0, x & -1, x | 0, x ^ 0 of 32 and 64-bit integers.
    [[nodiscard]] bool neutral(const MicroOp& op) const {
        const unsigned bytes = ptx::size_of(op.type);
        if (!is_register(op.src[0]) || !is_constant(op.src[1]) || ptx::is_float(op.type) || bytes < 4 ||
            op.has(ir::kSaturate) || op.type == ir::Type::Pred)
            return false;
        const std::uint64_t mask = bytes == 8 ? ~std::uint64_t{0} : 0xffff'ffffU;
        const std::uint64_t b = bits(op.src[1]) & mask;
        switch (op.opcode) {
        case Opcode::Add:
        case Opcode::Sub:
        case Opcode::Or:
        case Opcode::Xor:
            return b == 0;
        case Opcode::Shl:
        case Opcode::Shr:
            return (b & 0xffff'ffffU) == 0;
        case Opcode::And:
            return b == mask;
        case Opcode::Mul:
            return b == 1 && op.sub == Sub::Lo;
        default:
            return false;
        }
    }

    void fold_constants(MicroOp& op) {
        std::array<std::uint64_t, 3> source{};
        bool constant = true;
        for (std::size_t s = 0; s < 8; ++s)
            if (op.src.at(s) != ir::kNowhere) {
                constant = constant && is_constant(op.src.at(s)) && s < 3;
                if (constant)
                    source.at(s) = bits(op.src.at(s));
            }
        std::uint64_t result = 0;
        if (constant && fold(op, source, result))
            return remove(op, constant_place(draft_, result, storage(op.dst[0])));
        canonical(op);
        join_sums(op);
    }

    // Constants come second; products with powers of two are shifts; differences with constants are sums.
    void canonical(MicroOp& op) {
        const bool swaps = !ptx::is_float(op.type) && // whose sum of two NaNs is the first one
                           (op.opcode == Opcode::Add || op.opcode == Opcode::And || op.opcode == Opcode::Or ||
                            op.opcode == Opcode::Xor || op.opcode == Opcode::Mul || op.opcode == Opcode::Mad);
        if (swaps && is_constant(op.src[0]) && is_register(op.src[1]))
            std::swap(op.src[0], op.src[1]);
        const unsigned bytes = ptx::size_of(op.type);
        if (ptx::is_float(op.type) || is_integer_pair(op.type) || bytes < 4 || op.has(ir::kSaturate) ||
            !is_constant(op.src[1]))
            return;
        const std::uint64_t mask = bytes == 8 ? ~std::uint64_t{0} : 0xffff'ffffU;
        const std::uint64_t b = bits(op.src[1]) & mask;
        if (op.opcode == Opcode::Mul && op.sub == Sub::Lo && std::has_single_bit(b)) {
            op.opcode = Opcode::Shl;
            op.sub = Sub::None;
            op.src[1] = constant_place(draft_, static_cast<std::uint64_t>(std::countr_zero(b)), 4);
            changed_ = true;
        } else if (op.opcode == Opcode::Sub) {
            op.opcode = Opcode::Add;
            op.src[1] = constant_place(draft_, (0 - b) & mask, bytes);
            changed_ = true;
        }
    }

    // (x + c) + d is x + (c + d).
    void join_sums(MicroOp& op) {
        const MicroOp* inner = sum_with_constant(op.src[0], ptx::size_of(op.type));
        if (op.opcode != Opcode::Add || !is_sum_with_constant(op) || inner == nullptr)
            return;
        const std::uint64_t mask = ptx::size_of(op.type) == 8 ? ~std::uint64_t{0} : 0xffff'ffffU;
        const std::uint64_t sum = (bits(inner->src[1]) + bits(op.src[1])) & mask;
        op.src[0] = inner->src[0];
        op.src[1] = constant_place(draft_, sum, ptx::size_of(op.type));
        changed_ = true;
    }

    [[nodiscard]] const MicroOp* sum_with_constant(Place p, unsigned bytes) const {
        const MicroOp* op = definition(p);
        return op != nullptr && is_sum_with_constant(*op) && ptx::size_of(op->type) == bytes ? op : nullptr;
    }

    // [x + c + d], within a displacement. Addresses of shared and local memory are sums of 32 bits.
    void fold_address(MicroOp& op) {
        const bool window = op.space == ir::Space::Shared || op.space == ir::Space::Local;
        for (;;) {
            const Place base = op.src[0];
            if (base == ir::kNowhere || is_constant(base))
                return;
            const unsigned bytes = storage(base);
            if (bytes == 4 && !window)
                return;
            const MicroOp* sum = sum_with_constant(base, bytes);
            if (sum == nullptr)
                return;
            const auto c = bytes == 8 ? static_cast<std::int64_t>(bits(sum->src[1]))
                                      : static_cast<std::int64_t>(static_cast<std::int32_t>(bits(sum->src[1])));
            if (!fits_displacement(op.imm + c) || !fits_displacement(c))
                return;
            op.imm += c;
            op.src[0] = sum->src[0];
            changed_ = true;
        }
    }

    [[nodiscard]] bool dominates(std::uint32_t a, std::uint32_t b) const {
        while (b != a && form_.idom[b] != b)
            b = form_.idom[b];
        return b == a;
    }

    [[nodiscard]] static bool is_pure(const MicroOp& op) {
        if (op.kind == Kind::Alu)
            return op.opcode != Opcode::Cvt || op.rounding != ir::Rounding::Rs;
        if (op.kind == Kind::Load)
            return op.space == ir::Space::Param && op.src[0] == ir::kNowhere && op.vector == 1;
        if (op.opcode != Opcode::MovSpecial)
            return false;
        using S = ir::SpecialRegister;
        const auto which = static_cast<S>(op.imm);
        return which < S::Clock || (which > S::GlobaltimerHi && which < S::kCount);
    }

    // The same operation on the same sources, in a block that dominates this one.
    void find_again(std::uint32_t i, std::uint32_t b) {
        MicroOp& op = draft_.ops[i];
        if (!is_pure(op) || op.dst[1] != ir::kNowhere)
            return;
        std::vector<std::uint64_t> key = {
            static_cast<std::uint64_t>(op.opcode) | static_cast<std::uint64_t>(op.type) << 8 |
                static_cast<std::uint64_t>(op.from) << 16 | static_cast<std::uint64_t>(op.rounding) << 24 |
                static_cast<std::uint64_t>(op.sub) << 32 | static_cast<std::uint64_t>(op.combine) << 40 |
                static_cast<std::uint64_t>(op.space) << 44 | static_cast<std::uint64_t>(op.vector) << 48 |
                static_cast<std::uint64_t>(op.dst_bytes) << 52 | static_cast<std::uint64_t>(op.src_bytes) << 56,
            op.flags, static_cast<std::uint64_t>(op.imm)};
        for (const Place p : op.src)
            key.push_back(p);
        auto& list = known_[std::move(key)];
        for (const auto& [block, value] : list)
            if (dominates(block, b) && storage(value) == storage(op.dst[0]))
                return remove(op, value);
        list.emplace_back(b, op.dst[0]);
    }

    SsaForm& form_;
    ir::Draft& draft_;
    std::vector<Place> instead_;
    std::vector<std::uint32_t> definition_;
    std::map<std::vector<std::uint64_t>, std::vector<std::pair<std::uint32_t, Place>>> known_;
    bool changed_ = false;
};

} // namespace

bool is_sum_with_constant(const MicroOp& op) {
    return op.opcode == Opcode::Add && op.kind == Kind::Alu && !ptx::is_float(op.type) && ptx::size_of(op.type) >= 4 &&
           !ptx::is_packed(op.type) && op.domain == ir::Domain::Int && !is_integer_pair(op.type) &&
           !op.has(ir::kSaturate) && op.guard == ir::kNowhere && is_constant(op.src[1]) && is_register(op.src[0]);
}

void simplify(SsaForm& form) {
    constexpr int kMostPasses = 8; // each removes chains of copies; more bring nothing
    Simplifier simplifier(form);
    for (int pass = 0; pass < kMostPasses && simplifier.run(); ++pass) {
    }
}

} // namespace heddle::native
