// Request, grant, accept: the three steps that parallel iterative matching (Anderson et al., "High-speed switch
// scheduling for local-area networks", TOCS 11(4), 1993) and iSLIP (McKeown, "The iSLIP scheduling algorithm for
// input-queued switches", IEEE/ACM ToN 7(2), 1999) share. They differ in how a port chooses.
#pragma once

#include <array>
#include <bit>

#include "mem/network/allocator.h"

namespace heddle::mem::allocators {

// Choice: PortMask -> port, constructed from (const AllocatorShape&):
//   unsigned grant(unsigned output, PortMask inputs)    which of the inputs that ask an output grants; never empty
//   unsigned accept(unsigned input, PortMask outputs)   which of the outputs that grant an input accepts; never empty
//   void accepted(unsigned input, unsigned output, bool first)   the pair is made, in the first iteration or a later
template <class Choice>
class Separable final : public Allocator {
public:
    explicit Separable(const AllocatorShape& shape) : iterations_(shape.iterations), choice_(shape) {}

    void allocate(const Requests& requests, Match& match) override {
        if ((requests.outputs & (requests.outputs - 1)) == 0) {
            allocate_one(requests, match);
            return;
        }
        PortMask inputs = requests.inputs; // unmatched ones
        PortMask outputs = requests.outputs;
        for (unsigned i = 0; i < iterations_ && inputs != 0 && outputs != 0; ++i) {
            const PortMask granted = grant(requests, inputs, outputs);
            accept(granted, i == 0, match);
            inputs &= ~granted; // who has a grant accepts one
            outputs &= ~match.outputs;
        }
    }

private:
    // The same for one output, most often one packet in the network: its grant is the only one.
    void allocate_one(const Requests& requests, Match& match) {
        const auto output = static_cast<unsigned>(std::countr_zero(requests.outputs));
        const PortMask asking = requests.of_output[output] & requests.inputs;
        if (asking == 0)
            return;
        const unsigned input = choice_.grant(output, asking);
        choice_.accepted(input, output, true);
        match.outputs = requests.outputs;
        match.input[output] = static_cast<std::uint8_t>(input);
    }
    // Fills grants_; the inputs that got one. Outputs that no unmatched input asks for leave `outputs`.
    PortMask grant(const Requests& requests, PortMask inputs, PortMask& outputs) {
        PortMask granted = 0;
        for (PortMask rest = outputs; rest != 0; rest &= rest - 1) {
            const auto output = static_cast<unsigned>(std::countr_zero(rest));
            const PortMask asking = requests.of_output[output] & inputs;
            if (asking == 0) {
                outputs &= ~port_bit(output);
                continue;
            }
            const unsigned input = choice_.grant(output, asking);
            grants_[input] |= port_bit(output);
            granted |= port_bit(input);
        }
        return granted;
    }
    void accept(PortMask granted, bool first, Match& match) {
        for (; granted != 0; granted &= granted - 1) {
            const auto input = static_cast<unsigned>(std::countr_zero(granted));
            const unsigned output = choice_.accept(input, grants_[input]);
            grants_[input] = 0;
            choice_.accepted(input, output, first);
            match.outputs |= port_bit(output);
            match.input[output] = static_cast<std::uint8_t>(input);
        }
    }

    unsigned iterations_;
    Choice choice_;
    std::array<PortMask, kMaxPorts> grants_{}; // [input]: outputs that grant it; empty between slots
};

} // namespace heddle::mem::allocators
