// Checks the answers of a replacement policy that a plug-in has brought, while it runs.
#pragma once

#include <memory>
#include <string>

#include "mem/cache/replacement.h"

namespace heddle::mem {

// The policy behind one that throws a fault (exec/policy_fault.h) when it names a way that may not go.
[[nodiscard]] std::unique_ptr<Replacement> guard(std::unique_ptr<Replacement> policy, std::string who,
                                                 const ReplacementShape& shape);

} // namespace heddle::mem
