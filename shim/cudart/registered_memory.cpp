// Memory of the program that kernels reach. Copies need no registration, and take no time. So nothing is done before a
// program asks for an address on the device.
#include "registered_memory.h"

#include <algorithm>

#include <fmt/format.h>

#include "memory.h"

using namespace heddle::cudart;
using heddle::Address;

namespace {

void* pointer_to(Address address) {
    return reinterpret_cast<void*>(address);
}

// Whether some of the bytes are registered or were allocated by cudaHostAlloc.
bool is_known(const State& state, Address begin, std::uint64_t bytes) {
    const auto meets = [&](const auto& known) {
        return known.first < begin + bytes && begin < known.first + known.second.bytes;
    };
    return std::any_of(state.registered.begin(), state.registered.end(), meets) ||
           std::any_of(state.host_memory.begin(), state.host_memory.end(), meets);
}

void unregister(State& state, const RegisteredMemory& memory) {
    if (memory.on_device != 0)
        state.device().host_pages().give_back(memory.on_device);
}

// The registered memory that holds a byte of the program, or null.
RegisteredMemory* find(State& state, Address address, Address& begin) {
    auto at = state.registered.upper_bound(address);
    if (at == state.registered.begin())
        return nullptr;
    --at;
    begin = at->first;
    return address - begin < at->second.bytes ? &at->second : nullptr;
}

cudaError_t device_pointer_to(State& state, void* host, void** out) {
    Address begin = 0;
    RegisteredMemory* const memory = find(state, device_address(host), begin);
    if (memory == nullptr) {
        complain(fmt::format("cudaHostGetDevicePointer of {}: kernels reach what cudaHostAlloc, cudaMallocHost and "
                             "cudaMallocManaged give, and what cudaHostRegister takes",
                             host));
        return cudaErrorInvalidValue;
    }
    if (memory->on_device == 0)
        try {
            memory->on_device = state.device().host_pages().share(pointer_to(begin), memory->bytes,
                                                                  fmt::format("cudaHostRegister of {:#x}", begin));
        } catch (const heddle::UserError& e) {
            complain(fmt::format("cudaHostGetDevicePointer of {}: {}", host, e.what()));
            return cudaErrorInvalidValue;
        }
    *out = pointer_to(memory->on_device + (device_address(host) - begin));
    return cudaSuccess;
}

} // namespace

std::optional<Registered> heddle::cudart::registered_at(const State& state, Address address) {
    for (const auto& [begin, memory] : state.registered)
        for (const Address place : {begin, memory.on_device})
            if (const std::uint64_t offset = address - place; place != 0 && offset < memory.bytes)
                return Registered{pointer_to(begin + offset),
                                  memory.on_device == 0 ? nullptr : pointer_to(memory.on_device + offset)};
    return std::nullopt;
}

void heddle::cudart::unregister_all(State& state) {
    for (const auto& [begin, memory] : state.registered)
        unregister(state, memory);
    state.registered.clear();
}

HEDDLE_CUDA_API cudaError_t cudaHostGetDevicePointer(void** out, void* host, unsigned flags) {
    return api([&](State& state) {
        if (out == nullptr || flags != 0)
            return cudaErrorInvalidValue;
        *out = nullptr;
        if (!state.device().is_shared(device_address(host)))
            return device_pointer_to(state, host, out);
        *out = host;
        return cudaSuccess;
    });
}

HEDDLE_CUDA_API cudaError_t cudaHostRegister(void* pointer, std::size_t bytes, unsigned flags) {
    return api([&](State& state) {
        constexpr unsigned kFlags =
            cudaHostRegisterPortable | cudaHostRegisterMapped | cudaHostRegisterIoMemory | cudaHostRegisterReadOnly;
        if (pointer == nullptr || bytes == 0 || (flags & ~kFlags) != 0)
            return cudaErrorInvalidValue;
        if (state.device().owns(device_address(pointer)) && !state.device().is_shared(device_address(pointer)))
            return cudaErrorInvalidValue;
        if (is_known(state, device_address(pointer), bytes))
            return cudaErrorHostMemoryAlreadyRegistered;
        state.registered[device_address(pointer)] = {bytes};
        return cudaSuccess;
    });
}

HEDDLE_CUDA_API cudaError_t cudaHostUnregister(void* pointer) {
    return api([&](State& state) {
        if (pointer == nullptr)
            return cudaErrorInvalidValue;
        const auto memory = state.registered.find(device_address(pointer));
        if (memory == state.registered.end())
            return cudaErrorHostMemoryNotRegistered;
        unregister(state, memory->second);
        state.registered.erase(memory);
        return cudaSuccess;
    });
}
