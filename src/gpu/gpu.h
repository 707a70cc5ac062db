// The device: its SMs, the thread-block scheduler and the memory.
//
// SMs that share a memory run in windows. A window has as many cycles as a message between an SM and the network takes.
// In a window each SM and the memory are simulated independently, optionally on several host threads. Messages, starts
// of blocks and the stores of an SM take effect for the others at the end of the window (docs/parallel.md). A single SM
// with its own DRAM has no windows: it runs until the device has other work. In a launch with clusters the SMs are
// simulated cycle by cycle, since threads access the shared memory of other SMs at once.
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
#include "check/checker.h"
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

struct Limits { // limits of one launch; 0: none
    std::uint64_t cycles = 0;
    std::uint64_t warp_instructions = 0;
};

struct Outcome {
    Cycle cycles = 0; // 0 when the launch was not timed
    Stop stop = Stop::None;
};

class Gpu {
public:
    // `host_threads`: at least 1. More than one share the domains of a machine with several SMs, unless it is traced.
    // Results do not depend on their number. `is_timed`: all launches are.
    Gpu(const config::Machine& machine, exec::MemoryImage& image, const ir::Program& program,
        const sm::TraceSink& trace, std::uint64_t host_threads, bool is_timed);

    // The reason why a launch cannot run on this machine; empty when it can.
    [[nodiscard]] std::string refusal(const exec::Launch& launch, bool timed) const;
    // Opcodes of the kernel that are not implemented, one a line.
    [[nodiscard]] std::string unsupported(const ir::Kernel& kernel);
    // Runs a launch to its end. `timed` false: functionally. `progress` is called from time to time with the cycles so
    // far. Throws exec::Fault; the counters then keep their values.
    Outcome run(exec::Launch launch, bool timed, const Limits& limits, const std::atomic<bool>& interrupted,
                const std::function<void(Cycle)>& progress);

    // Passes the text that threads have printed since the last call, in the order of cycles, SMs and execution.
    void print(const std::function<void(std::string_view)>& output);

    // The accesses of threads since the last call that have passed though no allocation holds them: SM by SM.
    [[nodiscard]] std::vector<exec::Overrun> take_overruns();

    // From now on the checker reads what the threads of each launch do.
    void check(check::Checker& checker);
    // The checker reads the logs since the last call. run() reads them all the time; after a fault the rest is unread.
    void read_logs();

    // From now on each SM has a timeline, which lives as long as this device. Call begin_record() before launch number
    // `launch` of the run, of kernel number `kernel`, and end_record() after it, however it ended.
    std::vector<const probe::Timeline*> record(const probe::TimelineOptions& options);
    // From now on each SM, and what runs launches without time, counts by instruction (docs/profile.md). The same calls
    // go around each launch.
    void count_by_instruction();
    void begin_record(std::uint32_t launch, std::size_t kernel);
    void end_record();
    // The sum of these counts, over all SMs and launches so far.
    [[nodiscard]] probe::SmProfile profile() const;

    // From now on traces the first threads of each launch that is not timed (docs/oracle.md). The result lives as long
    // as this device.
    const probe::ThreadTraces& trace_threads(const probe::ThreadTraceOptions& options);

    // The number of blocks of the launch that an SM can hold at once, and the limit.
    [[nodiscard]] sm::Occupancy occupancy(const exec::Launch& launch) const;

    // Blocks of the launch that each part of the device holds in which a cluster has to lie: a GPC, or the whole device
    // where the machine has no GPCs.
    [[nodiscard]] std::vector<std::uint64_t> cluster_rooms(const exec::Launch& launch) const;
    [[nodiscard]] std::uint64_t largest_cluster(const exec::Launch& launch) const; // blocks: the largest room

    // Divergent accesses of all SMs over time; nothing where cores do not record them.
    [[nodiscard]] std::optional<probe::MissIntervals> miss_intervals() const;

