// The memory behind the addresses of threads: spaces, windows, allocations, and which accesses are allowed.
#pragma once

#include <cstdint>
#include <vector>

#include "exec/executor.h"
#include "exec/launch_state.h"
#include "exec/memory_image.h"

namespace heddle::exec {

// The range that the last access of a micro-op lay in, an allocation or a window: addresses with address - begin <=
// span are valid for it, and lie in `space`. Empty (`space` is Generic) at each launch.
struct LastRange {
    ir::Space space = ir::Space::Generic;
    Address begin = 0;
    Address span = 0;
};

// The memory behind a thread's address.
struct Target {
    ir::Space space = ir::Space::Generic; // Generic: the access is not allowed
    Address begin = 0;                    // the allocation's or window's first address, in the space of the access
    Address span = 0;                     // the last valid address, relative to `begin`
    std::uint64_t host = 0;
    bool names_block = false; // by an address that names a block of the cluster
};

[[nodiscard]] constexpr bool in_window(Address address, Address window) {
    return address - window < kWindowBytes;
}

// The bits of an access for the entries in a space with timing.
[[nodiscard]] inline std::uint64_t& entries_in(ir::Space space, Access& access) {
    switch (space) {
    case ir::Space::Shared:
        return access.shared;
    case ir::Space::Local:
        return access.local;
    case ir::Space::Const:
        return access.constant;
    default:
        return access.global;
    }
}

class AddressRanges {
public:
    AddressRanges(const LaunchState& state, const MemoryImage& image) : state_(state), image_(image) {}

    // At the begin of a launch: allocations may have changed, so the ranges of the kernel are forgotten.
    void begin();

    // The range of the micro-op's last access.
    [[nodiscard]] LastRange& last(Pc pc) {
        return ranges_[pc];
    }
    // The memory behind an address of lane i of a segment; alignment is not checked. `bytes`: of the access.
    [[nodiscard]] Target resolve(const ir::MicroOp& op, const Segment& s, unsigned i, unsigned bytes,
                                 Address address) const;
    // The same for an access that resolve() does not allow and that a GPU lets pass. Its range holds this address
    // alone, so that each such access is seen.
    [[nodiscard]] Target resolve_overrun(const ir::MicroOp& op, unsigned bytes, Address address) const;
    // Finds a range that holds the addresses (by lane) of all lanes in the segment, all aligned, and sets `range` to
    // it. False, with `range` unchanged, when there is none.
    [[nodiscard]] bool find(const ir::MicroOp& op, unsigned bytes, const Segment& s, const Address* address,
                            LastRange& range) const;
    // The lanes of `mask` whose offset in local memory has timing. Call parameters lie behind the variables in local
    // memory, and have no timing.
    [[nodiscard]] std::uint32_t timed_local(std::uint32_t mask, const Address* offset) const;

private:
    // The memory at an address that names a block of the cluster (ir/cluster_address.h); of .shared only the own block.
    [[nodiscard]] Target resolve_by_rank(const ir::MicroOp& op, const Segment& s, unsigned bytes,
                                         Address address) const;

    const LaunchState& state_;
    const MemoryImage& image_;
    std::vector<LastRange> ranges_; // by Pc
};

} // namespace heddle::exec
