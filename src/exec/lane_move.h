// Moving data between the lanes of a frame and memory, for every type, width and operation.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/types.h"
#include "ir/micro_op.h"

namespace heddle::exec {

// The memory of the lanes of a frame: lane i accesses the host bytes at
// address[i] + delta + i * lane_stride, which are checked before. Accesses happen in ascending order of lanes.
struct HostRow {
    const Address* address;
    std::uint64_t delta;
    std::uint64_t lane_stride;
    std::uint32_t global; // lanes whose address lies in global memory

    [[nodiscard]] std::byte* at(unsigned lane) const {
        return reinterpret_cast<std::byte*>(address[lane] + delta + lane * lane_stride);
    }
    [[nodiscard]] HostRow element(std::uint64_t offset) const { // of a vector
        return {address, delta + offset, lane_stride, global};
    }
};
using LaneMove = void (*)(const ir::MicroOp& op, std::byte* frame, const std::byte* pool, const HostRow& memory,
                          std::uint32_t mask);

// Threads of several rows: thread i, lane[i] of frame[i], accesses the host bytes at host[i]. Accesses happen in this
// order.
struct MovedThreads {
    std::byte* const* frame;
    const std::uint8_t* lane;
    const Address* host;
    unsigned count;
};
using ThreadMove = void (*)(const ir::MicroOp& op, const std::byte* pool, const MovedThreads& threads);

struct Moves {
    LaneMove lanes = nullptr;
    ThreadMove threads = nullptr;
};

// Null when the micro-op's combination of type, widths and operation cannot be executed.
[[nodiscard]] Moves select_load(const ir::MicroOp& op);
[[nodiscard]] Moves select_store(const ir::MicroOp& op);
[[nodiscard]] LaneMove select_atomic(const ir::MicroOp& op);

} // namespace heddle::exec
