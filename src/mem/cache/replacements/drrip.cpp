#include "mem/cache/replacements/bimodal.h"

namespace heddle::mem {
namespace {

// Set duelling: some sets always insert as SRRIP does, as many as BRRIP, and the others as those of the two that miss
// less, by a counter of 10 bits (ISCA 2010, 5). Each has 32 leading sets, in a cache of less than 256 sets an eighth
// of them, at least one (assumed: the paper's caches have more); a cache of one set is all SRRIP's.
class DynamicReReference final : public ReReference {
public:
    explicit DynamicReReference(const ReplacementShape& shape)
        : ReReference(shape), bimodal_(shape.seed),
          stride_(std::min(shape.sets, std::max(kFewest, shape.sets / kLeaders))) {}

    void hit(unsigned set, unsigned way, const CacheAccess& /*access*/) override {
        predict(set, way, kNear);
    }
    void fill(unsigned set, unsigned way, const CacheAccess& /*access*/) override {
        const unsigned place = set % stride_;
        const bool leads_static = place == 0;
        const bool leads_bimodal = stride_ > 1 && place == stride_ / 2;
        if (leads_static)
            selector_ += selector_ < kMost ? 1 : 0; // a miss
        else if (leads_bimodal)
            selector_ -= selector_ > 0 ? 1 : 0;
        const bool bimodal = leads_bimodal || (!leads_static && selector_ >= kMiddle);
        predict(set, way, bimodal ? bimodal_.next() : kLong);
    }

private:
    static constexpr unsigned kLeaders = 32; // sets a policy
    static constexpr unsigned kFewest = 8;   // sets of which one leads for each policy
    static constexpr unsigned kMost = 1023;
    static constexpr unsigned kMiddle = 512;

    Bimodal bimodal_;
    unsigned stride_;
    unsigned selector_ = kMiddle - 1; // SRRIP at first, and as long as both miss alike
};

HEDDLE_REPLACEMENT(DynamicReReference, "drrip", "srrip or brrip, by which of them misses less in leading sets",
                   "Jaleel et al., ISCA 2010");

} // namespace
} // namespace heddle::mem
