// Checks the answers of a crossbar allocator that a plug-in has brought, while it runs.
#pragma once

#include <memory>
#include <string>

#include "mem/network/allocator.h"

namespace heddle::mem {

// The allocator behind one that throws a fault (exec/policy_fault.h) when it matches an input and an output that do not
// fit.
template <class PortMask>
[[nodiscard]] std::unique_ptr<Allocator<PortMask>> guard(std::unique_ptr<Allocator<PortMask>> allocator,
                                                         std::string who, const AllocatorShape& shape);

} // namespace heddle::mem
