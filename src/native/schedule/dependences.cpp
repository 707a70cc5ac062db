#include "native/schedule/dependences.h"

#include <map>

#include "native/flow/liveness.h"

namespace heddle::native {

namespace {

enum class Access : std::uint8_t { None, Load, Store, Order };

Access access_of(const Instruction& i) {
    switch (i.op) {
    case Op::Ldg:
    case Op::Ld:
    case Op::Lds:
    case Op::Ldl:
        return (i.mods.flags & ir::kVolatile) != 0 ? Access::Order : Access::Load;
    case Op::Stg:
    case Op::St:
    case Op::Sts:
    case Op::Stl:
        return (i.mods.flags & ir::kVolatile) != 0 ? Access::Order : Access::Store;
    case Op::Ldc:
    case Op::Tex:
    case Op::Tld4:
    case Op::Txq:
        return Access::None;
    case Op::Shfl:
    case Op::Match:
    case Op::Redux:
    case Op::Vote:
    case Op::Voteu:
    case Op::Elect:
    case Op::Mma:
    case Op::Gmma:
    case Op::MoveMatrix:
    case Op::Cs2r:
        return Access::Order; // lanes of a warp meet in the order of the text
    default:
        break;
    }
    const Pipe pipe = info(i.op).pipe;
    return pipe == Pipe::Memory || (pipe == Pipe::Branch && i.op != Op::Routine) ? Access::Order : Access::None;
}

unsigned bytes_of(const Instruction& i) {
    return ptx::size_of(i.mods.type) * i.mods.vector;
}

// Whether two accesses certainly touch different bytes.
bool apart(const Instruction& a, const Instruction& b) {
    using S = ir::Space;
    const auto special = [](S s) { return s == S::Shared || s == S::Local; };
    if (a.mods.space != b.mods.space && (special(a.mods.space) || special(b.mods.space)) &&
        a.mods.space != S::Generic && b.mods.space != S::Generic)
        return true;
    if (a.mods.space != b.mods.space || a.src[0] != b.src[0])
        return false;
    return a.mods.imm + static_cast<std::int64_t>(bytes_of(a)) <= b.mods.imm ||
           b.mods.imm + static_cast<std::int64_t>(bytes_of(b)) <= a.mods.imm;
}

class Graph {
public:
    Graph(const Block& block, const Target& target) : block_(block), target_(target), out_(block.code.size()) {}

    std::vector<std::vector<Dependence>> run() {
        for (std::uint32_t n = 0; n < block_.code.size(); ++n) {
            registers(n);
            memory(n);
            calls(n);
        }
        if (!block_.code.empty()) {
            const auto last = static_cast<std::uint32_t>(block_.code.size() - 1);
            const Op op = block_.code[last].op;
            if (op == Op::Bra || op == Op::Exit || op == Op::Ret || op == Op::Bpt)
                for (std::uint32_t n = 0; n < last; ++n)
                    add(n, last, 0);
        }
        return std::move(out_);
    }

private:
    // Registers by virtual register and part.
    using Key = std::pair<std::uint32_t, std::uint32_t>;
    struct State {
        std::uint32_t write = kNone;
        std::vector<std::uint32_t> reads; // since the write
    };
    static constexpr std::uint32_t kNone = 0xffffffffU;

    void add(std::uint32_t from, std::uint32_t to, std::uint32_t cycles) {
        if (from != to)
            out_[from].push_back({to, cycles});
    }

    void registers(std::uint32_t n) {
        const Instruction& i = block_.code[n];
        each_read(i, [&](const Operand& o) {
            const Use use = &o == &i.guard ? Use::Guard : Use::Source;
            for (unsigned k = 0; k < o.count; ++k) {
                State& s = state_[{o.number, o.part + k}];
                if (s.write != kNone)
                    add(s.write, n, target_.between(block_.code[s.write].op, i.op, o.file, use));
                s.reads.push_back(n);
            }
        });
        each_write(i, [&](const Operand& o) {
            for (unsigned k = 0; k < o.count; ++k) {
                State& s = state_[{o.number, o.part + k}];
                if (s.write != kNone)
                    add(s.write, n, 1);
                for (const std::uint32_t r : s.reads)
                    add(r, n, 0);
                s.reads.clear();
                s.write = n;
            }
        });
    }

    // Nothing moves past a call: what is alive behind it is what its function leaves alone.
    void calls(std::uint32_t n) {
        if (call_ != kNone)
            add(call_, n, 1);
        if (block_.code[n].op != Op::Call)
            return;
        for (std::uint32_t m = call_ == kNone ? 0 : call_; m < n; ++m)
            add(m, n, 0);
        call_ = n;
    }

    void memory(std::uint32_t n) {
        const Instruction& i = block_.code[n];
        const Access access = access_of(i);
        if (access == Access::None)
            return;
        if (order_ != kNone)
            add(order_, n, 1);
        for (const std::uint32_t m : accesses_) {
            const bool both_load = access == Access::Load && access_of(block_.code[m]) == Access::Load;
            if (access == Access::Order || (!both_load && !apart(block_.code[m], i)))
                add(m, n, 1);
        }
        if (access == Access::Order) {
            order_ = n;
            accesses_.clear();
        } else {
            accesses_.push_back(n);
        }
    }

    const Block& block_;
    const Target& target_;
    std::vector<std::vector<Dependence>> out_;
    std::map<Key, State> state_;
    std::uint32_t order_ = kNone;
    std::uint32_t call_ = kNone;          // the last one
    std::vector<std::uint32_t> accesses_; // loads and stores since order_
};

} // namespace

std::vector<std::vector<Dependence>> dependences(const Function&, const Block& block, const Target& target) {
    return Graph(block, target).run();
}

} // namespace heddle::native
