#include <fmt/format.h>

#include "program.h"

namespace heddle::properties {
namespace {

// Addresses: %d0 this thread's first cell, %d1 its first word of `spread`, %d2 the counters, %d3 for an index;
// %a0 its first shared word, %a1 the first of all, %a2 the first local one, %a3 for an index.
const char* const kRegistersText =
    "    .reg .pred %p<{}>;\n    .reg .b32 %r<{}>, %a<4>;\n    .reg .b64 %w<{}>, %d<4>;\n";

std::string text_of(const Operand& b) {
    return b.is_register ? fmt::format("%r{}", b.value) : std::to_string(b.value);
}

const char* alu_name(Op op) {
    switch (op) {
    case Op::Add:
        return "add.u32";
    case Op::Subtract:
        return "sub.u32";
    case Op::Multiply:
        return "mul.lo.u32";
    case Op::And:
        return "and.b32";
    case Op::Or:
        return "or.b32";
    case Op::Xor:
        return "xor.b32";
    case Op::Minimum:
        return "min.u32";
    case Op::Maximum:
        return "max.u32";
    case Op::ShiftRight:
        return "shr.u32";
    default:
        return "rem.u32";
    }
}

const char* relation_name(Relation relation) {
    static constexpr const char* kNames[] = {"eq", "ne", "lt", "ge"};
    return kNames[static_cast<unsigned>(relation)];
}

const char* atomic_name(const Instruction& i) {
    static constexpr const char* kNames[] = {"add.u32", "min.u32", "max.u32", "xor.b32"};
    return kNames[static_cast<unsigned>(i.atomic)];
}

const char* special_name(Special special) {
    static constexpr const char* kNames[] = {"mov.u32 {}, %tid.x", "mov.u32 {}, %ctaid.x", "ld.param.b32 {}, [x]",
                                             "ld.param.b32 {}, [fuel]", "ld.param.b32 {}, [thread]"};
    return kNames[static_cast<unsigned>(special)];
}

class Writer {
public:
    explicit Writer(const Program& program) : program_(program) {}

    std::string module() {
        const unsigned threads = program_.shape.threads();
        out_ = ".version 7.5\n.target sm_75\n.address_size 64\n";
        out_ += fmt::format(".global .align 4 .b32 cells[{}];\n.global .align 4 .b32 spread[{}];\n",
                            (kCells + kOut) * threads, kCells * threads);
        out_ += fmt::format(".global .align 4 .b32 counters[{}] = {{", kCounters);
        for (unsigned c = 0; c < kCounters; ++c)
            out_ += fmt::format("{}{}", c == 0 ? "" : ", ", counter_before(c));
        out_ += "};\n";
        for (std::size_t f = program_.functions.size(); f-- > 0;) // callees first
            function(program_.functions[f], f == 0);
        return out_;
    }

private:
    static std::string signature(const std::string& name) {
        return ".func (.param .b32 result) " + name + "(.param .b32 x, .param .b32 fuel, .param .b32 thread)";
    }

    void function(const Function& f, bool is_kernel) {
        out_ += is_kernel ? ".visible .entry main()" : signature(f.name);
        out_ += "\n{\n" + fmt::format(fmt::runtime(kRegistersText), kPredicates, kRegisters, kWide);
        if (is_kernel)
            out_ += fmt::format("    .shared .align 4 .b8 s[{}];\n    .local .align 4 .b8 l[{}];\n",
                                4 * (kSharedCells * program_.shape.block + kSharedCounters), 4 * kCells);
        in_ = &f;
        for (std::size_t i = 0; i < f.code.size(); ++i) {
            labels_at(i);
            line(f.code[i], is_kernel);
        }
        labels_at(f.code.size());
        out_ += "}\n";
    }

    void labels_at(std::size_t position) {
        for (std::size_t l = 0; l < in_->labels.size(); ++l)
            if (in_->labels[l] == position)
                out_ += label(l) + ":\n";
    }
    [[nodiscard]] std::string label(std::size_t number) const {
        return fmt::format("{}_{}", in_->name, number);
    }

    void line(const Instruction& i, bool is_kernel) {
        const std::string guard =
            i.guard.predicate < 0 ? "" : fmt::format("@{}%p{} ", i.guard.negated ? "!" : "", i.guard.predicate);
        if (i.op == Op::Call)
            return call(i, guard);
        out_ += "    " + guard + text(i, is_kernel) + ";\n";
    }

    void call(const Instruction& i, const std::string& guard) {
        const std::string& callee = program_.functions[i.target].name;
        out_ += "    {\n    .param .b32 a, f, t, r;\n";
        for (const auto& [parameter, value] : {std::pair{'a', i.a}, {'f', kFuel}, {'t', kThread}})
            out_ += fmt::format("    {}st.param.b32 [{}], %r{};\n", guard, parameter, value);
        out_ += fmt::format("    {0}call (r), {1}, (a, f, t);\n    {0}ld.param.b32 %r{2}, [r];\n    }}\n", guard,
                            callee, i.d);
    }

