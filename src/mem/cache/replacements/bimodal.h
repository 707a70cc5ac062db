// How BRRIP predicts new lines (Jaleel et al., ISCA 2010, 4.1): distant, but one in 32 of them long.
#pragma once

#include "base/random.h"
#include "mem/cache/replacements/re_reference.h"

namespace heddle::mem {

class Bimodal {
public:
    static constexpr unsigned kOneIn = 32;

    explicit Bimodal(std::uint64_t seed) : lots_(seed) {}

    ReReference::Interval next() {
        return lots_() % kOneIn == 0 ? ReReference::kLong : ReReference::kDistant;
    }

private:
    SplitMix64 lots_;
};

} // namespace heddle::mem
