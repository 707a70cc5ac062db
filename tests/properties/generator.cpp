#include "generator.h"

#include "code_writer.h"

namespace heddle::properties {
namespace {

constexpr std::uint64_t kLongest = 1500; // instructions of a thread

// Writes one function. A loop's labels are kept while its body is written.
class FunctionWriter : CodeWriter {
public:
    FunctionWriter(Random& random, const Shape& shape, Exits exits, bool diverges, Function& out, unsigned self)
        : CodeWriter(random, exits, out, self), shape_(shape), diverges_(diverges) {}

    void kernel() {
        end_ = new_label();
        special(kTid, Special::Tid);
        special(kThread, Special::Ctaid);
        put({.op = Op::Multiply, .d = kThread, .a = kThread, .b = number(shape_.block)});
        put({.op = Op::Add, .d = kThread, .a = kThread, .b = reg(kTid)});
        put({.op = Op::Move, .d = kFuel, .b = number(3)});
        bases(kBaseSteps);
        put({.op = Op::Multiply, .d = 0, .a = kThread, .b = number(odd())});
        clear_memories();
        start_values();
        for (unsigned section = 2 + below(3); section > 0; --section)
            diverges_&& chance(3) ? jumble(3 + below(5)) : uniform(2);
        write_out();
        place(end_);
        put({.op = Op::Exit});
    }

    // Its argument comes in register 0; it returns at once when the fuel is used up.
    void function() {
        special(0, Special::Argument);
        special(kFuel, Special::Fuel);
        special(kThread, Special::Caller);
        bases(kGlobalBaseSteps);
        start_values();
        put({.op = Op::Test, .d = 2, .a = kFuel, .b = number(0)});
        leave_function({2, false});
        put({.op = Op::Subtract, .d = kFuel, .a = kFuel, .b = number(1)});
        if (chance(3))
            jumble(2 + below(4));
        else
            statements(2);
        leave_function({});
    }

private:
    struct Loop {
        unsigned next, behind; // labels
    };

    // The program has to clear shared memory and .local variables itself.
    void clear_memories() {
        put({.op = Op::Move, .d = 1, .b = number(0)});
        for (unsigned k = 0; k < kCells; ++k)
            put({.op = Op::Store, .a = 1, .space = Space::Local, .offset = k});
        for (unsigned k = 0; k < kSharedCells; ++k)
            put({.op = Op::Store, .a = 0, .space = Space::Shared, .offset = k});
        put({.op = Op::Test, .d = 2, .a = kTid, .b = number(0)});
        for (unsigned k = 0; k < kSharedCounters; ++k)
            put({.op = Op::Store, .guard = {2, false}, .a = 1, .space = Space::SharedCounters, .offset = k});
        put({.op = Op::Barrier});
    }

    void start_values() {
        for (unsigned r = 1; r < kData; ++r) {
            put({.op = Op::Multiply, .d = r, .a = r == 1 ? 0 : r - 1, .b = number(odd())});
            put({.op = Op::Xor, .d = r, .a = r, .b = reg(kThread)});
        }
        for (unsigned w = 0; w < kWide; ++w)
            put({.op = Op::WideMove, .d = w, .a = w});
        for (unsigned p = 0; p < 2; ++p)
            test(p);
    }

    void write_out() {
        for (unsigned r = 0; r < kData; ++r)
            put({.op = Op::Store, .a = r, .space = Space::Cells, .offset = kCells + r});
        for (unsigned w = 0; w < kWide; ++w) {
            put({.op = Op::Upper, .d = 0, .a = w});
            put({.op = Op::Store, .a = 0, .space = Space::Cells, .offset = kCells + kData + w});
        }
    }

    // The kernel calls both functions, outer calls both too, inner calls none. There is no recursion in a loop, which
    // might take very long.
    void call() {
        if (self_ == 2)
            return alu();
        const unsigned callee = self_ == 1 && !loops_.empty() ? 2 : 1 + below(2);
        put({.op = Op::Call, .guard = some_guard(), .d = data(), .a = data(), .target = callee});
    }

