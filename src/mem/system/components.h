// The parts of the memory system that run by alarms, as numbers. Within a cycle they run in the order of their numbers:
// DRAM channels, slices, request network, reply network.
#pragma once

namespace heddle::mem {

class Components {
public:
    Components(unsigned channels, unsigned slices) : first_slice_(channels), requests_(channels + slices) {}

    [[nodiscard]] unsigned count() const {
        return requests_ + 2;
    }
    [[nodiscard]] unsigned channel(unsigned c) const {
        return c;
    }
    [[nodiscard]] unsigned slice(unsigned s) const {
        return first_slice_ + s;
    }
    [[nodiscard]] unsigned request_network() const {
        return requests_;
    }
    [[nodiscard]] unsigned reply_network() const {
        return requests_ + 1;
    }
    // Calls channel(c), slice(s), requests() or replies() for the component of a number.
    template <class Channel, class Slice, class Requests, class Replies>
    void dispatch(unsigned component, Channel&& channel, Slice&& slice, Requests&& requests, Replies&& replies) const {
        if (component < first_slice_)
            channel(component);
        else if (component < requests_)
            slice(component - first_slice_);
        else if (component == requests_)
            requests();
        else
            replies();
    }

private:
    unsigned first_slice_;
    unsigned requests_;
};

} // namespace heddle::mem
