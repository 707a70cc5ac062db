// printf of device code: the C library's conversions on arguments that lie in the device's memory.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/types.h"

namespace heddle::exec {

struct PrintSource {
    // The next argument, of 4 or 8 bytes, zero-extended.
    std::function<std::uint64_t(unsigned bytes)> next;
    // The text that an argument of %s points to.
    std::function<std::string(Address)> text;
};

struct PrintResult {
    std::string text;
    int arguments = 0;
};

// CUDA C++ Programming Guide, "Formatted output": flags, width and precision (also *), the sizes h l ll j z t L; %n
// prints nothing. Text that is no conversion is printed unchanged.
[[nodiscard]] PrintResult print(std::string_view format, const PrintSource& source);

} // namespace heddle::exec
