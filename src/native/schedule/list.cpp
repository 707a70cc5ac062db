#include "native/schedule/list.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "native/flow/liveness.h"
#include "native/schedule/dependences.h"

namespace heddle::native {

namespace {

// Registers of a file that hold values, and how many may.
struct Pressure {
    File file = File::Vector;
    unsigned alive = 0;
    unsigned limit = 0;
    bool is_last = false; // more registers than that there are none; else they cost warps
    [[nodiscard]] bool is_tight() const {
        return alive + (file == File::Vector ? 2 : 1) > limit;
    }
};
using Pressures = std::array<Pressure, 2>; // vector registers, predicates

// A result of variable latency that an instruction near the end of a block writes, for the blocks that follow.
struct Late {
    Op op = Op::Nop;          // of the instruction
    std::uint32_t behind = 0; // instructions from it to the end of its block
};
using LateResults = std::map<std::uint32_t, Late>; // by part

// By block: what may still be on its way at its begin.
std::vector<LateResults> late_results(const Function& function, const Target& target, const Parts& parts) {
    std::vector<LateResults> out(function.blocks.size());
    for (const std::uint32_t b : function.order) {
        LateResults last; // Nop: of another latency
        std::uint32_t behind = static_cast<std::uint32_t>(function.blocks[b].code.size());
        for (const Instruction& i : function.blocks[b].code) {
            each_write(i, [&](const Operand& o) {
                for (unsigned k = 0; k < o.count; ++k)
                    last[parts.of(o, k)] = {target.is_variable(i.op) ? i.op : Op::Nop, behind};
            });
            --behind;
        }
        for (const std::uint32_t next : function.successors(b))
            for (const auto& [part, late] : last)
                if (Late& all = out[next][part]; late.op != Op::Nop && (all.op == Op::Nop || late.behind < all.behind))
                    all = late;
    }
    return out;
}

// The order of one block. `late`: results that come from other blocks. `alive_behind`: registers that live on behind
// the block. `pressures`: at its begin.
class Ordering {
public:
    Ordering(const Function& function, const Block& block, const Target& target, const Parts& parts,
             const LateResults& late, const std::vector<bool>& alive_behind, const Pressures& pressures)
        : block_(block), parts_(parts), alive_behind_(alive_behind), pressures_(pressures),
          edges_(dependences(function, block, target)), waits_(block.code.size(), 0), ready_at_(block.code.size(), 0),
          way_(block.code.size(), 0) {
        for (std::uint32_t n = static_cast<std::uint32_t>(block.code.size()); n-- > 0;)
            for (const Dependence& d : edges_[n]) {
                way_[n] = std::max(way_[n], way_[d.to] + d.cycles);
                ++waits_[d.to];
            }
        for (const Instruction& i : block.code)
            each_read(i, [&](const Operand& o) { each_part(o, [&](std::uint32_t p) { ++reads_[p]; }); });
        await(late, target);
        find_needs();
    }

    std::vector<std::uint32_t> run() {
        std::vector<std::uint32_t> order;
        for (std::uint32_t n = 0; n < waits_.size(); ++n)
            if (waits_[n] == 0)
                ready_.push_back(n);
        std::uint32_t now = 0;
        while (!ready_.empty()) {
            const std::size_t chosen = choose(now);
            const std::uint32_t n = ready_[chosen];
            ready_.erase(ready_.begin() + static_cast<std::ptrdiff_t>(chosen));
            now = std::max(now, ready_at_[n]);
            order.push_back(n);
            for (Pressure& p : pressures_)
                p.alive = static_cast<unsigned>(std::max(0, static_cast<int>(p.alive) + change(n, p.file)));
            begin_and_end(n);
            for (const Dependence& d : edges_[n]) {
                ready_at_[d.to] = std::max(ready_at_[d.to], now + d.cycles);
                if (--waits_[d.to] == 0)
                    ready_.push_back(d.to);
            }
            ++now;
        }
        return order;
    }

private:
    template <typename Visit>
    void each_part(const Operand& o, Visit visit) const {
        for (unsigned k = 0; k < o.count; ++k)
            visit(parts_.of(o, k));
    }

    // Instructions that read results of other blocks can issue when these have come.
    void await(LateResults late, const Target& target) {
        for (std::uint32_t n = 0; n < block_.code.size(); ++n) {
            const Instruction& i = block_.code[n];
            each_read(i, [&](const Operand& o) {
                each_part(o, [&](std::uint32_t p) {
                    const auto found = late.find(p);
                    if (found == late.end() || found->second.op == Op::Nop)
                        return;
                    const Use use = &o == &i.guard ? Use::Guard : Use::Source;
                    const unsigned cycles = target.between(found->second.op, i.op, o.file, use);
                    ready_at_[n] = std::max(ready_at_[n], cycles - std::min(cycles, found->second.behind));
                });
            });
            each_write(i, [&](const Operand& o) { each_part(o, [&](std::uint32_t p) { late.erase(p); }); });
        }
    }

