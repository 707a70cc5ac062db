// The way from an SM to memory on machines of one SM: requests go straight to DRAM, answers come back in order.
#pragma once

#include "base/ring_queue.h"
#include "mem/dram.h"

namespace heddle::sm {

class MainMemory {
public:
    enum class For : std::uint8_t { Data, Instruction, Atomic };
    struct Answer {
        Cycle done = 0;
        For whom = For::Data;
        std::uint32_t id = 0; // Data, Instruction: the cache's line; Atomic: the flight
    };

    explicit MainMemory(const mem::DramConfig& config) : dram_(config) {}

    void read(Address address, std::uint64_t bytes, For whom, std::uint32_t id, Cycle now) {
        push({dram_.request(address, bytes, mem::DramUse::Read, now), whom, id});
    }
    void write(Address address, std::uint64_t bytes, Cycle now) {
        dram_.request(address, bytes, mem::DramUse::Write, now);
    }
    void atomic(Address address, std::uint64_t bytes, unsigned operations, std::uint32_t id, Cycle now) {
        push({dram_.request(address, bytes, mem::DramUse::Atomic, now, operations), For::Atomic, id});
    }

    // When the next answer comes; kNever when nothing is on its way.
    [[nodiscard]] Cycle next() const {
        return next_;
    }
    Answer take() {
        const Answer answer = answers_.pop();
        next_ = answers_.empty() ? kNever : answers_.front().done;
        return answer;
    }
    [[nodiscard]] mem::DramStats& stats() {
        return dram_.stats();
    }

private:
    void push(const Answer& answer) {
        if (answers_.empty())
            next_ = answer.done;
        answers_.push(answer);
    }

    mem::Dram dram_;
    RingQueue<Answer> answers_;
    Cycle next_ = kNever; // asked for every cycle
};

} // namespace heddle::sm
