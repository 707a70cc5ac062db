#include "mem/cache/replacement.h"

#include <bit>

#include "config/choices.h"

namespace heddle::mem {

Replacements& replacements() {
    return config::choices<Replacements>("replacement policy", "replacement");
}

unsigned Replacement::victim(std::span<const std::uint64_t> stamps, std::uint64_t candidates) {
    auto best = static_cast<unsigned>(std::countr_zero(candidates));
    for (candidates &= candidates - 1; candidates != 0; candidates &= candidates - 1) {
        const auto way = static_cast<unsigned>(std::countr_zero(candidates));
        if (stamps[way] < stamps[best])
            best = way;
    }
    return best;
}

} // namespace heddle::mem
