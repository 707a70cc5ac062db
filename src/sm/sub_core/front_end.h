// Fetch and decode of the scoreboarded core: an instruction buffer a unit, filled at once when it is empty.
//
// Each cycle one unit, round-robin among those whose buffer is empty, looks the instruction cache up; what it finds in
// one line from its PC on, up to the size of the buffer, can be issued scoreboard.decode cycles later. A buffer that
// holds other instructions than those that come (a control transfer) is emptied.
#pragma once

#include <algorithm>
#include <vector>

#include "base/ring_queue.h"
#include "base/select.h"
#include "sm/frame/fetch_unit.h"
#include "sm/sub_core/config.h"
#include "warp/unit_table.h"

namespace heddle::sm {

class FrontEnd {
public:
    // Number `index` of the SM's `count` front ends.
    FrontEnd(const ICacheConfig& cache, const SubCoreConfig& config, const warp::UnitTable& units, MemoryPort& memory,
             unsigned index = 0, unsigned count = 1);

    // True when the unit's next instruction is in its buffer; else the buffer is empty now and waits for it.
    bool holds_next(UnitId unit);
    // The unit's next instruction has been issued.
    void take(UnitId unit) {
        ++buffers_[unit].pc;
        --buffers_[unit].count;
    }
    // What has been decoded by `now`. Calls f(unit) for each unit whose next instruction has come.
    template <class F>
    void deliver(Cycle now, F&& f) {
        while (next_arrival_ <= now) {
            const Arrival arrival = arriving_.pop();
            next_arrival_ = arriving_.front_or_any().at | mask_if(arriving_.empty());
            if (put_in(arrival))
                f(arrival.unit);
        }
    }
    // At most one unit fetches. The answer is the unit if its instruction is not in the cache, else kNoUnit.
    UnitId fetch(Cycle now);
    // Its instruction has been sent for.
    [[nodiscard]] bool waits(UnitId unit) const {
        return blocked_.contains(unit);
    }

    // Memory has answered a request of an instruction cache: one of the SM's front ends it is for.
    [[nodiscard]] static unsigned asked_by(std::uint32_t id, unsigned count) {
        return id % count;
    }
    void fill(std::uint32_t id) {
        fetch_.fill(id, blocked_);
    }
    void retry() {
        fetch_.retry(blocked_);
    }

    // The first cycle from `now` on in which something happens by itself.
    [[nodiscard]] Cycle next(Cycle now) const {
        if (can_fetch())
            return now;
        return std::max(now, next_arrival_);
    }
    void add_statistics(stats::Tree& tree) {
        fetch_.add_statistics(tree);
    }

private:
    struct Buffer {
        Pc pc = kNoPc; // of the first instruction in it
        std::uint32_t generation = 0;
        std::uint8_t count = 0;
        Pc coming = kNoPc; // on its way from the cache, for `generation`
    };
    struct Arrival {
        Cycle at;
        UnitId unit;
        std::uint8_t count;
        std::uint32_t generation;
        Pc pc;
    };

    [[nodiscard]] std::uint64_t able(unsigned word) const {
        return wanted_.word(word) & units_.alive.word(word) & ~blocked_.word(word);
    }
    [[nodiscard]] bool can_fetch() const {
        if (wanted_units_ == 0)
            return false;
        for (unsigned i = 0; i < units_.words; ++i)
            if (able(i) != 0)
                return true;
        return false;
    }
    void want(UnitId unit, bool wanted) {
        if (wanted_.contains(unit) == wanted)
            return;
        wanted_.put(unit, wanted);
        wanted_units_ += wanted ? 1 : ~0U;
    }
    bool put_in(const Arrival& arrival);

    const warp::UnitTable& units_;
    const unsigned size_;
    const unsigned line_instructions_;
    const Cycle decode_;
    FetchUnit fetch_;
    std::vector<Buffer> buffers_;
    UnitSet wanted_; // units whose buffer is empty, with nothing on its way
    unsigned wanted_units_ = 0;
    UnitSet blocked_; // of these, those that wait for their line
    UnitSet able_;    // wanted, alive, not blocked
    UnitId last_;     // that has fetched
    RingQueue<Arrival> arriving_;
    Cycle next_arrival_ = kNever; // of the first of them
};

} // namespace heddle::sm
