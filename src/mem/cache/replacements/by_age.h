// Policies that leave the choice to the cache's stamps: the oldest line goes, without a virtual call.
#pragma once

#include <bit>

#include "mem/cache/replacement.h"

namespace heddle::mem {

class ByAge : public Replacement {
public:
    explicit ByAge(Order order) : order_(order) {}

    [[nodiscard]] Order order() const final {
        return order_;
    }
    [[nodiscard]] bool learns() const final {
        return false;
    }
    [[nodiscard]] unsigned victim(unsigned /*set*/, WayMask candidates, const CacheAccess& /*access*/) final {
        return static_cast<unsigned>(std::countr_zero(candidates)); // never called
    }

private:
    Order order_;
};

} // namespace heddle::mem
