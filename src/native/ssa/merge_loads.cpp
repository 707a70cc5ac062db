// Neighbouring loads of shared memory become one load of 8 or 16 bytes, as ptxas makes of them: it lays shared memory
// out, so it knows how the addresses are aligned.
#include <algorithm>
#include <bit>
#include <map>

#include "native/integer_pair.h"
#include "native/ssa/form.h"

namespace heddle::native {

namespace {

using ir::Kind;
using ir::MicroOp;
using ir::Opcode;
using ir::Place;

constexpr std::int64_t kWidest = 16; // bytes of a load
constexpr unsigned kWord = 4;

class LoadMerger {
public:
    explicit LoadMerger(SsaForm& form)
        : form_(form), ops_(form.draft.ops), definition_(form.draft.registers.size(), kNone),
          phi_(form.draft.registers.size(), nullptr) {
        for (std::uint32_t i = 0; i < ops_.size(); ++i)
            for (const Place d : ops_[i].dst)
                if (d != ir::kNowhere && ops_[i].kind != Kind::Nop)
                    definition_[d] = i;
        for (const auto& list : form.phis)
            for (const Phi& phi : list)
                phi_[phi.dst] = &phi;
    }

    void run() {
        for (const std::uint32_t b : form_.order) {
            for (std::uint32_t i = form_.cfg.blocks[b].begin; i < form_.cfg.blocks[b].end; ++i) {
                if (is_candidate(ops_[i]))
                    loads_[base_of(ops_[i])].push_back({ops_[i].imm, i});
                else if (may_write_shared(ops_[i]))
                    merge();
            }
            merge();
        }
    }

private:
    static constexpr std::uint32_t kNone = 0xffffffffU;
    static constexpr unsigned kMostSteps = 12; // of a search through definitions

    struct Load {
        std::int64_t offset;
        std::uint32_t op;
    };

    [[nodiscard]] std::uint64_t bits(Place p) const {
        return bits_of(form_.draft, p);
    }
    // An absolute address has its constant in the displacement.
    [[nodiscard]] Place base_of(MicroOp& op) const {
        if (is_constant(op.src[0])) {
            op.imm = static_cast<std::uint32_t>(static_cast<std::uint64_t>(op.imm) + bits(op.src[0])); // wraps
            op.src[0] = ir::kNowhere;
        }
        return op.src[0];
    }
    [[nodiscard]] static bool is_candidate(const MicroOp& op) {
        return op.kind == Kind::Load && op.opcode == Opcode::Ld && op.space == ir::Space::Shared && op.vector == 1 &&
               ptx::size_of(op.type) == kWord && op.dst_bytes == kWord && op.dst[0] != ir::kNowhere &&
               op.guard == ir::kNowhere && (op.flags & (ir::kVolatile | ir::kStrong | ir::kAsyncCopy)) == 0;
    }
    [[nodiscard]] static bool may_write_shared(const MicroOp& op) {
        switch (op.kind) {
        case Kind::Alu:
        case Kind::Nop:
        case Kind::Special:
            return false;
        case Kind::Load:
            return (op.flags & (ir::kVolatile | ir::kStrong)) != 0; // others may have written before it
        case Kind::Store:
            return op.space != ir::Space::Global && op.space != ir::Space::Local;
        default:
            return true;
        }
    }

