#include <algorithm>
#include <bit>

#include "base/round_up.h"
#include "native/registers/allocate.h"

namespace heddle::native {

namespace {

Operand zero_register() {
    Operand out;
    out.kind = Operand::Kind::Zero;
    return out;
}

// Some registers of a group.
Operand registers_of(Operand group, unsigned from, unsigned count) {
    group.part = static_cast<std::uint8_t>(group.part + from);
    group.count = static_cast<std::uint8_t>(count);
    return group;
}

class Spiller {
public:
    Spiller(Function& function, std::uint32_t spilled)
        : function_(function), spilled_(spilled), is_predicate_(function.virtuals[spilled].file == File::Predicate) {
        if (is_predicate_) {
            home_ = function.fresh(File::Vector);
            return;
        }
        const std::uint32_t alignment = 4 * std::min(4U, std::bit_ceil(unsigned{function.virtuals[spilled].width}));
        at_ = static_cast<std::uint32_t>(round_up(function.local_bytes, alignment));
        function.local_bytes = at_ + 4U * function.virtuals[spilled].width;
        ++function.spilled;
    }

    // `blocks`: all that name the register.
    void run(std::span<const std::uint32_t> blocks) {
        for (const std::uint32_t b : blocks) {
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
        if (is_predicate_) {
            load.op = Op::R2p;
            load.dst[0] = to;
            load.src[0] = home_;
            code.push_back(load);
            return;
        }
        load.op = Op::Ldl;
        load.mods.source = ir::Opcode::Ld;
        each_access(o, [&](unsigned from, unsigned count) {
            describe(load, o.part + from, count);
            load.dst[0] = registers_of(to, from, count);
            code.push_back(load);
        });
    }

    // Calls f(first register, registers) for each access that moves a part of a group: at most 16 bytes, side by side,
    // whose address is a multiple of their size.
    template <class F>
    static void each_access(const Operand& o, F&& f) {
        constexpr unsigned kMost = 4;
        for (unsigned from = 0, count = 0; from < o.count; from += count) {
            count = std::min(kMost, std::bit_floor(o.count - from));
            if (const unsigned at = o.part + from; at != 0)
                count = std::min(count, 1U << std::countr_zero(at));
            f(from, count);
        }
    }

    void write(Operand& o, Instruction& i, std::vector<Instruction>& code, std::vector<Instruction>& behind) {
        if (!is_mine(o))
            return;
        const Operand fresh = function_.fresh(function_.virtuals[spilled_].file, o.count);
        // Behind an instruction that writes its own guard the guard says nothing: the whole register is stored.
        const bool keeps_guard = !i.is_guarded() || std::none_of(i.dst.begin(), i.dst.end(), [&](const Operand& d) {
            return d.kind == Operand::Kind::Register && d.number == i.guard.number;
        });
        Instruction store;
        store.origins = i.origins;
        if (keeps_guard)
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
            store.keeps = i.keeps && keeps_guard;
            behind.push_back(store);
        } else {
            store.op = Op::Stl;
            store.mods.source = ir::Opcode::St;
            each_access(o, [&](unsigned from, unsigned count) {
                describe(store, o.part + from, count);
                store.src[1] = registers_of(fresh, from, count);
                behind.push_back(store);
            });
        }
        // The other result keeps its old value: so does this one.
        const bool is_alone = i.dst[0].kind != Operand::Kind::Register || i.dst[1].kind != Operand::Kind::Register;
        if (i.keeps && !is_alone)
            load(fresh, o, i, code);
        i.keeps = i.keeps && !is_alone;
        o.number = fresh.number;
        o.part = 0;
    }

    void describe(Instruction& i, unsigned part, unsigned count) const {
        i.src[0] = zero_register();
        i.mods.space = ir::Space::Local;
        i.mods.type = ir::Type::B32;
        i.mods.vector = static_cast<std::uint8_t>(count);
        i.mods.imm = at_ + 4 * part;
    }

    Function& function_;
    const std::uint32_t spilled_;
    const bool is_predicate_;
    Operand home_;         // of a predicate
    std::uint32_t at_ = 0; // of a register, in local memory
};

} // namespace

// What is stored and loaded names no other register of the list in a block that does not name it already (a store has
// the guard of the instruction in front of it): the blocks are looked for once.
void spill(Function& function, std::span<const std::uint32_t> registers) {
    std::vector<std::vector<std::uint32_t>> blocks(function.virtuals.size()); // by register of the list
    std::vector<bool> listed(function.virtuals.size(), false);
    for (const std::uint32_t v : registers)
        listed[v] = true;
    for (const std::uint32_t b : function.order) {
        const auto note = [&](const Operand& o) {
            if (o.kind == Operand::Kind::Register && listed[o.number] &&
                (blocks[o.number].empty() || blocks[o.number].back() != b))
                blocks[o.number].push_back(b);
        };
        for (const Instruction& i : function.blocks[b].code) {
            std::ranges::for_each(i.src, note);
            std::ranges::for_each(i.dst, note);
            note(i.guard);
        }
    }
    for (const std::uint32_t v : registers)
        Spiller(function, v).run(blocks[v]);
}

} // namespace heddle::native
