// What the core model of a plug-in must keep to.
#pragma once

#include <span>

#include "contract/contract.h"

namespace heddle::cli {

[[nodiscard]] std::span<const contract::Check> core_checks();

} // namespace heddle::cli
