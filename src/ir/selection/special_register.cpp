#include "ir/selection/special_register.h"

#include <fmt/format.h>

#include "base/suggest.h"
#include "ir/selection/make_op.h"

namespace heddle::ir {

namespace {

struct SpecialName {
    std::string_view name;
    SpecialRegister which;
    bool wide = false;
};

constexpr SpecialName kSpecials[] = {
    {"%tid.x", SpecialRegister::TidX},
    {"%tid.y", SpecialRegister::TidY},
    {"%tid.z", SpecialRegister::TidZ},
    {"%ntid.x", SpecialRegister::NtidX},
    {"%ntid.y", SpecialRegister::NtidY},
    {"%ntid.z", SpecialRegister::NtidZ},
    {"%ctaid.x", SpecialRegister::CtaidX},
    {"%ctaid.y", SpecialRegister::CtaidY},
    {"%ctaid.z", SpecialRegister::CtaidZ},
    {"%nctaid.x", SpecialRegister::NctaidX},
    {"%nctaid.y", SpecialRegister::NctaidY},
    {"%nctaid.z", SpecialRegister::NctaidZ},
    {"%laneid", SpecialRegister::Laneid},
    {"%warpid", SpecialRegister::Warpid},
    {"%nwarpid", SpecialRegister::Nwarpid},
    {"%smid", SpecialRegister::Smid},
    {"%nsmid", SpecialRegister::Nsmid},
    {"%gridid", SpecialRegister::Gridid, true},
    {"%lanemask_eq", SpecialRegister::LanemaskEq},
    {"%lanemask_le", SpecialRegister::LanemaskLe},
    {"%lanemask_lt", SpecialRegister::LanemaskLt},
    {"%lanemask_ge", SpecialRegister::LanemaskGe},
    {"%lanemask_gt", SpecialRegister::LanemaskGt},
    {"%clock", SpecialRegister::Clock},
    {"%clock_hi", SpecialRegister::ClockHi},
    {"%clock64", SpecialRegister::Clock64, true},
    {"%globaltimer", SpecialRegister::Globaltimer, true},
    {"%globaltimer_lo", SpecialRegister::GlobaltimerLo},
    {"%globaltimer_hi", SpecialRegister::GlobaltimerHi},
    {"%dynamic_smem_size", SpecialRegister::DynamicSmemSize},
    {"%total_smem_size", SpecialRegister::TotalSmemSize},
    {"%envreg1", SpecialRegister::Envreg1},
    {"%envreg2", SpecialRegister::Envreg2},
    {"%cluster_ctaid.x", SpecialRegister::ClusterCtaidX},
    {"%cluster_ctaid.y", SpecialRegister::ClusterCtaidY},
    {"%cluster_ctaid.z", SpecialRegister::ClusterCtaidZ},
    {"%cluster_nctaid.x", SpecialRegister::ClusterNctaidX},
    {"%cluster_nctaid.y", SpecialRegister::ClusterNctaidY},
    {"%cluster_nctaid.z", SpecialRegister::ClusterNctaidZ},
    {"%cluster_ctarank", SpecialRegister::ClusterCtarank},
    {"%cluster_nctarank", SpecialRegister::ClusterNctarank},
    {"%clusterid.x", SpecialRegister::ClusteridX},
    {"%clusterid.y", SpecialRegister::ClusteridY},
    {"%clusterid.z", SpecialRegister::ClusteridZ},
    {"%nclusterid.x", SpecialRegister::NclusteridX},
    {"%nclusterid.y", SpecialRegister::NclusteridY},
    {"%nclusterid.z", SpecialRegister::NclusteridZ},
    {"%is_explicit_cluster", SpecialRegister::IsExplicitCluster},
    {"%aggr_smem_size", SpecialRegister::AggrSmemSize},
    {"%reserved_smem_offset_begin", SpecialRegister::ReservedSmemBegin},
    {"%reserved_smem_offset_end", SpecialRegister::ReservedSmemEnd},
    {"%reserved_smem_offset_cap", SpecialRegister::ReservedSmemCap},
    {"%reserved_smem_offset_0", SpecialRegister::ReservedSmemOffset0},
    {"%reserved_smem_offset_1", SpecialRegister::ReservedSmemOffset1},
    {"%current_graph_exec", SpecialRegister::Zero, true}, // no launch comes from a device's graph
};

// Performance counters, whose behaviour PTX leaves undefined, and %envreg0 to %envreg31, whose values the driver
// chooses: 0, where the table above has none.
std::optional<SpecialName> register_of_zero(std::string_view name) {
    if (name.starts_with("%pm") || name.starts_with("%envreg"))
        return SpecialName{name, SpecialRegister::Zero, name.ends_with("_64")};
    return std::nullopt;
}

} // namespace

bool is_read_narrow(const MicroOp& op) {
    const auto which = static_cast<SpecialRegister>(op.imm);
    return which <= SpecialRegister::NctaidZ || which == SpecialRegister::Gridid;
}

std::optional<MicroOp> read_special(const Operand& operand, Cursor& cursor) {
    std::optional<SpecialName> found = register_of_zero(operand.name);
    Suggestion near(operand.name);
    for (const SpecialName& s : kSpecials) {
        near.consider(s.name);
        if (s.name == operand.name)
            found = s;
    }
    if (found) {
        MicroOp op = make_op(Opcode::MovSpecial, found->wide ? Type::U64 : Type::U32);
        op.dst_bytes = op.src_bytes = found->wide ? 8 : 4;
        op.imm = static_cast<std::int64_t>(found->which);
        return op;
    }
    cursor.error(operand.where,
                 fmt::format("unknown special register '{}'{}", operand.name, did_you_mean(near.name())));
    return std::nullopt;
}

} // namespace heddle::ir
