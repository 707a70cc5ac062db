// A slice of memory between a test, which plays its network, and a DRAM channel that does what the test says.
#pragma once

#include <vector>

#include <gtest/gtest.h>

#include "mem/system/slice.h"

namespace heddle::mem {

// Takes `room` requests and keeps them; completes nothing by itself.
class FakeChannel final : public DramChannel {
public:
    struct Pushed {
        DramRequest request;
        Cycle at;
    };

    [[nodiscard]] bool accepts() const override {
        return room > 0;
    }
    void push(const DramRequest& request, Cycle now) override {
        EXPECT_TRUE(accepts());
        --room;
        pushed.push_back({request, now});
    }
    void catch_up(Cycle /*now*/) override {}
    [[nodiscard]] DramStats& stats() override {
        return stats_;
    }

    unsigned room = 1000;
    std::vector<Pushed> pushed;

private:
    DramStats stats_;
};

class SliceRig {
public:
    static constexpr unsigned kBlock = 32; // bytes of a line of the data caches

    explicit SliceRig(const LlcConfig& config, unsigned number = 0, const Slice::Clocks& clocks = {})
        : slice(number, config, {kBlock, 64}, Interleave(config, 1), clocks, transactions, {&channel}),
          number_(number) {}

    TransactionId arrive(Cycle now, Request request) {
        EXPECT_TRUE(slice.has_room());
        const TransactionId id = transactions.open(request, 0, 0);
        slice.arrive(id, now);
        return id;
    }
    TransactionId read(Cycle now, Address address, std::uint16_t bytes = 64) {
        return arrive(now,
                      {.address = address, .bytes = bytes, .kind = AccessKind::Load, .requester = Requester::Data});
    }
    TransactionId write(Cycle now, Address address, std::uint16_t bytes = 64, Requester requester = Requester::Store) {
        return arrive(
            now,
            {.address = address, .bytes = bytes, .carried = bytes, .kind = AccessKind::Store, .requester = requester});
    }
    TransactionId atomic(Cycle now, Address address, std::uint8_t operations) {
        return arrive(now, {.address = address,
                            .bytes = 64,
                            .carried = 4,
                            .kind = AccessKind::Atomic,
                            .requester = Requester::Atomic,
                            .operations = operations});
    }
    // Ticks the slice in each cycle in which it has work, up to and with cycle `last`.
    void run_to(Cycle last) {
        while (slice.wake() <= last)
            slice.tick(slice.wake());
    }
    // The channel has done the n-th request that it was given.
    void done(std::size_t n, Cycle now) {
        const std::uint32_t id = channel.pushed.at(n).request.id;
        EXPECT_EQ(id >> Slice::kIdBits, number_);
        slice.done(id & ((1U << Slice::kIdBits) - 1), now);
    }
    // That the next answer is to `id`, may leave from `at` on and not before; takes it.
    void expect_answer(TransactionId id, Cycle at) {
        EXPECT_EQ(slice.next_answer(), at);
        ASSERT_NE(slice.next_answer(), kNever);
        EXPECT_FALSE(slice.has_answer(at - 1));
        ASSERT_TRUE(slice.has_answer(at));
        EXPECT_EQ(slice.answer(), id);
        slice.take_answer(at);
        transactions.close(id);
    }
    void expect_no_answer() {
        EXPECT_EQ(slice.next_answer(), kNever);
    }
    // The line is brought in, and whatever came of it is done and forgotten. Gives a cycle in which all is quiet.
    Cycle warm(Cycle now, Address address) {
        read(now, address);
        run_to(now + 1000);
        done(channel.pushed.size() - 1, now + 1000);
        while (slice.next_answer() != kNever) {
            const TransactionId id = slice.answer();
            slice.take_answer(now + 1000);
            transactions.close(id);
        }
        run_to(now + 2000);
        channel.pushed.clear();
        return now + 2000;
    }

    Transactions transactions;
    FakeChannel channel;
    Slice slice;

private:
    unsigned number_;
};

} // namespace heddle::mem
