#include <bit>

#include "mem/network/allocator.h"

namespace heddle::mem::allocators {
namespace {

// No contention at the inputs: an output is a queue in order of arrival, in order of inputs among equals. The bound
// for every other allocator (output queueing: Karol, Hluchyj, Morgan, IEEE Trans. Comm. 35(12), 1987).
class Ideal final : public Allocator {
public:
    explicit Ideal(const AllocatorShape& shape) : inputs_(shape.inputs) {}

    [[nodiscard]] bool inputs_contend() const override {
        return false;
    }

    void allocate(const Requests& requests, Match& match) override {
        match.outputs = requests.outputs;
        for (PortMask outputs = requests.outputs; outputs != 0; outputs &= outputs - 1) {
            const auto output = static_cast<unsigned>(std::countr_zero(outputs));
            match.input[output] = oldest(requests.of_output[output], requests.since + output * inputs_);
        }
    }

private:
    static std::uint8_t oldest(PortMask inputs, const Cycle* since) {
        auto best = static_cast<unsigned>(std::countr_zero(inputs));
        while ((inputs &= inputs - 1) != 0) {
            const auto input = static_cast<unsigned>(std::countr_zero(inputs));
            if (since[input] < since[best])
                best = input;
        }
        return static_cast<std::uint8_t>(best);
    }

    std::size_t inputs_;
};

HEDDLE_ALLOCATOR(Ideal, "ideal", "outputs serve in order of arrival; an input sends to all of them at once",
                 "an upper bound");

} // namespace
} // namespace heddle::mem::allocators
