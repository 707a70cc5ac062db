// Which senders of a network have something to send, and which of these wait for room at their input of the network. A
// sender is the SM or the slice of one input.
#pragma once

#include <utility>

namespace heddle::mem {

template <class PortMask>
class NetworkSenders {
public:
    // The sender may have something to send.
    void insert(unsigned sender) {
        pending_.insert(sender);
    }
    // The senders of insert() and retry() since the last call.
    [[nodiscard]] PortMask take() {
        return std::exchange(pending_, {});
    }
    // The network has no room for the sender's next packet: the sender waits for room. Only a tick of the network makes
    // room.
    void refuse(unsigned sender) {
        refused_.insert(sender);
    }
    [[nodiscard]] bool is_refused(unsigned sender) const {
        return refused_.contains(sender);
    }
    // Some inputs have got room: their senders do not wait any more, and take() returns those that did. True when there
    // are some.
    bool retry(const PortMask& freed) {
        const PortMask roomy = freed & refused_;
        if (!roomy.any())
            return false;
        refused_ &= ~roomy;
        pending_ |= roomy;
        return true;
    }

private:
    PortMask pending_;
    PortMask refused_;
};

} // namespace heddle::mem
