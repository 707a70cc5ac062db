#include "exec/storage.h"

#include <cstring>

#include "base/source.h"

namespace heddle::exec {

namespace {

AlignedBytes allocated_bytes(std::size_t bytes) {
    auto b = hwy::AllocateAligned<std::byte>(bytes);
    if (b == nullptr)
        throw UserError("not enough host memory for the registers, shared and local memory of a launch");
    return b;
}

} // namespace

AlignedBytes zeroed_bytes(std::size_t bytes) {
    auto b = allocated_bytes(bytes);
    std::memset(b.get(), 0, bytes);
    return b;
}

void Storage::hold(std::size_t bytes) {
    if (bytes <= size_)
        return;
    data_ = allocated_bytes(bytes);
    size_ = bytes;
}

} // namespace heddle::exec
