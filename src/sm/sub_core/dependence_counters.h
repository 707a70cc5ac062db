// Dependences by control bits: what an instruction waits for is in the code, not in a scoreboard (Jia et al., arXiv
// 1804.06826; Huerta et al., MICRO 2025). Each warp has six counters, and the cycle from which on its next instruction
// may issue. A counter is up while results that it announces are not written, or sources not read.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <vector>

#include "ir/control_bits.h"
#include "sm/sub_core/scoreboard.h"

namespace heddle::sm {

class DependenceCounters {
public:
    explicit DependenceCounters(unsigned units) : warps_(units) {}

    // Starts a kernel: no warp waits.
    void begin() {
        std::fill(warps_.begin(), warps_.end(), Warp{});
    }
    // The instruction at `pc` has issued. A warp that yields leaves the next cycle to another.
    void issued(UnitId unit, const ir::ControlBits& bits, Writer writer, Pc pc, Cycle now) {
        const Cycle stall = std::max<Cycle>(bits.stall, bits.yield ? 2 : 1);
        if (stall > 1) // every issue is a cycle behind the one before
            warps_[unit].stall = {0, writer, pc, now + stall};
    }
    // A counter is up until a cycle, or until down(); no counter: kNoCounter.
    void up(UnitId unit, std::uint8_t counter, Writer writer, Pc pc, Cycle until) {
        if (counter == ir::ControlBits::kNoCounter)
            return;
        Counter& c = warps_[unit].counter[counter];
        const bool open = until == Scoreboard::kUntilCleared;
        c.open = static_cast<std::uint16_t>(c.open + (open ? 1 : 0));
        if (!open && until < c.until)
            return;
        c.writer = writer;
        c.pc = pc;
        if (!open)
            c.until = until;
    }
    void down(UnitId unit, std::uint8_t counter) {
        if (counter != ir::ControlBits::kNoCounter)
            --warps_[unit].counter[counter].open;
    }

    // What the warp's next instruction waits for at `now`, and until when.
    [[nodiscard]] Scoreboard::Block blocker(UnitId unit, const ir::ControlBits& next, Cycle now) const {
        const Counter* const c = last(unit, next, now);
        return c == nullptr ? Scoreboard::Block{} : Scoreboard::Block{c->writer, c->end()};
    }
    // The instruction that it waits for; kNoPc: none.
    [[nodiscard]] Pc producer(UnitId unit, const ir::ControlBits& next, Cycle now) const {
        const Counter* const c = last(unit, next, now);
        return c == nullptr ? kNoPc : c->pc;
    }

private:
    struct Counter {
        std::uint16_t open = 0; // ends that are not known yet
        Writer writer;          // of the instruction that ends last, as far as that is known
        Pc pc = kNoPc;
        Cycle until = 0;

        [[nodiscard]] Cycle end() const {
            return open != 0 ? Scoreboard::kUntilCleared : until;
        }
    };
    struct Warp {
        Counter stall;
        std::array<Counter, ir::ControlBits::kCounters> counter;
    };

    // What ends last of all that the next instruction waits for; null: it can issue.
    [[nodiscard]] const Counter* last(UnitId unit, const ir::ControlBits& next, Cycle now) const {
        const Warp& warp = warps_[unit];
        const Counter* last = &warp.stall;
        for (unsigned wait = next.wait; wait != 0; wait &= wait - 1)
            if (const Counter& c = warp.counter[static_cast<unsigned>(std::countr_zero(wait))]; c.end() > last->end())
                last = &c;
        return last->end() > now ? last : nullptr;
    }

    std::vector<Warp> warps_;
};

} // namespace heddle::sm
