#include "exec/address_ranges.h"

#include <bit>

namespace heddle::exec {

using ir::Kind;
using ir::MicroOp;
using ir::Space;

namespace {

constexpr bool writes(const MicroOp& op) {
    return op.kind != Kind::Load;
}

} // namespace

void AddressRanges::begin() {
    const ir::Kernel& kernel = *state_.launch().kernel;
    ranges_.resize(state_.code().program().ops.size());
    for (Pc pc = kernel.begin; pc < kernel.end; ++pc)
        ranges_[pc].space = Space::Generic;
}

Target AddressRanges::resolve_by_rank(const MicroOp& op, const Segment& s, unsigned bytes, Address address) const {
    const Address rank = (address >> kRankShift) - 1, offset = address & kOffsetInBlock;
    const std::uint64_t limit = state_.shared_bytes();
    if (rank >= kMostBlocksOfCluster || limit < bytes || offset > limit - bytes)
        return {};
    std::byte* const memory = state_.shared_of_rank(s.row, static_cast<unsigned>(rank));
    if (memory == nullptr || (op.space == Space::Shared && memory != state_.shared_of(s.row)))
        return {};
    return {Space::Shared, address, 0, reinterpret_cast<std::uint64_t>(memory + offset), true};
}

Target AddressRanges::resolve(const MicroOp& op, const Segment& s, unsigned i, unsigned bytes, Address address) const {
    const auto window = [&](Space space, Address begin, std::uint64_t limit, const std::byte* memory) -> Target {
        if (limit < bytes || address - begin > limit - bytes)
            return {};
        return {space, begin, limit - bytes, reinterpret_cast<std::uint64_t>(memory + (address - begin))};
    };
    const bool generic = op.space == Space::Generic;
    if (op.space == Space::Shared || op.space == Space::SharedCluster ||
        (generic && in_window(address, kSharedWindow))) {
        const Address begin = generic ? kSharedWindow : 0;
        if ((address - begin) >> kRankShift != 0)
            return resolve_by_rank(op, s, bytes, address - begin);
        return window(Space::Shared, begin, state_.shared_bytes(), state_.shared_of(s.row));
    }
    if (op.space == Space::Local || (generic && in_window(address, kLocalWindow)))
        return window(Space::Local, generic ? kLocalWindow : 0, state_.launch().kernel->local_bytes,
                      state_.local_of(s.row, s.lane(i)));
    if (op.space == Space::Param || (generic && in_window(address, kParameterWindow)))
        return writes(op) ? Target{}
                          : window(Space::Param, generic ? kParameterWindow : 0, state_.launch().parameters.size(),
                                   state_.code().parameters());
    const Allocation* a = image_.find(address, bytes);
    if (a == nullptr ||
        (writes(op) && (a->read_only || a->is_out_of_reach() || (a->constant && state_.launch().strict))))
        return {};
    return {op.space == Space::Const ? Space::Const : Space::Global, a->begin, a->bytes - bytes,
            reinterpret_cast<std::uint64_t>(image_.host(address))};
}

Target AddressRanges::resolve_overrun(const MicroOp& op, unsigned bytes, Address address) const {
    const bool global = op.space == Space::Global || op.space == Space::Generic;
    if (state_.launch().strict || !global || !image_.is_in_used_page(address, bytes, writes(op)))
        return {};
    return {Space::Global, address, 0, reinterpret_cast<std::uint64_t>(image_.host(address))};
}

bool AddressRanges::find(const MicroOp& op, unsigned bytes, const Segment& s, const Address* address,
                         LastRange& range) const {
    const auto first = static_cast<unsigned>(std::countr_zero(s.mask));
    const Target target = resolve(op, s, first, bytes, address[first]);
    if (target.space == Space::Generic || target.names_block)
        return false;
    for (std::uint32_t m = s.mask; m != 0; m &= m - 1) {
        const Address at = address[std::countr_zero(m)];
        if (at - target.begin > target.span || at % bytes != 0)
            return false;
    }
    range = {target.space, target.begin, target.span};
    return true;
}

std::uint32_t AddressRanges::timed_local(std::uint32_t mask, const Address* offset) const {
    const ir::Kernel& kernel = *state_.launch().kernel;
    if (kernel.declared_local_bytes == kernel.local_bytes)
        return mask;
    for (std::uint32_t m = mask; m != 0; m &= m - 1) {
        const auto i = static_cast<unsigned>(std::countr_zero(m));
        if (offset[i] >= kernel.declared_local_bytes)
            mask &= ~(1U << i);
    }
    return mask;
}

} // namespace heddle::exec