    // Registers of the file that begin less registers that end with the instruction.
    [[nodiscard]] int change(std::uint32_t n, File file) const {
        const Instruction& i = block_.code[n];
        int out = 0;
        each_write(i, [&](const Operand& o) {
            if (o.file == file)
                each_part(o, [&](std::uint32_t p) { out += begun_.contains(p) ? 0 : 1; });
        });
        std::map<std::uint32_t, unsigned> mine;
        each_read(i, [&](const Operand& o) {
            if (o.file == file)
                each_part(o, [&](std::uint32_t p) { ++mine[p]; });
        });
        for (const auto& [p, times] : mine)
            if (!alive_behind_[p] && reads_.at(p) == times)
                --out;
        return out;
    }

    void begin_and_end(std::uint32_t n) {
        each_read(block_.code[n], [&](const Operand& o) {
            each_part(o, [&](std::uint32_t p) {
                --reads_[p];
                unread_.erase(p);
            });
        });
        each_write(block_.code[n], [&](const Operand& o) {
            each_part(o, [&](std::uint32_t p) {
                begun_[p] = true;
                if (needs_[n].latency != 0 && reads_.contains(p))
                    unread_.insert(p);
            });
        });
    }

    [[nodiscard]] static bool is_copy_of_constant(const Instruction& i) {
        bool reads = false;
        each_read(i, [&](const Operand&) { reads = true; });
        return i.op == Op::Mov && !reads;
    }
    // Copies of constants wait for nothing, so all of them could fill cycles in which nothing else can issue, however
    // far ahead. More copies than cycles of their latency that nothing has read yet hide no latency, but take
    // registers: then a copy waits until what reads it could issue within twice the latency.
    [[nodiscard]] bool is_too_far_ahead(std::uint32_t n, std::uint32_t now) const {
        return needs_[n].latency != 0 && unread_.size() >= needs_[n].latency && needs_[n].from > now;
    }
    // Fills needs_.
    void find_needs() {
        std::vector<std::uint32_t> earliest = ready_at_; // by what instructions wait for
        for (std::uint32_t n = 0; n < earliest.size(); ++n)
            for (const Dependence& d : edges_[n])
                earliest[d.to] = std::max(earliest[d.to], earliest[n] + d.cycles);
        needs_.resize(earliest.size());
        for (std::uint32_t n = 0; n < earliest.size(); ++n)
            if (is_copy_of_constant(block_.code[n]))
                for (const Dependence& d : edges_[n])
                    if (d.cycles > needs_[n].latency)
                        needs_[n] = {d.cycles, earliest[d.to] - std::min(earliest[d.to], 2 * d.cycles)};
    }

    [[nodiscard]] std::size_t choose(std::uint32_t now) const {
        std::size_t best = 0;
        for (std::size_t r = 1; r < ready_.size(); ++r)
            if (goes_before(ready_[r], ready_[best], now))
                best = r;
        return best;
    }

    // What an instruction changes in the files of which no more registers should begin.
    struct Change {
        int begins = 0; // beyond those that end with it, by file
        int in_all = 0;
    };
    [[nodiscard]] Change change_where_tight(std::uint32_t n) const {
        Change out;
        for (const Pressure& p : pressures_) {
            const int here = p.is_tight() ? change(n, p.file) : 0;
            out.begins += std::max(here, 0);
            out.in_all += here;
        }
        return out;
    }

    // What begins none of what is scarce does not wait for what ends some. Of what begins some the least goes first;
    // where there are no other registers the order of the text is kept, since values that end late would go to local
    // memory.
    [[nodiscard]] bool goes_before(std::uint32_t a, std::uint32_t b, std::uint32_t now) const {
        const Change x = change_where_tight(a);
        const Change y = change_where_tight(b);
        const bool both_begin = x.begins > 0 && y.begins > 0 && pressures_[0].is_tight();
        if (both_begin && (pressures_[0].is_last || x.begins == y.begins))
            return a < b;
        if (x.begins != y.begins)
            return x.begins < y.begins;
        if (const bool far = is_too_far_ahead(a, now); far != is_too_far_ahead(b, now))
            return !far;
        const std::uint32_t wait_a = std::max(ready_at_[a], now);
        const std::uint32_t wait_b = std::max(ready_at_[b], now);
        if (wait_a != wait_b)
            return wait_a < wait_b;
        if (x.in_all != y.in_all)
            return x.in_all < y.in_all;
        if (way_[a] != way_[b])
            return way_[a] > way_[b];
        return a < b;
    }

