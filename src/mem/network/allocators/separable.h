// Request, grant, accept: the three steps that parallel iterative matching (Anderson et al., "High-speed switch
// scheduling for local-area networks", TOCS 11(4), 1993) and iSLIP (McKeown, "The iSLIP scheduling algorithm for
// input-queued switches", IEEE/ACM ToN 7(2), 1999) share. They differ in how a port chooses.
#pragma once

#include <array>

#include "mem/network/allocator.h"

namespace heddle::mem::allocators {

// Choice: PortMask -> port, constructed from (const AllocatorShape&):
//   unsigned grant(unsigned output, const PortMask& inputs)    the output grants one of the inputs that request it
//   unsigned accept(unsigned input, const PortMask& outputs)   the input accepts one of the outputs that grant it
//   void accepted(unsigned input, unsigned output, bool first) the pair is made; `first`: in the first iteration
// The masks are never empty.
template <class PortMask, class Choice>
class Separable final : public Allocator<PortMask> {
public:
    explicit Separable(const AllocatorShape& shape) : iterations_(shape.iterations), choice_(shape) {}

    void allocate(const Requests<PortMask>& requests, Match<PortMask>& match) override {
        if (!requests.outputs.has_several()) {
            allocate_one(requests, match);
            return;
        }
        PortMask inputs = requests.inputs; // unmatched ones
        PortMask outputs = requests.outputs;
        for (unsigned i = 0; i < iterations_ && inputs.any() && outputs.any(); ++i) {
            const PortMask granted = grant(requests, inputs, outputs);
            accept(granted, i == 0, match);
            inputs &= ~granted; // an input with a grant accepts one
            outputs &= ~match.outputs;
        }
    }

private:
    // allocate() for one output, which mostly means one packet in the network: its grant is the only one.
    void allocate_one(const Requests<PortMask>& requests, Match<PortMask>& match) {
        const unsigned output = requests.outputs.lowest();
        const PortMask requesting = requests.of_output[output] & requests.inputs;
        if (requesting.empty())
            return;
        const unsigned input = choice_.grant(output, requesting);
        choice_.accepted(input, output, true);
        match.outputs = requests.outputs;
        match.input[output] = static_cast<std::uint16_t>(input);
    }
    // Fills grants_. Returns the inputs with a grant. Outputs that no unmatched input requests leave `outputs`.
    PortMask grant(const Requests<PortMask>& requests, const PortMask& inputs, PortMask& outputs) {
        PortMask granted;
        outputs.for_each([&](unsigned output) {
            const PortMask requesting = requests.of_output[output] & inputs;
            if (requesting.empty()) {
                outputs.erase(output);
                return;
            }
            const unsigned input = choice_.grant(output, requesting);
            grants_[input].insert(output);
            granted.insert(input);
        });
        return granted;
    }
    void accept(const PortMask& granted, bool first, Match<PortMask>& match) {
        granted.for_each([&](unsigned input) {
            const unsigned output = choice_.accept(input, grants_[input]);
            grants_[input] = {};
            choice_.accepted(input, output, first);
            match.outputs.insert(output);
            match.input[output] = static_cast<std::uint16_t>(input);
        });
    }

    unsigned iterations_;
    Choice choice_;
    std::array<PortMask, PortMask::kSize> grants_{}; // [input]: outputs that grant it; empty between slots
};

} // namespace heddle::mem::allocators
