// Drives a memory channel as its owner would: looks at it when there is work or a completion is due, pushes afterwards.
#pragma once

#include <algorithm>
#include <map>

#include <gtest/gtest.h>

#include "mem/dram/channel.h"

namespace heddle::mem {

class ChannelBench {
public:
    explicit ChannelBench(const DramConfig& config) : channel_(make_dram_channel(config)) {}

    // The next request, pushed at cycle `at` (not before an earlier one's); gives its id, counted from 0.
    std::uint32_t push(Cycle at, Address address, DramUse use = DramUse::Read, std::uint32_t bytes = 64,
                       unsigned operations = 1) {
        run_to(at);
        EXPECT_TRUE(channel_->accepts());
        channel_->push({next_id_, address, bytes, use, operations}, at);
        return next_id_++;
    }
    // A write without an answer.
    void push_silent(Cycle at, Address address) {
        run_to(at);
        channel_->push(
            {.id = next_id_++, .address = address, .bytes = 64, .use = DramUse::Write, .operations = 1, .silent = true},
            at);
    }
    // Everything that is due up to and with cycle `last`.
    void run_to(Cycle last) {
        while (next() <= last)
            tick(next());
    }
    [[nodiscard]] Cycle next() const {
        return std::min(channel_->wake, channel_->done_at());
    }
    void tick(Cycle now) {
        // An owner that looks only when something may come out must not miss anything.
        const Cycle promised = channel_->may_be_done_at();
        channel_->catch_up(now);
        EXPECT_GE(channel_->done_at(), promised) << "at " << now;
        while (channel_->done_at() <= now) {
            const auto done = channel_->done.pop();
            EXPECT_EQ(done.at, now) << "request " << done.id << " is not told of in its cycle";
            EXPECT_TRUE(done_.emplace(done.id, done.at).second) << "request " << done.id << " completes twice";
        }
    }
    // When a request completes.
    Cycle done(std::uint32_t id) {
        run_to(kNever - 1);
        return done_.contains(id) ? done_.at(id) : kNever;
    }
    [[nodiscard]] bool is_done(std::uint32_t id) const {
        return done_.contains(id);
    }
    // Of all requests so far, by id.
    [[nodiscard]] const std::map<std::uint32_t, Cycle>& all_done() const {
        return done_;
    }
    DramChannel& channel() {
        return *channel_;
    }
    DramStats& stats() {
        return channel_->stats();
    }

private:
    std::unique_ptr<DramChannel> channel_;
    std::uint32_t next_id_ = 0;
    std::map<std::uint32_t, Cycle> done_;
};

} // namespace heddle::mem
