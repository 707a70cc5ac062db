#include <algorithm>

#include "native/control/bits.h"
#include "native/control/resources.h"

namespace heddle::native {

namespace {

class Stalls {
public:
    Stalls(Function& function, const Target& target) : function_(function), target_(target) {}

    void run() {
        for (const std::uint32_t b : function_.order)
            run(b);
    }

private:
    // The instruction that wrote a register last, of fixed latency.
    struct Write {
        bool is_set = false;
        Op op{};
        std::uint32_t at = 0; // its issue, from the begin of the block
    };

    void run(std::uint32_t b) {
        std::vector<Instruction>& code = function_.blocks[b].code;
        writes_.fill({});
        std::array<std::uint32_t, Control::kCounters> up{}; // when a wait for the counter sees it
        std::uint32_t now = 0;
        for (std::size_t n = 0; n < code.size(); ++n) {
            const std::uint32_t at = std::max(earliest(code, n, now), rise(code[n], up));
            if (n != 0)
                separate(code[n - 1], at - now, code[n]);
            now = at;
            issue(code[n], now, up);
        }
        if (!code.empty())
            end(b, now, *std::max_element(up.begin(), up.end()));
    }

    // When an instruction may issue by what it reads and writes.
    [[nodiscard]] std::uint32_t earliest(const std::vector<Instruction>& code, std::size_t n, std::uint32_t now) const {
        const Instruction& i = code[n];
        std::uint32_t at = n == 0 ? 0 : now + target_.least_stall(code[n - 1].op);
        each_source(i, [&](std::uint32_t r, Use use) {
            if (const Write& w = writes_.at(r); w.is_set)
                at = std::max(at, w.at + target_.between(w.op, i.op, file_of(r), use));
        });
        each_result(i, [&](std::uint32_t r) {
            if (const Write& w = writes_.at(r); w.is_set)
                at = std::max(at, w.at + overtaking(w.op, i.op, file_of(r)));
        });
        return at;
    }

    [[nodiscard]] static std::uint32_t rise(const Instruction& i,
                                            const std::array<std::uint32_t, Control::kCounters>& up) {
        std::uint32_t at = 0;
        for (unsigned c = 0; c < Control::kCounters; ++c)
            if ((i.control.wait >> c & 1) != 0)
                at = std::max(at, up.at(c));
        return at;
    }

    // Cycles between two instructions that write one register, so that the second writes it last.
    [[nodiscard]] unsigned overtaking(Op first, Op second, File file) const {
        const unsigned later = target_.is_variable(second) ? 0 : target_.written(second, file);
        return target_.written(first, file) - std::min(target_.written(first, file), later);
    }

    void issue(const Instruction& i, std::uint32_t now, std::array<std::uint32_t, Control::kCounters>& up) {
        const bool variable = target_.is_variable(i.op);
        each_result(i, [&](std::uint32_t r) { // counters announce a variable one, which a false guard leaves out
            if (!variable || !i.is_guarded())
                writes_.at(r) = {!variable, i.op, now};
        });
        for (const std::uint8_t c : {i.control.write, i.control.read})
            if (c != Control::kNoCounter)
                up.at(c) = now + kCyclesToCountUp;
    }

    // The stall count of the last instruction: what comes behind the block needs results of it, or waits for counters.
    void end(std::uint32_t b, std::uint32_t now, std::uint32_t up) {
        Instruction& last = function_.blocks[b].code.back();
        std::uint32_t stall = std::max<std::uint32_t>(target_.least_stall(last.op), up > now ? up - now : 0);
        for (std::uint32_t r = 0; r < kResources; ++r)
            if (const Write& w = writes_.at(r); w.is_set && now - w.at < kLongestFixed)
                stall = std::max(stall, behind(b, r, w.op, now - w.at));
        last.control.stall = static_cast<std::uint8_t>(stall);
    }

    // Cycles that are missing at the begin of the blocks behind block `b` until `r`, which `op` writes, may be used as
    // they use it. `passed`: cycles since the issue of `op`, at least.
    [[nodiscard]] std::uint32_t behind(std::uint32_t b, std::uint32_t r, Op op, std::uint32_t passed) const {
        std::uint32_t missing = 0;
        for (const std::uint32_t s : function_.successors(b))
            missing = std::max(missing, within(s, r, op, passed));
        return missing;
    }

    [[nodiscard]] std::uint32_t within(std::uint32_t b, std::uint32_t r, Op op, std::uint32_t passed) const {
        std::uint32_t needed = passed;
        const auto need = [&](std::uint32_t cycles, std::uint32_t since) {
            needed = std::max(needed, cycles - std::min(cycles, since));
        };
        std::uint32_t since = 0; // the begin of the block, at least
        for (const Instruction& i : function_.blocks[b].code) {
            if (passed + since >= kLongestFixed)
                return needed - passed;
            each_source(i, [&](std::uint32_t read, Use use) {
                if (read == r)
                    need(target_.between(op, i.op, file_of(r), use), since);
            });
            bool overwritten = false;
            each_result(i, [&](std::uint32_t written) { overwritten = overwritten || written == r; });
            if (overwritten)
                need(overtaking(op, i.op, file_of(r)), since);
            if (overwritten && !i.is_guarded())
                return needed - passed;
            since += target_.least_stall(i.op);
        }
        const std::uint32_t later = behind(b, r, op, passed + since);
        return std::max(needed - passed, later);
    }

    static void separate(Instruction& earlier, std::uint32_t cycles, const Instruction& later) {
        earlier.control.stall = static_cast<std::uint8_t>(cycles); // latencies are less than 16
        earlier.control.yield = later.control.wait != 0;
    }

    Function& function_;
    const Target& target_;
    std::array<Write, kResources> writes_{};
};

} // namespace

void set_stalls(Function& function, const Target& target) {
    Stalls(function, target).run();
}

} // namespace heddle::native
