// Special registers and activemask: what depends on which thread it is.
//
// A block's threads lie in its rows in linear order, so the values of a row are 32 neighbours in a table over the
// block's threads, made once a launch.
#include <bit>

#include "exec/executor_impl.h"

namespace heddle::exec {

using ir::MicroOp;
using ir::SpecialRegister;
using warp::Group;
using warp::Outcome;

namespace {

enum Table : unsigned { kTidX, kTidY, kTidZ, kLane, kWarp, kMaskEq, kMaskLe, kMaskLt, kMaskGe, kMaskGt, kTables };

// The table of a register; kTables when it is the same for all threads of a block.
unsigned table_of(SpecialRegister r) {
    switch (r) {
    case SpecialRegister::TidX:
        return kTidX;
    case SpecialRegister::TidY:
        return kTidY;
    case SpecialRegister::TidZ:
        return kTidZ;
    case SpecialRegister::Laneid:
        return kLane;
    case SpecialRegister::Warpid:
        return kWarp;
    case SpecialRegister::LanemaskEq:
        return kMaskEq;
    case SpecialRegister::LanemaskLe:
        return kMaskLe;
    case SpecialRegister::LanemaskLt:
        return kMaskLt;
    case SpecialRegister::LanemaskGe:
        return kMaskGe;
    case SpecialRegister::LanemaskGt:
        return kMaskGt;
    default:
        return kTables;
    }
}

// Registers that all threads of a block share.
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
    case SpecialRegister::Envreg1:
        return launch.grid_barrier >> 32;
    case SpecialRegister::Envreg2:
        return launch.grid_barrier & 0xffffffffU;
    default:
        return 0; // by thread: from the tables
    }
}

} // namespace

void Executor::Impl::make_thread_tables() {
    const auto threads = static_cast<std::size_t>(launch.block.count());
    std::size_t& thread_table_length = tables->threads_length;
    std::vector<std::uint32_t>& thread_tables = tables->threads;
    thread_table_length = threads + kMaxWidth; // the last row may be filled in part
    thread_tables.assign(thread_table_length * kTables, 0);
    for (std::size_t t = 0; t < threads; ++t) {
        const auto put = [&](Table table, std::size_t value) {
            thread_tables[table * thread_table_length + t] = static_cast<std::uint32_t>(value);
        };
        const auto eq = std::uint32_t{1} << (t % kPtxWarp);
        put(kTidX, t % launch.block.x);
        put(kTidY, t / launch.block.x % launch.block.y);
        put(kTidZ, t / launch.block.x / launch.block.y);
        put(kLane, t % kPtxWarp);
        put(kWarp, t / kPtxWarp);
        put(kMaskEq, eq);
        put(kMaskLt, eq - 1);
        put(kMaskLe, eq | (eq - 1));
        put(kMaskGe, ~(eq - 1));
        put(kMaskGt, ~(eq | (eq - 1)));
    }
}

void Executor::Impl::write_row(const Segment& s, const MicroOp& op, const std::uint32_t* values) const {
    if (op.dst[0] == ir::kNowhere)
        return;
    if (op.dst_bytes != 8)
        return rowops.copy32(s.frame + op.dst[0], reinterpret_cast<const std::byte*>(values), s.mask);
    alignas(64) std::uint64_t wide[kVectorLanes];
    for (unsigned i = 0; i < kVectorLanes; ++i)
        wide[i] = values[i];
    rowops.copy64(s.frame + op.dst[0], reinterpret_cast<const std::byte*>(wide), s.mask);
}

void Executor::Impl::special(const Group& group, const MicroOp& op, Cycle now, Outcome& outcome) {
    if (op.opcode != ir::Opcode::MovSpecial)
        return op.opcode == ir::Opcode::Activemask ? activemask(group, op, outcome) : piece_address(group, op, outcome);
    const auto which = static_cast<SpecialRegister>(op.imm);
    const unsigned table = table_of(which);
    outcome.executed = static_cast<std::uint16_t>(for_each_segment(parts_of(group), op, [&](const Segment& s) {
        if (table != kTables) {
            const std::uint32_t* values = &tables->threads[table * tables->threads_length + first_thread(s)];
            if (!rows[s.row].swizzled)
                return write_row(s, op, values);
            std::uint32_t swizzled[kVectorLanes];
            for (unsigned i = 0; i < kVectorLanes; ++i)
                swizzled[i] = values[i ^ 1];
            return write_row(s, op, swizzled);
        }
        if (op.dst[0] == ir::kNowhere)
            return;
        const std::uint64_t value = block_value(which, launch, sm, ctaid[rows[s.row].slot], now);
        if (op.dst_bytes == 8)
            rowops.fill64(s.frame + op.dst[0], value, s.mask);
        else
            rowops.fill32(s.frame + op.dst[0], static_cast<std::uint32_t>(value), s.mask);
    }));
}

} // namespace heddle::exec
