#include <algorithm>
#include <bitset>

#include "native/control/bits.h"
#include "native/control/resources.h"

namespace heddle::native {

namespace {

using Set = std::bitset<kResources + 1>;
constexpr std::size_t kTaken = kResources; // marks a counter whose registers are not set yet

// Registers that each counter guards: results that are not written yet, sources that are not read yet.
struct State {
    std::array<Set, Control::kCounters> write, read;

    // True: it was not part of this one yet.
    bool merge(const State& other) {
        bool grew = false;
        for (unsigned c = 0; c < Control::kCounters; ++c) {
            grew = grew || (other.write.at(c) & ~write.at(c)).any() || (other.read.at(c) & ~read.at(c)).any();
            write.at(c) |= other.write.at(c);
            read.at(c) |= other.read.at(c);
        }
        return grew;
    }
    [[nodiscard]] bool is_used(unsigned c) const {
        return write.at(c).any() || read.at(c).any();
    }
};

class Counters {
public:
    Counters(Function& function, const Target& target)
        : function_(function), target_(target), entry_(function.blocks.size()) {}

    void run() {
        for (const std::uint32_t b : function_.order)
            assign(function_.blocks[b].code);
        bool changed = true;
        while (changed) { // states at entries only grow
            changed = false;
            for (const std::uint32_t b : function_.order) {
                State state = entry_[b];
                for (Instruction& i : function_.blocks[b].code)
                    step(state, i);
                for (const std::uint32_t s : function_.successors(b))
                    changed = entry_[s].merge(state) || changed;
            }
        }
    }

private:
    [[nodiscard]] static Set results(const Instruction& i) {
        Set out;
        each_result(i, [&](std::uint32_t r) { out.set(r); });
        return out;
    }
    [[nodiscard]] static Set sources(const Instruction& i) {
        Set out;
        for (const Operand& o : i.src) // the guard is read at issue
            each_resource(o, [&](std::uint32_t r) { out.set(r); });
        return out;
    }

    // Counters by the block alone; 0 to 5 in turn, a free one first.
    void assign(std::vector<Instruction>& code) {
        State state;
        std::array<std::size_t, Control::kCounters> since{};
        for (std::size_t n = 0; n < code.size(); ++n) {
            Instruction& i = code[n];
            i.control = {};
            step(state, i);
            if (!target_.is_variable(i.op))
                continue;
            if (results(i).any())
                i.control.write = take(state, since, n);
            if (needs_read_counter(code, n))
                i.control.read = take(state, since, n);
            apply(state, i);
        }
    }

    // Whether a later instruction of the block overwrites a source before the result of this one announces that all
    // sources were read; at the end of the block a later block may.
    [[nodiscard]] static bool needs_read_counter(const std::vector<Instruction>& code, std::size_t n) {
        const Set mine = sources(code[n]);
        if (mine.none())
            return false;
        const Set written = results(code[n]);
        for (std::size_t m = n + 1; m < code.size(); ++m) {
            Set touched = results(code[m]);
            if ((touched & mine & ~written).any())
                return true;
            each_source(code[m], [&](std::uint32_t r, Use) { touched.set(r); });
            if (written.any() && (touched & written).any())
                return false; // waits for the result
        }
        return code.back().op != Op::Exit || code.back().is_guarded();
    }

    static std::uint8_t take(State& state, std::array<std::size_t, Control::kCounters>& since, std::size_t n) {
        unsigned chosen = 0;
        for (unsigned c = 0; c < Control::kCounters; ++c) {
            const bool better = state.is_used(chosen) && !state.is_used(c);
            if (better || (state.is_used(chosen) == state.is_used(c) && since.at(c) < since.at(chosen)))
                chosen = c;
        }
        state.read.at(chosen).set(kTaken);
        since.at(chosen) = n + 1;
        return static_cast<std::uint8_t>(chosen);
    }

    // Waits for what the instruction needs, then what it leaves behind. An acquire needs the data of all loads in front
    // of it.
    void step(State& state, Instruction& i) const {
        const bool acquires = i.op == Op::Cctl;
        const Set written = results(i);
        Set read;
        each_source(i, [&](std::uint32_t r, Use) { read.set(r); });
        i.control.wait = 0;
        for (unsigned c = 0; c < Control::kCounters; ++c)
            if ((state.write.at(c) & (read | written)).any() || (state.read.at(c) & written).any() ||
                (acquires && state.write.at(c).any())) {
                i.control.wait = static_cast<std::uint8_t>(i.control.wait | 1U << c);
                state.write.at(c).reset();
                state.read.at(c).reset();
            }
        apply(state, i);
    }

    static void apply(State& state, const Instruction& i) {
        if (i.control.write != Control::kNoCounter)
            state.write.at(i.control.write) |= results(i);
        if (i.control.read != Control::kNoCounter)
            state.read.at(i.control.read) |= sources(i);
    }

    Function& function_;
    const Target& target_;
    std::vector<State> entry_;
};

} // namespace

void set_counters(Function& function, const Target& target) {
    Counters(function, target).run();
}

} // namespace heddle::native
