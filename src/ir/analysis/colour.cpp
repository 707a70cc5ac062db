#include "ir/analysis/colour.h"

#include <algorithm>
#include <array>
#include <map>

#include "ir/analysis/liveness.h"

namespace heddle::ir {

namespace {

// A destination that must not share a place with any source of its op: it may be written, lane by lane or element by
// element, before all of the sources are read.
bool writes_early(const MicroOp& op, const Draft& draft) {
    if (op.kind != Kind::Alu || op.vector > 1 || op.dst[1] != kNowhere)
        return true;
    // A predicate must not overwrite the guard of its own op.
    return op.guard != kNowhere && op.dst[0] != kNowhere && draft.registers[op.dst[0]].slots() == 0;
}

// Moves the begin of ranges that begin with an early write to the reads of the op.
void advance_early_writes(const Draft& draft, std::vector<std::vector<Segment>>& segments) {
    for (std::vector<Segment>& list : segments)
        for (Segment& s : list)
            if (s.from % 2 == 1 && writes_early(draft.ops[s.from / 2], draft))
                --s.from;
}

// The times at which a slot or a predicate is taken.
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

// First fit.
std::uint32_t first_fit(std::vector<Schedule>& schedules, const std::vector<Segment>& wanted) {
    for (std::uint32_t at = 0;; ++at) {
        if (at == schedules.size())
            schedules.emplace_back();
        if (schedules[at].is_free(wanted)) {
            schedules[at].take(wanted);
            return at;
        }
    }
}

} // namespace

void colour(Draft& draft, const Cfg& cfg) {
    std::vector<std::vector<Segment>> segments = live_segments(draft, cfg);
    draft.live_registers = most_alive(draft, segments);
    set_live_across_calls(draft, segments);
    advance_early_writes(draft, segments);
    std::vector<std::uint32_t> order(draft.registers.size());
    for (std::uint32_t r = 0; r < order.size(); ++r)
        order[r] = r;
    // By first definition, the optimal order for ranges without holes.
    const auto rank = [&](std::uint32_t r) { return segments[r].empty() ? 0 : segments[r].front().from; };
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return rank(a) < rank(b); });
    std::array<std::vector<Schedule>, 3> places; // predicates, narrow slots, pairs of slots
    draft.colour.assign(draft.registers.size(), 0);
    for (const std::uint32_t r : order) {
        const unsigned width = draft.registers[r].slots();
        draft.colour[r] = first_fit(places[width], segments[r]) * std::max(1U, width);
    }
    draft.predicates = static_cast<std::uint32_t>(places[0].size());
    draft.narrow_slots = static_cast<std::uint32_t>(places[1].size());
    draft.wide_slots = static_cast<std::uint32_t>(2 * places[2].size());
}

} // namespace heddle::ir
