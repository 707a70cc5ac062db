#include "native/input/recover.h"

#include <algorithm>
#include <cstring>
#include <unordered_map>

#include "ir/selection/make_op.h"

namespace heddle::native {

namespace {

using ir::Place;

class Recovery {
public:
    Recovery(const ir::Program& program, const ir::Kernel& kernel) : program_(program), kernel_(kernel) {}

    Recovered run() {
        find_widths();
        draft_.constants.push_back({}); // kUndefined
        draft_.local_bytes = kernel_.local_bytes;
        append_function(program_.origins[kernel_.entry].function);
        return {std::move(draft_), std::move(pcs_)};
    }

private:
    // 64-bit registers lie below those of 32 bits: the last place that is written as one ends them.
    void find_widths() {
        for (Pc pc = kernel_.begin; pc < kernel_.end; ++pc) {
            const ir::MicroOp& op = program_.ops[pc];
            if (!writes_pairs(op))
                continue;
            for (const Place p : op.dst)
                if (p != ir::kNowhere && p < first_predicate())
                    wide_end_ = std::max(wide_end_, p + 2 * kSlot);
        }
    }

    [[nodiscard]] bool writes_pairs(const ir::MicroOp& op) const {
        if (op.is_matrix_product())
            return program_.matrices[static_cast<std::size_t>(op.imm)].d.element == ir::Element::F64;
        if (op.kind == ir::Kind::WarpSync && op.sub == ir::Sub::MatrixRows)
            return op.src_bytes == 8;
        return op.dst_bytes == 8 && op.opcode != ir::Opcode::Setp && op.kind != ir::Kind::WarpSync;
    }

    [[nodiscard]] Place first_predicate() const {
        return kernel_.slots * kSlot;
    }

    Place register_at(Place place) {
        const auto [entry, fresh] = registers_.try_emplace(place, static_cast<Place>(draft_.registers.size()));
        if (fresh)
            draft_.registers.push_back({place >= first_predicate() ? ir::Type::Pred
                                        : place < wide_end_        ? ir::Type::B64
                                                                   : ir::Type::B32});
        return entry->second;
    }

    Place constant_at(Place place) {
        const auto [entry, fresh] =
            constants_.try_emplace(place, ir::kPool | static_cast<Place>(draft_.constants.size()));
        if (fresh) {
            ir::Constant constant;
            std::memcpy(&constant.bits, &program_.pool[kernel_.pool_begin + (place & ~ir::kPool)], 8);
            draft_.constants.push_back(constant);
        }
        return entry->second;
    }

    void rename(Place& place) {
        if (place != ir::kNowhere)
            place = (place & ir::kPool) != 0 ? constant_at(place) : register_at(place);
    }

    // The ops of a function, with those of the functions that it calls in the place of the calls. Threads that return
    // go on behind the call. A call in a recursive cycle stays, and is refused later.
    void append_function(std::uint32_t number) {
        const ir::Function& function = program_.functions[number];
        const bool is_kernel = active_.empty();
        active_.push_back(number);
        std::vector<std::uint32_t> at; // by op of the function
        std::vector<std::uint32_t> branches, returns;
        for (Pc pc = function.begin; pc < function.end; ++pc) {
            at.push_back(static_cast<std::uint32_t>(draft_.ops.size()));
            ir::MicroOp op = program_.ops[pc];
            if (op.kind == ir::Kind::Call && can_inline(op)) {
                append_call(op, pc);
                continue;
            }
            if (op.kind == ir::Kind::Branch)
                branches.push_back(at.back());
            if (op.kind == ir::Kind::Return && !is_kernel) {
                returns.push_back(at.back());
                op.kind = ir::Kind::Branch;
                op.opcode = ir::Opcode::Bra;
            }
            append(op, pc);
        }
        for (const std::uint32_t b : branches)
            draft_.ops[b].target = at[draft_.ops[b].target - function.begin];
        for (const std::uint32_t r : returns)
            draft_.ops[r].target = static_cast<Pc>(draft_.ops.size());
        active_.pop_back();
    }

