// Memory that comes and goes at addresses which stay its own (memory that nodes of graphs allocate).
#pragma once

#include <cstdint>
#include <string>

#include "exec/memory_image.h"

namespace heddle::runtime {

class FixedMemory {
public:
    explicit FixedMemory(exec::MemoryImage& image) : image_(image) {}

    // Addresses for so many bytes; 0: there is no such range.
    [[nodiscard]] Address reserve(std::uint64_t bytes);
    // Gives back such addresses, when there is no memory at them.
    void give_back(Address begin, std::uint64_t bytes);
    // Makes the addresses an allocation of zeroed memory. False when the device has no room.
    [[nodiscard]] bool allocate(Address begin, std::uint64_t bytes, std::string label);
    void release(Address begin, std::uint64_t bytes);

private:
    exec::MemoryImage& image_;
};

} // namespace heddle::runtime