    const Block& block_;
    const Parts& parts_;
    const std::vector<bool>& alive_behind_;
    Pressures pressures_;
    const std::vector<std::vector<Dependence>> edges_;
    std::vector<std::uint32_t> waits_, ready_at_, way_, ready_;
    std::map<std::uint32_t, unsigned> reads_; // by part: reads of the block to come
    std::map<std::uint32_t, bool> begun_;
    // Of a copy of a constant: its latency, and from when on it is not too far ahead of the first instruction that
    // reads it. Latency 0: of others.
    struct Need {
        std::uint32_t latency = 0, from = 0;
    };
    std::vector<Need> needs_;
    std::set<std::uint32_t> unread_; // parts that have been written with a constant and not been read
};

// Parts that hold values where a block begins, and that live on behind it.
struct LiveParts {
    std::vector<std::uint32_t> before, behind;
};

// By place of a block in the text.
std::vector<LiveParts> live_parts(const Function& function, const std::vector<std::vector<Span>>& spans) {
    std::vector<std::uint32_t> begins; // of blocks, and the end of the text
    std::uint32_t count = 0;
    for (const std::uint32_t b : function.order) {
        begins.push_back(2 * count);
        count += static_cast<std::uint32_t>(function.blocks[b].code.size());
    }
    begins.push_back(2 * count);
    std::vector<LiveParts> out(begins.size());
    const auto place = [&](auto found) { return static_cast<std::size_t>(found - begins.begin()); };
    for (std::uint32_t p = 0; p < spans.size(); ++p)
        for (const Span& s : spans[p]) {
            std::size_t at = place(std::lower_bound(begins.begin(), begins.end(), s.from));
            for (; at < begins.size() && begins[at] < s.to; ++at)
                out[at].before.push_back(p);
            std::size_t next = place(std::upper_bound(begins.begin(), begins.end(), s.from)); // never the first
            for (; next < begins.size() && begins[next] <= s.to; ++next)
                out[next - 1].behind.push_back(p);
        }
    return out;
}

constexpr unsigned kOthers = kUnnamedRegisters + 1; // R1

// Registers that the code may have without fewer warps on an SM: those of an SM for all of its threads, or, where the
// order that the code has already needs more, what is left of the unit in which registers are given.
unsigned registers_without_loss(unsigned alive, const Target& target) {
    const unsigned own = (alive + kOthers + kRegisterUnit - 1) / kRegisterUnit * kRegisterUnit;
    return std::max(own, target.registers / target.threads);
}

} // namespace

unsigned schedule(Function& function, const Target& target, unsigned registers, unsigned spare) {
    const Parts parts(function);
    const std::vector<std::vector<Span>> spans = live_spans(function, parts);
    const unsigned aim = registers_without_loss(most_alive(function, parts, spans).registers, target);
    const unsigned without_loss = aim - kOthers - spare;
    const Pressure vector{File::Vector, 0, std::min(registers, without_loss), registers <= without_loss};
    std::vector<File> file_of(spans.size(), File::Vector); // by part
    for (std::uint32_t v = 0; v < function.virtuals.size(); ++v)
        std::fill(file_of.begin() + parts.begin[v], file_of.begin() + parts.begin[v + 1], function.virtuals[v].file);
    const std::vector<LateResults> late = late_results(function, target, parts);
    const std::vector<LiveParts> lives = live_parts(function, spans);
    for (std::size_t at = 0; at < function.order.size(); ++at) {
        const std::uint32_t b = function.order[at];
        Block& block = function.blocks[b];
        std::vector<bool> behind(spans.size(), false);
        Pressures pressures{vector, Pressure{File::Predicate, 0, kMostPredicates - 1, true}};
        for (const std::uint32_t p : lives[at].behind)
            behind[p] = true;
        for (const std::uint32_t p : lives[at].before)
            for (Pressure& pressure : pressures)
                pressure.alive += pressure.file == file_of[p] ? 1 : 0;
        const std::vector<std::uint32_t> order =
            Ordering(function, block, target, parts, late[b], behind, pressures).run();
        std::vector<Instruction> code;
        code.reserve(order.size());
        for (const std::uint32_t n : order)
            code.push_back(std::move(block.code[n]));
        block.code = std::move(code);
    }
    return aim;
}

} // namespace heddle::native
