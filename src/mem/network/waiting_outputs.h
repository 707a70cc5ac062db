// The back-pressure of a crossbar. An output that was matched with an input without room for the packet waits for that
// room and takes this packet first, so that short packets cannot keep a long one out. It is not busy while it waits.
#pragma once

#include <array>
#include <cstdint>

namespace heddle::mem {

template <class PortMask>
class WaitingOutputs {
public:
    // Outputs that wait for room, or have room and wait for the input to be free.
    [[nodiscard]] const PortMask& all() const {
        return all_;
    }
    // Of these, the outputs that have room.
    [[nodiscard]] const PortMask& roomy() const {
        return roomy_;
    }
    // The input whose packet a waiting output takes next.
    [[nodiscard]] unsigned input_of(unsigned output) const {
        return input_[output];
    }
    // Whether an output that has room waits for one of some inputs.
    [[nodiscard]] bool any_roomy(const PortMask& inputs) const {
        for (PortMask outputs = roomy_; outputs.any(); outputs.drop_lowest())
            if (inputs.contains(input_[outputs.lowest()]))
                return true;
        return false;
    }
    // The output, which does not wait yet, waits for room for the packet of an input.
    void insert(unsigned output, unsigned input) {
        all_.insert(output);
        input_[output] = static_cast<std::uint16_t>(input);
    }
    // A waiting output has room for the packet.
    void set_roomy(unsigned output) {
        roomy_.insert(output);
    }
    // A roomy() output takes the packet.
    void erase(unsigned output) {
        all_.erase(output);
        roomy_.erase(output);
    }

private:
    PortMask all_;
    PortMask roomy_;
    std::array<std::uint16_t, PortMask::kSize> input_{}; // of waiting outputs
};

} // namespace heddle::mem
