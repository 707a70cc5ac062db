// The host threads that share the SMs of a window: each SM is run once, and all of them before the window ends.

#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <thread>
#include <unistd.h>

#include <gtest/gtest.h>
#include <sys/resource.h>

#include "base/source.h"
#include "gpu/worker_pool.h"

namespace heddle::gpu {
namespace {

constexpr unsigned kSms = 150;
using Counts = std::array<std::uint64_t, kSms>;

mem::SmSet first(unsigned sms) {
    mem::SmSet out(kSms);
    out.fill(sms);
    return out;
}

// Runs some SMs with a pool of workers, round after round; what each of them was run is written without any lock.
void run_rounds(unsigned helpers, unsigned rounds, mem::SmSet (*sms)(unsigned round)) {
    Counts runs{}, expected{};
    WorkerPool pool(helpers, kSms, [&](unsigned sm) { ++runs[sm]; });
    for (unsigned round = 0; round < rounds; ++round) {
        const mem::SmSet asked = sms(round);
        asked.for_each([&](unsigned sm) { ++expected[sm]; });
        pool.start(asked);
        pool.finish();
        ASSERT_EQ(runs, expected) << helpers << " helpers, round " << round;
    }
}

TEST(WorkerPool, RunsEachSmOnce) {
    for (const unsigned helpers : {1U, 2U, 3U, 7U})
        run_rounds(helpers, 2000, [](unsigned round) { return first(round % 17); });
}

TEST(WorkerPool, RunsAsManySmsAsThereMayBe) {
    run_rounds(3, 200, [](unsigned /*round*/) { return first(kSms); });
}

TEST(WorkerPool, RunsAnyOfThem) {
    run_rounds(2, 2000, [](unsigned round) {
        mem::SmSet some(kSms);
        for (unsigned sm = 0; sm < kSms; ++sm)
            if ((round * 7 + sm * sm) % 5 < 2)
                some.insert(sm);
        return some;
    });
}

// Helpers that have gone to sleep are woken.
TEST(WorkerPool, GoesOnAfterARest) {
    Counts runs{};
    std::atomic<bool> helped = false;
    const auto simulates = std::this_thread::get_id();
    WorkerPool pool(1, kSms, [&](unsigned sm) {
        ++runs[sm];
        if (std::this_thread::get_id() != simulates)
            helped = true;
    });
    for (unsigned round = 1; round <= 3; ++round) {
        helped = false;
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        pool.start(first(4));
        const auto begin = std::chrono::steady_clock::now();
        while (!helped && std::chrono::steady_clock::now() - begin < std::chrono::seconds(20))
            std::this_thread::yield();
        EXPECT_TRUE(helped) << "round " << round;
        pool.finish();
        EXPECT_EQ(runs[3], round);
    }
}

TEST(WorkerPool, EndsWithoutHavingWorked) {
    for (int i = 0; i < 50; ++i)
        WorkerPool(3, kSms, [](unsigned) { FAIL(); });
}

#if !defined(HEDDLE_SANITIZED) // sanitizers need address space of their own
// Some helpers are at work when the next one gets no stack: they end.
TEST(WorkerPoolDeathTest, TooManyThreadsAreRefused) {
    const auto ask = [] {
        std::ifstream file("/proc/self/statm");
        std::uint64_t pages = 0;
        file >> pages;
        const rlim_t bytes = pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE)) + (rlim_t{40} << 20);
        const rlimit limit{bytes, bytes};
        setrlimit(RLIMIT_AS, &limit);
        try {
            const WorkerPool many(60, kSms, [](unsigned) {});
        } catch (const UserError& error) {
            std::fputs(error.what(), stderr);
            std::_Exit(3);
        }
    };
    EXPECT_EXIT(ask(), testing::ExitedWithCode(3), "61 host threads were asked for, and this computer gives [2-9]: ");
}
#endif

} // namespace
} // namespace heddle::gpu
