#include "mem/cache/replacement.h"

#include <bit>

#include "config/parameter.h"

namespace heddle::mem {

Replacements& replacements() {
    static Replacements registry("replacement policy");
    return registry;
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

namespace {

// Makes the names valid values of settings whose range says "replacement".
const bool heddle_choices = [] {
    config::register_choices("replacement", [] { return replacements().names(); });
    return true;
}();

} // namespace
} // namespace heddle::mem
