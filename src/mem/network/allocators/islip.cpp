#include "mem/network/allocators/separable.h"

namespace heddle::mem::allocators {
namespace {

// Every port chooses the next one at or after its pointer. Pointers move one beyond an accepted grant of the first
// iteration only: that keeps any request from starving and makes the outputs' pointers part ways (McKeown 1999).
class Pointers {
public:
    explicit Pointers(const AllocatorShape& shape) : inputs_(shape.inputs), outputs_(shape.outputs) {}

    [[nodiscard]] unsigned grant(unsigned output, PortMask inputs) const {
        return next(inputs, grant_[output]);
    }
    [[nodiscard]] unsigned accept(unsigned input, PortMask outputs) const {
        return next(outputs, accept_[input]);
    }
    void accepted(unsigned input, unsigned output, bool first) {
        if (!first)
            return;
        grant_[output] = static_cast<std::uint8_t>(input + 1 == inputs_ ? 0 : input + 1);
        accept_[input] = static_cast<std::uint8_t>(output + 1 == outputs_ ? 0 : output + 1);
    }

private:
    static unsigned next(PortMask members, unsigned from) {
        const auto ahead = static_cast<unsigned>(std::countr_zero(std::rotr(members, static_cast<int>(from))));
        return (from + ahead) % kMaxPorts;
    }

    unsigned inputs_;
    unsigned outputs_;
    std::array<std::uint8_t, kMaxPorts> grant_{};  // [output]: the input it prefers
    std::array<std::uint8_t, kMaxPorts> accept_{}; // [input]: the output it prefers
};

using Islip = Separable<Pointers>;
HEDDLE_ALLOCATOR(Islip, "islip", "iSLIP: ports choose in turn", "McKeown 1999");

} // namespace
} // namespace heddle::mem::allocators
