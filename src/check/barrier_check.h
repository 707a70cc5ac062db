// The use of a block's barriers: whether those who meet should have met, and those who should have met did.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "check/findings.h"

namespace heddle::check {

// The threads of a block, as far as barriers are concerned.
class BarrierCheck {
public:
    static constexpr unsigned kBarriers = 16;
    struct Arrival {
        std::uint32_t thread; // of the block
        Pc pc;
        std::uint32_t expected; // threads; 0: all of the block
        bool waits;
        bool aligned;
    };

    BarrierCheck(std::uint32_t block, std::uint32_t threads);

    // The thread has executed this instruction.
    void executes(std::uint32_t thread, Pc pc) {
        threads_[thread].last = pc;
    }
    void exits(std::uint32_t thread, Pc pc);
    void arrive(unsigned barrier, const Arrival& arrival, Findings& findings);
    // Those who have arrived go on.
    void complete(unsigned barrier, Findings& findings);
    // The launch has ended because no thread could go on.
    void stuck(Findings& findings) const;

private:
    struct Thread {
        bool exited = false;
        Pc last = kNoPc; // executed last, as far as is known
    };

    void check_instructions(unsigned barrier, Findings& findings) const;
    void check_exits(unsigned barrier, Findings& findings) const;
    void add_count(unsigned barrier, const Arrival& first, const Arrival& second, Findings& findings) const;
    void check_warps(unsigned barrier, Findings& findings) const;
    [[nodiscard]] Finding finding(Kind kind, unsigned barrier, std::uint32_t first, Pc first_pc) const;
    [[nodiscard]] Finding finding(Kind kind, unsigned barrier, const Arrival& first, std::uint32_t second,
                                  Pc second_pc) const;

    std::uint32_t block_;
    std::vector<Thread> threads_;
    std::array<std::vector<Arrival>, kBarriers> arrivals_;
};

} // namespace heddle::check