    // Counters over all launches and SMs so far: timed or functional.
    [[nodiscard]] sm::CoreStats core_stats(bool timed) const;
    // The threads of blocks that have not ended, by the instruction at which they stand.
    [[nodiscard]] sm::ThreadsByPlace threads_by_place(bool timed) const;
    [[nodiscard]] const stats::Tree& tree(bool timed) const {
        return timed ? timed_tree_ : functional_tree_;
    }
    [[nodiscard]] Cycle now() const {
        return now_;
    }
    [[nodiscard]] unsigned sms() const {
        return static_cast<unsigned>(timed_.size());
    }
    // The host has written device memory while no kernel runs.
    void host_writes(Address begin, std::uint64_t bytes) {
        if (memory_system_)
            memory_system_->host_writes(begin, bytes);
    }
    // The host has copied the code of a kernel, and the constants that it reads, without its parameters.
    void host_writes_code(const ir::Kernel& kernel);
    // Host threads that share the simulation.
    [[nodiscard]] unsigned host_threads() const {
        return workers_ ? workers_->members() : 1;
    }

private:
    using Cores = std::vector<std::unique_ptr<sm::Core>>;

    // The host has written the kernel's constants: the bank of its parameters, or the others.
    void host_writes_constants(const ir::Kernel& kernel, bool parameters);

    // SMs whose blocks are resident together in a launch without timing: those that it needs as a whole, if the machine
    // has so many; else those that hold a cluster, or 1.
    [[nodiscard]] unsigned joined_sms(const exec::Launch& launch) const;
    [[nodiscard]] std::uint64_t warp_instructions(const Cores& cores) const;
    [[nodiscard]] static bool busy(const Cores& cores);
    [[nodiscard]] Stop reached(const Limits& limits, bool timed, Cycle cycles, std::uint64_t instructions) const;
    // Runs the cores for a while. Returns the cycle reached: at most `look` with one SM, at most `last` with several,
    // whose windows are never cut short.
    Cycle advance(const Cores& cores, Cycle now, Cycle look, Cycle last);
    Cycle run_window(Cycle now, Cycle last);
    void run_domains(Cycle now, Cycle end);
    void run_in_step(Cycle now, Cycle end);
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
    const bool is_timed_;
    const GpuConfig config_;
    const LaunchConfig launch_;
    const sm::CoreConfig core_;
    const sm::SharedRoom shared_;
    std::vector<std::vector<std::size_t>> gpcs_;       // the SMs of each; empty: the machine has none
    std::unique_ptr<mem::MemorySystem> memory_system_; // null: the machine has no interconnect
    Cores timed_;
    Cores functional_;                                        // one core
    sm::Functional* untimed_ = nullptr;                       // the one of functional_
    std::vector<exec::Executor*> executors_;                  // of timed_
    std::vector<std::unique_ptr<probe::Timeline>> timelines_; // of timed_; empty: nothing is recorded
    std::vector<std::unique_ptr<probe::SmProfile>>
        profiles_; // of timed_, then of functional_; empty: nothing is counted
    stats::Tree timed_tree_;
    stats::Tree functional_tree_;
    check::Checker* checker_ = nullptr;                  // null: nothing is checked
    std::vector<std::unique_ptr<check::EventLog>> logs_; // of the functional core, then of the timed ones
    std::vector<check::EventLog*> read_;                 // the same
    Cycle now_ = 0;                                      // of the timed cores: launches follow each other
    Cycle instructions_ = 0;                             // the functional core's clock

    // What each window reads of every core is in arrays: most cores have no work in most windows.
    std::vector<Cycle> wakes_;           // of timed_
    std::vector<sm::MemoryPort*> ports_; // of timed_
    struct {
        Cycle begin, end;
    } window_{};                           // the running window
    mem::SmSet ran_;                       // SMs that have run in the window
    std::vector<exec::Executor*> writers_; // the executors of these SMs
    std::vector<unsigned> order_;          // the order in which the SMs are simulated
    bool shuffled_ = false;                // a new order in each window
    MmixGenerator shuffles_;
    struct {
        std::exception_ptr what;
        Cycle at = kNever;
        unsigned sm = 0;
    } fault_; // the first of a window, by cycle and SM
    std::mutex fault_mutex_;
    exec::ClusterTable* clusters_ = nullptr; // of the running launch, where clusters may have blocks on several SMs
    std::optional<WorkerPool> workers_; // null: one host thread; the last member, because its threads use the others
};

} // namespace heddle::gpu
