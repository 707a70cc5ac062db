#include "attributes.h"

#include "texture_limits.h"

namespace heddle::cudart {
namespace {

int number(std::uint64_t value) {
    return static_cast<int>(value);
}

// The driver's attributes for memory operations of streams, which have no names in the runtime.
enum : int {
    kOperations = 92,   // CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_MEM_OPS_V1
    kOperations64 = 93, // CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS_V1
    kWaitNor = 94,      // CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR_V1
    kNewOperations64 = 122,
    kNewWaitNor = 123,
    kVirtualMemory = 102, // CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED
};

} // namespace

std::optional<int> attribute_value(const runtime::Properties& p, int attribute) {
    switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock:
        return number(p.max_threads_per_block);
    case cudaDevAttrMaxBlockDimX:
        return number(p.max_block.x);
    case cudaDevAttrMaxBlockDimY:
        return number(p.max_block.y);
    case cudaDevAttrMaxBlockDimZ:
        return number(p.max_block.z);
    case cudaDevAttrMaxGridDimX:
        return number(p.max_grid.x);
    case cudaDevAttrMaxGridDimY:
        return number(p.max_grid.y);
    case cudaDevAttrMaxGridDimZ:
        return number(p.max_grid.z);
    case cudaDevAttrMaxSharedMemoryPerBlock:
        return number(shared_unless_asked(p));
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
        return number(p.shared_bytes_per_block);
    case cudaDevAttrReservedSharedMemoryPerBlock:
        return number(reserved_shared(p));
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
        return number(p.shared_bytes_per_sm);
    case cudaDevAttrTotalConstantMemory:
        return kConstantBytes;
    case cudaDevAttrWarpSize:
        return number(p.warp_size);
    case cudaDevAttrMaxPitch:
        return kPitchLimit;
    case cudaDevAttrMaxRegistersPerBlock:
    case cudaDevAttrMaxRegistersPerMultiprocessor:
        return number(p.registers_per_block);
    case cudaDevAttrClockRate:
        return number(p.clock_khz);
    case cudaDevAttrMemoryClockRate:
        return number(p.memory_clock_khz);
    case cudaDevAttrGlobalMemoryBusWidth:
        return number(p.memory_bus_bits);
    case cudaDevAttrL2CacheSize:
        return number(p.l2_bytes);
    case cudaDevAttrTextureAlignment:
    case cudaDevAttrSurfaceAlignment:
        return kTextureAlignment;
    case cudaDevAttrTexturePitchAlignment:
        return kTexturePitchAlignment;
    case cudaDevAttrMultiProcessorCount:
        return number(p.sms);
    case cudaDevAttrMaxThreadsPerMultiProcessor:
        return number(p.max_threads_per_sm);
    case cudaDevAttrMaxBlocksPerMultiprocessor:
        return number(p.max_blocks_per_sm);
    case cudaDevAttrComputeCapabilityMajor:
        return number(p.compute_major);
    case cudaDevAttrComputeCapabilityMinor:
        return number(p.compute_minor);
    case cudaDevAttrClusterLaunch:
    case cudaDevAttrTensorMapAccessSupported:
        return p.compute_major >= 9 ? 1 : 0;
    case cudaDevAttrUnifiedAddressing:
    case cudaDevAttrManagedMemory:
    case cudaDevAttrCanMapHostMemory:
    case cudaDevAttrHostRegisterSupported:
    case cudaDevAttrCooperativeLaunch:
    case cudaDevAttrMemoryPoolsSupported:
    case cudaDevAttrHostMemoryPoolsSupported:
    case cudaDevAttrHostNumaMemoryPoolsSupported:
    case cudaDevAttrConcurrentManagedAccess:
    case cudaDevAttrStreamPrioritiesSupported:
    case cudaDevAttrGlobalL1CacheSupported:
    case cudaDevAttrLocalL1CacheSupported:
    case cudaDevAttrSingleToDoublePrecisionPerfRatio:
    case kVirtualMemory:
    case kOperations:
    case kOperations64:
    case kWaitNor:
    case kNewOperations64:
    case kNewWaitNor:
        return 1;
    default: // an ability that the machines do not have, or no attribute at all
        if (attribute < cudaDevAttrMaxThreadsPerBlock || attribute > cudaDevAttrOnlyPartialHostNativeAtomicSupported)
            return std::nullopt;
        for (const TextureLimit& l : kTextureLimits)
            if (l.attribute == attribute)
                return l.value;
        return 0;
    }
}

std::vector<int> attribute_values(const runtime::Properties& of) {
    std::vector<int> values(cudaDevAttrOnlyPartialHostNativeAtomicSupported + 1);
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = attribute_value(of, number(i)).value_or(0);
    return values;
}

} // namespace heddle::cudart
