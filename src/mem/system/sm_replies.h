// The replies that SMs get, until they take them, and the SMs that have to look: those with a new reply, or with other
// room in the request network.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "mem/request.h"
#include "mem/sm_set.h"

namespace heddle::mem {

template <class PortMask>
class SmReplies {
public:
    explicit SmReplies(unsigned sms) : replies_(sms) {}

    void push(unsigned sm, const Reply& reply) {
        news_.insert(sm);
        replies_[sm].push_back(reply);
    }
    // The room of some SMs in the request network has changed.
    void room_changed(const PortMask& sms) {
        news_ |= sms;
    }
    void room_changed(unsigned sm) {
        news_.insert(sm);
    }
    // The SMs with a new reply or other room since the last call.
    [[nodiscard]] SmSet take_news() {
        return SmSet(std::exchange(news_, {}).words().first((replies_.size() + 63) / 64));
    }
    // The replies of an SM, in the order of push(), until clear().
    [[nodiscard]] std::span<const Reply> of(unsigned sm) const {
        return replies_[sm];
    }
    void clear(unsigned sm) {
        replies_[sm].clear();
    }

private:
    std::vector<std::vector<Reply>> replies_; // by SM
    PortMask news_;
};

} // namespace heddle::mem
