#include "native/registers/behind_calls.h"

#include <algorithm>
#include <bitset>
#include <stdexcept>
#include <utility>

#include "native/control/resources.h"
#include "native/flow/liveness.h"
#include "native/registers/allocate.h"

namespace heddle::native {

namespace {

using Alive = std::bitset<kResources>;

// Backward through an instruction.
void step(const Instruction& i, Alive& alive) {
    if (!(i.is_guarded() && i.keeps))
        each_result(i, [&](std::uint32_t r) { alive.reset(r); });
    each_source(i, [&](std::uint32_t r, Use) { alive.set(r); });
}

// By block: registers whose values are needed where it ends.
std::vector<Alive> alive_at_ends(const Function& function) {
    std::vector<Alive> begins(function.blocks.size()), ends(function.blocks.size());
    for (bool changed = true; changed;) {
        changed = false;
        for (auto b = function.order.rbegin(); b != function.order.rend(); ++b) {
            Alive alive;
            for (const std::uint32_t s : function.successors(*b))
                alive |= begins[s];
            ends[*b] = alive;
            const auto& code = function.blocks[*b].code;
            for (auto i = code.rbegin(); i != code.rend(); ++i)
                step(*i, alive);
            changed = changed || alive != begins[*b];
            begins[*b] = alive;
        }
    }
    return ends;
}

// One more than the highest vector register that is alive.
std::uint32_t end_of(const Alive& alive) {
    Operand r0;
    r0.kind = Operand::Kind::Register;
    std::uint32_t end = resource_of(r0);
    for (std::uint32_t r = 0; r < kResources; ++r)
        if (alive.test(r) && file_of(r) == File::Vector)
            end = r + 1;
    return end - resource_of(r0);
}

bool has_predicate(const Alive& alive) {
    for (std::uint32_t r = 0; r < kResources; ++r)
        if (alive.test(r) && file_of(r) == File::Predicate)
            return true;
    return false;
}

// Virtual registers that go to local memory.
class Choice {
public:
    Choice(const Function& function, File file)
        : function_(function), file_(file), accesses_(function.virtuals.size(), 0),
          goes_(function.virtuals.size(), false) {
        std::uint32_t at = 0;
        for (const std::uint32_t b : function.order)
            for (const Instruction& i : function.blocks[b].code) {
                if (i.op == Op::Call)
                    calls_.push_back(at);
                each_read(i, [&](const Operand& o) { ++accesses_[o.number]; });
                each_write(i, [&](const Operand& o) { ++accesses_[o.number]; });
                ++at;
            }
        if (!calls_.empty())
            find_alive();
    }

    // Of the values that are needed behind a call, those that are accessed least go until `most` are left.
    std::vector<std::uint32_t> beyond(unsigned most) {
        for (std::vector<std::uint32_t>& alive : alive_at_) {
            unsigned registers = 0;
            for (const std::uint32_t v : alive)
                registers += goes_[v] ? 0U : function_.virtuals[v].width;
            std::sort(alive.begin(), alive.end(), [&](std::uint32_t a, std::uint32_t b) {
                return std::pair(accesses_[a], a) < std::pair(accesses_[b], b);
            });
            for (const std::uint32_t v : alive)
                if (registers > most && !goes_[v]) {
                    goes_[v] = true;
                    registers -= function_.virtuals[v].width;
                }
        }
        std::vector<std::uint32_t> out;
        for (std::uint32_t v = 0; v < goes_.size(); ++v)
            if (goes_[v])
                out.push_back(v);
        return out;
    }

private:
    void find_alive() {
        alive_at_.resize(calls_.size());
        const Parts parts(function_);
        const std::vector<std::vector<Span>> spans = live_spans(function_, parts);
        for (std::uint32_t v = 0; v < function_.virtuals.size(); ++v)
            for (std::uint32_t p = parts.begin[v]; function_.virtuals[v].file == file_ && p < parts.begin[v + 1]; ++p)
                for (const Span& s : spans[p]) { // a call at n is from 2n to 2n + 1
                    auto c = static_cast<std::size_t>(std::lower_bound(calls_.begin(), calls_.end(), (s.from + 1) / 2) -
                                                      calls_.begin());
                    for (; c < calls_.size() && 2 * calls_[c] + 1 < s.to; ++c)
                        if (alive_at_[c].empty() || alive_at_[c].back() != v)
                            alive_at_[c].push_back(v);
                }
    }

    const Function& function_;
    const File file_;
    std::vector<std::uint32_t> calls_;                 // numbers of instructions in the text
    std::vector<std::vector<std::uint32_t>> alive_at_; // by call: virtual registers, ascending
    std::vector<unsigned> accesses_;                   // by virtual register
    std::vector<bool> goes_;
};

} // namespace

void store_at_calls(Function& function, unsigned most) {
    for (const File file : {File::Predicate, File::Vector}) // a predicate goes to a vector register
        spill(function, Choice(function, file).beyond(file == File::Vector ? most : 0));
}

void keep_behind_calls(const Function& function, std::uint32_t which, std::vector<Kept>& kept) {
    constexpr std::uint32_t kGroup = 4;
    const std::vector<Alive> ends = alive_at_ends(function);
    for (const std::uint32_t b : function.order) {
        Alive alive = ends[b];
        const auto& code = function.blocks[b].code;
        for (auto i = code.rbegin(); i != code.rend(); ++i) {
            if (i->op == Op::Call) {
                if (has_predicate(alive))
                    throw std::logic_error("native code: a predicate is needed behind a call");
                Kept& callee = kept.at(static_cast<std::size_t>(i->mods.imm));
                const std::uint32_t vector = std::max(kept[which].vector, end_of(alive));
                callee.vector = std::max(callee.vector, (vector + kGroup - 1) / kGroup * kGroup);
                callee.barriers = std::max({callee.barriers, kept[which].barriers, std::uint32_t{i->barrier}});
            }
            step(*i, alive);
        }
    }
}

void move_behind(Function& function, const Kept& kept) {
    const auto move = [&](Operand& o) {
        if (o.is_register(File::Vector))
            o.number += kept.vector;
    };
    for (const std::uint32_t b : function.order)
        for (Instruction& i : function.blocks[b].code) {
            std::for_each(i.dst.begin(), i.dst.end(), move);
            std::for_each(i.src.begin(), i.src.end(), move);
            move(i.guard);
            if (i.op == Op::Bssy || i.op == Op::Bsync || i.op == Op::Call)
                i.barrier = static_cast<std::uint8_t>(i.barrier + kept.barriers);
        }
    function.registers += kept.vector;
    function.barriers += kept.barriers;
}

} // namespace heddle::native
