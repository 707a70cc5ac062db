#include "mem/network/allocator.h"

namespace heddle::mem::allocators {
namespace {

// No contention at the inputs: an output is a queue in order of arrival, in order of inputs among equals. The bound
// for every other allocator (output queueing: Karol, Hluchyj, Morgan, IEEE Trans. Comm. 35(12), 1987).
template <class PortMask>
class Ideal final : public Allocator<PortMask> {
public:
    explicit Ideal(const AllocatorShape& shape) : inputs_(shape.inputs) {}

    [[nodiscard]] bool inputs_contend() const override {
        return false;
    }

    void allocate(const Requests<PortMask>& requests, Match<PortMask>& match) override {
        match.outputs = requests.outputs;
        requests.outputs.for_each([&](unsigned output) {
            match.input[output] = oldest(requests.of_output[output], requests.since + output * inputs_);
        });
    }

private:
    static std::uint16_t oldest(PortMask inputs, const Cycle* since) {
        unsigned best = inputs.lowest();
        for (inputs.drop_lowest(); inputs.any(); inputs.drop_lowest())
            if (const unsigned input = inputs.lowest(); since[input] < since[best])
                best = input;
        return static_cast<std::uint16_t>(best);
    }

    std::size_t inputs_;
};

HEDDLE_ALLOCATOR(Ideal, "ideal", "outputs serve in order of arrival; an input sends to all of them at once",
                 "an upper bound");

} // namespace
} // namespace heddle::mem::allocators
