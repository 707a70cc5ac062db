#include "runtime/virtual_memory.h"

#include <unistd.h>

#include <fmt/format.h>
#include <sys/mman.h>

namespace heddle::runtime {

VirtualMemory::~VirtualMemory() {
    for (const auto& [handle, memory] : memory_)
        close(memory.file);
}

Address VirtualMemory::reserve(std::uint64_t bytes, std::uint64_t alignment) {
    if (bytes == 0 || bytes % kGranule != 0 || (alignment & (alignment - 1)) != 0)
        return 0;
    const Address begin = image_.reserve(bytes, alignment);
    if (begin != 0)
        ranges_[begin] = bytes;
    return begin;
}

bool VirtualMemory::free_range(Address begin, std::uint64_t bytes) {
    const auto range = ranges_.find(begin);
    const auto place = places_.lower_bound(begin);
    if (range == ranges_.end() || range->second != bytes || (place != places_.end() && place->first - begin < bytes))
        return false;
    ranges_.erase(range);
    image_.give_back(begin, bytes);
    return true;
}

VirtualMemory::Handle VirtualMemory::create(std::uint64_t bytes) {
    if (bytes == 0 || bytes % kGranule != 0 || !image_.take_capacity(bytes))
        return 0;
    const int file = memfd_create("heddle-memory", MFD_CLOEXEC);
    if (file < 0 || ftruncate(file, static_cast<off_t>(bytes)) != 0) {
        if (file >= 0)
            close(file);
        image_.return_capacity(bytes);
        return 0;
    }
    memory_.emplace(++made_, Memory{file, bytes});
    return made_;
}

bool VirtualMemory::retain(Handle handle) {
    const auto at = memory_.find(handle);
    if (at == memory_.end())
        return false;
    ++at->second.owners;
    return true;
}

bool VirtualMemory::release(Handle handle) {
    const auto at = memory_.find(handle);
    if (at == memory_.end() || at->second.owners == 0)
        return false;
    --at->second.owners;
    drop_unused(at);
    return true;
}

void VirtualMemory::drop_unused(std::map<Handle, Memory>::iterator at) {
    if (at->second.owners != 0 || at->second.places != 0)
        return;
    close(at->second.file);
    image_.return_capacity(at->second.bytes);
    memory_.erase(at);
}

std::uint64_t VirtualMemory::bytes(Handle handle) const {
    const auto at = memory_.find(handle);
    return at == memory_.end() ? 0 : at->second.bytes;
}

std::uint64_t VirtualMemory::created() const {
    std::uint64_t sum = 0;
    for (const auto& [handle, memory] : memory_)
        sum += memory.bytes;
    return sum;
}

bool VirtualMemory::map(Address begin, std::uint64_t bytes, std::uint64_t offset, Handle handle) {
    const auto memory = memory_.find(handle);
    auto range = ranges_.upper_bound(begin);
    if (memory == memory_.end() || range == ranges_.begin() || bytes == 0 || begin % kGranule != 0 ||
        bytes % kGranule != 0 || offset % kGranule != 0)
        return false;
    --range;
    const bool inside = begin - range->first < range->second && bytes <= range->second - (begin - range->first);
    const bool whole = offset < memory->second.bytes && bytes <= memory->second.bytes - offset;
    auto next = places_.lower_bound(begin);
    const bool free = (next == places_.end() || next->first - begin >= bytes) &&
                      (next == places_.begin() || std::prev(next)->first + std::prev(next)->second.bytes <= begin);
    if (!inside || !whole || !free || !image_.map(begin, bytes, memory->second.file, offset))
        return false;
    ++memory->second.places;
    places_[begin] = {bytes, handle};
    return true;
}

bool VirtualMemory::filled(Address begin, std::uint64_t bytes) const {
    const Address end = begin + bytes;
    for (auto at = places_.find(begin); begin != end; ++at) {
        if (at == places_.end() || at->first != begin || at->second.bytes > end - begin)
            return false;
        begin += at->second.bytes;
    }
    return true;
}

void VirtualMemory::take_out(Places::iterator place) {
    const auto memory = memory_.find(place->second.memory);
    image_.forbid(place->first);
    image_.unmap(place->first, place->second.bytes);
    --memory->second.places;
    places_.erase(place);
    drop_unused(memory);
}

bool VirtualMemory::unmap(Address begin, std::uint64_t bytes) {
    if (bytes == 0 || !filled(begin, bytes))
        return false;
    for (auto at = places_.find(begin); at != places_.end() && at->first < begin + bytes;)
        take_out(at++);
    return true;
}

bool VirtualMemory::allow(Address begin, std::uint64_t bytes, Rights rights) {
    if (bytes == 0 || !filled(begin, bytes))
        return false;
    for (auto at = places_.find(begin); at != places_.end() && at->first < begin + bytes; ++at) {
        at->second.rights = rights;
        image_.forbid(at->first);
        if (rights != Rights::None)
            image_.allow({.begin = at->first,
                          .bytes = at->second.bytes,
                          .read_only = rights == Rights::Read,
                          .label = fmt::format("cuMemCreate #{}", at->second.memory - 1)});
    }
    return true;
}

VirtualMemory::Places::const_iterator VirtualMemory::find(Address address) const {
    auto at = places_.upper_bound(address);
    if (at == places_.begin())
        return places_.end();
    --at;
    return address - at->first < at->second.bytes ? at : places_.end();
}

VirtualMemory::Rights VirtualMemory::rights(Address address) const {
    const auto at = find(address);
    return at == places_.end() ? Rights::None : at->second.rights;
}

VirtualMemory::Handle VirtualMemory::at(Address address) const {
    const auto at = find(address);
    return at == places_.end() ? 0 : at->second.memory;
}

std::pair<Address, std::uint64_t> VirtualMemory::place(Address address) const {
    const auto at = find(address);
    return at == places_.end() ? std::pair<Address, std::uint64_t>{} : std::pair{at->first, at->second.bytes};
}

void VirtualMemory::clear() {
    while (!places_.empty())
        take_out(places_.begin());
    while (!memory_.empty()) {
        memory_.begin()->second.owners = 0;
        drop_unused(memory_.begin());
    }
    for (const auto& [begin, bytes] : ranges_)
        image_.give_back(begin, bytes);
    ranges_.clear();
}

} // namespace heddle::runtime
