// The instruction cache of an SM behind those of its sub-cores. A request of a sub-core takes some cycles to come here
// and its answer some to go back; one of each passes in a cycle (Huerta et al., MICRO 2025). What is missing comes from
// memory. Each request is an item of the core's wheel: first on its way here, then on its way back.
#pragma once

#include <string>
#include <vector>

#include "base/latency_wheel.h"
#include "mem/cache/cache.h"
#include "sm/frame/core_config.h"
#include "sm/frame/memory_port.h"
#include "stats/tree.h"

namespace heddle::sm {

struct InstructionL1Config : mem::CacheConfig {
    static constexpr std::string_view kSection = "icache_l1";
    static constexpr bool kOptional = true;
    std::uint64_t request = 1;
    std::uint64_t reply = 1;
    std::uint64_t stream = 0;
    std::uint64_t launch_bytes = 0;
    bool ideal = false;
    std::string flush = "never";
    static std::span<const config::Parameter<InstructionL1Config>> parameters();
    [[nodiscard]] std::vector<std::string> problems(const config::Machine& machine) const;
};

class InstructionL1 {
public:
    // Requests have numbers below `requests`; request r is item first_item + r of the wheel. The port and the wheel
    // outlive the cache.
    InstructionL1(const InstructionL1Config& config, MemoryPort& memory, LatencyWheel& wheel, unsigned first_item,
                  unsigned requests, unsigned sm = 0)
        : request_(config.request), reply_(config.reply), launch_bytes_(config.launch_bytes), memory_(memory),
          wheel_(wheel), first_item_(first_item), cache_(config, sm), line_bytes_(config.line), requests_(requests) {}

    [[nodiscard]] Address line_of(Address address) const { // its first byte
        return address & ~(line_bytes_ - 1);
    }
    // A line is requested, by its first byte. The number is free again when arrived() is true for it.
    void request(std::uint32_t number, Address line, Pc pc, Cycle now) {
        last_request_ = std::max(now + request_, last_request_ + 1);
        requests_[number] = {line, pc, false};
        put(number, last_request_, now);
    }
    // The wheel has come to the request. True when its line has come to the sub-core.
    [[nodiscard]] bool arrived(std::uint32_t number, Cycle now) {
        if (requests_[number].answered)
            return true;
        look_up(number, now);
        return false;
    }
    // Memory has answered Requester::Instruction with this id.
    void fill(std::uint32_t id, Cycle now);
    // Memory has room again.
    void retry(Cycle now);
    // Drops all lines but those on their way.
    void flush() {
        flush(0);
    }
    // A kernel begins whose code is the `bytes` from `code` on. Its constants are not those of the one before; the
    // first lines of its code have been fetched by the launch.
    void begin(Address code, std::uint64_t bytes);

    void add_statistics(stats::Tree& tree) {
        tree.add_one_of("icache_l1", cache_.stats());
    }

private:
    struct Request {
        Address line = 0;
        Pc pc = kNoPc;
        bool answered = false; // it is on its way back
    };
    struct Code { // that a launch has fetched
        Address begin = 0, end = 0;
        bool operator==(const Code&) const = default;
    };

    void flush(Address from) {
        prepared_for_ = {};
        cache_.flush([](Address /*a line of code is never dirty*/) {}, from);
    }
    void look_up(std::uint32_t number, Cycle now);
    void answer(std::uint32_t number, Cycle now) {
        last_reply_ = std::max(now + reply_, last_reply_ + 1);
        requests_[number].answered = true;
        put(number, last_reply_, now);
    }
    void put(std::uint32_t number, Cycle at, Cycle now) {
        wheel_.put(static_cast<LatencyWheel::Item>(first_item_ + number), at, now);
    }

    const Cycle request_, reply_;
    const std::uint64_t launch_bytes_;
    MemoryPort& memory_;
    LatencyWheel& wheel_;
    const unsigned first_item_;
    mem::Cache cache_;
    const std::uint64_t line_bytes_;
    std::vector<Request> requests_;
    std::vector<std::uint32_t> stuck_; // requests that could not go on: they try again, in order
    Cycle last_request_ = 0, last_reply_ = 0;
    Code prepared_for_; // the code of the last begin(), if no line has come or gone since; else none
};

} // namespace heddle::sm
