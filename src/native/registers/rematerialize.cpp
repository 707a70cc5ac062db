#include "native/registers/rematerialize.h"

#include <algorithm>
#include <map>
#include <utility>

#include "native/flow/liveness.h"

namespace heddle::native {

namespace {

// One issue slot, and a latency of some cycles.
bool is_cheap(Op op) {
    switch (op) {
    case Op::Mov:
    case Op::Iadd3:
    case Op::Lop3:
    case Op::Shf:
    case Op::Lea:
    case Op::Prmt:
    case Op::Imad:
    case Op::ImadWide:
        return true;
    default:
        return false;
    }
}

class Definitions {
public:
    explicit Definitions(const Function& function)
        : function_(function), of_(function.virtuals.size(), nullptr), count_(function.virtuals.size(), 0) {
        for (const std::uint32_t b : function.order)
            for (const Instruction& i : function.blocks[b].code)
                each_write(i, [&](const Operand& o) {
                    of_[o.number] = &i;
                    ++count_[o.number];
                });
    }

    [[nodiscard]] const Instruction* rematerializable(std::uint32_t v) const {
        if (count_[v] != 1 || function_.virtuals[v].file != File::Vector)
            return nullptr;
        const Instruction& i = *of_[v];
        const bool whole = i.dst[0].count == function_.virtuals[v].width && i.dst[1].kind == Operand::Kind::None;
        if (!is_cheap(i.op) || i.is_guarded() || i.mods.carried != 0 || !whole)
            return nullptr;
        return std::all_of(i.src.begin(), i.src.end(), [&](const Operand& o) { return is_lasting(o); }) ? &i : nullptr;
    }

private:
    // Constants, and vector and uniform registers that are written once.
    [[nodiscard]] bool is_lasting(const Operand& o) const {
        return o.kind != Operand::Kind::Register ||
               ((o.file == File::Vector || o.file == File::Uniform) && count_[o.number] == 1);
    }

    const Function& function_;
    std::vector<const Instruction*> of_; // by virtual register: the last definition in the text
    std::vector<unsigned> count_;
};

bool reads(const Instruction& i, std::uint32_t v) {
    return std::any_of(i.src.begin(), i.src.end(),
                       [&](const Operand& o) { return o.is_register(File::Vector) && o.number == v; });
}

bool writes(const Instruction& i, std::uint32_t v) {
    return i.dst[0].is_register(File::Vector) && i.dst[0].number == v;
}

// What is alive at the time at which most vector registers are.
class PeakPressure {
public:
    explicit PeakPressure(const Function& function)
        : function_(function), parts_(function), spans_(live_spans(function, parts_)),
          peak_(most_alive(function, parts_, spans_)) {}
    [[nodiscard]] unsigned registers() const {
        return peak_.registers;
    }

    // Registers that need not be alive then, because they can be computed from others; in the order of the code. At
    // least `fewer` registers less are alive without them, as far as there are such: those first whose sources are
    // alive anyway, then groups whose sources have fewer registers than they.
    [[nodiscard]] std::vector<std::pair<std::uint32_t, Instruction>> to_rematerialize(unsigned fewer) const {
        const std::vector<const Instruction*> definitions = rematerializable(function_);
        std::vector<Group> groups = groups_of(definitions);
        std::erase_if(groups, [](const Group& g) { return g.gain() <= 0; });
        std::stable_sort(groups.begin(), groups.end(), [](const Group& a, const Group& b) {
            return a.needed * b.given_up < b.needed * a.given_up; // registers of sources for one that is given up
        });
        std::vector<std::pair<std::uint32_t, Instruction>> out;
        for (int gained = 0; const Group& g : groups) {
            if (gained >= static_cast<int>(fewer))
                break;
            gained += g.gain();
            for (const std::uint32_t v : g.members)
                out.emplace_back(v, *definitions[v]);
        }
        std::stable_sort(out.begin(), out.end(),
                         [&](const auto& a, const auto& b) { return begin(a.first) < begin(b.first); });
        return out;
    }

private:
    static constexpr std::uint32_t kShort =
        16; // of a value that is computed in front of its read, in half instructions

