// The DRAM channels, and for each channel the slices that use it: which of them goes first, and whether slices wait for
// room in the channel. Cycles are those of the channels' clock.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "mem/dram/channel.h"

namespace heddle::mem {

template <class PortMask>
class Channels {
public:
    // A channel that no slice uses yet; its number is size() before the call.
    void add(std::unique_ptr<DramChannel> channel) {
        channels_.push_back(std::move(channel));
        slices_.emplace_back();
        served_.emplace_back();
    }
    void add_slice(unsigned c, unsigned slice) {
        slices_[c].insert(slice);
    }
    [[nodiscard]] std::size_t size() const {
        return channels_.size();
    }
    [[nodiscard]] DramChannel& operator[](unsigned c) const {
        return *channels_[c];
    }
    // The slices that use a channel.
    [[nodiscard]] const PortMask& slices(unsigned c) const {
        return slices_[c];
    }

    // Slices of a channel wait for room in it, unless it accepts(). True when they did not wait before.
    bool await_room(unsigned c) {
        if (full_.contains(c) || channels_[c]->accepts())
            return false;
        full_.insert(c);
        return true;
    }
    // Runs a channel up to cycle `now`. True when slices waited for room and there is some: they wait no longer.
    [[nodiscard]] bool catch_up(unsigned c, Cycle now) {
        DramChannel& channel = *channels_[c];
        if (channel.wake <= now)
            channel.catch_up(now);
        if (!full_.contains(c) || !channel.accepts())
            return false;
        full_.erase(c);
        return true;
    }
    // The first cycle in which a request of a channel may be done, or in which there may be room that slices wait for;
    // kNever when neither is to come.
    [[nodiscard]] Cycle next(unsigned c) const {
        const DramChannel& channel = *channels_[c];
        return full_.contains(c) ? std::min(channel.done_at(), channel.wake) : channel.may_be_done_at();
    }

    // Calls f(slice) for some slices of a channel in their order: ascending, those up to the slice of the last served()
    // behind the others.
    template <class F>
    void in_turn(unsigned c, PortMask slices, F&& f) const {
        for (const PortMask served = served_[c]; slices.any();) {
            const PortMask before = slices & ~served;
            const unsigned first = before.any() ? before.lowest() : slices.lowest();
            slices.erase(first);
            f(first);
        }
    }
    // A slice of the channel has got on.
    void served(unsigned c, unsigned slice) {
        served_[c] = PortMask::first(slice + 1);
    }

private:
    std::vector<std::unique_ptr<DramChannel>> channels_;
    std::vector<PortMask> slices_; // by channel
    std::vector<PortMask> served_; // by channel: the slices up to the one of the last served()
    PortMask full_;                // channels whose slices wait for room
};

} // namespace heddle::mem
