#include "native/uniform/select.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "native/flow/liveness.h"
#include "native/uniform/analysis.h"

namespace heddle::native {

namespace {

using Kind = Operand::Kind;

bool commutes(const Instruction& i) {
    return i.mods.carried == 0 &&
           (i.op == Op::Iadd3 || i.op == Op::Imad || i.op == Op::Fadd || i.op == Op::Fmul || i.op == Op::Ffma);
}

class Selection {
public:
    explicit Selection(Function& function)
        : function_(function), found_(find_uniform(function)), chosen_(function.virtuals.size(), false) {}

    void run() {
        choose();
        while (reject()) {
        }
        for (std::uint32_t v = 0; v < chosen_.size(); ++v)
            if (chosen_[v])
                function_.virtuals[v].file = uniform_file(function_.virtuals[v].file);
        for (const std::uint32_t b : function_.order)
            rewrite(function_.blocks[b].code);
    }

private:
    [[nodiscard]] static File uniform_file(File file) {
        return file == File::Predicate || file == File::UniformPredicate ? File::UniformPredicate : File::Uniform;
    }

    void choose() {
        for (std::uint32_t v = 0; v < chosen_.size(); ++v)
            chosen_[v] = found_.registers[v] && function_.virtuals[v].width <= 2;
        writes_.assign(chosen_.size(), 0);
        for (const std::uint32_t b : function_.order)
            for (const Instruction& i : function_.blocks[b].code)
                each_write(i, [&](const Operand& o) { writes_[o.number] += i.op != Op::Nop ? 1U : 0U; });
        for (std::uint32_t v = 0; v < chosen_.size(); ++v)
            chosen_[v] = chosen_[v] && writes_[v] != 0;
    }

    [[nodiscard]] bool is_chosen(const Operand& o) const {
        return o.is(Kind::Register) && chosen_[o.number];
    }

    // Whether the uniform path has the instruction: all its registers are chosen.
    [[nodiscard]] bool is_of_path(const Instruction& i) const {
        if (i.is_guarded() || i.keeps || i.mods.carried != 0 || (i.op != Op::Nop && !uniform_form(i.op)))
            return false;
        bool all = true;
        const auto test = [&](const Operand& o) { all = all && is_chosen(o); };
        each_read(i, test);
        each_write(i, test);
        return all;
    }

    // Removes what is chosen and cannot be. False: all of it can.
    bool reject() {
        changed_ = false;
        for (const std::uint32_t b : function_.order)
            for (Instruction& i : function_.blocks[b].code) {
                if (is_of_path(i))
                    continue;
                each_write(i, [&](const Operand& o) { lose(o); });
                if (i.guard.is(Kind::Register) && i.op != Op::Bra)
                    lose(i.guard);
                check_sources(i);
            }
        return changed_;
    }

    void lose(const Operand& o) {
        changed_ = changed_ || chosen_[o.number];
        chosen_[o.number] = false;
    }

    void check_sources(Instruction& i) {
        const bool base = has_base(i) && is_chosen(i.src[0]);
        const bool first = is_chosen(i.src[0]) && (!is_chosen(i.src[1]) || writes_[i.src[0].number] > 1);
        if (!base && commutes(i) && first && i.src[1].is_register(File::Vector)) {
            std::swap(i.src[0], i.src[1]);
            i.mods.swapped = !i.mods.swapped;
        }
        unsigned free = 0; // operands in the place of a constant
        for (std::size_t s = 0; s < i.src.size(); ++s)
            if (i.src.at(s).is(Kind::Constant) || i.src.at(s).is(Kind::Immediate))
                ++free;
        for (const bool carried : {true, false}) // a value of a loop has the place before others
            for (std::size_t s = base ? 1 : 0; s < i.src.size(); ++s) {
                const Operand& o = i.src.at(s);
                if (!is_chosen(o) || (writes_[o.number] > 1) != carried)
                    continue;
                if (!reads_uniform(i, o, s) || free != 0)
                    lose(o);
                else
                    ++free;
            }
    }

    [[nodiscard]] static bool has_base(const Instruction& i) {
        switch (i.op) {
        case Op::Ldg:
        case Op::Ld:
        case Op::Lds:
        case Op::Ldl:
        case Op::Syncs:
        case Op::Stg:
        case Op::St:
        case Op::Sts:
        case Op::Stl:
        case Op::Atom:
        case Op::Red:
            return true;
        default:
            return false;
        }
    }

    [[nodiscard]] static bool reads_uniform(const Instruction& i, const Operand& o, std::size_t slot) {
        const Pipe pipe = info(i.op).pipe;
        if (o.file != File::Vector || o.count != 1)
            return false;
        if (pipe == Pipe::Special) // a conversion or a function of one value
            return slot == 0 && i.src[1].is(Kind::None);
        if (pipe != Pipe::Int && pipe != Pipe::Fma)
            return false;
        return slot != 0 && i.op != Op::Mov && i.op != Op::P2r && i.op != Op::R2p;
    }

    void rewrite(std::vector<Instruction>& code) {
        Constants loaded;
        std::vector<Instruction> out;
        for (Instruction& i : code) {
            if (is_of_path(i) && i.op != Op::Nop) {
                const bool is_constant = i.src[0].is(Kind::Constant);
                if (!(i.op == Op::Mov && is_constant))
                    for (Operand& o : i.src)
                        load_constant(o, i, loaded, out);
                i.op = *uniform_form(i.op, is_constant);
            }
            for (Operand* o : registers_of(i))
                if (is_chosen(*o))
                    o->file = uniform_file(o->file);
            out.push_back(std::move(i));
        }
        code = std::move(out);
    }

    [[nodiscard]] static std::vector<Operand*> registers_of(Instruction& i) {
        std::vector<Operand*> out = {&i.guard};
        for (Operand& o : i.dst)
            out.push_back(&o);
        for (Operand& o : i.src)
            out.push_back(&o);
        return out;
    }

    // By bank, offset and words.
    using Constants = std::map<std::tuple<std::uint8_t, std::uint64_t, unsigned>, Operand>;

    void load_constant(Operand& o, const Instruction& i, Constants& loaded, std::vector<Instruction>& out) {
        if (!o.is(Kind::Constant))
            return;
        Operand plain = o;
        plain.minus = plain.absolute = plain.inverted = false;
        const auto [entry, fresh] = loaded.try_emplace({o.bank, o.value, o.count});
        if (fresh) {
            entry->second = function_.fresh(File::Uniform, o.count);
            chosen_.push_back(false); // it has its file
            Instruction load;
            load.op = Op::Uldc;
            load.dst[0] = entry->second;
            load.src[0] = plain;
            load.origins = i.origins;
            out.push_back(std::move(load));
        }
        Operand used = entry->second;
        used.minus = o.minus;
        used.absolute = o.absolute;
        used.inverted = o.inverted;
        o = used;
    }

    Function& function_;
    const Uniformity found_;
    std::vector<bool> chosen_;          // by virtual register
    std::vector<std::uint32_t> writes_; // by virtual register: instructions that write it
    bool changed_ = false;
};

} // namespace

void select_uniform(Function& function) {
    Selection(function).run();
}

void mark_uniform_branches(Function& function) {
    const Uniformity found = find_uniform(function);
    for (const std::uint32_t b : function.order)
        for (Instruction& i : function.blocks[b].code)
            if (i.op == Op::Bra && i.guard.is(Kind::Register) && found.registers[i.guard.number])
                i.mods.flags |= ir::kUniform;
}

} // namespace heddle::native
