// The heap of device code. malloc and free are functions in PTX (device_heap.ptx), a text that is linked with those of
// a module that calls them: they take the time of their instructions, atomic operations among them, and threads of all
// SMs meet there as in any other memory.
//
// The heap is one allocation of the device's memory:
//   [0]   where the part begins that was never given away
//   [8]   size of the whole
//   [16]  number of lists
//   [24]  where the blocks begin
//   [64]  lists of freed blocks, eight of each class of sizes: lanes with the same low bits share one
// Blocks follow: 16 bytes of the allocator's own, then what the program has asked for. A block's size is rounded up, by
// an eighth at most, and stays what it is when the block is given away again.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "exec/memory_image.h"
#include "ptx/syntax.h"

namespace heddle::runtime {

inline constexpr std::uint64_t kDefaultHeapBytes = std::uint64_t{8} << 20; // as CUDA's

// The variable by which the functions find the heap.
inline constexpr std::string_view kHeapVariable = "__heddle_heap";

// Whether the module calls malloc or free and leaves them to the device.
[[nodiscard]] bool needs_heap(std::span<const ptx::Module> units);
[[nodiscard]] bool is_heap_function(std::string_view name);
// The text of the functions, a module of its own.
[[nodiscard]] std::string_view heap_functions();

// An empty heap with so many bytes for blocks; 0 when the device's memory has no room for it.
[[nodiscard]] Address make_heap(exec::MemoryImage& image, std::uint64_t bytes);

} // namespace heddle::runtime
