#include "gpu/worker_pool.h"

#include <bit>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "base/signals_held_back.h"
#include "base/source.h"

namespace heddle::gpu {
namespace {

// Looks for work before a helper sleeps, some 50 us on recent processors: windows follow each other faster than a
// thread wakes up.
constexpr unsigned kLooks = 1000;
// Looks of the thread that simulates before it lends its processor to a helper that may have none.
constexpr unsigned kPatience = 10000;

void pause_briefly() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

} // namespace

WorkerPool::WorkerPool(unsigned helpers, std::function<void(unsigned)> run_sm)
    : run_sm_(std::move(run_sm)), own_(helpers + 1) {
    for (unsigned sm = 0; sm < mem::kMaxPorts; ++sm)
        own_[sm % own_.size()] |= mem::port_bit(sm);
    const SignalsHeldBack held;
    try {
        for (unsigned h = 1; h <= helpers; ++h)
            helpers_.emplace_back([this, h] { help(h); });
    } catch (const std::system_error& error) {
        send_home();
        throw UserError(fmt::format("{} host threads were asked for, and this computer gives {}: {}", members(),
                                    helpers_.size() + 1, error.code().message()));
    }
}

WorkerPool::~WorkerPool() {
    send_home();
}

// The helpers end; their threads are waited for when they are destroyed.
void WorkerPool::send_home() {
    ends_ = true;
    ++call_;
    call_.notify_all();
}

void WorkerPool::start(mem::PortMask sms) {
    left_ = static_cast<unsigned>(std::popcount(sms));
    todo_ = sms;
    ++call_;
    call_.notify_all();
}

void WorkerPool::finish() {
    while (run_one(0)) {
    }
    for (unsigned looks = 0; left_ != 0; ++looks) {
        pause_briefly();
        if (looks >= kPatience)
            std::this_thread::yield();
    }
}

bool WorkerPool::run_one(unsigned member) {
    for (mem::PortMask todo = todo_; todo != 0; todo = todo_) {
        const mem::PortMask preferred = (todo & own_[member]) != 0 ? todo & own_[member] : todo;
        const auto sm = static_cast<unsigned>(std::countr_zero(preferred));
        if ((todo_.fetch_and(~mem::port_bit(sm)) & mem::port_bit(sm)) == 0)
            continue; // another was faster
        run_sm_(sm);
        --left_;
        return true;
    }
    return false;
}

void WorkerPool::help(unsigned helper) {
    while (!ends_)
        if (!run_one(helper))
            await_work();
}

void WorkerPool::await_work() {
    const std::uint32_t call = call_;
    for (unsigned looks = 0; looks < kLooks; ++looks) {
        if (todo_ != 0 || ends_)
            return;
        pause_briefly();
    }
    // A start() since `call` was read has changed it, so that this returns at once.
    if (todo_ == 0 && !ends_)
        call_.wait(call);
}

} // namespace heddle::gpu