    void leave_function(Guard guard) {
        put({.op = Op::StoreResult, .a = 0});
        put({.op = Op::Return, .guard = guard});
    }

    // Divergent code that ends where it began, nested at most `depth` deep.
    void statements(unsigned depth) {
        for (unsigned n = 1 + below(3); n > 0; --n)
            statement(depth);
    }

    void statement(unsigned depth) {
        const unsigned kind = below(10);
        if (depth > 0 && kind < 3)
            branches(depth);
        else if (depth > 0 && kind < 5)
            loop(depth);
        else if (kind == 5)
            call();
        else if (kind == 6)
            leave();
        else
            straight();
    }

    // Out of a loop, of the function or of the program, for some.
    void leave() {
        straight();
        const unsigned kind = below(4);
        if (exits_ == Exits::Anywhere && chance(4))
            put({.op = Op::Exit, .guard = any_guard()});
        else if (exits_ == Exits::Returns && in_kernel() && chance(4))
            branch(end_, any_guard());
        else if (!loops_.empty() && kind < 2)
            branch(kind == 0 ? loops_.back().next : loops_.back().behind, any_guard());
        else if (!loops_.empty() && kind == 2)
            branch(loops_.front().behind, any_guard());
        else if (!in_kernel())
            leave_function(any_guard());
    }

    void branches(unsigned depth) {
        const unsigned otherwise = new_label();
        test(2);
        branch(otherwise, {2, chance(2)});
        statements(depth - 1);
        if (chance(2)) {
            const unsigned behind = new_label();
            branch(behind);
            place(otherwise);
            statements(depth - 1);
            place(behind);
        } else {
            place(otherwise);
        }
    }

    void loop(unsigned depth) {
        const auto counter = static_cast<unsigned>(kCounter + loops_.size());
        const unsigned top = new_label();
        const Loop labels{new_label(), new_label()};
        const bool tests_first = chance(2);
        put({.op = Op::ShiftRight, .d = counter, .a = data(), .b = number(below(16))});
        put({.op = Op::And, .d = counter, .a = counter, .b = number(3)});
        if (!tests_first)
            put({.op = Op::Add, .d = counter, .a = counter, .b = number(1)});
        place(tests_first ? labels.next : top);
        if (tests_first) {
            put({.op = Op::Test, .d = 3, .a = counter, .b = number(0)});
            branch(labels.behind, {3, false});
            put({.op = Op::Subtract, .d = counter, .a = counter, .b = number(1)});
        }
        loops_.push_back(labels);
        statements(depth - 1);
        loops_.pop_back();
        if (tests_first) {
            branch(labels.next);
        } else {
            place(labels.next);
            put({.op = Op::Subtract, .d = counter, .a = counter, .b = number(1)});
            put({.op = Op::Test, .d = 3, .a = counter, .b = number(0), .relation = Relation::NotEqual});
            branch(top, {3, false});
        }
        place(labels.behind);
    }

    // Code to which all threads of a block come together.
    void uniform(unsigned depth) {
        for (unsigned n = 2 + below(3); n > 0; --n) {
            const unsigned kind = below(8);
            if (!diverges_ && kind < 4)
                straight();
            else if (exits_ == Exits::Anywhere || kind < 4)
                statement(2);
            else if (kind == 4 && depth > 0)
                uniform_loop(depth);
            else if (kind == 5)
                vote();
            else if (kind == 6 && exits_ == Exits::Uniform)
                put({.op = Op::Exit, .guard = any_guard()});
            else if (kind == 6 && exits_ == Exits::Returns)
                branch(end_, any_guard());
            else
                exchange();
        }
    }

