// Drives a memory hierarchy as the device does: window by window, with the SMs' part played by a test.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "mem/system/memory_system.h"
#include "stats/snapshot.h"

namespace heddle::mem {

class HierarchyRig {
public:
    static constexpr unsigned kBlock = 32; // bytes of a line of the data caches, where a directory keeps them apart

    struct Got {
        unsigned sm;
        Reply reply;
    };

    // The core's clock is 1000 MHz. Unless `settings` say otherwise: 8 cycles a link, both networks with packets of
    // 32-byte flits and an 8-byte header at 1000 MHz, one slice, simple DRAM.
    explicit HierarchyRig(std::vector<std::string> settings, unsigned sms = 1)
        : owned_(make_memory_system(machine(std::move(settings)), sms, 1000, kBlock)), memory_system(*owned_),
          to_send_(sms) {
        memory_system.add_statistics(tree);
    }

    // SM `sm` sends in cycle request.sent, which has not been run; its requests in order of time.
    void send(unsigned sm, const Request& request) {
        ASSERT_GE(request.sent, now);
        to_send_[sm].push_back(request);
    }
    void read(unsigned sm, Cycle sent, Address address, std::uint32_t id, std::uint16_t bytes = 128) {
        send(sm, {.address = address,
                  .sent = sent,
                  .id = id,
                  .bytes = bytes,
                  .kind = AccessKind::Load,
                  .requester = Requester::Data});
    }
    void write(unsigned sm, Cycle sent, Address address, std::uint32_t id, std::uint16_t bytes = 64,
               Requester requester = Requester::Store) {
        send(sm, {.address = address,
                  .sent = sent,
                  .id = id,
                  .bytes = bytes,
                  .carried = bytes,
                  .kind = AccessKind::Store,
                  .requester = requester});
    }
    void atomic(unsigned sm, Cycle sent, Address address, std::uint32_t id, std::uint8_t operations) {
        send(sm, {.address = address,
                  .sent = sent,
                  .id = id,
                  .bytes = 128,
                  .carried = 64,
                  .kind = AccessKind::Atomic,
                  .requester = Requester::Atomic,
                  .operations = operations});
    }

    // One window, of at most a link's length.
    void window(Cycle end) {
        for (unsigned i = 0; i < to_send_.size(); ++i) {
            const unsigned sm = descending ? static_cast<unsigned>(to_send_.size()) - 1 - i : i;
            std::vector<Request>& requests = to_send_[sm];
            const auto later =
                std::find_if(requests.begin(), requests.end(), [&](const Request& r) { return r.sent >= end; });
            memory_system.accept(sm, {requests.begin(), later});
            requests.erase(requests.begin(), later);
        }
        memory_system.run(end);
        for (unsigned sm = 0; sm < to_send_.size(); ++sm) {
            for (const Reply& reply : memory_system.replies(sm)) {
                EXPECT_GE(reply.at, end) << "comes within the window in which it was made";
                got.push_back({sm, reply});
            }
            memory_system.taken(sm);
        }
        now = end;
    }
    void run_to(Cycle end) {
        while (now < end)
            window(std::min(now + memory_system.link(), end));
    }
    // When the reply `id` is at its SM; kNever when there is none, or more than one.
    [[nodiscard]] Cycle reply_at(std::uint32_t id) const {
        Cycle at = kNever;
        unsigned count = 0;
        for (const Got& g : got)
            if (g.reply.id == id) {
                at = g.reply.at;
                ++count;
            }
        return count == 1 ? at : kNever;
    }
    // Where the reply `id` was served; nothing when there is none, or more than one.
    [[nodiscard]] std::optional<Level> level_of(std::uint32_t id) const {
        if (reply_at(id) == kNever)
            return std::nullopt;
        return std::find_if(got.begin(), got.end(), [&](const Got& g) { return g.reply.id == id; })->reply.level;
    }
    [[nodiscard]] std::uint64_t counter(std::string_view name) const {
        return tree.snapshot().counter(name);
    }

private:
    std::unique_ptr<MemorySystem> owned_;

public:
    MemorySystem& memory_system;
    stats::Tree tree;
    Cycle now = 0;
    std::vector<Got> got;
    bool descending = false; // the highest SM's requests are accepted first

private:
    static config::Machine machine(std::vector<std::string> settings) {
        settings.insert(settings.begin(), "interconnect.kind=crossbar");
        return config::Machine::defaults(settings);
    }

    std::vector<std::vector<Request>> to_send_;
};

} // namespace heddle::mem
