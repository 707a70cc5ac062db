// Global memory as one SM of several sees it: through its log (exec/window_log.h).
#include <cstring>

#include "exec/executor_impl.h"

namespace heddle::exec {

using ir::Kind;
using ir::MicroOp;

// As move() for lanes in global memory, `address` their device addresses.
void Executor::Impl::move_in_window(const MicroOp& op, const Bound& b, const Segment& s, const HostRow& host,
                                    const AddressScan& scan, const Address* address, Address allocation) {
    const GlobalRow row{address, s.mask, b.bytes, scan.consecutive, scan.uniform, allocation};
    const HostRow in_log{reinterpret_cast<const Address*>(zeros), 0, b.bytes, s.mask};
    switch (op.kind) {
    case Kind::Load: {
        move(op, b, s, host, scan);
        const std::uint32_t lanes = log.perhaps_stored(row);
        if (lanes == 0)
            return;
        alignas(64) std::byte data[kVectorLanes * GlobalRow::kMaxBytes];
        log.read(row, lanes, data);
        return b.move(op, s.frame, pool, in_log.element(reinterpret_cast<std::uint64_t>(data)), lanes);
    }
    case Kind::Store: {
        std::byte* data = log.store(now, row);
        if (b.direct == 4)
            std::memcpy(data, source(op.src[1], s.frame, pool), std::size_t{kVectorLanes} * 4);
        else if (b.direct == 8)
            std::memcpy(data, source(op.src[1], s.frame, pool), std::size_t{kVectorLanes} * 8);
        else
            b.move(op, s.frame, pool, in_log.element(reinterpret_cast<std::uint64_t>(data)), s.mask);
        return;
    }
    default:
        return log.atomic(now, row, op, b.move, s.frame, pool);
    }
}

void apply_window(std::span<Executor* const> sms) {
    WindowLog* first = nullptr;
    WindowLog** end = &first;
    for (Executor* sm : sms) {
        WindowLog& log = sm->impl_->log;
        if (log.empty())
            continue;
        *end = &log;
        end = &log.next;
    }
    *end = nullptr;
    WindowLog::apply(first);
}

} // namespace heddle::exec
