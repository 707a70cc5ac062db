#include "mem/cache/replacements/bimodal.h"

namespace heddle::mem {
namespace {

class BimodalReReference final : public ReReference {
public:
    explicit BimodalReReference(const ReplacementShape& shape) : ReReference(shape), bimodal_(shape.seed) {}

    void hit(unsigned set, unsigned way, const CacheAccess& /*access*/) override {
        predict(set, way, kNear);
    }
    void fill(unsigned set, unsigned way, const CacheAccess& /*access*/) override {
        predict(set, way, bimodal_.next());
    }

private:
    Bimodal bimodal_;
};

HEDDLE_REPLACEMENT(BimodalReReference, "brrip",
                   "as srrip, but a new line is predicted distant, one in 32 long: part of a working set that thrashes "
                   "stays",
                   "Jaleel et al., ISCA 2010");

} // namespace
} // namespace heddle::mem
