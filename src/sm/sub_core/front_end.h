// Fetch and decode of the scoreboarded core. Each unit has an instruction buffer.
//
// Each cycle one unit looks the instruction cache up. A buffer is filled when it is empty, round-robin: the
// instructions of one line from the unit's PC on, up to the size of the buffer, can be issued scoreboard.decode cycles
// later. With sub_core.fetch = "ahead" one instruction is fetched where a buffer has room: of the unit that fetched
// last, else round-robin. A control transfer empties a buffer that does not hold the instruction at the next PC.
#pragma once

#include <algorithm>
#include <vector>

#include "base/ring_queue.h"
#include "base/select.h"
#include "sm/frame/fetch_unit.h"
#include "sm/sub_core/config.h"
#include "warp/unit_table.h"

namespace heddle::sm {

class alignas(64) FrontEnd { // next() reads one line of the host's cache, or two
public:
    // Front end `index` of the `count` front ends of SM `sm`. `ahead`: sub_core.fetch. `ideal`: every instruction is
    // in the cache.
    FrontEnd(const ICacheConfig& cache, const SubCoreConfig& config, const warp::UnitTable& units, MemoryPort& memory,
             unsigned sm = 0, unsigned index = 0, unsigned count = 1, bool ahead = false, bool ideal = false);

    // FetchUnit::go_through().
    void go_through(std::unique_ptr<FetchPath> path) {
        fetch_.go_through(std::move(path));
    }

    // True when the unit's next instruction is in its buffer. Else the buffer is emptied and waits for that
    // instruction.
    bool holds_next(UnitId unit);
    // The unit's next instruction has been issued. kPlain, here and below: not `ahead`.
    template <bool kPlain = false>
    void take(UnitId unit) {
        Buffer& buffer = buffers_[unit];
        ++buffer.pc;
        --buffer.count;
        if (!kPlain && ahead_)
            want(unit, true);
    }
    // Fills buffers with the instructions decoded by `now`. Calls f(unit) for each unit whose next instruction has
    // come.
    template <bool kPlain = false, class F>
    void deliver(Cycle now, F&& f) {
        while (next_arrival_ <= now) {
            const Arrival arrival = arriving_.pop();
            next_arrival_ = arriving_.front_or_any().at | mask_if(arriving_.empty());
            if (put_in<kPlain>(arrival))
                f(arrival.unit);
        }
    }
    // At most one unit fetches. Returns the unit if its instruction is not in the cache, else kNoUnit.
    template <bool kPlain = false>
    UnitId fetch(Cycle now);
    // A request for the unit's instruction is on its way to memory.
    [[nodiscard]] bool waits(UnitId unit) const {
        return blocked_.contains(unit);
    }

    // The front end, of `count` in the SM, that sent the instruction request `id`.
    [[nodiscard]] static unsigned front_end_of(std::uint32_t id, unsigned count) {
        return id % count;
    }
    void fill(std::uint32_t id) {
        fetch_.fill(id, blocked_);
    }
    // FetchUnit::arrived().
    void arrived(std::uint32_t id, Cycle now) {
        fetch_.arrived(id, blocked_, now);
    }
    void retry() {
        fetch_.retry(blocked_);
    }

    // FetchUnit::flush().
    void flush() {
        fetch_.flush();
    }

    // The first cycle from `now` on in which this front end has work without new input.
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
        Pc pc = kNoPc; // PC of its first instruction, or of the first on its way
        std::uint32_t generation = 0;
        std::uint32_t life = 0; // counts how often it was emptied
        std::uint8_t count = 0;
        std::uint8_t coming = 0; // instructions on their way from the cache
    };
    struct Arrival {
        Cycle at;
        UnitId unit;
        std::uint8_t count;
        std::uint32_t life; // of the buffer
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
    // Instructions from `pc` to the end of its line.
    [[nodiscard]] unsigned in_line(Pc pc) const {
        return line_instructions_ - pc % line_instructions_;
    }
    void want(UnitId unit, bool wanted) {
        if (wanted_.contains(unit) == wanted)
            return;
        wanted_.put(unit, wanted);
        wanted_units_ += wanted ? 1 : ~0U;
    }
    template <bool kPlain = false>
    bool put_in(const Arrival& arrival);
    void empty(Buffer& buffer, UnitId unit);

    Cycle next_arrival_ = kNever; // `at` of the first arrival; kNever: there is none
    const warp::UnitTable& units_;
    unsigned wanted_units_ = 0;
    UnitId last_; // the unit that fetched last
    const bool ahead_;
    UnitSet wanted_;  // units that fetch: nothing is in the buffer or on its way, or (ahead_) the buffer has room
    UnitSet blocked_; // wanted units that wait for their line
    UnitSet able_;    // wanted, alive, not blocked
    std::vector<Buffer> buffers_;
    RingQueue<Arrival> arriving_;
    const unsigned size_;
    const unsigned line_instructions_;
    const Cycle decode_;
    FetchUnit fetch_;
};

} // namespace heddle::sm