    void uniform_loop(unsigned depth) {
        const auto counter = static_cast<unsigned>(kCounter + kLoops - depth); // statements nest two deep
        const unsigned top = new_label();
        put({.op = Op::Move, .d = counter, .b = number(1 + below(2))});
        place(top);
        uniform(depth - 1);
        put({.op = Op::Subtract, .d = counter, .a = counter, .b = number(1)});
        put({.op = Op::Test, .d = 3, .a = counter, .b = number(0), .relation = Relation::NotEqual});
        branch(top, {3, false});
    }

    void vote() {
        test(0);
        put({.op = Op::Ballot, .d = data(), .p = 0});
        if (exits_ == Exits::None) // a thread that has left has no value to give
            put({.op = Op::Shuffle, .d = data(), .a = data(), .b = number(below(32))});
    }

    // Reads what another thread of the block has in shared memory, and a sum of all.
    void exchange() {
        const unsigned word = below(kSharedCells);
        put({.op = Op::Store, .a = data(), .space = Space::Shared, .offset = word});
        put({.op = Op::Barrier});
        put({.op = Op::Add, .d = kTemporary, .a = kTid, .b = number(below(shape_.block))});
        put({.op = Op::Remainder, .d = kTemporary, .a = kTemporary, .b = number(shape_.block)});
        put({.op = Op::Index, .space = Space::Neighbour});
        put({.op = Op::Load, .d = data(), .space = Space::Neighbour, .indexed = true, .offset = word});
        put({.op = Op::Load, .d = data(), .space = Space::SharedCounters, .offset = below(kSharedCounters)});
        put({.op = Op::Barrier});
    }

    // Blocks of code with jumps between any two of them.
    void jumble(unsigned blocks) {
        std::vector<unsigned> labels;
        for (unsigned b = 0; b <= blocks; ++b)
            labels.push_back(new_label());
        const unsigned fuel = kCounter; // the loops' counters are free here
        put({.op = Op::Move, .d = fuel, .b = number(2 + below(8))});
        for (unsigned b = 0; b < blocks; ++b) {
            place(labels[b]);
            straight();
            if (self_ == 0 && chance(4))
                call();
            if (chance(4))
                leave();
            if (!chance(6))
                jump(labels, b, fuel);
        }
        place(labels[blocks]);
    }

    void jump(const std::vector<unsigned>& labels, unsigned here, unsigned fuel) {
        const unsigned to = below(static_cast<unsigned>(labels.size()));
        if (to > here)
            return branch(labels[to], chance(4) ? Guard{} : any_guard());
        put({.op = Op::Test, .d = 2, .a = fuel, .b = number(0), .relation = Relation::NotEqual});
        if (!chance(4))
            put({.op = Op::Both, .d = 2, .p = below(2)});
        put({.op = Op::Subtract, .guard = {2, false}, .d = fuel, .a = fuel, .b = number(1)});
        branch(labels[to], {2, false});
    }

    Shape shape_;
    bool diverges_;
    unsigned end_ = 0; // label of the kernel's last instruction
    std::vector<Loop> loops_;
};

Program attempt(Random& random, const Shape& shape, bool diverges) {
    Program program{shape, {{"main", {}, {}}, {"outer", {}, {}}, {"inner", {}, {}}}};
    const Exits exits = diverges ? static_cast<Exits>(random() % 4) : Exits::None;
    for (unsigned f = 0; f < program.functions.size(); ++f) {
        FunctionWriter writer(random, shape, exits, diverges, program.functions[f], f);
        f == 0 ? writer.kernel() : writer.function();
    }
    return program;
}

Generated generate(std::uint64_t seed, const Shape& shape, bool diverges) {
    Random random(seed);
    for (;;) {
        Program program = attempt(random, shape, diverges);
        if (auto expected = run_reference(program, kLongest))
            return {std::move(program), std::move(*expected)};
    }
}

} // namespace

Generated generate(std::uint64_t seed, const Shape& shape) {
    return generate(seed, shape, true);
}

Generated generate_uniform(std::uint64_t seed, const Shape& shape) {
    return generate(seed, shape, false);
}

} // namespace heddle::properties
