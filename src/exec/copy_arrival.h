// The arrival of a bulk copy at a barrier object, which takes effect when the timing side says that its data are there.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::exec {

struct CopyArrival {
    std::byte* object;    // in shared memory, of this or another block of the cluster
    std::uint64_t update; // src/ir/selection/barrier_object.cpp has the layout
};
void perform(const CopyArrival& arrival);

} // namespace heddle::exec
