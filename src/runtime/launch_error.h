// Why a kernel is not launched.
#pragma once

#include <string_view>

#include <fmt/format.h>

#include "base/readable_name.h"
#include "base/source.h"
#include "ir/program.h"

namespace heddle::runtime {

// "launch of 'scale<float>': " and the reason.
[[nodiscard]] inline UserError launch_error(const ir::Kernel& kernel, std::string_view reason) {
    return UserError(fmt::format("launch of '{}': {}", readable_name(kernel.name), reason));
}

} // namespace heddle::runtime
