// Memory operations of streams: waits for values and writes of values (cuStreamBatchMemOp).
#pragma once

#include <cstddef>
#include <cstdint>

#include "cuda_runtime_api.h"

namespace heddle::cudart {

// CUstreamBatchMemOpParams.
struct StreamOperation {
    enum Kind : std::uint32_t { kWait32 = 1, kWrite32 = 2, kFlush = 3, kWait64 = 4, kWrite64 = 5, kBarrier = 6 };
    Kind kind;
    std::uint64_t address;
    std::uint64_t value; // 32 bits: the low half
    std::uint32_t flags;
    std::uint64_t alias, reserved;
};
static_assert(sizeof(StreamOperation) == 48, "as in cuda.h");

cudaError_t perform(const StreamOperation& operation);

} // namespace heddle::cudart
