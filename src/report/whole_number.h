// Whole numbers of JSON that was read from a file. The library's own conversion of a number with a fraction, or of one
// that does not fit, is undefined or cuts it off.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace heddle::report {

// Throws Json::type_error, as the library does for other types, unless it is a whole number that T holds.
template <std::unsigned_integral T, class Json>
[[nodiscard]] T whole(const Json& from) {
    if (!from.is_number_unsigned() || from.template get<std::uint64_t>() > std::numeric_limits<T>::max())
        throw Json::type_error::create(
            302,
            fmt::format("{} is no whole number from 0 to {}",
                        from.dump(-1, ' ', false, Json::error_handler_t::replace).substr(0, 40),
                        std::numeric_limits<T>::max()),
            &from);
    return from.template get<T>();
}

} // namespace heddle::report
