// The arrival of copies at a barrier object, which takes effect when the timing side says that their data are there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle::exec {

struct CopyArrival {
    std::byte* object;    // in shared memory, of this or another block of the cluster
    std::uint64_t update; // ir/barrier_object.h has the layout
};
void perform(const CopyArrival& arrival);
// All of them; they are taken.
inline void perform(std::vector<CopyArrival>& arrivals) {
    for (const CopyArrival& arrival : arrivals)
        perform(arrival);
    arrivals.clear();
}

} // namespace heddle::exec
