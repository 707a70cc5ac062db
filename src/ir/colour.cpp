#include "ir/colour.h"

#include <algorithm>
#include <map>

#include "ir/liveness.h"

namespace heddle::ir {

namespace {

// Op i reads at time 2i and writes at time 2i + 1.
struct Segment {
    std::uint32_t from = 0, to = 0; // [from, to)
};

// A destination that must not share a place with any source of its op: it may be written, lane by lane or element by
// element, before all of the sources are read.
bool writes_early(const MicroOp& op, const Draft& draft) {
    if (op.kind != Kind::Alu || op.vector > 1 || op.dst[1] != kNowhere)
        return true;
    if (op.dst[0] == kNowhere)
        return false;
    const unsigned size = draft.registers[op.dst[0]].slots();
    if (op.guard != kNowhere && size == 0)
        return true; // the guard is a predicate as well
    bool differs = false;
    each_use(op, [&](Place r) {
        const unsigned other = draft.registers[r].slots();
        differs = differs || (other != 0 && size != 0 && other != size);
    });
    return differs;
}

// Walks a function backwards and collects, by register, the segments of time in which it is alive.
class Ranges {
public:
    Ranges(Draft& draft, const Cfg& cfg) : draft_(draft), cfg_(cfg), segments(draft.registers.size()) {
        end_.resize(draft.registers.size(), 0);
        position_.resize(draft.registers.size(), 0);
    }

    void build() {
        const std::vector<std::vector<std::uint32_t>> out = live_out(draft_, cfg_);
        std::size_t call = draft_.calls.size();
        for (std::size_t b = cfg_.blocks.size(); b-- > 0;) {
            const Block& block = cfg_.blocks[b];
            for (const std::uint32_t r : out[b])
                revive(r, 2 * block.end);
            most_ = std::max(most_, words_);
            for (std::uint32_t i = block.end; i-- > block.begin;) {
                if (call > 0 && draft_.calls[call - 1].op == i) {
                    draft_.calls[--call].live = alive_;
                    std::sort(draft_.calls[call].live.begin(), draft_.calls[call].live.end());
                }
                step(i);
            }
            while (!alive_.empty())
                finish(alive_.back(), 2 * block.begin);
        }
        for (std::vector<Segment>& list : segments)
            join(list);
    }

    [[nodiscard]] std::uint32_t most_words() const {
        return most_;
    }

private:
    Draft& draft_;
    const Cfg& cfg_;
    std::vector<std::uint32_t> end_;      // by register, where it dies; 0: not alive
    std::vector<std::uint32_t> position_; // by register, in alive_
    std::vector<std::uint32_t> alive_;
    std::uint32_t words_ = 0; // of the registers alive
    std::uint32_t most_ = 0;

public:
    std::vector<std::vector<Segment>> segments;

private:
    void step(std::uint32_t i) {
        const MicroOp& op = draft_.ops[i];
        const std::uint32_t write = writes_early(op, draft_) ? 2 * i : 2 * i + 1;
        each_definition(op, [&](Place r) { revive(r, 2 * i + 2); }); // what nobody reads takes a place for a moment
        most_ = std::max(most_, words_);
        each_definition(op, [&](Place r) {
            // A guarded definition leaves the old value in the other lanes: alive before it when alive behind it.
            if (end_[r] != 0 && (op.guard == kNowhere || end_[r] == 2 * i + 2))
                finish(r, write);
        });
        each_use(op, [&](Place r) { revive(r, 2 * i + 1); });
        most_ = std::max(most_, words_);
    }

    void revive(std::uint32_t r, std::uint32_t end) {
        if (end_[r] != 0)
            return;
        end_[r] = end;
        position_[r] = static_cast<std::uint32_t>(alive_.size());
        alive_.push_back(r);
        words_ += draft_.registers[r].slots();
    }

    void finish(std::uint32_t r, std::uint32_t begin) {
        segments[r].push_back({begin, end_[r]});
        end_[r] = 0;
        alive_[position_[r]] = alive_.back();
        position_[alive_.back()] = position_[r];
        alive_.pop_back();
        words_ -= draft_.registers[r].slots();
    }

    // Text order, neighbours made one.
    static void join(std::vector<Segment>& list) {
        std::reverse(list.begin(), list.end());
        std::size_t kept = 0;
        for (std::size_t i = 1; i < list.size(); ++i) {
            if (list[i].from <= list[kept].to)
                list[kept].to = std::max(list[kept].to, list[i].to);
            else
                list[++kept] = list[i];
        }
        if (!list.empty())
            list.resize(kept + 1);
    }
};

// When a slot (or a predicate) is taken.
class Schedule {
public:
    [[nodiscard]] bool is_free(const std::vector<Segment>& wanted) const {
        for (const Segment& s : wanted) {
            auto next = taken_.lower_bound(s.from);
            if (next != taken_.end() && next->first < s.to)
                return false;
            if (next != taken_.begin() && std::prev(next)->second > s.from)
                return false;
        }
        return true;
    }
    void take(const std::vector<Segment>& wanted) {
        for (const Segment& s : wanted)
            taken_.emplace(s.from, s.to);
    }

private:
    std::map<std::uint32_t, std::uint32_t> taken_; // from -> to
};

// First fit: `width` schedules side by side, at a multiple of it.
std::uint32_t first_fit(std::vector<Schedule>& schedules, const std::vector<Segment>& wanted, unsigned width) {
    for (std::uint32_t at = 0;; at += width) {
        while (schedules.size() < at + width)
            schedules.emplace_back();
        bool free = true;
        for (unsigned k = 0; k < width; ++k)
            free = free && schedules[at + k].is_free(wanted);
        if (!free)
            continue;
        for (unsigned k = 0; k < width; ++k)
            schedules[at + k].take(wanted);
        return at;
    }
}

} // namespace

void colour(Draft& draft, const Cfg& cfg) {
    Ranges ranges(draft, cfg);
    ranges.build();
    std::vector<std::uint32_t> order(draft.registers.size());
    for (std::uint32_t r = 0; r < order.size(); ++r)
        order[r] = r;
    // The wide ones first: the narrow ones then fill the gaps between them. Among equals by first definition, which
    // for ranges without holes is the best order there is.
    const auto rank = [&](std::uint32_t r) {
        const std::vector<Segment>& s = ranges.segments[r];
        return std::pair(-static_cast<int>(draft.registers[r].slots()), s.empty() ? 0 : s.front().from);
    };
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return rank(a) < rank(b); });
    std::vector<Schedule> slots, predicates;
    draft.colour.assign(draft.registers.size(), 0);
    for (const std::uint32_t r : order) {
        const unsigned width = draft.registers[r].slots();
        draft.colour[r] =
            width == 0 ? first_fit(predicates, ranges.segments[r], 1) : first_fit(slots, ranges.segments[r], width);
    }
    draft.slots = static_cast<std::uint32_t>(slots.size());
    draft.predicates = static_cast<std::uint32_t>(predicates.size());
    draft.live_registers = ranges.most_words();
}

} // namespace heddle::ir
