#include "native/flow/liveness.h"

#include <algorithm>
#include <bit>
#include <map>

namespace heddle::native {

Parts::Parts(const Function& function) {
    std::uint32_t next = 0;
    for (const VirtualRegister& v : function.virtuals) {
        begin.push_back(next);
        next += v.width;
    }
    begin.push_back(next);
}

namespace {

using Bits = std::vector<std::uint64_t>;

void put(Bits& set, std::uint32_t i, bool on) {
    const std::uint64_t bit = std::uint64_t{1} << (i % 64);
    set[i / 64] = on ? set[i / 64] | bit : set[i / 64] & ~bit;
}

constexpr std::uint32_t kLocal = 0xffffffffU;

// Parts that some block reads before it writes them: no others live from block to block.
struct Globals {
    Globals(const Function& function, const Parts& of_function) : number(of_function.begin.back(), kLocal) {
        std::vector<std::uint32_t> written(of_function.begin.back(),
                                           kLocal); // by part: the last block that has written it
        for (const std::uint32_t b : function.order)
            for (const Instruction& i : function.blocks[b].code) {
                each_read(i, [&](const Operand& o) {
                    for (unsigned k = 0; k < o.count; ++k)
                        if (const std::uint32_t p = of_function.of(o, k); written[p] != b)
                            add(p);
                });
                if (!(i.is_guarded() && i.keeps))
                    each_write(i, [&](const Operand& o) {
                        for (unsigned k = 0; k < o.count; ++k)
                            written[of_function.of(o, k)] = b;
                    });
            }
    }
    void add(std::uint32_t part) {
        if (number[part] != kLocal)
            return;
        number[part] = static_cast<std::uint32_t>(parts.size());
        parts.push_back(part);
    }
    std::vector<std::uint32_t> number; // by part; kLocal: not global
    std::vector<std::uint32_t> parts;
};

class Flow {
public:
    Flow(const Function& function, const Parts& parts)
        : function_(function), parts_(parts), globals_(function, parts), words_((globals_.parts.size() + 63) / 64),
          in_(function.blocks.size(), Bits(words_, 0)), out_(in_) {}

    std::vector<std::vector<Span>> run() {
        solve();
        std::vector<std::vector<Span>> spans(parts_.begin.back());
        std::vector<std::uint32_t> until(parts_.begin.back(), 0); // 0: not alive
        std::uint32_t end = static_cast<std::uint32_t>(function_.instructions());
        for (auto b = function_.order.rbegin(); b != function_.order.rend(); ++b) {
            const auto& code = function_.blocks[*b].code;
            const std::uint32_t begin = end - static_cast<std::uint32_t>(code.size());
            each_global(out_[*b], [&](std::uint32_t p) { until[p] = 2 * end; });
            for (std::uint32_t n = end; n-- > begin;) {
                const Instruction& i = code[n - begin];
                each_write(i, [&](const Operand& o) {
                    for (unsigned k = 0; k < o.count; ++k)
                        write(parts_.of(o, k), n, i.is_guarded() && i.keeps, until, spans);
                });
                each_read(i, [&](const Operand& o) {
                    for (unsigned k = 0; k < o.count; ++k)
                        if (std::uint32_t& u = until[parts_.of(o, k)]; u == 0)
                            u = 2 * n + 1;
                });
            }
            each_global(in_[*b], [&](std::uint32_t p) {
                if (until[p] != 2 * begin)
                    spans[p].push_back({2 * begin, until[p]});
                until[p] = 0;
            });
            end = begin;
        }
        for (auto& list : spans)
            join(list);
        return spans;
    }

private:
    static void write(std::uint32_t p, std::uint32_t n, bool keeps, std::vector<std::uint32_t>& until,
                      std::vector<std::vector<Span>>& spans) {
        if (keeps) {
            if (until[p] == 0)
                spans[p].push_back({2 * n + 1, 2 * n + 2});
            return;
        }
        spans[p].push_back({2 * n + 1, until[p] == 0 ? 2 * n + 2 : until[p]});
        until[p] = 0;
    }

    static void join(std::vector<Span>& list) {
        std::sort(list.begin(), list.end(), [](const Span& a, const Span& b) { return a.from < b.from; });
        std::vector<Span> out;
        for (const Span& s : list)
            if (!out.empty() && s.from <= out.back().to)
                out.back().to = std::max(out.back().to, s.to);
            else
                out.push_back(s);
        list = std::move(out);
    }

    // Calls visit(part) for each part of a set.
    template <typename Visit>
    void each_global(const Bits& set, Visit visit) const {
        for (std::size_t w = 0; w < words_; ++w)
            for (std::uint64_t rest = set[w]; rest != 0; rest &= rest - 1)
                visit(globals_.parts[w * 64 + static_cast<std::size_t>(std::countr_zero(rest))]);
    }

    void put_all(Bits& set, const Operand& o, bool on) const {
        for (unsigned k = 0; k < o.count; ++k)
            if (const std::uint32_t g = globals_.number[parts_.of(o, k)]; g != kLocal)
                put(set, g, on);
    }

    void transfer(std::uint32_t b, Bits& alive) const {
        const auto& code = function_.blocks[b].code;
        for (auto i = code.rbegin(); i != code.rend(); ++i) {
            if (!(i->is_guarded() && i->keeps))
                each_write(*i, [&](const Operand& o) { put_all(alive, o, false); });
            each_read(*i, [&](const Operand& o) { put_all(alive, o, true); });
        }
    }

    void solve() {
        bool changed = true;
        while (changed) {
            changed = false;
            for (auto b = function_.order.rbegin(); b != function_.order.rend(); ++b) {
                for (const std::uint32_t s : function_.successors(*b))
                    for (std::size_t w = 0; w < words_; ++w)
                        out_[*b][w] |= in_[s][w];
                Bits alive = out_[*b];
                transfer(*b, alive);
                if (alive != in_[*b]) {
                    in_[*b] = std::move(alive);
                    changed = true;
                }
            }
        }
    }

    const Function& function_;
    const Parts& parts_;
    const Globals globals_;
    const std::size_t words_;
    std::vector<Bits> in_, out_;
};

} // namespace

std::vector<std::vector<Span>> live_spans(const Function& function, const Parts& parts) {
    return Flow(function, parts).run();
}

bool is_alive(std::uint32_t virtual_register, std::uint32_t at, const Parts& parts,
              const std::vector<std::vector<Span>>& spans) {
    for (std::uint32_t p = parts.begin[virtual_register]; p < parts.begin[virtual_register + 1]; ++p)
        for (const Span& s : spans[p])
            if (s.from <= at && at < s.to)
                return true;
    return false;
}

Peak most_alive(const Function& function, const Parts& parts, const std::vector<std::vector<Span>>& spans) {
    std::map<std::uint32_t, int> changes; // by time
    for (std::uint32_t v = 0; v < function.virtuals.size(); ++v)
        for (std::uint32_t p = parts.begin[v]; function.virtuals[v].file == File::Vector && p < parts.begin[v + 1]; ++p)
            for (const Span& s : spans[p]) {
                ++changes[s.from];
                --changes[s.to];
            }
    Peak out;
    int alive = 0;
    for (const auto& [time, change] : changes) {
        alive += change;
        if (alive > static_cast<int>(out.registers))
            out = {static_cast<unsigned>(alive), time};
    }
    return out;
}

} // namespace heddle::native
