#include <algorithm>

#include "native/control/bits.h"
#include "native/control/resources.h"

namespace heddle::native {

namespace {

class Stalls {
public:
    explicit Stalls(const Target& target) : target_(target) {}

    void run(std::vector<Instruction>& code) {
        ready_.fill(0);
        std::array<std::uint32_t, Control::kCounters> up{}; // when a wait for the counter sees it
        std::uint32_t now = 0;
        std::uint32_t all = 0; // when every result is there
        for (std::size_t n = 0; n < code.size(); ++n) {
            Instruction& i = code[n];
            std::uint32_t at = n == 0 ? 0 : now + 1;
            const std::uint32_t earlier = target_.earlier(i.op);
            each_source(i, [&](std::uint32_t r) {
                const std::uint32_t ready = ready_.at(r);
                at = std::max(at, is_uniform(r) ? ready - std::min(ready, earlier) : ready);
            });
            const std::uint32_t latency = fixed_latency(i);
            // A result does not overtake an earlier one of the same register.
            each_result(
                i, [&](std::uint32_t r) { at = std::max(at, ready_.at(r) > latency ? ready_.at(r) - latency : 0); });
            for (unsigned c = 0; c < Control::kCounters; ++c)
                if ((i.control.wait >> c & 1) != 0)
                    at = std::max(at, up.at(c));
            if (n != 0)
                separate(code[n - 1], at - now, i);
            now = at;
            each_result(i, [&](std::uint32_t r) { ready_.at(r) = now + latency; });
            all = std::max(all, now + latency);
            for (const std::uint8_t c : {i.control.write, i.control.read})
                if (c != Control::kNoCounter) {
                    up.at(c) = now + kCyclesToCountUp;
                    all = std::max(all, now + kCyclesToCountUp);
                }
        }
        if (!code.empty())
            code.back().control.stall = static_cast<std::uint8_t>(std::max(1U, all - now));
    }

private:
    [[nodiscard]] std::uint32_t fixed_latency(const Instruction& i) const {
        return target_.is_variable(i.op) ? 0 : target_.of(info(i.op).latency);
    }

    static void separate(Instruction& earlier, std::uint32_t cycles, const Instruction& later) {
        earlier.control.stall = static_cast<std::uint8_t>(cycles); // latencies are less than 16
        earlier.control.yield = later.control.wait != 0;
    }

    const Target& target_;
    std::array<std::uint32_t, kResources> ready_{};
};

} // namespace

void set_stalls(Function& function, const Target& target) {
    Stalls stalls(target);
    for (const std::uint32_t b : function.order)
        stalls.run(function.blocks[b].code);
}

} // namespace heddle::native
