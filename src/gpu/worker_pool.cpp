#include "gpu/worker_pool.h"

#include <algorithm>
#include <bit>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "base/signals_held_back.h"
#include "base/source.h"

namespace heddle::gpu {
namespace {

// Tests for work before a helper sleeps, about 50 us on recent processors: the next window begins sooner than a thread
// wakes up.
constexpr unsigned kSpinsBeforeSleep = 1000;
// Tests by the simulating thread before it yields its processor to a helper that may not have one.
constexpr unsigned kSpinsBeforeYield = 10000;

void pause_briefly() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

} // namespace

WorkerPool::WorkerPool(unsigned helpers, unsigned sms, std::function<void(unsigned)> run_sm)
    : run_sm_(std::move(run_sm)), todo_(mem::SmSet(sms).words()), own_(helpers + 1, mem::SmSet(sms)) {
    for (unsigned sm = 0; sm < sms; ++sm)
        own_[sm % own_.size()].insert(sm);
    const SignalsHeldBack held;
    try {
        for (unsigned h = 1; h <= helpers; ++h)
            helpers_.emplace_back([this, h] { help(h); });
    } catch (const std::system_error& error) {
        stop_helpers();
        throw UserError(fmt::format("{} host threads were asked for, and this computer gives {}: {}", members(),
                                    helpers_.size() + 1, error.code().message()));
    }
}

WorkerPool::~WorkerPool() {
    stop_helpers();
}

// Ends the helpers. Their destructors wait for the threads.
void WorkerPool::stop_helpers() {
    ends_ = true;
    ++call_;
    call_.notify_all();
}

void WorkerPool::start(const mem::SmSet& sms) {
    left_ = sms.count();
    for (unsigned w = 0; w < todo_.size(); ++w)
        todo_[w].sms = sms.word(w);
    ++call_;
    call_.notify_all();
}

void WorkerPool::finish() {
    while (run_one(0)) {
    }
    for (unsigned looks = 0; left_ != 0; ++looks) {
        pause_briefly();
        if (looks >= kSpinsBeforeYield)
            std::this_thread::yield();
    }
}

bool WorkerPool::run_one(unsigned member) {
    for (unsigned w = 0; w < todo_.size(); ++w)
        if (run_one_of(w, member))
            return true;
    return false;
}

bool WorkerPool::run_one_of(unsigned word, unsigned member) {
    std::atomic<std::uint64_t>& sms = todo_[word].sms;
    const std::uint64_t own = own_[member].word(word);
    for (std::uint64_t todo = sms; todo != 0; todo = sms) {
        const auto first = static_cast<unsigned>(std::countr_zero((todo & own) != 0 ? todo & own : todo));
        const std::uint64_t bit = std::uint64_t{1} << first;
        if ((sms.fetch_and(~bit) & bit) == 0)
            continue; // another thread was faster
        run_sm_(64 * word + first);
        --left_;
        return true;
    }
    return false;
}

bool WorkerPool::has_work() const {
    return std::any_of(todo_.begin(), todo_.end(), [](const Word& word) { return word.sms != 0; });
}

void WorkerPool::help(unsigned helper) {
    while (!ends_)
        if (!run_one(helper))
            await_work();
}

void WorkerPool::await_work() {
    const std::uint32_t call = call_;
    for (unsigned looks = 0; looks < kSpinsBeforeSleep; ++looks) {
        if (has_work() || ends_)
            return;
        pause_briefly();
    }
    // A start() after `call` was read has changed call_, and then wait() returns at once.
    if (!has_work() && !ends_)
        call_.wait(call);
}

} // namespace heddle::gpu
