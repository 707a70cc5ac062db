#include "mem/cache/replacements/re_reference.h"

namespace heddle::mem {
namespace {

class StaticReReference final : public ReReference {
public:
    using ReReference::ReReference;

    void hit(unsigned set, unsigned way, const CacheAccess& /*access*/) override {
        predict(set, way, kNear);
    }
    void fill(unsigned set, unsigned way, const CacheAccess& /*access*/) override {
        predict(set, way, kLong);
    }
};

HEDDLE_REPLACEMENT(
    StaticReReference, "srrip",
    "re-reference interval prediction of 2 bits: a new line is used again after long, one that hits soon",
    "Jaleel et al., ISCA 2010");

} // namespace
} // namespace heddle::mem
