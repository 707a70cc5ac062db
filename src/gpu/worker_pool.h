// Host threads that share the SMs of a window with the simulating thread. Results do not depend on which thread runs
// which SM: within a window an SM does not access the state of another (docs/parallel.md).
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

#include "mem/sm_set.h"

namespace heddle::gpu {

class WorkerPool {
public:
    // `helpers`: threads beside the caller's, for SMs below `sms`. `run_sm` runs one SM and must not throw. Throws
    // UserError when the threads cannot be created.
    WorkerPool(unsigned helpers, unsigned sms, std::function<void(unsigned sm)> run_sm);
    ~WorkerPool();
    WorkerPool(const WorkerPool&) = delete;
    WorkerPool& operator=(const WorkerPool&) = delete;

    // Helpers and the caller's thread.
    [[nodiscard]] unsigned members() const {
        return static_cast<unsigned>(own_.size());
    }
    // The helpers begin to run these SMs, whose inputs must be complete.
    void start(const mem::SmSet& sms);
    // Runs the SMs that no helper has taken. Returns when all SMs have been run.
    void finish();

private:
    void help(unsigned helper);
    void stop_helpers();
    // Runs an SM that no thread has taken; false when there is none.
    bool run_one(unsigned member);
    bool run_one_of(unsigned word, unsigned member);
    [[nodiscard]] bool has_work() const;
    void await_work();

    const std::function<void(unsigned)> run_sm_;
    // Each in a cache line of its own: one side writes while the other waits.
    struct alignas(64) Word {
        std::atomic<std::uint64_t> sms = 0;
    };
    std::vector<Word> todo_;                          // SMs that no thread has taken: bit i of word w is SM 64 w + i
    alignas(64) std::atomic<unsigned> left_ = 0;      // SMs that have not been run to the window's end
    alignas(64) std::atomic<std::uint32_t> call_ = 0; // changes with each start(); sleeping helpers wait for the change
    std::atomic<bool> ends_ = false;
    std::vector<mem::SmSet> own_; // by member: SMs whose data are probably in its host's caches
    std::vector<std::jthread> helpers_;
};

} // namespace heddle::gpu
