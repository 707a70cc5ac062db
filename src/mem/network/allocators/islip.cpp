#include "mem/network/allocators/separable.h"

namespace heddle::mem::allocators {
namespace {

// Every port chooses the next one at or after its pointer. Pointers move one beyond an accepted grant of the first
// iteration only: that keeps any request from starving and makes the outputs' pointers part ways (McKeown 1999).
template <class PortMask>
class Pointers {
public:
    explicit Pointers(const AllocatorShape& shape) : inputs_(shape.inputs), outputs_(shape.outputs) {}

    [[nodiscard]] unsigned grant(unsigned output, const PortMask& inputs) const {
        return inputs.next(grant_[output]);
    }
    [[nodiscard]] unsigned accept(unsigned input, const PortMask& outputs) const {
        return outputs.next(accept_[input]);
    }
    void accepted(unsigned input, unsigned output, bool first) {
        if (!first)
            return;
        grant_[output] = static_cast<std::uint16_t>(input + 1 == inputs_ ? 0 : input + 1);
        accept_[input] = static_cast<std::uint16_t>(output + 1 == outputs_ ? 0 : output + 1);
    }

private:
    unsigned inputs_;
    unsigned outputs_;
    std::array<std::uint16_t, PortMask::kSize> grant_{};  // [output]: the input it prefers
    std::array<std::uint16_t, PortMask::kSize> accept_{}; // [input]: the output it prefers
};

template <class PortMask>
using Islip = Separable<PortMask, Pointers<PortMask>>;
HEDDLE_ALLOCATOR(Islip, "islip", "iSLIP: ports choose in turn", "McKeown 1999");

} // namespace
} // namespace heddle::mem::allocators
