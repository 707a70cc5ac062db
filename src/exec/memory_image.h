// The device's memory: one flat address space with an allocation table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/types.h"
#include "ir/generic_windows.h"

namespace heddle::exec {

using ir::kLocalWindow;
using ir::kParameterWindow;
using ir::kSharedWindow;
using ir::kWindowBytes;
inline constexpr Address kGlobalBase = 0x1000'0000'0000;  // global and constant memory begin here
inline constexpr Address kGlobalBytes = Address{1} << 37; // 128 GiB reserved; only touched pages take host memory

// Whose an allocation is. The program frees what it has allocated; variables of modules and the heap of device code are
// the context's, which live as long as the device; what heddle keeps in memory for itself is of no interest to a
// program, nor are the tables of the headers' mathematics, which are variables of modules, too.
enum class Owner : std::uint8_t { Program, Context, Simulator, Headers };

struct Allocation {
    Address begin = 0;
    std::uint64_t bytes = 0;
    bool read_only = false; // virtual memory whose rights do not include writing
    bool constant = false;  // a variable of constant memory
    bool live = true;       // false: freed (kept for messages until its range is reused)
    bool shared = false;    // with the host program
    bool pinned = false;    // shared, and owned by the program: no part of the device's capacity
    Owner owner = Owner::Program;
    std::string label; // variable name, or "cudaMalloc #3"

    // On a GPU the tables of the headers are not near the program's memory, so that no store reaches them.
    [[nodiscard]] bool is_out_of_reach() const {
        return owner == Owner::Headers;
    }
    [[nodiscard]] Address end() const {
        return begin + bytes;
    }
};

class MemoryImage {
public:
    static constexpr std::uint64_t kGranule = 256;
    static constexpr std::uint64_t kPage = std::uint64_t{2} << 20; // of a GPU's address translation

    // An allocation for which there was no room.
    struct Refused {
        std::uint64_t bytes = 0;
        std::string label; // empty: there was none
    };

    // Where allocations lie. Both are rounded up to granules; the alignment is a power of two.
    struct Placement {
        std::uint64_t alignment = kGranule;
        std::uint64_t gap = kGranule; // free bytes behind each allocation
    };

    // Reserves the address range. `capacity`: bytes that allocations may take in all, rounded up to granules each.
    explicit MemoryImage(std::uint64_t capacity) : MemoryImage(capacity, Placement{}) {}
    MemoryImage(std::uint64_t capacity, Placement placement);
    ~MemoryImage();
    MemoryImage(const MemoryImage&) = delete;
    MemoryImage& operator=(const MemoryImage&) = delete;

    // A block of zeroed bytes at a multiple of the placement's alignment (and of `alignment`, a power of two); 0 when
    // the capacity is exceeded. Addresses depend on the order of calls alone: the lowest gap that fits. At least one
    // granule lies between two allocations, so that a short overrun does not reach the neighbour.
    [[nodiscard]] Address allocate(std::uint64_t bytes, std::string label, bool constant = false,
                                   std::uint64_t alignment = kGranule);
    // An allocation of whole pages with one address on the device and in the host program; 0 also when the address is
    // taken in the program.
    [[nodiscard]] Address allocate_shared(std::uint64_t bytes, std::string label);
    // An allocation for memory of the program that the device reaches: at the end of the address space, so that the
    // addresses of other allocations do not change.
    [[nodiscard]] Address allocate_pinned(std::uint64_t bytes, std::string label);
    // Of a live allocation that begins there.
    void set_owner(Address begin, Owner owner);
    [[nodiscard]] std::span<const Allocation> live() const { // in the order of addresses
        return live_;
    }
    // False when `begin` is not the begin of a live allocation.
    bool release(Address begin);

    // Addresses without memory, at the end of the address space; 0: there is no such range. `alignment`: a power of
    // two.
    [[nodiscard]] Address reserve(std::uint64_t bytes, std::uint64_t alignment);
    // Gives back a whole range of reserve(), in which no memory is left.
    void give_back(Address begin, std::uint64_t bytes);
    // Puts whole pages of a file at addresses of reserve(): its content is what is there. False when the host refuses.
    [[nodiscard]] bool map(Address begin, std::uint64_t bytes, int file, std::uint64_t offset);
    // Takes them away: the file keeps its content.
    void unmap(Address begin, std::uint64_t bytes);
    // Makes a part of such memory an allocation, in place of what was one there; or only ends that.
    void allow(Allocation what);
    void forbid(Address begin);
    // Of memory that map() will place: takes bytes of the capacity; false when they are not there.
    [[nodiscard]] bool take_capacity(std::uint64_t bytes);
    void return_capacity(std::uint64_t bytes) {
        allocated_ -= bytes;
    }

    // The live allocation that holds [address, address + bytes), or null. Pointers from find() and nearest() are
    // valid until the next allocate() or release().
    [[nodiscard]] const Allocation* find(Address address, std::uint64_t bytes) const;
    // The nearest allocation (live or freed) that is not the simulator's, for messages; null when there is none.
    [[nodiscard]] const Allocation* nearest(Address address) const;

    // Whether a GPU lets an access to [address, address + bytes) pass that lies outside the live allocations: one of
    // them, which is not the program's pinned memory, has a part of the page. Memory that was freed is none of it, nor
    // is, for a store, memory that is read-only.
    [[nodiscard]] bool is_in_used_page(Address address, std::uint64_t bytes, bool store) const;
    // Where a store to an allocation that is out of reach goes instead: in the margin below all allocations, which
    // nothing reads.
    static constexpr Address kOutOfReach = kGlobalBase;
    // How many of these bytes lie before the first allocation that is out of reach.
    [[nodiscard]] std::uint64_t bytes_in_reach(Address address, std::uint64_t bytes) const;
    // Such an access has stored something: from now on memory is zeroed when it is allocated, too.
    void note_stray_store() {
        stray_stores_ = true;
    }

    // The last one, for messages: a program that goes on uses a null pointer.
    [[nodiscard]] const Refused& last_refused() const {
        return last_refused_;
    }

    // Host address of a device address inside the reserved range, without a check.
    [[nodiscard]] std::byte* host(Address address) const {
        return base_ + (address - kGlobalBase);
    }
    [[nodiscard]] std::uint64_t bytes_allocated() const {
        return allocated_;
    }
    [[nodiscard]] std::uint64_t capacity() const {
        return capacity_;
    }

private:
    using Gaps = std::map<Address, Address>; // begin -> end

    [[nodiscard]] Address share(Allocation what);
    [[nodiscard]] Address place(Allocation what, std::uint64_t alignment);
    [[nodiscard]] Address refuse(Allocation what);
    [[nodiscard]] Address take(Gaps::iterator gap, Address begin, Allocation what);
    void take_out(std::vector<Allocation>::iterator what);
    void clear(Address begin, std::uint64_t bytes);
    // Makes host memory below `end` accessible. False when the host has none.
    bool commit(Address end);
    // Removes the records of freed allocations in a range that will be reused.
    void forget(Address begin, Address end);
    void put_back(Address begin, Address end);

    std::byte* base_ = nullptr;
    std::uint64_t capacity_ = 0;
    const Placement placement_;
    std::uint64_t allocated_ = 0;
    std::uint64_t reserved_ = 0;      // bytes of host address space behind base_
    Address committed_ = kGlobalBase; // readable and writable below it
    Gaps gaps_;                       // whole granules, never adjacent
    std::vector<Allocation> live_;    // by begin
    Refused last_refused_;
    bool stray_stores_ = false;
    std::map<Address, Allocation> freed_; // by begin; overlap neither each other nor a live one
};

} // namespace heddle::exec
