// Whole numbers of JSON that was read from a file. The library's own conversion of a number with a fraction, or of one
// that does not fit, is undefined or cuts it off.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/types.h"

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

// [x, y, z]. Throws Json::exception.
template <class Json>
[[nodiscard]] Dim3 dimensions(const Json& from) {
    return {whole<std::uint32_t>(from.at(0)), whole<std::uint32_t>(from.at(1)), whole<std::uint32_t>(from.at(2))};
}

} // namespace heddle::report
