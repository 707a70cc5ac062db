#include <map>
#include <vector>

#include <fmt/format.h>

#include "native/control/bits.h"
#include "native/control/resources.h"
#include "native/text.h"

namespace heddle::native {

namespace {

using Written = std::pair<std::uint32_t, Op>; // a register, and the opcode that writes it

// What may be on its way when an instruction issues, the worst of all paths. Cycles count from its issue.
struct Pending {
    std::map<Written, std::uint32_t> fixed;                  // cycles since the issue of what writes the register
    std::map<std::uint32_t, std::uint32_t> results, sources; // register: counters that announce it, as a mask
    std::array<std::uint32_t, Control::kCounters> rising{};  // cycles until a wait sees the counter

    bool operator==(const Pending&) const = default;

    void merge(const Pending& other) {
        for (const auto& [written, age] : other.fixed) {
            const auto at = fixed.try_emplace(written, age).first;
            at->second = std::min(at->second, age);
        }
        for (const auto& [r, counters] : other.results)
            results[r] |= counters;
        for (const auto& [r, counters] : other.sources)
            sources[r] |= counters;
        for (unsigned c = 0; c < Control::kCounters; ++c)
            rising.at(c) = std::max(rising.at(c), other.rising.at(c));
    }

    void pass(std::uint32_t cycles) {
        for (auto entry = fixed.begin(); entry != fixed.end();)
            if (entry->second + cycles >= kLongestFixed) {
                entry = fixed.erase(entry);
            } else {
                entry->second += cycles;
                ++entry;
            }
        for (std::uint32_t& r : rising)
            r = r > cycles ? r - cycles : 0;
    }

    // Cycles since the issue of each instruction that may write the register: visit(opcode, cycles).
    template <typename Visit>
    void each_writer(std::uint32_t r, Visit visit) const {
        for (auto at = fixed.lower_bound({r, Op{}}); at != fixed.end() && at->first.first == r; ++at)
            visit(at->first.second, at->second);
    }

    // A later result takes the place of those on their way.
    void forget(std::uint32_t r) {
        fixed.erase(fixed.lower_bound({r, Op{}}), fixed.lower_bound({r + 1, Op{}}));
    }

    void write(std::uint32_t r, Op op) {
        forget(r);
        fixed[{r, op}] = 0;
    }

    void wait(std::uint32_t counters) {
        for (auto* list : {&results, &sources})
            for (auto entry = list->begin(); entry != list->end();) {
                // One wait is enough: a register is announced by one counter, or by one on each path.
                entry->second &= ~counters;
                entry = entry->second == 0 ? list->erase(entry) : std::next(entry);
            }
    }
};

class Checker {
public:
    Checker(const Function& function, const Target& target)
        : function_(function), target_(target), entry_(function.blocks.size()), met_(function.blocks.size(), false) {}

    std::string run() {
        std::vector<std::uint32_t> work = {function_.order.front()};
        met_[work.front()] = true;
        while (!work.empty()) {
            const std::uint32_t b = work.back();
            work.pop_back();
            Pending pending = entry_[b];
            for (const Instruction& i : function_.blocks[b].code) {
                if (std::string fault = issue(i, pending); !fault.empty())
                    return fmt::format("{} (block {}): {}", fault, b, to_string(i));
            }
            for (const std::uint32_t s : function_.successors(b)) {
                Pending merged = entry_[s];
                merged.merge(pending);
                if (met_[s] && merged == entry_[s])
                    continue;
                met_[s] = true;
                entry_[s] = std::move(merged);
                work.push_back(s);
            }
        }
        return {};
    }

private:
    std::string issue(const Instruction& i, Pending& pending) const {
        const Control& control = i.control;
        if (control.stall > Control::kMostStall || control.wait >= 1U << Control::kCounters)
            return "control bits out of range";
        for (unsigned c = 0; c < Control::kCounters; ++c)
            if ((control.wait >> c & 1) != 0 && pending.rising.at(c) != 0)
                return fmt::format("waits for counter {} before it is up", c);
        pending.wait(control.wait);
        const bool variable = target_.is_variable(i.op);
        std::string fault;
        each_source(i, [&](std::uint32_t r, Use use) {
            pending.each_writer(r, [&](Op writer, std::uint32_t age) {
                if (const unsigned needed = target_.between(writer, i.op, file_of(r), use); age < needed)
                    fault = fmt::format("register {} is read {} cycles too early", r, needed - age);
            });
            if (pending.results.contains(r))
                fault = fmt::format("register {} is read before its counter is 0", r);
        });
        each_result(i, [&](std::uint32_t r) {
            const unsigned own = variable ? 0 : target_.written(i.op, file_of(r));
            pending.each_writer(r, [&](Op writer, std::uint32_t age) {
                if (target_.written(writer, file_of(r)) > own + age)
                    fault = fmt::format("register {} would be overwritten by an earlier result", r);
            });
            if (pending.results.contains(r) || pending.sources.contains(r))
                fault = fmt::format("register {} is written while an earlier instruction uses it", r);
        });
        if (!fault.empty())
            return fault;
        if (variable && !announced(i))
            return "a result or source of variable latency has no counter";
        each_result(i, [&](std::uint32_t r) {
            if (!variable)
                return pending.write(r, i.op);
            if (!i.is_guarded())
                pending.forget(r);
            pending.results[r] |= 1U << control.write;
        });
        if (variable && control.read != Control::kNoCounter)
            for (const Operand& o : i.src)
                each_resource(o, [&](std::uint32_t r) { pending.sources[r] |= 1U << control.read; });
        else if (variable) // the result, if any, announces the sources as well; else nothing does
            for (const Operand& o : i.src)
                each_resource(o, [&](std::uint32_t r) { unread(i, r, pending); });
        for (const std::uint8_t c : {control.write, control.read})
            if (c != Control::kNoCounter)
                pending.rising.at(c) = kCyclesToCountUp;
        pending.pass(std::max<std::uint32_t>(1, control.stall));
        return {};
    }

    [[nodiscard]] static bool announced(const Instruction& i) {
        bool results = false;
        each_result(i, [&](std::uint32_t) { results = true; });
        return !results || i.control.write != Control::kNoCounter;
    }

    static void unread(const Instruction& i, std::uint32_t r, Pending& pending) {
        constexpr std::uint32_t kNever = 1U << Control::kCounters; // no wait ends it
        const bool has_result = i.control.write != Control::kNoCounter;
        if (!pending.results.contains(r)) // a register that is source and result is announced as result
            pending.sources[r] |= has_result ? 1U << i.control.write : kNever;
    }

    const Function& function_;
    const Target& target_;
    std::vector<Pending> entry_;
    std::vector<bool> met_;
};

} // namespace

std::string check_control(const Function& function, const Target& target) {
    return Checker(function, target).run();
}

} // namespace heddle::native
