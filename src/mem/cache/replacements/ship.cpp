#include "mem/cache/replacements/re_reference.h"

namespace heddle::mem {
namespace {

// Signature-based hit prediction by PC (Wu et al., SHiP: Signature-based Hit Predictor for High Performance Caching,
// MICRO 2011), over SRRIP: a table counts, by the PC that brought a line, whether such lines are used again. Its 16 K
// entries of 3 bits are the paper's, in every cache that uses it. That all start at 1, and that what has no PC (a
// write-back) neither trains nor is predicted, is assumed.
class HitPredictor final : public ReReference {
public:
    explicit HitPredictor(const ReplacementShape& shape)
        : ReReference(shape), ways_(shape.ways), counters_(kEntries, 1), lines_(std::size_t{shape.sets} * shape.ways) {}

    void hit(unsigned set, unsigned way, const CacheAccess& /*access*/) override {
        predict(set, way, kNear);
        Line& line = line_of(set, way);
        line.used = true;
        if (line.trains && counters_[line.signature] < kMost)
            ++counters_[line.signature];
    }
    void fill(unsigned set, unsigned way, const CacheAccess& access) override {
        Line& line = line_of(set, way);
        line = {signature_of(access.pc), false, access.pc != kNoPc};
        predict(set, way, line.trains && counters_[line.signature] == 0 ? kDistant : kLong);
    }
    void evict(unsigned set, unsigned way) override {
        const Line& line = line_of(set, way);
        if (line.trains && !line.used && counters_[line.signature] != 0)
            --counters_[line.signature];
    }

private:
    static constexpr unsigned kIndexBits = 14;
    static constexpr unsigned kEntries = 1U << kIndexBits;
    static constexpr std::uint8_t kMost = 7;

    struct Line {
        std::uint16_t signature = 0;
        bool used = false; // the paper's outcome bit
        bool trains = false;
    };

    static std::uint16_t signature_of(Pc pc) {
        return static_cast<std::uint16_t>((pc ^ (pc >> kIndexBits)) % kEntries);
    }
    Line& line_of(unsigned set, unsigned way) {
        return lines_[std::size_t{set} * ways_ + way];
    }

    unsigned ways_;
    std::vector<std::uint8_t> counters_; // by signature
    std::vector<Line> lines_;
};

HEDDLE_REPLACEMENT(HitPredictor, "ship", "srrip, but lines of instructions whose lines are not used again go first",
                   "Wu et al., MICRO 2011 (SHiP-PC)");

} // namespace
} // namespace heddle::mem
