#include "native/registers/allocate.h"

namespace heddle::native {

namespace {

Operand zero_register() {
    Operand out;
    out.kind = Operand::Kind::Zero;
    return out;
}

class Spiller {
public:
    Spiller(Function& function, std::uint32_t spilled)
        : function_(function), spilled_(spilled), is_predicate_(function.virtuals[spilled].file == File::Predicate) {
        if (is_predicate_) {
            home_ = function.fresh(File::Vector);
            return;
        }
        at_ = (function.local_bytes + 15) & ~15U;
        function.local_bytes = at_ + 4U * function.virtuals[spilled].width;
        ++function.spilled;
    }

    void run() {
        for (const std::uint32_t b : function_.order) {
            std::vector<Instruction> code;
            for (Instruction& i : function_.blocks[b].code) {
                for (Operand& o : i.src)
                    read(o, i, code);
                read(i.guard, i, code);
                std::vector<Instruction> behind;
                for (Operand& o : i.dst)
                    write(o, i, code, behind);
                code.push_back(std::move(i));
                code.insert(code.end(), behind.begin(), behind.end());
            }
            function_.blocks[b].code = std::move(code);
        }
    }

private:
    [[nodiscard]] bool is_mine(const Operand& o) const {
        return o.kind == Operand::Kind::Register && o.number == spilled_;
    }

    void read(Operand& o, const Instruction& i, std::vector<Instruction>& code) {
        if (!is_mine(o))
            return;
        const Operand fresh = function_.fresh(function_.virtuals[spilled_].file, o.count);
        load(fresh, o, i, code);
        o.number = fresh.number;
        o.part = 0;
    }

    void load(const Operand& to, const Operand& o, const Instruction& i, std::vector<Instruction>& code) const {
        Instruction load;
        load.origins = i.origins;
        load.dst[0] = to;
        if (is_predicate_) {
            load.op = Op::R2p;
            load.src[0] = home_;
        } else {
            load.op = Op::Ldl;
            load.mods.source = ir::Opcode::Ld;
            describe(load, o);
        }
        code.push_back(load);
    }

    void write(Operand& o, Instruction& i, std::vector<Instruction>& code, std::vector<Instruction>& behind) {
        if (!is_mine(o))
            return;
        const Operand fresh = function_.fresh(function_.virtuals[spilled_].file, o.count);
        Instruction store;
        store.origins = i.origins;
        store.guard = i.guard;
        if (i.op == Op::Nop) { // a definition without code needs no store
            o.number = fresh.number;
            o.part = 0;
            return;
        }
        if (is_predicate_) {
            store.op = Op::P2r;
            store.dst[0] = home_;
            store.src[0] = fresh;
            store.keeps = i.keeps;
        } else {
            store.op = Op::Stl;
            store.mods.source = ir::Opcode::St;
            describe(store, o);
            store.src[1] = fresh;
        }
        behind.push_back(store);
        // The other result keeps its old value: so does this one.
        const bool is_alone = i.dst[0].kind != Operand::Kind::Register || i.dst[1].kind != Operand::Kind::Register;
        if (i.keeps && !is_alone)
            load(fresh, o, i, code);
        i.keeps = i.keeps && !is_alone;
        o.number = fresh.number;
        o.part = 0;
    }

    void describe(Instruction& i, const Operand& o) const {
        i.src[0] = zero_register();
        i.mods.space = ir::Space::Local;
        i.mods.type = ir::Type::B32;
        i.mods.vector = o.count;
        i.mods.imm = at_ + 4 * o.part;
    }

    Function& function_;
    const std::uint32_t spilled_;
    const bool is_predicate_;
    Operand home_;         // of a predicate
    std::uint32_t at_ = 0; // of a register, in local memory
};

} // namespace

void spill(Function& function, std::uint32_t virtual_register) {
    Spiller(function, virtual_register).run();
}

} // namespace heddle::native
