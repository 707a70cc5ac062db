// What the functions for memory have in common.
#pragma once

#include "state.h"

namespace heddle::cudart {

// Device memory of so many bytes, from a pool if there is one.
cudaError_t allocate(State& state, void** out, std::size_t bytes, const std::shared_ptr<MemoryPool>& pool = nullptr);

} // namespace heddle::cudart
