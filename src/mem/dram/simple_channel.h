// The simple model of memory (dram.h) as a channel: a request's completion is known when it is pushed and waits here
// until it is due. At most dram.queue requests are under way.
#pragma once

#include "mem/dram/channel.h"

namespace heddle::mem {

class SimpleChannel final : public DramChannel {
public:
    explicit SimpleChannel(const DramConfig& config) : dram_(config), queue_(config.queue) {}

    [[nodiscard]] bool accepts() const override {
        return queue_ == 0 || under_way_.size() < queue_;
    }
    void push(const DramRequest& request, Cycle now) override;
    void catch_up(Cycle now) override;
    [[nodiscard]] DramStats& stats() override {
        return dram_.stats();
    }

private:
    Dram dram_;
    std::uint64_t queue_; // 0: without bound
    struct UnderWay {
        Cycle at;
        std::uint32_t id;
        DramUse use;
        bool silent;
    };
    RingQueue<UnderWay> under_way_;
};

} // namespace heddle::mem
