// The memory requests of an SM over time: when each left, when its answer came, and from where.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/types.h"
#include "probe/cycle_range.h"

namespace heddle::probe {

// The purpose of a request: a line of a cache, an atomic operation, a store with an acknowledgement, or a write without
// one.
enum class Asked : std::uint8_t { Data, Constant, Instruction, Atomic, Store, Write, Texture, Copy };
inline constexpr std::array<const char*, 8> kAskedNames = {"data",  "constant", "instruction", "atomic",
                                                           "store", "write",    "texture",     "copy"};

// Where a request was served.
enum class Served : std::uint8_t { LastLevel, Memory, Unanswered };
inline constexpr std::array<const char*, 3> kServedNames = {"llc", "dram", "unanswered"};

struct Request {
    Cycle sent = 0, answered = 0;
    Address address = 0;
    std::uint16_t bytes = 0;
    Asked asked = Asked::Data;
    Served served = Served::Unanswered; // no answer: the request needs none, or the run was stopped
};

class RequestLog {
public:
    explicit RequestLog(std::size_t limit, CycleRange range = {}) : limit_(limit), range_(range) {}

    // `id` distinguishes requests of a kind; requests with one id are answered in order. A request without an answer
    // ends when it is sent.
    void sent(Asked asked, std::uint32_t id, Address address, std::uint64_t bytes, Cycle now);
    void sent_without_answer(Asked asked, Address address, std::uint64_t bytes, Cycle now);
    void answered(Asked asked, std::uint32_t id, Served served, Cycle now);
    // Open requests end in cycle `now` without an answer.
    void end(Cycle now);

    [[nodiscard]] unsigned open() const {
        return static_cast<unsigned>(open_.size() - free_.size());
    }
    [[nodiscard]] std::span<const Request> requests() const { // in the order in which they ended
        return requests_;
    }
    [[nodiscard]] std::uint64_t dropped() const {
        return dropped_;
    }

private:
    static constexpr std::uint32_t kNone = ~std::uint32_t{0};
    struct Open {
        Request request;
        std::uint32_t next = kNone; // the next request with this id
    };
    struct Chain { // requests with one id, oldest first
        std::uint32_t first = kNone, last = kNone;
    };

    void keep(const Request& request);

    std::size_t limit_;
    CycleRange range_; // other requests are not kept
    std::vector<Open> open_;
    std::vector<std::uint32_t> free_;                           // places in open_
    std::array<std::vector<Chain>, kAskedNames.size()> chains_; // by Asked, and id: ids are small, they number entries
    std::vector<Request> requests_;
    std::uint64_t dropped_ = 0;
};

} // namespace heddle::probe
