// The memory of a device: allocations, copies, textures, and the heap of device code.
#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "runtime/device_impl.h"
#include "runtime/launch_error.h"

namespace heddle::runtime {

Address Device::allocate(std::uint64_t bytes, std::string label, Owner owner) {
    const Address begin = impl_->image.allocate(bytes, std::move(label));
    impl_->image.set_owner(begin, owner);
    if (impl_->checker && begin != 0 && owner == Owner::Program) {
        impl_->checker->memory.forget(begin, bytes);
        impl_->fresh.insert(begin);
    }
    return begin;
}

Address Device::allocate_shared(std::uint64_t bytes, std::string label) {
    return impl_->image.allocate_shared(bytes, std::move(label));
}

Address Device::allocate_pinned(std::uint64_t bytes, std::string label) {
    return impl_->image.allocate_pinned(bytes, std::move(label));
}

HostPages& Device::host_pages() {
    return impl_->host_pages;
}

VirtualMemory& Device::virtual_memory() {
    return impl_->virtual_memory;
}

FixedMemory& Device::fixed_memory() {
    return impl_->fixed_memory;
}

bool Device::release(Address address) {
    impl_->fresh.erase(address);
    return impl_->image.release(address);
}

void Device::Impl::check_range(Address begin, std::uint64_t bytes, const char* what) const {
    Address at = begin;
    const Address end = begin + bytes;
    while (at < end) { // allocations of virtual memory may touch
        const exec::Allocation* const holder = image.find(at, 1);
        if (holder == nullptr)
            break;
        at = holder->end();
    }
    if (at >= end)
        return;
    const exec::Allocation* near = image.nearest(begin);
    throw UserError(fmt::format("{} of {} bytes at {:#x} is outside every allocation{}", what, bytes, begin,
                                near == nullptr ? std::string()
                                                : fmt::format("; the nearest is '{}', {} bytes at {:#x}{}", near->label,
                                                              near->bytes, near->begin, near->live ? "" : ", freed")));
}

std::uint64_t Device::add_texture(const Texture& what) {
    impl_->check_range(what.texels.begin, what.bytes(), "a texture");
    return impl_->textures.add(what);
}

void Device::bind_texture(std::uint64_t handle, const Texture& what) {
    if (what.texels.begin != 0)
        impl_->check_range(what.texels.begin, what.bytes(), "a texture");
    impl_->textures.replace(handle, what);
}

bool Device::remove_texture(std::uint64_t handle) {
    return impl_->textures.remove(handle);
}

const Texture* Device::texture(std::uint64_t handle) const {
    return impl_->textures.find(handle);
}

void Device::write(Address to, const void* from, std::uint64_t bytes) {
    impl_->check_range(to, bytes, "a copy to the device");
    if (bytes != 0)
        std::memcpy(impl_->image.host(to), from, bytes);
    impl_->note_written(to, bytes);
}

void Device::read(void* to, Address from, std::uint64_t bytes) const {
    impl_->check_range(from, bytes, "a copy from the device");
    if (bytes != 0)
        std::memcpy(to, impl_->image.host(from), bytes);
}

void Device::copy(Address to, Address from, std::uint64_t bytes) {
    impl_->check_range(from, bytes, "the source of a copy");
    impl_->check_range(to, bytes, "the destination of a copy");
    if (bytes != 0)
        std::memmove(impl_->image.host(to), impl_->image.host(from), bytes);
    if (impl_->checker)
        impl_->checker->memory.copy(to, from, bytes);
}

void Device::fill(Address to, int byte, std::uint64_t bytes) {
    impl_->check_range(to, bytes, "a fill");
    if (bytes != 0)
        std::memset(impl_->image.host(to), byte, bytes);
    impl_->note_written(to, bytes);
}

bool Device::is_shared(Address address) const {
    const exec::Allocation* const found = impl_->image.find(address, 0);
    return found != nullptr && found->shared;
}

std::optional<Variable> Device::variable_at(Address address) const {
    const exec::Allocation* const found = impl_->image.find(address, 1);
    if (found == nullptr || found->owner != Owner::Context || found->begin == impl_->heap)
        return {};
    return Variable{found->begin, found->bytes, {}};
}

bool Device::owns(Address address) const {
    return address >= exec::kGlobalBase && address < exec::kGlobalBase + exec::kGlobalBytes;
}

bool Device::Impl::reaches(const ir::Kernel& kernel, Predicate is_function) const {
    const auto found = of_ptx.find(static_cast<KernelId>(&kernel - program.kernels.data()));
    const ir::Kernel& source = found == of_ptx.end() ? kernel : found->second; // native code has no such functions
    return std::any_of(program.functions.begin(), program.functions.end(), [&](const ir::Function& f) {
        return f.begin >= source.begin && f.end <= source.end && is_function(f.name);
    });
}

bool Device::Impl::uses_heap(const ir::Kernel& kernel) const {
    return variables[kernel.module].contains(kHeapVariable) && reaches(kernel, is_heap_function);
}

// All modules share one heap.
void Device::Impl::provide_heap(const ir::Kernel& kernel) {
    if (heap != 0 || !uses_heap(kernel))
        return;
    heap = make_heap(image, heap_bytes);
    if (heap == 0)
        throw launch_error(kernel, fmt::format("its malloc needs a heap of {} bytes (cudaLimitMallocHeapSize), and "
                                               "the device has no room for it",
                                               heap_bytes));
    show_heap();
}

void Device::Impl::show_heap() {
    for (const Variables& of_module : variables)
        if (const auto at = of_module.find(kHeapVariable); at != of_module.end())
            std::memcpy(image.host(at->second.address), &heap, sizeof heap);
}

bool Device::set_heap_bytes(std::uint64_t bytes) {
    if (impl_->heap != 0)
        return false;
    impl_->heap_bytes = bytes;
    return true;
}

std::uint64_t Device::heap_bytes() const {
    return impl_->heap_bytes;
}

void Device::drop_heap() {
    if (impl_->heap != 0)
        impl_->image.release(impl_->heap);
    impl_->heap = 0;
    impl_->heap_bytes = kDefaultHeapBytes;
}

} // namespace heddle::runtime
