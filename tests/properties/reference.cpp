#include "reference.h"

#include <algorithm>
#include <stdexcept>

namespace heddle::properties {
namespace {

constexpr unsigned kWarp = 32; // threads of a PTX warp

struct Frame {
    const Function* function = nullptr;
    std::size_t pc = 0;
    std::array<std::uint32_t, kRegisters> r{};
    std::array<std::uint64_t, kWide> w{};
    std::array<bool, kPredicates> p{};
    std::uint32_t argument = 0, fuel = 0, thread = 0; // of the function
    unsigned result_to = 0;                           // register of the caller
};

struct Thread {
    std::vector<Frame> frames;
    std::array<std::uint32_t, kCells> local{};
    unsigned number = 0, tid = 0, ctaid = 0;
    std::uint32_t result = 0; // of the function that returned last
    std::uint64_t executed = 0;
    const Instruction* waits = nullptr;
    bool gone = false;
};

std::uint32_t compute(Op op, std::uint32_t a, std::uint32_t b) {
    switch (op) {
    case Op::Move:
        return b;
    case Op::Add:
        return a + b;
    case Op::Subtract:
        return a - b;
    case Op::Multiply:
        return a * b;
    case Op::And:
        return a & b;
    case Op::Or:
        return a | b;
    case Op::Xor:
        return a ^ b;
    case Op::Minimum:
        return std::min(a, b);
    case Op::Maximum:
        return std::max(a, b);
    case Op::ShiftRight: // PTX clamps the distance
        return b > 31 ? 0 : a >> b;
    case Op::Remainder:
        return a % b;
    default:
        throw std::logic_error("not an operation of two registers");
    }
}

bool holds(Relation relation, std::uint32_t a, std::uint32_t b) {
    switch (relation) {
    case Relation::Equal:
        return a == b;
    case Relation::NotEqual:
        return a != b;
    case Relation::Less:
        return a < b;
    default:
        return a >= b;
    }
}

void update(Atomic atomic, std::uint32_t& word, std::uint32_t operand) {
    switch (atomic) {
    case Atomic::Add:
        word += operand;
        break;
    case Atomic::Minimum:
        word = std::min(word, operand);
        break;
    case Atomic::Maximum:
        word = std::max(word, operand);
        break;
    case Atomic::Xor:
        word ^= operand;
        break;
    }
}

class Block {
public:
    Block(const Program& program, unsigned ctaid, Result& result, std::uint64_t limit)
        : program_(program), result_(result), limit_(limit),
          shared_(kSharedCells * program.shape.block + kSharedCounters), threads_(program.shape.block) {
        for (unsigned t = 0; t < threads_.size(); ++t) {
            threads_[t].tid = t;
            threads_[t].ctaid = ctaid;
            threads_[t].number = ctaid * program.shape.block + t;
            threads_[t].frames.emplace_back();
            threads_[t].frames.back().function = &program.functions.front();
        }
    }

    // False when a thread needs too many instructions.
    bool run() {
        for (;;) {
            for (Thread& t : threads_)
                while (!t.gone && t.waits == nullptr) {
                    if (t.executed > limit_)
                        return false;
                    step(t);
                }
            if (std::all_of(threads_.begin(), threads_.end(), [](const Thread& t) { return t.gone; }))
                break;
            if (!meet_in_warps() && !meet_at_barrier())
                throw std::logic_error("threads wait for each other at different places");
        }
        for (const Thread& t : threads_)
            result_.executed += t.executed;
        return true;
    }

private:
    void step(Thread& t) {
        Frame& f = t.frames.back();
        const Instruction& i = f.function->code.at(f.pc++);
        if (i.guard.predicate >= 0 && f.p[static_cast<unsigned>(i.guard.predicate)] == i.guard.negated)
            return;
        ++t.executed;
        const std::uint32_t b = i.b.is_register ? f.r[i.b.value] : i.b.value;
        switch (i.op) {
        case Op::Select:
            f.r[i.d] = f.p[i.p] ? f.r[i.a] : b;
            break;
        case Op::Test:
            f.p[i.d] = holds(i.relation, f.r[i.a], b);
            break;
        case Op::Both:
            f.p[i.d] = f.p[i.d] && f.p[i.p];
            break;
        case Op::WideMad:
            f.w[i.d] += std::uint64_t{f.r[i.a]} * b;
            break;
        case Op::WideMove:
            f.w[i.d] = f.r[i.a];
            break;
        case Op::Upper:
            f.r[i.d] = static_cast<std::uint32_t>(f.w[i.a] >> 32);
            break;
        case Op::Special:
            f.r[i.d] = special(i.special, t);
            break;
        case Op::Base: // of addresses in registers, which the reference does without
        case Op::Index:
            break;
        case Op::Load:
            f.r[i.d] = word(i, t);
            break;
        case Op::Store:
            word(i, t) = f.r[i.a];
            break;
        case Op::Reduce:
        case Op::Fetch:
            update(i.atomic, word(i, t), f.r[i.a]);
            break;
        default:
            if (!control(i, t))
                f.r[i.d] = compute(i.op, f.r[i.a], b);
        }
    }

