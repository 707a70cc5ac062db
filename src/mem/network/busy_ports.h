// The ports of a crossbar's switch that a granted packet holds, and when they are free again. Times are slots of the
// switch.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/mask_wheel.h"

namespace heddle::mem {

template <class PortMask>
class BusyPorts {
public:
    using Slot = std::uint64_t;

    // `inputs_contend`: false when an input may send to any number of outputs at once and is never busy.
    explicit BusyPorts(bool inputs_contend) : inputs_contend_(inputs_contend) {}

    [[nodiscard]] bool inputs_contend() const {
        return inputs_contend_;
    }
    // Frees the ports that are held until `slot` or an earlier slot. Slots ascend.
    void advance(Slot slot) {
        if (slot >= releases_.next())
            release(slot);
    }
    // The ports that are busy in the slot of the last advance().
    [[nodiscard]] const PortMask& inputs() const {
        return inputs_;
    }
    [[nodiscard]] const PortMask& outputs() const {
        return outputs_;
    }
    // Makes two free ports busy from `slot`, that of the last advance(), until before slot `end`, which is later.
    void hold(unsigned input, unsigned output, Slot slot, Slot end) {
        Ports held{.outputs = PortMask::bit(output)};
        output_free_[output] = end;
        if (inputs_contend_) {
            held.inputs = PortMask::bit(input);
            input_free_[input] = end;
        }
        inputs_ |= held.inputs;
        outputs_ |= held.outputs;
        releases_.put(held, end, slot);
        if (end - slot >= MaskWheel<Ports>::kSpan)
            last_far_release_ = std::max(last_far_release_, end);
    }
    // The first slot in which a busy port among some ports is free; kNever when none of them is busy.
    [[nodiscard]] Slot next_release(const PortMask& inputs, const PortMask& outputs) const {
        Slot slot = kNever;
        (inputs_ & inputs).for_each([&](unsigned input) { slot = std::min(slot, input_free_[input]); });
        (outputs_ & outputs).for_each([&](unsigned output) { slot = std::min(slot, output_free_[output]); });
        return slot;
    }

private:
    struct Ports {
        PortMask inputs = {};
        PortMask outputs = {};
        Ports& operator|=(const Ports& other) {
            inputs |= other.inputs;
            outputs |= other.outputs;
            return *this;
        }
    };

    void release(Slot slot) {
        const Ports due = releases_.collect(slot);
        inputs_ &= ~due.inputs;
        outputs_ &= ~due.outputs;
        if (slot < last_far_release_) [[unlikely]]
            hold_on(due, slot);
    }
    // The wheel releases ports at the end of its span. Those that are held for longer stay busy.
    [[gnu::noinline]] void hold_on(const Ports& ports, Slot slot) {
        ports.inputs.for_each([&](unsigned input) {
            if (input_free_[input] > slot) {
                inputs_.insert(input);
                releases_.put({.inputs = PortMask::bit(input)}, input_free_[input], slot);
            }
        });
        ports.outputs.for_each([&](unsigned output) {
            if (output_free_[output] > slot) {
                outputs_.insert(output);
                releases_.put({.outputs = PortMask::bit(output)}, output_free_[output], slot);
            }
        });
    }

    bool inputs_contend_;
    PortMask inputs_;
    PortMask outputs_;
    std::array<Slot, PortMask::kSize> input_free_{}; // of busy inputs: the slot in which they are free again
    std::array<Slot, PortMask::kSize> output_free_{};
    MaskWheel<Ports> releases_; // busy ports, by these slots
    Slot last_far_release_ = 0; // of those beyond the span of the wheel
};

} // namespace heddle::mem
