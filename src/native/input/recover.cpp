#include "native/input/recover.h"

#include <algorithm>
#include <cstring>
#include <unordered_map>

namespace heddle::native {

namespace {

using ir::Place;

class Recovery {
public:
    Recovery(const ir::Program& program, const ir::Kernel& kernel)
        : program_(program), kernel_(kernel), function_(program.functions[program.origins[kernel.entry].function]) {}

    ir::Draft run() {
        find_widths();
        draft_.constants.push_back({}); // kUndefined
        draft_.local_bytes = kernel_.local_bytes;
        for (Pc pc = function_.begin; pc < function_.end; ++pc)
            append(program_.ops[pc], program_.origins[pc]);
        return std::move(draft_);
    }

private:
    // 64-bit registers lie below those of 32 bits: the last place that is written as one ends them.
    void find_widths() {
        for (Pc pc = function_.begin; pc < function_.end; ++pc) {
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

    void append(ir::MicroOp op, const ir::Origin& origin) {
        for (Place& p : op.dst)
            rename(p);
        if (op.is_matrix_product()) {
            draft_.matrices.push_back(program_.matrices[static_cast<std::size_t>(op.imm)]);
            op.imm = static_cast<std::int64_t>(draft_.matrices.size()) - 1;
        }
        each_source(draft_, op, [&](Place& p) { rename(p); });
        if (op.target != kNoPc && op.kind == ir::Kind::Branch)
            op.target -= function_.begin;
        op.reconvergence = kNoPc;
        draft_.ops.push_back(op);
        draft_.lines.push_back({origin.where, {}});
    }

    static constexpr std::uint32_t kSlot = 4 * kVectorLanes;

    const ir::Program& program_;
    const ir::Kernel& kernel_;
    const ir::Function& function_;
    ir::Draft draft_;
    Place wide_end_ = 0;
    std::unordered_map<Place, Place> registers_, constants_; // looked up only
};

} // namespace

ir::Draft recover(const ir::Program& program, const ir::Kernel& kernel) {
    return Recovery(program, kernel).run();
}

} // namespace heddle::native
