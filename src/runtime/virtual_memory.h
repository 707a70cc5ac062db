// Memory in two parts: ranges of addresses, and memory that is placed there (cuMemAddressReserve, cuMemCreate,
// cuMemMap).
#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include "exec/memory_image.h"

namespace heddle::runtime {

// Sizes, offsets and addresses are multiples of kGranule. Functions return false for what is no range, no memory, or
// not free, and change nothing then.
class VirtualMemory {
public:
    using Handle = std::uint64_t; // of memory; 0: none
    static constexpr std::uint64_t kGranule = exec::MemoryImage::kPage;
    enum class Rights : std::uint8_t { None, Read, ReadWrite };

    explicit VirtualMemory(exec::MemoryImage& image) : image_(image) {}
    ~VirtualMemory();
    VirtualMemory(const VirtualMemory&) = delete;
    VirtualMemory& operator=(const VirtualMemory&) = delete;

    [[nodiscard]] Address reserve(std::uint64_t bytes, std::uint64_t alignment); // 0: there is no such range
    bool free_range(Address begin, std::uint64_t bytes);                         // one that holds no memory
    // Zeroed memory, which counts for the capacity; 0: the device has no more.
    [[nodiscard]] Handle create(std::uint64_t bytes);
    // Each retain() needs a release() more. The memory ends when it is in no place, too.
    bool retain(Handle);
    bool release(Handle);
    [[nodiscard]] std::uint64_t bytes(Handle) const; // 0: there is no such memory
    [[nodiscard]] std::uint64_t created() const;     // bytes of all memory
    // Memory may be in several places; each holds the same data. Threads may not access it before allow().
    bool map(Address begin, std::uint64_t bytes, std::uint64_t offset, Handle);
    bool unmap(Address begin, std::uint64_t bytes); // whole maps
    bool allow(Address begin, std::uint64_t bytes, Rights);
    [[nodiscard]] Rights rights(Address) const;
    [[nodiscard]] Handle at(Address) const; // 0: none
    // The addresses that are mapped as one, of which this is one; {0, 0}: none.
    [[nodiscard]] std::pair<Address, std::uint64_t> place(Address) const;
    // Everything is unmapped and freed.
    void clear();

private:
    struct Memory {
        int file;
        std::uint64_t bytes;
        unsigned owners = 1, places = 0;
    };
    struct Place {
        std::uint64_t bytes;
        Handle memory;
        Rights rights = Rights::None;
    };
    using Places = std::map<Address, Place>;

    [[nodiscard]] Places::const_iterator find(Address) const;
    void drop_unused(std::map<Handle, Memory>::iterator);
    // The places that begin with `begin` and fill [begin, begin + bytes); false where it is not filled.
    [[nodiscard]] bool filled(Address begin, std::uint64_t bytes) const;
    void take_out(Places::iterator);

    exec::MemoryImage& image_;
    std::map<Address, std::uint64_t> ranges_; // bytes by begin
    Places places_;
    std::map<Handle, Memory> memory_;
    Handle made_ = 0;
};

} // namespace heddle::runtime