    [[nodiscard]] std::string text(const Instruction& i, bool is_kernel) const {
        switch (i.op) {
        case Op::Move:
            return fmt::format("mov.u32 %r{}, {}", i.d, text_of(i.b));
        case Op::Select:
            return fmt::format("selp.b32 %r{}, %r{}, {}, %p{}", i.d, i.a, text_of(i.b), i.p);
        case Op::Test:
            return fmt::format("setp.{}.u32 %p{}, %r{}, {}", relation_name(i.relation), i.d, i.a, text_of(i.b));
        case Op::Both:
            return fmt::format("and.pred %p{0}, %p{0}, %p{1}", i.d, i.p);
        case Op::WideMad:
            return fmt::format("mad.wide.u32 %w{0}, %r{1}, {2}, %w{0}", i.d, i.a, text_of(i.b));
        case Op::WideMove:
            return fmt::format("cvt.u64.u32 %w{}, %r{}", i.d, i.a);
        case Op::Upper:
            return fmt::format("mov.b64 {{_, %r{}}}, %w{}", i.d, i.a);
        case Op::Special:
            return fmt::format(fmt::runtime(special_name(i.special)), fmt::format("%r{}", i.d));
        case Op::Base:
            return base(i);
        case Op::Index:
            return index(i);
        case Op::Load:
            return fmt::format("ld.{}.u32 %r{}, {}", space(i), i.d, address(i));
        case Op::Store:
            return fmt::format("st.{}.u32 {}, %r{}", space(i), address(i), i.a);
        case Op::Reduce:
            return fmt::format("red.{}.{} {}, %r{}", space(i), atomic_name(i), address(i), i.a);
        case Op::Fetch:
            return fmt::format("atom.{}.{} %r{}, {}, %r{}", space(i), atomic_name(i), kJunk, address(i), i.a);
        default:
            return control(i, is_kernel);
        }
    }

    [[nodiscard]] std::string control(const Instruction& i, bool is_kernel) const {
        switch (i.op) {
        case Op::Branch:
            return "bra " + label(i.target);
        case Op::StoreResult:
            return fmt::format("st.param.b32 [result], %r{}", i.a);
        case Op::Return:
            return "ret";
        case Op::Exit:
            return is_kernel && i.guard.predicate < 0 ? "ret" : "exit";
        case Op::Barrier:
            return "bar.sync 0";
        case Op::Shuffle:
            return fmt::format("shfl.sync.up.b32 %r{}, %r{}, {}, 0, 0xffffffff", i.d, i.a, text_of(i.b));
        case Op::Ballot:
            return fmt::format("vote.sync.ballot.b32 %r{}, %p{}, 0xffffffff", i.d, i.p);
        default:
            return fmt::format("{} %r{}, %r{}, {}", alu_name(i.op), i.d, i.a, text_of(i.b));
        }
    }

    // One step of making the addresses, which `offset` counts.
    static std::string base(const Instruction& i) {
        static const std::array<std::string, kBaseSteps> steps = {
            "mov.u64 %d0, cells",
            fmt::format("mad.wide.u32 %d0, %r{}, 4, %d0", kThread),
            "mov.u64 %d1, spread",
            fmt::format("mad.wide.u32 %d1, %r{}, {}, %d1", kThread, 4 * kCells),
            "mov.u64 %d2, counters",
            "mov.u32 %a1, s",
            fmt::format("mad.lo.u32 %a0, %r{}, 4, %a1", kTid),
            "mov.u32 %a2, l",
        };
        return steps[i.offset];
    }

    [[nodiscard]] unsigned stride(Space space) const { // bytes between words of a thread
        return space == Space::Cells    ? 4 * program_.shape.threads()
               : space == Space::Shared ? 4 * program_.shape.block
                                        : 4;
    }

    [[nodiscard]] std::string index(const Instruction& i) const {
        switch (i.space) {
        case Space::Cells:
        case Space::Spread:
        case Space::Counters:
            return fmt::format("mad.wide.u32 %d3, %r{}, {}, {}", kTemporary, stride(i.space), first(i.space));
        case Space::Neighbour:
            return fmt::format("mad.lo.u32 %a3, %r{}, 4, %a1", kTemporary);
        default:
            return fmt::format("mad.lo.u32 %a3, %r{}, {}, {}", kTemporary, stride(i.space), first(i.space));
        }
    }

    static const char* first(Space space) {
        static constexpr const char* kFirst[] = {"%d0", "%d1", "%a2", "%a0", "%a1", "%d2", "s"};
        return kFirst[static_cast<unsigned>(space)];
    }

    static const char* space(const Instruction& i) {
        static constexpr const char* kNames[] = {"global", "global", "local", "shared", "shared", "global", "shared"};
        return kNames[static_cast<unsigned>(i.space)];
    }

    [[nodiscard]] std::string address(const Instruction& i) const {
        const bool is_global = i.space == Space::Cells || i.space == Space::Spread || i.space == Space::Counters;
        const char* const from = !i.indexed ? first(i.space) : is_global ? "%d3" : "%a3";
        unsigned offset = i.offset * stride(i.space);
        if (i.space == Space::Neighbour)
            offset = i.offset * stride(Space::Shared);
        else if (i.space == Space::SharedCounters)
            offset += 4 * kSharedCells * program_.shape.block;
        return fmt::format("[{}+{}]", from, offset);
    }

    const Program& program_;
    const Function* in_ = nullptr;
    std::string out_;
};

} // namespace

std::string ptx_of(const Program& program) {
    return Writer(program).module();
}

} // namespace heddle::properties
