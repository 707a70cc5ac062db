// What the functions for memory have in common.
#pragma once

#include "state.h"

namespace heddle::cudart {

// Device memory of so many bytes, from a pool if there is one.
cudaError_t allocate(State& state, void** out, std::size_t bytes, const std::shared_ptr<MemoryPool>& pool = nullptr);

// A place of a pool that there can be: this device, with memory that no other process gets.
cudaError_t check_place(const cudaMemLocation& place);

// The block of `memory` that holds `address`, else the end.
std::map<Address, MemoryBlock>::const_iterator block_at(const std::map<Address, MemoryBlock>& memory, Address address);

} // namespace heddle::cudart
