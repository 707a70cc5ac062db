// Aligned host memory of a launch.
#pragma once

#include <cstddef>

#include <hwy/aligned_allocator.h>

namespace heddle::exec {

// Accessible bytes before and behind memory that row copies read: a copy reads a whole row and drops the lanes outside
// the mask.
inline constexpr std::size_t kRowSlack = 256;

using AlignedBytes = hwy::AlignedFreeUniquePtr<std::byte[]>;

// Zeroed bytes, aligned for vector code. Throws UserError when the host has no memory for them.
[[nodiscard]] AlignedBytes zeroed_bytes(std::size_t bytes);

// Memory that launches reuse. LaunchState::start_block() zeroes the part of a block; the host gives no page before it
// is used, so that the rows of an SM that no block uses cost nothing.
class Storage {
public:
    // Makes room for so many bytes; their contents are arbitrary. Throws UserError as zeroed_bytes() does.
    void hold(std::size_t bytes);
    [[nodiscard]] std::byte* get() const {
        return data_.get();
    }

private:
    AlignedBytes data_;
    std::size_t size_ = 0;
};

} // namespace heddle::exec