    // False when the instruction is none of control flow.
    bool control(const Instruction& i, Thread& t) {
        Frame& f = t.frames.back();
        switch (i.op) {
        case Op::Branch:
            f.pc = f.function->labels[i.target];
            return true;
        case Op::Call:
            call(i, t);
            return true;
        case Op::StoreResult:
            t.result = f.r[i.a];
            return true;
        case Op::Return: {
            const unsigned to = f.result_to;
            t.frames.pop_back();
            t.frames.back().r[to] = t.result;
            ++t.executed; // the caller's ld.param
            return true;
        }
        case Op::Exit:
            t.gone = true;
            return true;
        case Op::Barrier:
        case Op::Shuffle:
        case Op::Ballot:
            t.waits = &i;
            return true;
        default:
            return false;
        }
    }

    void call(const Instruction& i, Thread& t) {
        t.executed += 3; // three st.param beside the call itself
        Frame callee;
        const Frame& f = t.frames.back();
        callee.function = &program_.functions[i.target];
        callee.argument = f.r[i.a];
        callee.fuel = f.r[kFuel];
        callee.thread = f.r[kThread];
        callee.result_to = i.d;
        t.frames.push_back(callee);
    }

    static std::uint32_t special(Special which, const Thread& t) {
        const Frame& f = t.frames.back();
        switch (which) {
        case Special::Tid:
            return t.tid;
        case Special::Ctaid:
            return t.ctaid;
        case Special::Argument:
            return f.argument;
        case Special::Fuel:
            return f.fuel;
        default:
            return f.thread;
        }
    }

    std::uint32_t& word(const Instruction& i, Thread& t) {
        const std::uint32_t index = t.frames.back().r[kTemporary];
        const unsigned k = i.offset + (i.indexed ? index : 0);
        switch (i.space) {
        case Space::Cells:
            return result_.cells.at(std::size_t{k} * program_.shape.threads() + t.number);
        case Space::Spread:
            return result_.spread.at(std::size_t{t.number} * kCells + k);
        case Space::Local:
            return t.local.at(k);
        case Space::Shared:
            return shared_.at(std::size_t{k} * program_.shape.block + t.tid);
        case Space::Neighbour:
            return shared_.at(std::size_t{i.offset} * program_.shape.block + index);
        case Space::Counters:
            return result_.counters.at(k);
        default:
            return shared_.at(std::size_t{kSharedCells} * program_.shape.block + k);
        }
    }

    // Warps all of whose live threads have come to one shuffle or vote execute it. True when there was one.
    bool meet_in_warps() {
        bool any = false;
        for (std::size_t first = 0; first < threads_.size(); first += kWarp) {
            const std::size_t end = std::min(threads_.size(), first + kWarp);
            const Instruction* at = nullptr;
            bool all = true;
            for (std::size_t t = first; t < end; ++t) {
                if (threads_[t].gone)
                    continue;
                all &= at == nullptr || at == threads_[t].waits;
                at = threads_[t].waits;
            }
            if (!all || at == nullptr || at->op == Op::Barrier)
                continue;
            any = true;
            exchange(*at, first, end);
        }
        return any;
    }

    void exchange(const Instruction& i, std::size_t first, std::size_t end) {
        std::array<std::uint32_t, kWarp> values{};
        std::uint32_t ballot = 0;
        for (std::size_t t = first; t < end; ++t) {
            values[t - first] = threads_[t].frames.back().r[i.a];
            if (!threads_[t].gone && threads_[t].frames.back().p[i.p])
                ballot |= 1U << (t - first);
        }
        for (std::size_t t = first; t < end; ++t) {
            if (threads_[t].gone)
                continue;
            const std::size_t lane = t - first;
            threads_[t].frames.back().r[i.d] =
                i.op == Op::Ballot ? ballot : values[lane < i.b.value ? lane : lane - i.b.value];
            threads_[t].waits = nullptr;
        }
    }

    bool meet_at_barrier() {
        for (const Thread& t : threads_)
            if (!t.gone && t.waits->op != Op::Barrier)
                return false;
        for (Thread& t : threads_)
            t.waits = nullptr;
        return true;
    }

    const Program& program_;
    Result& result_;
    std::uint64_t limit_;
    std::vector<std::uint32_t> shared_;
    std::vector<Thread> threads_;
};

} // namespace

std::optional<Result> run_reference(const Program& program, std::uint64_t limit) {
    const unsigned threads = program.shape.threads();
    Result result;
    result.cells.resize(std::size_t{kCells + kOut} * threads);
    result.spread.resize(std::size_t{kCells} * threads);
    for (unsigned c = 0; c < kCounters; ++c)
        result.counters.push_back(counter_before(c));
    for (unsigned b = 0; b < program.shape.grid; ++b)
        if (!Block(program, b, result, limit).run())
            return std::nullopt;
    return result;
}

} // namespace heddle::properties
