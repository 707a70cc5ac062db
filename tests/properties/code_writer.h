// Random straight-line code of one function: what changes no control flow.
#pragma once

#include <random>

#include "program.h"

namespace heddle::properties {

enum class Exits : std::uint8_t {
    None,
    Uniform,  // where control flow is uniform: barriers go on without them
    Returns,  // the same by jumps to the end of the kernel, also out of divergent code
    Anywhere, // no barriers
};

using Random = std::mt19937_64;

inline Operand reg(unsigned r) {
    return {true, r};
}
inline Operand number(std::uint32_t value) {
    return {false, value};
}

class CodeWriter {
protected:
    // `self`: the function's number; 0 is the kernel.
    CodeWriter(Random& random, Exits exits, Function& out, unsigned self)
        : random_(random), exits_(exits), out_(out), self_(self) {}

    unsigned below(unsigned n) {
        return static_cast<unsigned>(random_() % n);
    }
    bool chance(unsigned one_in) {
        return below(one_in) == 0;
    }
    std::uint32_t odd() {
        return below(1U << 20) * 2 + 1;
    }
    unsigned data() {
        return below(kData);
    }
    Guard any_guard() {
        return {static_cast<int>(below(2)), chance(2)};
    }
    Guard some_guard() {
        return chance(4) ? any_guard() : Guard{};
    }
    [[nodiscard]] bool in_kernel() const {
        return self_ == 0;
    }

    void put(const Instruction& i) {
        out_.code.push_back(i);
    }
    void special(unsigned d, Special which) {
        put({.op = Op::Special, .d = d, .special = which});
    }
    void bases(unsigned steps) {
        for (unsigned s = 0; s < steps; ++s)
            put({.op = Op::Base, .offset = s});
    }
    unsigned new_label() {
        out_.labels.push_back(0);
        return static_cast<unsigned>(out_.labels.size() - 1);
    }
    void place(unsigned label) {
        out_.labels[label] = out_.code.size();
    }
    void branch(unsigned label, Guard guard = {}) {
        put({.op = Op::Branch, .guard = guard, .target = label});
    }

    // Predicate p tests a few bits of some register.
    void test(unsigned p) {
        const unsigned bits = (2U << below(3)) - 1;
        const unsigned distance = below(12);
        put({.op = Op::ShiftRight, .d = kTemporary, .a = data(), .b = number(distance)});
        put({.op = Op::And, .d = kTemporary, .a = kTemporary, .b = number(bits)});
        put({.op = Op::Test,
             .d = p,
             .a = kTemporary,
             .b = number(below(bits + 1)),
             .relation = static_cast<Relation>(below(4))});
    }

    void straight() {
        for (unsigned n = 1 + below(3); n > 0; --n)
            switch (below(8)) {
            case 0:
                test(below(2));
                break;
            case 1:
                access();
                break;
            case 2:
                count();
                break;
            case 3:
                other();
                break;
            default:
                alu();
            }
    }

    void alu() {
        const auto op = static_cast<Op>(static_cast<unsigned>(Op::Move) + below(10)); // up to ShiftRight
        const Operand b = chance(2) ? reg(data()) : op == Op::ShiftRight ? number(below(40)) : number(odd());
        put({.op = op, .guard = some_guard(), .d = data(), .a = data(), .b = b});
    }

    void other() {
        switch (below(3)) {
        case 0:
            put({.op = Op::Select, .guard = some_guard(), .d = data(), .a = data(), .p = below(2), .b = reg(data())});
            break;
        case 1:
            put({.op = Op::WideMad, .guard = some_guard(), .d = below(kWide), .a = data(), .b = reg(data())});
            break;
        default:
            put({.op = Op::Upper, .guard = some_guard(), .d = data(), .a = below(kWide)});
        }
    }

    // The address of word `bits of some register` in `space`, kTemporary included.
    void index(Space space, unsigned words) {
        put({.op = Op::And, .d = kTemporary, .a = data(), .b = number(words - 1)});
        put({.op = Op::Index, .space = space});
    }

    void access() {
        static constexpr Space kSpaces[] = {Space::Cells, Space::Spread, Space::Cells, Space::Local, Space::Shared};
        const Space space = kSpaces[below(in_kernel() ? 5 : 3)];
        const unsigned words = space == Space::Shared ? kSharedCells : kCells;
        const bool indexed = chance(2);
        if (indexed)
            index(space, words);
        const bool store = chance(2);
        put({.op = store ? Op::Store : Op::Load,
             .guard = some_guard(),
             .d = data(),
             .a = data(),
             .space = space,
             .indexed = indexed,
             .offset = indexed ? 0 : below(words)});
    }

    void count() {
        if (in_kernel() && exits_ != Exits::Anywhere && chance(3)) {
            put({.op = Op::Reduce,
                 .guard = some_guard(),
                 .a = data(),
                 .space = Space::SharedCounters,
                 .offset = below(kSharedCounters)});
            return;
        }
        const bool indexed = chance(2);
        if (indexed)
            index(Space::Counters, kEach);
        const auto atomic = static_cast<Atomic>(below(4));
        put({.op = chance(3) ? Op::Fetch : Op::Reduce,
             .guard = some_guard(),
             .a = data(),
             .atomic = atomic,
             .space = Space::Counters,
             .indexed = indexed,
             .offset = static_cast<unsigned>(atomic) * kEach + (indexed ? 0 : below(kEach))});
    }

    Random& random_;
    Exits exits_;
    Function& out_;
    unsigned self_;
};

} // namespace heddle::properties