    [[nodiscard]] std::uint32_t callee_of(const ir::MicroOp& call) const {
        return program_.origins[call.target].function;
    }
    [[nodiscard]] bool can_inline(const ir::MicroOp& call) const {
        constexpr std::size_t kMostOps = 1U << 18;
        return draft_.ops.size() < kMostOps &&
               std::find(active_.begin(), active_.end(), callee_of(call)) == active_.end();
    }

    void append_call(const ir::MicroOp& call, Pc pc) {
        const ir::Call& site = program_.calls[static_cast<std::size_t>(call.imm)];
        const std::size_t skip = draft_.ops.size();
        if (call.guard != ir::kNowhere) {
            ir::MicroOp branch = ir::make_op(ir::Opcode::Bra);
            branch.guard = call.guard;
            branch.guard_negated = !call.guard_negated;
            append(branch, pc);
        }
        for (const ir::Call::Copy& copy : site.arguments)
            append_copy(copy, pc);
        append_function(callee_of(call));
        for (const ir::Call::Copy& copy : site.results)
            append_copy(copy, pc);
        append(ir::make_op(ir::Opcode::Nanosleep), pc); // a place to go on at: an op without effect
        if (call.guard != ir::kNowhere)
            draft_.ops[skip].target = static_cast<Pc>(draft_.ops.size() - 1);
    }

    // Bytes of local memory.
    void append_copy(const ir::Call::Copy& copy, Pc pc) {
        for (std::uint32_t done = 0; done < copy.bytes;) {
            std::uint32_t bytes = 8;
            while (done + bytes > copy.bytes || (copy.from + done) % bytes != 0 || (copy.to + done) % bytes != 0)
                bytes /= 2;
            const ir::Type type = bytes == 8   ? ir::Type::B64
                                  : bytes == 4 ? ir::Type::B32
                                  : bytes == 2 ? ir::Type::B16
                                               : ir::Type::B8;
            const auto value = static_cast<Place>(draft_.registers.size());
            draft_.registers.push_back({bytes == 8 ? ir::Type::B64 : ir::Type::B32});
            ir::MicroOp load = ir::make_op(ir::Opcode::Ld, type);
            load.space = ir::Space::Local;
            load.dst_bytes = bytes == 8 ? 8 : 4;
            load.src_bytes = 8;
            load.imm = copy.from + done;
            ir::MicroOp store = ir::make_op(ir::Opcode::St, type);
            store.space = ir::Space::Local;
            store.src_bytes = load.dst_bytes;
            store.dst_bytes = 8;
            store.imm = copy.to + done;
            append(load, pc);
            draft_.ops.back().dst[0] = value;
            append(store, pc);
            draft_.ops.back().src[1] = value;
            done += bytes;
        }
    }

    void append(ir::MicroOp op, Pc pc) {
        for (Place& p : op.dst)
            rename(p);
        if (op.is_matrix_product()) {
            draft_.matrices.push_back(program_.matrices[static_cast<std::size_t>(op.imm)]);
            op.imm = static_cast<std::int64_t>(draft_.matrices.size()) - 1;
        }
        each_source(draft_, op, [&](Place& p) { rename(p); });
        op.reconvergence = kNoPc;
        draft_.ops.push_back(op);
        draft_.lines.push_back({program_.origins[pc].where, {}});
        pcs_.push_back(pc);
    }

    static constexpr std::uint32_t kSlot = 4 * kVectorLanes;

    const ir::Program& program_;
    const ir::Kernel& kernel_;
    ir::Draft draft_;
    std::vector<Pc> pcs_;
    std::vector<std::uint32_t> active_; // functions whose ops are being appended, the kernel first
    Place wide_end_ = 0;
    std::unordered_map<Place, Place> registers_, constants_; // looked up only
};

} // namespace

Recovered recover(const ir::Program& program, const ir::Kernel& kernel) {
    return Recovery(program, kernel).run();
}

} // namespace heddle::native