    // The largest power of two up to kWidest that divides the value in every thread, as far as that is seen.
    [[nodiscard]] std::int64_t alignment(Place p, unsigned steps = kMostSteps) const {
        if (p == ir::kNowhere)
            return kWidest;
        if (is_constant(p))
            return alignment(static_cast<std::int64_t>(bits(p)));
        if (steps == 0)
            return 1;
        if (phi_[p] != nullptr) {
            // A value that comes round the loop is a multiple when the first one and what is added to it are.
            std::int64_t all = kWidest;
            for (const Place from : phi_[p]->from)
                all = std::min(all, from == kUndefined ? 1 : round_loop(from, p, steps - 1));
            return all;
        }
        return definition_[p] == kNone ? 1 : of_result(ops_[definition_[p]], steps - 1);
    }
    [[nodiscard]] static std::int64_t alignment(std::int64_t value) {
        return value == 0 ? kWidest
                          : std::min(kWidest, std::int64_t{1}
                                                  << std::min(4, std::countr_zero(static_cast<std::uint64_t>(value))));
    }
    [[nodiscard]] std::int64_t round_loop(Place from, Place begin, unsigned steps) const {
        const bool is_sum = is_register(from) && definition_[from] != kNone && is_plain(ops_[definition_[from]]) &&
                            ops_[definition_[from]].opcode == Opcode::Add;
        if (is_sum && ops_[definition_[from]].src[0] == begin)
            return alignment(ops_[definition_[from]].src[1], steps);
        return alignment(from, steps);
    }
    // Integers of 32 or 64 bits of threads without a guard.
    [[nodiscard]] static bool is_plain(const MicroOp& op) {
        return op.kind == Kind::Alu && op.guard == ir::kNowhere && op.domain == ir::Domain::Int &&
               ptx::size_of(op.type) >= kWord && !ptx::is_packed(op.type) && !is_integer_pair(op.type) &&
               !op.has(ir::kSaturate) && op.dst[1] == ir::kNowhere;
    }
    // Between integers of 32 and 64 bits, and between addresses of shared memory and generic ones, whose window begins
    // at a multiple of 2^32.
    [[nodiscard]] static bool keeps_low_bits(const MicroOp& op) {
        const bool converts = op.opcode == Opcode::Cvt && !ptx::is_float(op.type) && !ptx::is_float(op.from) &&
                              ptx::size_of(op.type) >= kWord && ptx::size_of(op.from) >= kWord;
        return op.kind == Kind::Alu && op.guard == ir::kNowhere && !op.has(ir::kSaturate) &&
               (converts || op.opcode == Opcode::Cvta);
    }
    [[nodiscard]] std::int64_t of_result(const MicroOp& op, unsigned steps) const {
        if (keeps_low_bits(op))
            return alignment(op.src[0], steps);
        if (!is_plain(op))
            return 1;
        const auto of = [&](unsigned s) { return alignment(op.src.at(s), steps); };
        switch (op.opcode) {
        case Opcode::Mov:
            return of(0);
        case Opcode::Add:
        case Opcode::Sub:
        case Opcode::Or:
        case Opcode::Xor:
            return std::min(of(0), of(1));
        case Opcode::And:
            return std::max(of(0), of(1));
        case Opcode::Shl:
            return is_constant(op.src[1])
                       ? std::min(kWidest, of(0) << std::min<std::uint64_t>(4, bits(op.src[1]) & 0xffffffffU))
                       : of(0);
        case Opcode::Mul:
            return op.sub != ir::Sub::Hi ? std::min(kWidest, of(0) * of(1)) : 1;
        case Opcode::Mad:
            return op.sub != ir::Sub::Hi ? std::min({kWidest, of(0) * of(1), of(2)}) : 1;
        default:
            return 1;
        }
    }

    void merge() {
        for (auto& [base, loads] : loads_) {
            if (loads.size() < 2)
                continue;
            const std::int64_t aligned = alignment(base);
            std::stable_sort(loads.begin(), loads.end(),
                             [](const Load& a, const Load& b) { return a.offset < b.offset; });
            for (std::size_t n = 0; n < loads.size();)
                n += merge_from(loads, n, aligned);
        }
        loads_.clear();
    }

    // Merges loads from number n on; returns how many it is done with.
    std::size_t merge_from(const std::vector<Load>& loads, std::size_t n, std::int64_t aligned) {
        for (const unsigned words : {4U, 2U}) {
            const std::int64_t bytes = words * kWord;
            if (aligned % bytes != 0 || loads[n].offset % bytes != 0 || n + words > loads.size())
                continue;
            bool all = true;
            for (unsigned w = 1; w < words; ++w)
                all = all && loads[n + w].offset == loads[n].offset + w * kWord;
            if (!all)
                continue;
            join({loads.begin() + static_cast<std::ptrdiff_t>(n),
                  loads.begin() + static_cast<std::ptrdiff_t>(n + words)});
            return words;
        }
        return 1;
    }

    // The first of the loads in the program loads all: nothing in between writes shared memory.
    void join(const std::vector<Load>& loads) {
        const std::uint32_t first =
            std::min_element(loads.begin(), loads.end(), [](const Load& a, const Load& b) { return a.op < b.op; })->op;
        MicroOp wide = ops_[first];
        wide.imm = loads[0].offset;
        wide.vector = static_cast<std::uint8_t>(loads.size());
        for (std::size_t w = 0; w < loads.size(); ++w)
            wide.dst.at(w) = ops_[loads[w].op].dst[0];
        for (const Load& load : loads) {
            ops_[load.op] = {};
            ops_[load.op].kind = Kind::Nop;
        }
        ops_[first] = wide;
    }

    SsaForm& form_;
    std::vector<MicroOp>& ops_;
    std::vector<std::uint32_t> definition_;    // by register: its op
    std::vector<const Phi*> phi_;              // by register
    std::map<Place, std::vector<Load>> loads_; // by base, since the last op that may write shared memory
};

} // namespace

void merge_loads(SsaForm& form) {
    LoadMerger(form).run();
}

} // namespace heddle::native
