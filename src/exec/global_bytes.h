// Ranges of bytes of global memory as one SM sees them: its loads see its own stores, its stores and reductions take
// effect with its window (exec/window_log.h). The ranges lie in allocations; the caller has checked that.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>

#include "exec/global_memory.h"
#include "ir/micro_op.h"

namespace heddle::exec {

// An atomic operation on an element without a result; null where there is none of the type. Its operand is the first
// register of a frame. Valid as long as the object that gave it.
class Reductions {
public:
    [[nodiscard]] const ir::MicroOp* of(ir::Sub how, ir::Type type);

private:
    std::deque<ir::MicroOp> known_; // a window's log refers to them
};

class GlobalBytes {
public:
    explicit GlobalBytes(GlobalMemory& global) : global_(global) {}

    void read(Address address, std::uint32_t bytes, std::byte* to) const;
    void write(Address address, std::uint32_t bytes, const std::byte* from);
    // Combines the elements of a range with those at `from`.
    void reduce(const ir::MicroOp& reduction, Address address, std::uint32_t bytes, const std::byte* from);
    // The same for memory of the host, at once.
    void reduce_host(const ir::MicroOp& reduction, std::byte* at, std::uint32_t bytes, const std::byte* from);

private:
    template <class Apply>
    void reduce_rows(const ir::MicroOp& reduction, Address address, std::uint32_t bytes, const std::byte* from,
                     Apply&& apply);

    GlobalMemory& global_;
    alignas(64) std::array<std::byte, std::size_t{kVectorLanes} * 8> operands_{}; // of one row of a reduction
};

} // namespace heddle::exec
