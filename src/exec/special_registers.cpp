#include "exec/special_registers.h"

namespace heddle::exec {

using ir::MicroOp;
using ir::SpecialRegister;
using warp::Group;
using warp::Outcome;

namespace {

// Registers about clusters. A launch without clusters has clusters of one block.
std::uint64_t cluster_value(SpecialRegister r, const Launch& launch, Dim3 ctaid) {
    const Dim3 shape = launch.cluster;
    const Dim3 in{ctaid.x % shape.x, ctaid.y % shape.y, ctaid.z % shape.z};
    switch (r) {
    case SpecialRegister::ClusterCtaidX:
        return in.x;
    case SpecialRegister::ClusterCtaidY:
        return in.y;
    case SpecialRegister::ClusterCtaidZ:
        return in.z;
    case SpecialRegister::ClusterNctaidX:
        return shape.x;
    case SpecialRegister::ClusterNctaidY:
        return shape.y;
    case SpecialRegister::ClusterNctaidZ:
        return shape.z;
    case SpecialRegister::ClusterCtarank:
        return launch.rank_in_cluster(ctaid);
    case SpecialRegister::ClusterNctarank:
        return shape.count();
    case SpecialRegister::ClusteridX:
        return ctaid.x / shape.x;
    case SpecialRegister::ClusteridY:
        return ctaid.y / shape.y;
    case SpecialRegister::ClusteridZ:
        return ctaid.z / shape.z;
    case SpecialRegister::NclusteridX:
        return launch.grid.x / shape.x;
    case SpecialRegister::NclusteridY:
        return launch.grid.y / shape.y;
    case SpecialRegister::NclusteridZ:
        return launch.grid.z / shape.z;
    case SpecialRegister::IsExplicitCluster:
        return launch.explicit_cluster ? 1 : 0;
    default:
        return 0;
    }
}

} // namespace

std::uint64_t block_value(SpecialRegister r, const Launch& launch, std::uint32_t sm, Dim3 ctaid, Cycle now) {
    const auto ns = static_cast<std::uint64_t>(static_cast<double>(now) * launch.nanoseconds_per_cycle);
    switch (r) {
    case SpecialRegister::NtidX:
        return launch.block.x;
    case SpecialRegister::NtidY:
        return launch.block.y;
    case SpecialRegister::NtidZ:
        return launch.block.z;
    case SpecialRegister::CtaidX:
        return ctaid.x;
    case SpecialRegister::CtaidY:
        return ctaid.y;
    case SpecialRegister::CtaidZ:
        return ctaid.z;
    case SpecialRegister::NctaidX:
        return launch.grid.x;
    case SpecialRegister::NctaidY:
        return launch.grid.y;
    case SpecialRegister::NctaidZ:
        return launch.grid.z;
    case SpecialRegister::Nwarpid:
        return (launch.block.count() + kPtxWarp - 1) / kPtxWarp;
    case SpecialRegister::Smid:
        return sm;
    case SpecialRegister::Nsmid:
        return launch.sms;
    case SpecialRegister::Gridid:
        return launch.grid_id;
    case SpecialRegister::Clock:
        return now & 0xffffffffU;
    case SpecialRegister::ClockHi:
        return now >> 32;
    case SpecialRegister::Clock64:
        return now;
    case SpecialRegister::Globaltimer:
        return ns;
    case SpecialRegister::GlobaltimerLo:
        return ns & 0xffffffffU;
    case SpecialRegister::GlobaltimerHi:
        return ns >> 32;
    case SpecialRegister::DynamicSmemSize:
        return launch.dynamic_shared;
    case SpecialRegister::TotalSmemSize:
        return launch.shared_bytes();
    case SpecialRegister::AggrSmemSize:
        return launch.reachable_shared_bytes();
    case SpecialRegister::ReservedSmemBegin:
    case SpecialRegister::ReservedSmemOffset0:
        return launch.reserved_shared_begin();
    case SpecialRegister::ReservedSmemOffset1:
        return launch.reserved_shared_begin() + Launch::kReservedShared / 2;
    case SpecialRegister::ReservedSmemEnd:
        return launch.reserved_shared_begin() + Launch::kReservedShared;
    case SpecialRegister::ReservedSmemCap:
        return Launch::kReservedShared;
    case SpecialRegister::Envreg1:
        return launch.grid_barrier >> 32;
    case SpecialRegister::Envreg2:
        return launch.grid_barrier & 0xffffffffU;
    default:
        return cluster_value(r, launch, ctaid);
    }
}

void SpecialRegisters::write_row(const Segment& s, const MicroOp& op, const std::uint32_t* values) const {
    if (op.dst[0] == ir::kNowhere)
        return;
    if (op.dst_bytes != 8)
        return rowops_.copy32(s.frame + op.dst[0], reinterpret_cast<const std::byte*>(values), s.mask);
    alignas(64) std::uint64_t wide[kVectorLanes];
    for (unsigned i = 0; i < kVectorLanes; ++i)
        wide[i] = values[i];
    rowops_.copy64(s.frame + op.dst[0], reinterpret_cast<const std::byte*>(wide), s.mask);
}

void SpecialRegisters::write_column(const Segment& s, const MicroOp& op, ThreadTable::Column column) const {
    const std::uint32_t* values = state_.code().threads().values(column, state_.first_thread(s));
    if (!state_.row(s.row).swizzled)
        return write_row(s, op, values);
    std::uint32_t swizzled[kVectorLanes];
    for (unsigned i = 0; i < kVectorLanes; ++i)
        swizzled[i] = values[i ^ 1];
    write_row(s, op, swizzled);
}

void SpecialRegisters::read(const Group& group, const MicroOp& op, Cycle now, Outcome& outcome) const {
    const auto which = static_cast<SpecialRegister>(op.imm);
    const std::optional<ThreadTable::Column> column = ThreadTable::column_of(which);
    outcome.executed = state_.for_each_segment(parts_of(group), op, [&](const Segment& s) {
        if (column)
            return write_column(s, op, *column);
        if (op.dst[0] == ir::kNowhere)
            return;
        const std::uint64_t value = block_value(which, state_.launch(), sm_, state_.ctaid(s.row), now);
        if (op.dst_bytes == 8)
            rowops_.fill64(s.frame + op.dst[0], value, s.mask);
        else
            rowops_.fill32(s.frame + op.dst[0], static_cast<std::uint32_t>(value), s.mask);
    });
}

} // namespace heddle::exec
