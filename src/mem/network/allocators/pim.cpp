#include "base/random.h"
#include "mem/network/allocators/separable.h"

namespace heddle::mem::allocators {
namespace {

// Every port chooses at random (Anderson et al. 1993).
template <class PortMask>
class RandomChoice {
public:
    explicit RandomChoice(const AllocatorShape& shape) : draw_(shape.seed) {}

    unsigned grant(unsigned /*output*/, const PortMask& inputs) {
        return one_of(inputs);
    }
    unsigned accept(unsigned /*input*/, const PortMask& outputs) {
        return one_of(outputs);
    }
    void accepted(unsigned /*input*/, unsigned /*output*/, bool /*first*/) {}

private:
    // A member, all with equal probability. A single member takes no random number.
    unsigned one_of(PortMask members) {
        if (members.has_several())
            for (std::uint64_t skip = draw_.below(members.count()); skip != 0; --skip)
                members.drop_lowest();
        return members.lowest();
    }

    SplitMix64 draw_;
};

template <class PortMask>
using Pim = Separable<PortMask, RandomChoice<PortMask>>;
HEDDLE_ALLOCATOR(Pim, "pim", "parallel iterative matching: ports choose at random",
                 "Anderson et al. 1993; DWF07 Table 2");

} // namespace
} // namespace heddle::mem::allocators