    [[nodiscard]] bool is_alive(std::uint32_t v) const {
        return native::is_alive(v, peak_.at, parts_, spans_);
    }
    [[nodiscard]] std::uint32_t length(std::uint32_t v) const {
        std::uint32_t out = 0;
        for (const Span& s : spans_[parts_.begin[v]])
            out += s.to - s.from;
        return out;
    }
    [[nodiscard]] std::uint32_t begin(std::uint32_t v) const {
        const std::vector<Span>& spans = spans_[parts_.begin[v]];
        return spans.empty() ? 0 : spans.front().from;
    }
    // Values that are connected by sources which would have to live longer.
    struct Group {
        std::vector<std::uint32_t> members;
        unsigned given_up = 0; // registers of the members
        unsigned needed = 0;   // registers of the sources

        [[nodiscard]] int gain() const {
            return static_cast<int>(given_up) - static_cast<int>(needed);
        }
    };
    [[nodiscard]] unsigned width(std::uint32_t v) const {
        return function_.virtuals[v].width;
    }
    [[nodiscard]] std::vector<Group> groups_of(const std::vector<const Instruction*>& definitions) const {
        std::vector<Group> groups;
        std::map<std::uint32_t, std::size_t> group_of; // by source
        for (std::uint32_t v = 0; v < definitions.size(); ++v) {
            if (definitions[v] == nullptr || !is_alive(v) || length(v) <= kShort)
                continue;
            std::size_t own = groups.size();
            groups.push_back({{v}, width(v), 0});
            for (const Operand& o : definitions[v]->src) {
                if (!o.is_register(File::Vector) || is_alive(o.number))
                    continue;
                const auto [at, is_new] = group_of.emplace(o.number, own);
                if (is_new)
                    groups[own].needed += width(o.number);
                else if (at->second != own)
                    own = join(groups, group_of, own, at->second);
            }
        }
        return groups;
    }
    static std::size_t join(std::vector<Group>& groups, std::map<std::uint32_t, std::size_t>& group_of,
                            std::size_t from, std::size_t to) {
        groups[to].members.insert(groups[to].members.end(), groups[from].members.begin(), groups[from].members.end());
        groups[to].given_up += groups[from].given_up;
        groups[to].needed += groups[from].needed;
        groups[from] = {};
        for (auto& [source, group] : group_of)
            if (group == from)
                group = to;
        return to;
    }

    const Function& function_;
    const Parts parts_;
    const std::vector<std::vector<Span>> spans_; // by part
    const Peak peak_;
};

} // namespace

std::vector<const Instruction*> rematerializable(const Function& function) {
    const Definitions definitions(function);
    std::vector<const Instruction*> out(function.virtuals.size(), nullptr);
    for (std::uint32_t v = 0; v < out.size(); ++v)
        out[v] = definitions.rematerializable(v);
    return out;
}

void rematerialize_beyond(Function& function, unsigned limit) {
    for (;;) {
        const PeakPressure pressure(function);
        if (pressure.registers() <= limit)
            return;
        const auto again = pressure.to_rematerialize(pressure.registers() - limit);
        if (again.empty())
            return;
        // The last ones first: one may be computed from another that goes, too.
        for (auto at = again.rbegin(); at != again.rend(); ++at)
            rematerialize(function, at->first, at->second);
    }
}

void rematerialize(Function& function, std::uint32_t virtual_register, const Instruction& definition) {
    const Instruction computes = definition; // its place in the code goes
    for (const std::uint32_t b : function.order) {
        std::vector<Instruction> code;
        for (Instruction& i : function.blocks[b].code) {
            if (writes(i, virtual_register))
                continue;
            if (reads(i, virtual_register)) {
                Instruction again = computes;
                again.origins = i.origins;
                again.dst[0] = function.fresh(File::Vector, function.virtuals[virtual_register].width);
                for (Operand& o : i.src)
                    if (o.is_register(File::Vector) && o.number == virtual_register)
                        o.number = again.dst[0].number;
                code.push_back(std::move(again));
            }
            code.push_back(std::move(i));
        }
        function.blocks[b].code = std::move(code);
    }
}

} // namespace heddle::native
