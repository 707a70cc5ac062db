// Host threads that share the SMs of a window with the one that runs the simulation. Which thread runs which SM shows
// in no result: between the ends of two windows SMs touch nothing of each other (docs/parallel.md).
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
    // `helpers`: threads beside the caller's, for SMs below `sms`. `run_sm` runs one SM; it must not throw. Throws
    // UserError when the computer does not give so many threads.
    WorkerPool(unsigned helpers, unsigned sms, std::function<void(unsigned sm)> run_sm);
    ~WorkerPool();
    WorkerPool(const WorkerPool&) = delete;
    WorkerPool& operator=(const WorkerPool&) = delete;

    // With the caller's.
    [[nodiscard]] unsigned members() const {
        return static_cast<unsigned>(own_.size());
    }
    // The helpers begin to run these SMs. All that they need is in place.
    void start(const mem::SmSet& sms);
    // Runs those that no helper has taken, and returns when all have been run.
    void finish();

private:
    void help(unsigned helper);
    void send_home();
    // One of the SMs that nobody has taken; false when there is none.
    bool run_one(unsigned member);
    bool run_one_of(unsigned word, unsigned member);
    [[nodiscard]] bool has_work() const;
    void await_work();

    const std::function<void(unsigned)> run_sm_;
    // Lines of their own: each is written by one side while the other waits for it.
    struct alignas(64) Word {
        std::atomic<std::uint64_t> sms = 0;
    };
    std::vector<Word> todo_;                          // SMs that nobody has taken: bit i of word w is SM 64 w + i
    alignas(64) std::atomic<unsigned> left_ = 0;      // SMs that have not been run to the window's end
    alignas(64) std::atomic<std::uint32_t> call_ = 0; // changes with each start(): what sleeping helpers wait for
    std::atomic<bool> ends_ = false;
    std::vector<mem::SmSet> own_; // by member: SMs whose data are probably in its caches
    std::vector<std::jthread> helpers_;
};

} // namespace heddle::gpu
