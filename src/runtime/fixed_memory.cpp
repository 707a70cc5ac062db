#include "runtime/fixed_memory.h"

#include "base/round_up.h"

namespace heddle::runtime {
namespace {

using exec::MemoryImage;

// What an allocation takes of the device's capacity.
constexpr std::uint64_t taken_by(std::uint64_t bytes) {
    return round_up(bytes, MemoryImage::kGranule);
}

} // namespace

Address FixedMemory::reserve(std::uint64_t bytes) {
    return image_.reserve(bytes, MemoryImage::kPage);
}

void FixedMemory::give_back(Address begin, std::uint64_t bytes) {
    image_.give_back(begin, bytes);
}

bool FixedMemory::allocate(Address begin, std::uint64_t bytes, std::string label) {
    if (!image_.take_capacity(taken_by(bytes)))
        return false;
    image_.allow({.begin = begin, .bytes = bytes, .label = std::move(label)});
    return true;
}

// The host's memory goes, so that the next allocation finds zeros.
void FixedMemory::release(Address begin, std::uint64_t bytes) {
    image_.forbid(begin);
    image_.unmap(begin, round_up(bytes, MemoryImage::kPage));
    image_.return_capacity(taken_by(bytes));
}

} // namespace heddle::runtime
