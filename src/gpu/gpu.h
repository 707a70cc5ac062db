// The device: its SMs, the thread-block scheduler in front of them and the memory behind them.
//
// SMs that share a memory run in windows of as many cycles as a message between an SM and the network takes: each SM
// and the memory by itself, on several host threads if so asked; messages, blocks that start and what an SM stored are
// seen by the others when a window ends (docs/parallel.md). A single SM right before its DRAM runs until something
// outside it is to be done.
#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "config/parameter.h"
#include "exec/launch.h"
#include "exec/memory_image.h"
#include "gpu/gpu_config.h"
#include "gpu/stop.h"
#include "gpu/worker_pool.h"
#include "ir/program.h"
#include "mem/system/memory_system.h"
#include "sm/frame/core.h"
#include "sm/frame/occupancy.h"
#include "sm/functional/functional.h"
#include "stats/tree.h"

namespace heddle::gpu {

struct Limits { // of one launch; 0: none
    std::uint64_t cycles = 0;
    std::uint64_t warp_instructions = 0;
};

struct Outcome {
    Cycle cycles = 0; // 0 when the launch was not timed
    Stop stop = Stop::None;
};

class Gpu {
public:
    // `host_threads`: at least 1; more share the domains of a machine with several SMs, unless it is traced. They show
    // in no result.
    Gpu(const config::Machine& machine, exec::MemoryImage& image, const ir::Program& program,
        const sm::TraceSink& trace, std::uint64_t host_threads);

    // Why a launch cannot run on this machine: empty when it can.
    [[nodiscard]] std::string refusal(const exec::Launch& launch, bool timed) const;
    // Opcodes of the kernel that cannot execute yet, a line each.
    [[nodiscard]] std::string unsupported(const ir::Kernel& kernel);
    // Runs a launch to its end. `timed` false: functionally. `progress` is called now and then with the cycles so far.
    // Throws exec::Fault; what was counted up to then stays.
    Outcome run(exec::Launch launch, bool timed, const Limits& limits, const std::atomic<bool>& interrupted,
                const std::function<void(Cycle)>& progress);

    // Gives what threads have printed since the last call, in the order of cycles, SMs and execution.
    void print(const std::function<void(std::string_view)>& output);

    // From now on each SM has a timeline of its own; they live as long as this. begin_record() before the launch that
    // is number `launch` of the run, end_record() after it, whatever way it ended.
    std::vector<const probe::Timeline*> record(const probe::TimelineOptions& options);
    void begin_record(std::uint32_t launch);
    void end_record();

    // From now on the first threads of each launch that is not timed are traced (docs/oracle.md); what is kept lives as
    // long as this.
    const probe::ThreadTraces& trace_threads(const probe::ThreadTraceOptions& options);

    // Blocks of the launch that an SM can hold at once, and what keeps it from holding more.
    [[nodiscard]] sm::Occupancy occupancy(const exec::Launch& launch) const;

    // Divergent accesses over time, of all SMs; nothing where cores do not look at them.
    [[nodiscard]] std::optional<probe::MissIntervals> miss_intervals() const;

    // Counted so far, over all launches and SMs: timed and functional.
    [[nodiscard]] sm::CoreStats core_stats(bool timed) const;
    [[nodiscard]] const stats::Tree& tree(bool timed) const {
        return timed ? timed_tree_ : functional_tree_;
    }
    [[nodiscard]] Cycle now() const {
        return now_;
    }
    [[nodiscard]] unsigned sms() const {
        return static_cast<unsigned>(timed_.size());
    }
    // That share the simulation.
    [[nodiscard]] unsigned host_threads() const {
        return workers_ ? workers_->members() : 1;
    }

private:
    using Cores = std::vector<std::unique_ptr<sm::Core>>;

    [[nodiscard]] std::uint64_t warp_instructions(const Cores& cores) const;
    [[nodiscard]] static bool busy(const Cores& cores);
    [[nodiscard]] Stop reached(const Limits& limits, bool timed, Cycle cycles, std::uint64_t instructions) const;
    // Runs the cores for a while; gives the cycle that was reached: at most `look` with one SM, at most `last` with
    // several, whose windows nothing else cuts short.
    Cycle advance(const Cores& cores, Cycle now, Cycle look, Cycle last);
    Cycle run_window(Cycle now, Cycle last);
    void run_domains(Cycle now, Cycle end);
    void run_core(unsigned sm);
    void look_at_cores();
    void send_all();
    void send(unsigned sm);
    void receive(Cycle end);
    void apply_stores();
    void report_standstill(Cycle now);
    void drain();
    [[nodiscard]] std::span<const unsigned> order();

    config::Machine machine_;
    const ir::Program& program_;
    GpuConfig config_;
    std::unique_ptr<mem::MemorySystem> memory_system_; // on machines with an interconnect
    Cores timed_;
    Cores functional_;                                        // one
    sm::Functional* untimed_ = nullptr;                       // the one of functional_
    std::vector<exec::Executor*> executors_;                  // of timed_
    std::vector<std::unique_ptr<probe::Timeline>> timelines_; // of timed_; empty: nothing is recorded
    stats::Tree timed_tree_;
    stats::Tree functional_tree_;
    Cycle now_ = 0;          // of the timed cores: launches follow each other
    Cycle instructions_ = 0; // the functional core's clock

    // What a window asks of every core lies side by side: most of them have nothing to do in most windows.
    std::vector<Cycle> wakes_;           // of timed_
    std::vector<sm::MemoryPort*> ports_; // of timed_
    struct {
        Cycle begin, end;
    } window_{};                           // that runs
    mem::SmSet ran_;                       // SMs that have run in it
    std::vector<exec::Executor*> writers_; // theirs
    std::vector<unsigned> order_;          // in which the SMs are simulated
    bool shuffled_ = false;                // another in each window
    MmixGenerator shuffles_;
    struct {
        std::exception_ptr what;
        Cycle at = kNever;
        unsigned sm = 0;
    } fault_; // the first of a window, by cycle and SM
    std::mutex fault_mutex_;
    std::optional<WorkerPool> workers_; // with more than one host thread; the last member: its threads use the others
};

} // namespace heddle::gpu
