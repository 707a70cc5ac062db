// The implementation of a Device, for the files of this folder: device.cpp (modules, properties, results),
// device_memory.cpp and device_launch.cpp.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "check/checker.h"
#include "exec/memory_image.h"
#include "exec/texture.h"
#include "gpu/gpu.h"
#include "report/result.h"
#include "runtime/child_launches.h"
#include "runtime/device.h"
#include "runtime/device_code/functions.h"
#include "runtime/device_config.h"
#include "runtime/device_heap.h"
#include "runtime/graph_launcher.h"
#include "runtime/module.h"
#include "sm/frame/core_config.h"

namespace heddle::runtime {

struct Device::Impl {
    Impl(config::Machine m, Options o)
        : machine(std::move(m)), options(std::move(o)), core(machine.get<sm::CoreConfig>()),
          image(machine.get<DeviceConfig>().memory, {.alignment = machine.get<DeviceConfig>().allocation_alignment,
                                                     .gap = machine.get<DeviceConfig>().allocation_gap}),
          gpu(machine, image, program, options.trace, options.functional ? 1 : options.host_threads,
              !options.functional && !options.timed_kernels) {
        result.program = options.program;
        result.machine = machine.name();
        result.config = machine.values();
        if (options.timeline)
            result.timelines = gpu.record(*options.timeline);
        if (options.profile)
            gpu.count_by_instruction();
        if (options.checks.any())
            result.checks.emplace();
        if (options.checks.of_threads())
            gpu.check(checker.emplace(options.checks));
        if (options.thread_traces)
            traces = &gpu.trace_threads(*options.thread_traces);
    }

    config::Machine machine;
    Options options;
    sm::CoreConfig core;
    ir::Program program;
    exec::MemoryImage image;
    VirtualMemory virtual_memory{image};
    HostPages host_pages{image};
    FixedMemory fixed_memory{image};
    ChildLaunches children{image, program};
    std::vector<int> attributes;     // of the device, by cudaDeviceAttr, for device code
    GraphLauncher* graphs = nullptr; // null: there are no graphs
    exec::TextureTable textures;
    std::optional<check::Checker> checker; // nothing: threads are not checked
    std::set<Address> fresh;               // allocations in which only what was written counts as initialised
    bool checks_finished = false;
    struct {
        std::string kernel;
        Dim3 grid, block;
    } checked; // the launch that is checked
    gpu::Gpu gpu;
    std::vector<Variables> variables;      // by module
    std::vector<KernelInfo> kernels;       // parallel to program.kernels
    std::set<KernelId> provided;           // kernels whose code is on the device
    std::set<KernelId> made;               // kernels with native code
    std::map<KernelId, ir::Kernel> of_ptx; // of these: as their PTX has it, without native code
    report::RunResult result;
    std::vector<std::size_t> launched;           // parallel to result.kernels: the number of the kernel
    const probe::ThreadTraces* traces = nullptr; // null: threads are not traced
    Address grid_barrier = 0;                    // barrier of cooperative launches; 0 before the first one
    Address heap = 0;                            // heap of device code; 0 before the first launch that needs it
    std::uint64_t heap_bytes = kDefaultHeapBytes;
    std::uint64_t launches = 0;
    std::uint64_t cycles = 0, warp_instructions = 0; // over all launches; compared with limits
    Stop stopped = Stop::None;
    struct OverrunLine {
        std::uint64_t accesses = 0, launches = 0;
    };
    std::map<std::string, OverrunLine> overruns; // by source line
    std::vector<std::string> warnings;           // not taken yet

    // Everything so far. A program that an interrupt ends between two launches is interrupted too.
    [[nodiscard]] report::RunResult results() const;
    void add_kernels(std::size_t first, const LoadedModule& module);
    // Where a launch comes from: so many launches below one of the host, and the number of the launch above it.
    struct Origin {
        unsigned depth = 0;
        std::optional<std::size_t> parent = std::nullopt;
    };
    // Runs one grid.
    LaunchResult run(KernelId id, const LaunchShape& shape, std::span<const std::byte> parameters,
                     std::optional<std::size_t> parent);
    // Runs a grid and those that it launches.
    LaunchResult run_family(const Device& device, KernelId id, const LaunchShape& shape,
                            std::span<const std::byte> parameters, const Origin& origin);
    [[nodiscard]] bool launches_grids(const ir::Kernel& kernel) const;
    // Whether the kernel or a function that it calls is such a function.
    [[nodiscard]] bool reaches(const ir::Kernel& kernel, Predicate is_function) const;
    void show_graph(const ir::Kernel& kernel);
    void provide_queue(const Device& device, const ir::Kernel& kernel, unsigned depth);
    void transfer(device_code::Record::Kind kind, const device_code::Box& box);
    [[nodiscard]] exec::Launch prepare(const ir::Kernel& kernel, const LaunchShape& shape,
                                       std::span<const std::byte> parameters, bool timed);
    // What the room for a launch depends on.
    [[nodiscard]] exec::Launch launch_of(KernelId id, const LaunchShape& shape) const;
    static void set_clusters(exec::Launch& launch, const LaunchShape& shape);
    [[nodiscard]] bool is_timed() const;
    void make_first_code(KernelId);
    void know_registers(KernelId);
    void provide_code(KernelId id, std::uint64_t threads);
    void count_for_block(KernelId id, std::uint64_t threads);
    void make_code(KernelId id, unsigned registers); // native; 0: as many as the code needs
    [[nodiscard]] unsigned registers_of_thread(std::uint64_t threads) const;
    [[nodiscard]] Address make_grid_barrier(const exec::Launch& launch);
    [[nodiscard]] bool uses_heap(const ir::Kernel& kernel) const;
    void provide_heap(const ir::Kernel& kernel);
    void show_heap();
    void note_overruns();
    void begin_checks(const exec::Launch& launch);
    void end_checks(bool stuck);
    // Reports what the checker has found since the last call.
    void report_checks();
    // The same of any findings.
    void report_new(check::Findings& findings);
    [[nodiscard]] check::Findings leaks() const;
    [[nodiscard]] report::CheckResult describe(const check::Finding& finding) const;
    [[nodiscard]] report::CheckedPlace describe(const check::Place& place, const std::string& action) const;
    void note_written(Address begin, std::uint64_t bytes);
    void check_range(Address begin, std::uint64_t bytes, const char* what) const;
    [[nodiscard]] gpu::Limits limits_left() const;
    // The limit that earlier launches have used up, if any.
    [[nodiscard]] Stop used_up(bool timed) const;
};

} // namespace heddle::runtime
