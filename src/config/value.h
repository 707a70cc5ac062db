// Values as users write them, read exactly: a text that is not wholly a value of its type is an error.
#pragma once

#include <string>
#include <string_view>

#include "config/parameter.h"

namespace heddle::config {

// `text` in canonical form. Throws UserError with an example of a correct value; integers may carry KiB, MiB or GiB
// where `unit` is "bytes". Ranges are not checked.
[[nodiscard]] std::string parse_value(Type type, std::string_view unit, std::string_view text);

// Decimal digits with an optional KiB, MiB or GiB. Throws UserError.
[[nodiscard]] std::uint64_t parse_bytes(std::string_view text);

// The reverse, in the largest unit that divides it: "32KiB", "100".
[[nodiscard]] std::string readable_bytes(std::uint64_t);

// Decimal digits and nothing else. Throws UserError.
[[nodiscard]] std::uint64_t parse_integer(std::string_view text);

} // namespace heddle::config
