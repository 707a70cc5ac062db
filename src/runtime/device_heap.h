// The heap of device code. malloc and free are functions in PTX (device_code/heap.ptx), which are linked with modules
// that call them. So they take the time of their instructions, atomic operations included, and threads of all SMs
// access the heap as any other memory.
//
// The heap is one allocation of the device's memory:
//   [0]   begin of the part that has never been allocated
//   [8]   size of the heap
//   [16]  number of lists
//   [24]  address of the first block
//   [64]  lists of freed blocks, eight for each size class: lanes with equal low bits share a list
// Then follow the blocks: 16 bytes of the allocator, then the bytes of the program. The size of a block is rounded up,
// by at most an eighth, and does not change when the block is allocated again.
#pragma once

#include <cstdint>
#include <string_view>

#include "exec/memory_image.h"

namespace heddle::runtime {

inline constexpr std::uint64_t kDefaultHeapBytes = std::uint64_t{8} << 20; // CUDA's default

// The variable with the address of the heap, for the functions.
inline constexpr std::string_view kHeapVariable = "__heddle_heap";

// Makes an empty heap with `bytes` bytes for blocks; 0 when the device's memory has no room for it.
[[nodiscard]] Address make_heap(exec::MemoryImage& image, std::uint64_t bytes);

} // namespace heddle::runtime
