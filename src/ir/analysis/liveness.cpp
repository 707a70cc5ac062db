#include "ir/analysis/liveness.h"

#include <algorithm>

namespace heddle::ir {

namespace {

struct Occurrence {
    std::uint32_t op = 0;
    bool use = false;
    bool definition = false;
    bool kills = false; // an unguarded definition
};

// All occurrences by register, in text order, in one array.
class Occurrences {
public:
    explicit Occurrences(const Draft& draft) : begin_(draft.registers.size() + 1, 0) {
        each(draft, [&](Place r, std::uint32_t, bool, bool) { ++begin_[r + 1]; });
        for (std::size_t r = 1; r < begin_.size(); ++r)
            begin_[r] += begin_[r - 1];
        list_.resize(begin_.back());
        std::vector<std::uint32_t> next(begin_.begin(), begin_.end() - 1);
        each(draft, [&](Place r, std::uint32_t op, bool definition, bool kills) {
            list_[next[r]++] = {op, !definition, definition, kills};
        });
    }
    [[nodiscard]] const Occurrence* begin(std::uint32_t r) const {
        return list_.data() + begin_[r];
    }
    [[nodiscard]] const Occurrence* end(std::uint32_t r) const {
        return list_.data() + begin_[r + 1];
    }

private:
    template <typename Visit>
    static void each(const Draft& draft, Visit visit) {
        for (std::uint32_t i = 0; i < draft.ops.size(); ++i) { // an op reads before it writes
            const MicroOp& op = draft.ops[i];
            each_use(draft, op, [&](Place r) { visit(r, i, false, false); });
            each_definition(op, [&](Place r) { visit(r, i, true, op.guard == kNowhere); });
        }
    }
    std::vector<std::uint32_t> begin_;
    std::vector<Occurrence> list_;
};

class Flow {
public:
    Flow(const Draft& draft, const Cfg& cfg)
        : cfg_(cfg), occurrences_(draft), predecessors_(cfg.blocks.size()), alive_out_(cfg.blocks.size(), kNever),
          kills_(cfg.blocks.size(), kNever) {
        for (std::uint32_t b = 0; b < cfg.blocks.size(); ++b)
            for (const std::uint32_t s : cfg.graph.successors[b])
                predecessors_[s].push_back(b);
    }

    std::vector<Segment> segments_of(std::uint32_t r) {
        segments_.clear();
        alive_blocks_.clear();
        spread(r);
        within_blocks(r);
        for (const std::uint32_t b : alive_blocks_)
            if (!occurs_in(r, b))
                segments_.push_back({2 * cfg_.blocks[b].begin, 2 * cfg_.blocks[b].end});
        return joined();
    }

private:
    static constexpr std::uint32_t kNever = 0xffffffffU; // not the number of a register

    // Visits the runs of occurrences that lie in one block.
    template <typename Visit>
    void each_block(std::uint32_t r, Visit visit) const {
        const Occurrence* end = occurrences_.end(r);
        for (const Occurrence* first = occurrences_.begin(r); first != end;) {
            const std::uint32_t block = cfg_.block_of[first->op];
            const Occurrence* last = first;
            while (last != end && last->op < cfg_.blocks[block].end)
                ++last;
            visit(block, first, last);
            first = last;
        }
    }

    [[nodiscard]] bool occurs_in(std::uint32_t r, std::uint32_t block) const {
        const Occurrence* found = std::lower_bound(occurrences_.begin(r), occurrences_.end(r), cfg_.blocks[block].begin,
                                                   [](const Occurrence& o, std::uint32_t op) { return o.op < op; });
        return found != occurrences_.end(r) && found->op < cfg_.blocks[block].end;
    }

