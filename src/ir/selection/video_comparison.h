// The comparisons of vset, vset2 and vset4 by their modifiers.
#pragma once

#include <string_view>
#include <utility>

#include "ir/micro_op.h"

namespace heddle::ir {

// Sub::None for another word.
[[nodiscard]] inline Sub video_comparison(std::string_view word) {
    constexpr std::pair<std::string_view, Sub> kNames[] = {{"eq", Sub::Eq}, {"ne", Sub::Ne}, {"lt", Sub::Lt},
                                                           {"le", Sub::Le}, {"gt", Sub::Gt}, {"ge", Sub::Ge}};
    for (const auto& [name, sub] : kNames)
        if (name == word)
            return sub;
    return Sub::None;
}

} // namespace heddle::ir
