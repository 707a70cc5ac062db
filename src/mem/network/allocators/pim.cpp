#include "mem/network/allocators/separable.h"

namespace heddle::mem::allocators {
namespace {

// Every port draws lots (Anderson et al. 1993).
class Lots {
public:
    explicit Lots(const AllocatorShape& shape) : state_(shape.seed) {}

    unsigned grant(unsigned /*output*/, PortMask inputs) {
        return draw(inputs);
    }
    unsigned accept(unsigned /*input*/, PortMask outputs) {
        return draw(outputs);
    }
    void accepted(unsigned /*input*/, unsigned /*output*/, bool /*first*/) {}

private:
    // A member, all with the same chance. A single one takes no lot.
    unsigned draw(PortMask members) {
        if ((members & (members - 1)) != 0)
            for (std::uint64_t skip = ((next() >> 32) * count_lanes(members)) >> 32; skip != 0; --skip)
                members &= members - 1;
        return static_cast<unsigned>(std::countr_zero(members));
    }
    // SplitMix64 (Steele, Lea, Flood, OOPSLA 2014): any seed will do.
    std::uint64_t next() {
        std::uint64_t z = state_ += 0x9e3779b97f4a7c15U;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
        return z ^ (z >> 31);
    }

    std::uint64_t state_;
};

using Pim = Separable<Lots>;
HEDDLE_ALLOCATOR(Pim, "pim", "parallel iterative matching: ports choose at random",
                 "Anderson et al. 1993; DWF07 Table 2");

} // namespace
} // namespace heddle::mem::allocators