    // Marks the blocks at whose end r is alive.
    void spread(std::uint32_t r) {
        work_.clear();
        const auto needed_at_begin = [&](std::uint32_t block) {
            for (const std::uint32_t p : predecessors_[block]) {
                if (alive_out_[p] == r)
                    continue;
                alive_out_[p] = r;
                alive_blocks_.push_back(p);
                if (kills_[p] != r)
                    work_.push_back(p);
            }
        };
        each_block(r, [&](std::uint32_t block, const Occurrence* first, const Occurrence* last) {
            if (std::any_of(first, last, [](const Occurrence& o) { return o.kills; }))
                kills_[block] = r;
        });
        each_block(r, [&](std::uint32_t block, const Occurrence* first, const Occurrence* last) {
            for (const Occurrence* o = first; o != last && !o->kills; ++o)
                if (o->use)
                    return needed_at_begin(block);
        });
        while (!work_.empty()) {
            const std::uint32_t block = work_.back();
            work_.pop_back();
            needed_at_begin(block);
        }
    }

    // Walks backwards through the blocks in which r occurs.
    void within_blocks(std::uint32_t r) {
        each_block(r, [&](std::uint32_t block, const Occurrence* first, const Occurrence* last) {
            std::uint32_t until = alive_out_[block] == r ? 2 * cfg_.blocks[block].end : 0; // 0: not alive
            for (const Occurrence* o = last; o-- != first;) {
                if (o->use && until == 0)
                    until = 2 * o->op + 1;
                if (o->definition && until == 0)
                    segments_.push_back({2 * o->op + 1, 2 * o->op + 2});
                if (o->kills && until != 0) {
                    segments_.push_back({2 * o->op + 1, until});
                    until = 0;
                }
            }
            if (until != 0)
                segments_.push_back({2 * cfg_.blocks[block].begin, until});
        });
    }

    std::vector<Segment> joined() {
        std::sort(segments_.begin(), segments_.end(),
                  [](const Segment& a, const Segment& b) { return a.from != b.from ? a.from < b.from : a.to < b.to; });
        std::vector<Segment> out;
        for (const Segment& s : segments_) {
            if (!out.empty() && s.from <= out.back().to)
                out.back().to = std::max(out.back().to, s.to);
            else
                out.push_back(s);
        }
        return out;
    }

    const Cfg& cfg_;
    const Occurrences occurrences_;
    std::vector<std::vector<std::uint32_t>> predecessors_;
    std::vector<std::uint32_t> alive_out_; // by block: the last register found alive at its end
    std::vector<std::uint32_t> kills_;     // by block: the last register found defined there
    std::vector<std::uint32_t> alive_blocks_;
    std::vector<std::uint32_t> work_;
    std::vector<Segment> segments_;
};

} // namespace

std::vector<std::vector<Segment>> live_segments(const Draft& draft, const Cfg& cfg) {
    Flow flow(draft, cfg);
    std::vector<std::vector<Segment>> segments(draft.registers.size());
    for (std::uint32_t r = 0; r < segments.size(); ++r)
        segments[r] = flow.segments_of(r);
    return segments;
}

std::uint32_t most_alive(const Draft& draft, const std::vector<std::vector<Segment>>& segments) {
    std::vector<std::int64_t> change(2 * draft.ops.size() + 1, 0);
    for (std::size_t r = 0; r < segments.size(); ++r)
        for (const Segment& s : segments[r]) {
            change[s.from] += draft.registers[r].slots();
            change[s.to] -= draft.registers[r].slots();
        }
    std::int64_t now = 0;
    std::int64_t most = 0;
    for (const std::int64_t c : change) {
        now += c;
        most = std::max(most, now);
    }
    return static_cast<std::uint32_t>(most);
}

void set_live_across_calls(Draft& draft, const std::vector<std::vector<Segment>>& segments) {
    for (std::uint32_t r = 0; r < segments.size(); ++r)
        for (const Segment& s : segments[r]) {
            // Alive across the call of op i: alive at time 2i + 1, since a call defines nothing.
            auto site = std::lower_bound(draft.calls.begin(), draft.calls.end(), s.from,
                                         [](const CallSite& c, std::uint32_t from) { return 2 * c.op + 1 < from; });
            for (; site != draft.calls.end() && 2 * site->op + 1 < s.to; ++site)
                site->live.push_back(r);
        }
}

} // namespace heddle::ir
