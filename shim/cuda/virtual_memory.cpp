// Memory apart from its addresses: ranges of addresses are reserved, memory is made, and memory is mapped to addresses.
#include "runtime/virtual_memory.h"

#include "driver.h"

using namespace heddle::driver;
using heddle::runtime::VirtualMemory;

namespace {

// Calls body(virtual memory) as a function of the runtime.
template <class F>
CUresult on_memory(F&& body) {
    return initialised([&] {
        return __cudaHeddleOnDevice(
            [](heddle::runtime::Device& device, void* given) {
                return (*static_cast<std::remove_reference_t<F>*>(given))(device.virtual_memory());
            },
            &body);
    });
}

cudaError_t valid(bool done) {
    return done ? cudaSuccess : cudaErrorInvalidValue;
}

// Memory of the device that stays in this process.
bool is_served(const CUmemAllocationProp* what) {
    return what != nullptr && what->type == CU_MEM_ALLOCATION_TYPE_PINNED &&
           what->location.type == CU_MEM_LOCATION_TYPE_DEVICE && what->location.id == 0;
}

bool read_rights(CUmemAccess_flags flags, VirtualMemory::Rights& out) {
    switch (flags) {
    case CU_MEM_ACCESS_FLAGS_PROT_NONE:
        out = VirtualMemory::Rights::None;
        return true;
    case CU_MEM_ACCESS_FLAGS_PROT_READ:
        out = VirtualMemory::Rights::Read;
        return true;
    case CU_MEM_ACCESS_FLAGS_PROT_READWRITE:
        out = VirtualMemory::Rights::ReadWrite;
        return true;
    }
    return false;
}

} // namespace

HEDDLE_DRIVER_API CUresult cuMemGetAllocationGranularity(std::size_t* bytes, const CUmemAllocationProp* what,
                                                         CUmemAllocationGranularity_flags) {
    return initialised([&] {
        if (bytes == nullptr || !is_served(what))
            return cudaErrorInvalidValue;
        *bytes = VirtualMemory::kGranule;
        return cudaSuccess;
    });
}

// The wish for an address has no effect, as CUDA permits.
HEDDLE_DRIVER_API CUresult cuMemAddressReserve(CUdeviceptr* begin, std::size_t bytes, std::size_t alignment,
                                               CUdeviceptr, unsigned long long flags) {
    return on_memory([&](VirtualMemory& memory) {
        if (begin == nullptr || flags != 0 || bytes == 0 || bytes % VirtualMemory::kGranule != 0 ||
            (alignment & (alignment - 1)) != 0)
            return cudaErrorInvalidValue;
        *begin = memory.reserve(bytes, alignment);
        return *begin == 0 ? cudaErrorMemoryAllocation : cudaSuccess;
    });
}

HEDDLE_DRIVER_API CUresult cuMemAddressFree(CUdeviceptr begin, std::size_t bytes) {
    return on_memory([&](VirtualMemory& memory) { return valid(memory.free_range(begin, bytes)); });
}

HEDDLE_DRIVER_API CUresult cuMemCreate(CUmemGenericAllocationHandle* handle, std::size_t bytes,
                                       const CUmemAllocationProp* what, unsigned long long flags) {
    return on_memory([&](VirtualMemory& memory) {
        if (handle == nullptr || flags != 0 || !is_served(what) || bytes == 0 || bytes % VirtualMemory::kGranule != 0)
            return cudaErrorInvalidValue;
        if (what->requestedHandleTypes != CU_MEM_HANDLE_TYPE_NONE)
            return cudaErrorNotSupported; // memory that other processes share
        *handle = memory.create(bytes);
        return *handle == 0 ? cudaErrorMemoryAllocation : cudaSuccess;
    });
}

HEDDLE_DRIVER_API CUresult cuMemRelease(CUmemGenericAllocationHandle handle) {
    return on_memory([&](VirtualMemory& memory) { return valid(memory.release(handle)); });
}

HEDDLE_DRIVER_API CUresult cuMemRetainAllocationHandle(CUmemGenericAllocationHandle* handle, void* pointer) {
    return on_memory([&](VirtualMemory& memory) {
        const VirtualMemory::Handle found = memory.at(reinterpret_cast<CUdeviceptr>(pointer));
        if (handle == nullptr || !memory.retain(found))
            return cudaErrorInvalidValue;
        *handle = found;
        return cudaSuccess;
    });
}

HEDDLE_DRIVER_API CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp* what,
                                                                  CUmemGenericAllocationHandle handle) {
    return on_memory([&](VirtualMemory& memory) {
        if (what == nullptr || memory.bytes(handle) == 0)
            return cudaErrorInvalidValue;
        *what = {};
        what->type = CU_MEM_ALLOCATION_TYPE_PINNED;
        what->location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
        return cudaSuccess;
    });
}

HEDDLE_DRIVER_API CUresult cuMemMap(CUdeviceptr begin, std::size_t bytes, std::size_t offset,
                                    CUmemGenericAllocationHandle handle, unsigned long long flags) {
    return on_memory(
        [&](VirtualMemory& memory) { return valid(flags == 0 && memory.map(begin, bytes, offset, handle)); });
}

HEDDLE_DRIVER_API CUresult cuMemUnmap(CUdeviceptr begin, std::size_t bytes) {
    return on_memory([&](VirtualMemory& memory) { return valid(memory.unmap(begin, bytes)); });
}

HEDDLE_DRIVER_API CUresult cuMemSetAccess(CUdeviceptr begin, std::size_t bytes, const CUmemAccessDesc* rights,
                                          std::size_t count) {
    return on_memory([&](VirtualMemory& memory) {
        VirtualMemory::Rights wanted{};
        if (rights == nullptr || count != 1 || rights->location.type != CU_MEM_LOCATION_TYPE_DEVICE ||
            rights->location.id != 0 || !read_rights(rights->flags, wanted))
            return cudaErrorInvalidValue;
        return valid(memory.allow(begin, bytes, wanted));
    });
}

HEDDLE_DRIVER_API CUresult cuMemGetAccess(unsigned long long* flags, const CUmemLocation* location,
                                          CUdeviceptr pointer) {
    return on_memory([&](VirtualMemory& memory) {
        if (flags == nullptr || location == nullptr || location->type != CU_MEM_LOCATION_TYPE_DEVICE ||
            location->id != 0 || memory.at(pointer) == 0)
            return cudaErrorInvalidValue;
        constexpr CUmemAccess_flags kFlags[] = {CU_MEM_ACCESS_FLAGS_PROT_NONE, CU_MEM_ACCESS_FLAGS_PROT_READ,
                                                CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
        *flags = kFlags[static_cast<unsigned>(memory.rights(pointer))];
        return cudaSuccess;
    });
}
