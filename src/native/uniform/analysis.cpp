#include "native/uniform/analysis.h"

#include <algorithm>

#include "ir/analysis/postdom.h"
#include "native/flow/liveness.h"

namespace heddle::native {

namespace {

using Kind = Operand::Kind;

bool is_same_for_all(ir::SpecialRegister which) {
    using S = ir::SpecialRegister;
    return (which >= S::NtidX && which <= S::NctaidZ) || which == S::Nwarpid || which == S::Nsmid ||
           which == S::Gridid || (which >= S::DynamicSmemSize && which <= S::Envreg2) ||
           (which >= S::ClusterCtaidX && which <= S::NclusteridZ) ||
           (which >= S::AggrSmemSize && which <= S::ReservedSmemOffset1);
}

// Whether the results depend on nothing but the sources.
bool computes(const Instruction& i) {
    switch (info(i.op).pipe) {
    case Pipe::Int:
        return !depends_on_issue(i.op);
    case Pipe::Fma:
    case Pipe::Half:
    case Pipe::Double:
    case Pipe::Uniform:
        return true;
    case Pipe::Special:
        return (i.op != Op::S2r && i.op != Op::S2ur) || is_same_for_all(static_cast<ir::SpecialRegister>(i.mods.imm));
    case Pipe::Memory:
        return i.op == Op::Ldc;
    default:
        return i.op == Op::Routine || i.op == Op::Nop; // Nop: a register without a value
    }
}

class Analysis {
public:
    explicit Analysis(const Function& function) : function_(function) {
        const std::size_t n = function.blocks.size();
        out_.registers.assign(function.virtuals.size(), true);
        out_.together.assign(n, true);
        graph_.successors.resize(n);
        graph_.leaves = function.ends();
        for (const std::uint32_t b : function.order)
            graph_.successors[b] = function.successors(b);
        meet_ = ir::immediate_postdominators(graph_);
    }

    Uniformity run() {
        while (changed_) {
            changed_ = false;
            for (const std::uint32_t b : function_.order)
                for (const Instruction& i : function_.blocks[b].code)
                    step(b, i);
        }
        return std::move(out_);
    }

private:
    void step(std::uint32_t b, const Instruction& i) {
        bool uniform = out_.together[b] && computes(i);
        each_read(i, [&](const Operand& o) { uniform = uniform && out_.registers[o.number]; });
        if (!uniform)
            each_write(i, [&](const Operand& o) { lose(out_.registers, o.number); });
        const bool is_uniform = (i.mods.flags & ir::kUniform) != 0;
        if (i.op == Op::Bra && i.guard.is(Kind::Register) && !out_.registers[i.guard.number] && !is_uniform)
            part(b);
    }

    void lose(std::vector<bool>& set, std::uint32_t n) {
        changed_ = changed_ || set[n];
        set[n] = false;
    }

    // The threads of a warp may take both ways from the end of the block. Those that end at once leave the others
    // together, also where the others end at the same place.
    void part(std::uint32_t b) {
        const std::uint32_t meeting = meet_[b];
        const auto& sides = graph_.successors[b];
        const auto ends = [&](std::uint32_t s) { return function_.only_ends(s); };
        const bool leaves = meeting == ir::kLeaves
                                ? std::any_of(sides.begin(), sides.end(), ends)
                                : ends(meeting) && std::find(sides.begin(), sides.end(), meeting) != sides.end();
        for (const std::uint32_t s : sides)
            if (!leaves || ends(s))
                lose_region(s, meeting);
    }

    void lose_region(std::uint32_t from, std::uint32_t meeting) {
        std::vector<std::uint32_t> work = {from};
        while (!work.empty()) {
            const std::uint32_t b = work.back();
            work.pop_back();
            if (b == meeting || !out_.together[b])
                continue;
            lose(out_.together, b);
            work.insert(work.end(), graph_.successors[b].begin(), graph_.successors[b].end());
        }
    }

    const Function& function_;
    ir::FlowGraph graph_;
    std::vector<std::uint32_t> meet_;
    Uniformity out_;
    bool changed_ = true;
};

} // namespace

Uniformity find_uniform(const Function& function) {
    return Analysis(function).run();
}

std::vector<bool> find_equal(const Function& function) {
    const std::vector<bool> uniform = find_uniform(function).registers;
    std::vector<bool> equal(uniform.size(), true);
    const Parts parts(function);
    std::vector<bool> is_written(parts.begin.back(), false);
    bool changed = false;
    const auto lose = [&](const Operand& o) {
        changed = changed || (equal[o.number] && !uniform[o.number]);
        equal[o.number] = equal[o.number] && uniform[o.number];
    };
    const auto look_at_each = [&](auto&& visit) {
        for (const std::uint32_t b : function.order)
            for (const Instruction& i : function.blocks[b].code)
                visit(i);
    };
    look_at_each([&](const Instruction& i) {
        each_write(i, [&](const Operand& o) {
            for (unsigned k = 0; k < o.count; ++k)
                if (const std::uint32_t part = parts.of(o, k); is_written[part])
                    lose(o);
                else
                    is_written[part] = true;
        });
    });
    do {
        changed = false;
        look_at_each([&](const Instruction& i) {
            bool same = computes(i) && !i.is_guarded();
            each_read(i, [&](const Operand& o) { same = same && equal[o.number]; });
            if (!same)
                each_write(i, lose);
        });
    } while (changed);
    return equal;
}

} // namespace heddle::native
