// The requests of a crossbar's switch. An input requests an output while the packet at the front of their queue has its
// first flit in the buffer.
#pragma once

#include <array>
#include <vector>

#include "mem/network/allocator.h"

namespace heddle::mem {

template <class PortMask>
class RequestMatrix {
public:
    RequestMatrix(unsigned inputs, unsigned outputs) : stride_(inputs), since_(std::size_t{inputs} * outputs) {}

    // Inputs with a request.
    [[nodiscard]] const PortMask& inputs() const {
        return inputs_;
    }
    // Outputs that an input requests.
    [[nodiscard]] const PortMask& outputs() const {
        return outputs_;
    }
    [[nodiscard]] bool contains(unsigned input, unsigned output) const {
        return of_input_[input].contains(output);
    }
    // Whether one of some inputs requests one of some outputs.
    [[nodiscard]] bool contains_any(const PortMask& inputs, PortMask outputs) const {
        for (; outputs.any(); outputs.drop_lowest())
            if ((of_output_[outputs.lowest()] & inputs).any())
                return true;
        return false;
    }
    // `since`: the cycle in which the first flit of the packet came.
    void insert(unsigned input, unsigned output, Cycle since) {
        of_output_[output].insert(input);
        of_input_[input].insert(output);
        outputs_.insert(output);
        inputs_.insert(input);
        since_[cell(input, output)] = since;
    }
    // In cycle `now` the requesting packet leaves its queue. The first flit of the packet behind it comes in cycle
    // `since`: up to `now`, and that packet requests the output now, or later (kNever: there is no packet behind it),
    // and the request ends. No branch, because the host cannot predict which.
    void replace(unsigned input, unsigned output, Cycle since, Cycle now) {
        since_[cell(input, output)] = since;
        of_output_[output].erase_if(since > now, input);
        of_input_[input].erase_if(since > now, output);
        outputs_.erase_if(of_output_[output].empty(), output);
        inputs_.erase_if(of_input_[input].empty(), input);
    }
    // The requests for an allocator. `inputs` and `outputs`: those of inputs() and outputs() that are free.
    [[nodiscard]] Requests<PortMask> between(const PortMask& inputs, const PortMask& outputs) const {
        return {inputs, outputs, of_output_.data(), of_input_.data(), since_.data()};
    }

private:
    [[nodiscard]] std::size_t cell(unsigned input, unsigned output) const {
        return std::size_t{output} * stride_ + input;
    }

    unsigned stride_;
    std::array<PortMask, PortMask::kSize> of_output_{}; // [output]: the inputs that request it
    std::array<PortMask, PortMask::kSize> of_input_{};  // [input]: the outputs that it requests
    std::vector<Cycle> since_;                          // [cell]
    PortMask inputs_;
    PortMask outputs_;
};

} // namespace heddle::mem
