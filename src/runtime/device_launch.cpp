// Launches on a device, and their results.
#include <atomic>
#include <chrono>
#include <cstring>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "config/plugins.h"
#include "exec/policy_fault.h"
#include "gpu/gpu_config.h"
#include "runtime/device_impl.h"
#include "runtime/launch_error.h"
#include "runtime/native_code.h"
#include "runtime/stopped_launch.h"

namespace heddle::runtime {
namespace {

std::atomic<bool> interrupted{false};

report::Status status_of(Stop stop) {
    switch (stop) {
    case Stop::None:
        return report::Status::Complete;
    case Stop::Interrupted:
        return report::Status::Interrupted;
    case Stop::MaxCycles:
        return report::Status::MaxCycles;
    case Stop::MaxInstructions:
        return report::Status::MaxInstructions;
    }
    return report::Status::Complete;
}

double seconds_since(std::chrono::steady_clock::time_point begin) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// Runs a launch. A policy of a plug-in may throw what is neither a fault nor a UserError: it becomes a fault.
template <class F>
gpu::Outcome simulate(F&& run) {
    std::string what;
    try {
        return run();
    } catch (const exec::Fault&) {
        throw;
    } catch (const UserError&) {
        throw;
    } catch (const std::exception& thrown) {
        if (config::plugins().empty())
            throw;
        what = thrown.what();
    } catch (...) {
        if (config::plugins().empty())
            throw;
        what = "an exception without a text";
    }
    std::vector<std::string> names;
    for (const config::Plugin& plugin : config::plugins())
        names.push_back(plugin.name);
    exec::policy_fault(fmt::format("a policy of the plug-in {}", fmt::join(names, " or ")),
                       "it throws an exception: " + what, "none but exec::Fault, formation::Livelock and UserError");
}

// Counters of a core at one time.
struct Marks {
    std::uint64_t warp_instructions, thread_instructions, cycles, blocks;
    probe::SlotCounts slots;
    stats::Histogram lanes;
    stats::Snapshot stats;

    Marks(const sm::CoreStats& core, const stats::Tree& tree)
        : warp_instructions(core.warp_instructions), thread_instructions(core.thread_instructions), cycles(core.cycles),
          blocks(core.blocks), slots(core.slots), lanes(core.active_lanes), stats(tree.snapshot()) {}
};

// `cycles`: the cycles of the launch.
report::Counts counts_since(const Marks& before, const sm::CoreStats& core, const stats::Tree& tree, unsigned width,
                            Cycle cycles, bool timed) {
    report::Counts out;
    out.cycles = cycles;
    out.warp_instructions = core.warp_instructions - before.warp_instructions;
    out.thread_instructions = core.thread_instructions - before.thread_instructions;
    out.active_lanes.resize(width + 1);
    for (unsigned i = 1; i <= width; ++i)
        out.active_lanes[i] = core.active_lanes[i] - before.lanes[i];
    if (timed) {
        std::uint64_t slots = 0;
        for (std::size_t i = 0; i < probe::kSlots.size(); ++i) {
            const std::uint64_t count = core.slots[i] - before.slots[i];
            slots += count;
            if (count != 0 || !probe::kSlots[i].is_rare)
                out.stalls.emplace_back(probe::kSlots[i].name, count);
        }
        const std::uint64_t carried = out.warp_instructions;
        out.active_lanes[0] = slots > carried ? slots - carried : 0;
    }
    out.stats = tree.snapshot() - before.stats;
    return out;
}

} // namespace

bool Device::Impl::is_timed() const {
    if (options.functional)
        return false;
    return !options.timed_kernels ||
           (launches >= options.timed_kernels->first && launches <= options.timed_kernels->second);
}

// Native code is made when it is first needed: a library has many kernels that a program does not launch. CUDA's host
// library copies the code of a kernel then, too.
// Code whose registers leave no room for a block of so many threads is made once more, with as many as there are.
void Device::Impl::provide_code(KernelId id, std::uint64_t threads) {
    const bool is_new = !provided.contains(id);
    bool is_made = false;
    if (core.code == "native") {
        make_first_code(id);
        const unsigned room = registers_of_thread(threads);
        is_made = room != 0 && sm::registers_of(core, program.kernels.at(id)) > room;
        if (is_made)
            make_code(id, room);
    }
    count_for_block(id, threads);
    if (is_new || is_made)
        gpu.host_writes_code(program.kernels.at(id));
    provided.insert(id);
}

// The code that a kernel has before its block needs one with fewer registers.
void Device::Impl::make_first_code(KernelId id) {
    if (made.contains(id))
        return;
    of_ptx.insert_or_assign(id, program.kernels.at(id));
    make_code(id, 0);
    made.insert(id);
}

// What a program asks of a kernel depends on the registers of its code. Where there is no code, a launch says why.
void Device::Impl::know_registers(KernelId id) {
    if (core.code != "native" || made.contains(id))
        return;
    try {
        make_first_code(id);
        kernels.at(id).registers = sm::registers_of(core, program.kernels.at(id));
    } catch (const UserError&) {
        return;
    }
}

// On machines without native code: PTX has up to twice the registers of a compiler's code, so that a block without room
// for them may have room for those of the code.
void Device::Impl::count_for_block(KernelId id, std::uint64_t threads) {
    ir::Kernel& kernel = program.kernels.at(id);
    if (core.code == "native" || core.registers == 0 || kernel.code_registers != 0 ||
        sm::registers_of(core, kernel) <= sm::registers_for(core, threads))
        return;
    const std::uint32_t of_code = registers_of_code(program, kernel);
    kernel.code_registers = of_code != 0 ? of_code : kernel.registers;
}

// The most that threads of a block of this size can have; 0: there is no limit, or too little room for any code.
unsigned Device::Impl::registers_of_thread(std::uint64_t threads) const {
    constexpr std::uint64_t kLeast = 16;
    const std::uint64_t room = sm::registers_for(core, threads);
    return room < kLeast ? 0 : static_cast<unsigned>(std::min<std::uint64_t>(room, UINT32_MAX));
}

void Device::Impl::make_code(KernelId id, unsigned registers) {
    ir::Kernel kernel = of_ptx.at(id);
    make_native(program, kernel, machine.get<DeviceConfig>().compute_capability,
                {.registers = registers,
                 .rows_stay_whole = core.make_formation(core.formation, machine)->needs().units_are_rows,
                 .in_place = machine.get<NativeConfig>().inline_limit});
    program.kernels.at(id) = std::move(kernel);
}

Stop Device::Impl::used_up(bool timed) const {
    if (timed && options.max_cycles != 0 && cycles >= options.max_cycles)
        return Stop::MaxCycles;
    if (options.max_instructions != 0 && warp_instructions >= options.max_instructions)
        return Stop::MaxInstructions;
    return Stop::None;
}

// The limits that remain for the next launch.
gpu::Limits Device::Impl::limits_left() const {
    gpu::Limits left;
    if (options.max_cycles != 0)
        left.cycles = options.max_cycles - cycles;
    if (options.max_instructions != 0)
        left.warp_instructions = options.max_instructions - warp_instructions;
    return left;
}

// Memory for the barrier of a cooperative launch, in the form of exec::Launch.
Address Device::Impl::make_grid_barrier(const exec::Launch& launch) {
    const std::uint64_t room = gpu.occupancy(launch).blocks * machine.get<gpu::GpuConfig>().sms;
    if (launch.grid.count() > room)
        throw launch_error(*launch.kernel, fmt::format("a cooperative launch of {} blocks, all of which have to run at "
                                                       "once; {} can",
                                                       launch.grid.count(), room));
    constexpr std::uint64_t kBytes = 8;
    if (grid_barrier == 0)
        grid_barrier = image.allocate(kBytes, "barrier of the grid");
    if (grid_barrier == 0)
        throw launch_error(*launch.kernel, "the device has no memory left for the barrier of the grid");
    image.set_owner(grid_barrier, exec::Owner::Simulator);
    std::memset(image.host(grid_barrier), 0, kBytes);
    return grid_barrier;
}

// Sets the clusters of a launch, and its grid where the kernel counts it in clusters.
void Device::Impl::set_clusters(exec::Launch& launch, const LaunchShape& shape) {
    const ir::Kernel& kernel = *launch.kernel;
    const Dim3 required = kernel.required_cluster;
    const bool named = !(shape.cluster == Dim3{0, 0, 0});
    if (named && required.count() != 0 && !(required == shape.cluster))
        throw launch_error(kernel, fmt::format("clusters of {}x{}x{} blocks; its .reqnctapercluster asks for "
                                               "{}x{}x{}",
                                               shape.cluster.x, shape.cluster.y, shape.cluster.z, required.x,
                                               required.y, required.z));
    if (kernel.explicit_cluster && !named && required.count() == 0)
        throw launch_error(kernel, "its .explicitcluster asks for a launch that names the shape of a cluster");
    if (named || required.count() != 0) {
        launch.cluster = named ? shape.cluster : required;
        launch.explicit_cluster = true;
    }
    if (!kernel.blocks_are_clusters)
        return;
    const auto blocks = [&](std::uint32_t clusters, std::uint32_t size) {
        if (std::uint64_t{clusters} * size > UINT32_MAX)
            throw launch_error(kernel,
                               fmt::format("{} clusters of {} blocks in one dimension are too many", clusters, size));
        return clusters * size;
    };
    launch.grid = {blocks(launch.grid.x, launch.cluster.x), blocks(launch.grid.y, launch.cluster.y),
                   blocks(launch.grid.z, launch.cluster.z)};
}

// Prepares the launch of a kernel that can run, with the device memory that it needs.
exec::Launch Device::Impl::prepare(const ir::Kernel& kernel, const LaunchShape& shape,
                                   std::span<const std::byte> parameters, bool timed) {
    exec::Launch launch{.program = &program,
                        .kernel = &kernel,
                        .grid = shape.grid,
                        .block = shape.block,
                        .dynamic_shared = shape.dynamic_shared,
                        .parameters = parameters,
                        .grid_id = launches++,
                        .strict = options.strict || options.checks.memory,
                        .nanoseconds_per_cycle = 1000.0 / core.clock_mhz,
                        .textures = &textures};
    set_clusters(launch, shape);
    if (const std::string reason = gpu.refusal(launch, timed); !reason.empty())
        throw launch_error(kernel, reason);
    if (const std::string reason = gpu.unsupported(kernel); !reason.empty())
        throw launch_error(kernel, reason);
    provide_heap(kernel);
    show_graph(kernel);
    if (shape.cooperative)
        launch.grid_barrier = make_grid_barrier(launch);
    return launch;
}

LaunchResult Device::Impl::run(KernelId id, const LaunchShape& shape, std::span<const std::byte> parameters,
                               std::optional<std::size_t> parent) {
    if (stopped != Stop::None)
        return {.stop = stopped};
    const ir::Kernel& kernel = program.kernels.at(id);
    const bool timed = is_timed();
    stopped = used_up(timed);
    if (stopped != Stop::None) {
        result.status = status_of(stopped);
        return {.stop = stopped};
    }
    provide_code(id, shape.block.count());
    const exec::Launch launch = prepare(kernel, shape, parameters, timed);
    const stats::Tree& tree = gpu.tree(timed);
    const Marks before(gpu.core_stats(timed), tree);
    const Cycle start = gpu.now();
    const auto began = std::chrono::steady_clock::now();
    LaunchResult out;
    begin_checks(launch);
    gpu.begin_record(static_cast<std::uint32_t>(result.kernels.size()), id);
    const auto record = [&] {
        gpu.end_record();
        note_overruns();
        const double wall = seconds_since(began);
        report::Counts counts = counts_since(before, gpu.core_stats(timed), tree, static_cast<unsigned>(core.width),
                                             gpu.now() - start, timed);
        out.cycles = counts.cycles;
        out.warp_instructions = counts.warp_instructions;
        out.thread_instructions = counts.thread_instructions;
        cycles += counts.cycles;
        warp_instructions += counts.warp_instructions;
        result.host.wall_seconds += wall;
        const sm::Occupancy occupancy = gpu.occupancy(launch);
        launched.push_back(id);
        result.kernels.push_back({kernel.name, launch.grid, shape.block, sm::registers_of(core, kernel),
                                  occupancy.blocks, std::string(occupancy.limited_by), timed, std::move(counts), start,
                                  launch.shared_bytes(), launch.explicit_cluster ? launch.cluster : Dim3{0, 0, 0},
                                  parent});
    };
    const auto progress = [&](Cycle done) {
        gpu.print(options.output);
        report_checks();
        if (!options.progress)
            return;
        const sm::CoreStats now = gpu.core_stats(timed);
        options.progress({.cycles = cycles + (timed ? done : 0),
                          .warp_instructions = warp_instructions + now.warp_instructions - before.warp_instructions,
                          .kernel = kernel.name,
                          .blocks = launch.grid.count(),
                          .ended_blocks = now.blocks - before.blocks,
                          .launch_seconds = seconds_since(began)});
    };
    try {
        const gpu::Outcome outcome =
            simulate([&] { return gpu.run(launch, timed, limits_left(), interrupted, progress); });
        stopped = out.stop = outcome.stop;
        if (stopped == Stop::Interrupted || stopped == Stop::MaxCycles)
            warnings.push_back(stopped_launch(program, kernel, gpu.threads_by_place(timed)));
    } catch (const exec::Fault& fault) {
        gpu.print(options.output);
        end_checks(fault.kind() == exec::Fault::Kind::Stuck);
        record();
        result.status = report::Status::Failed;
        result.error = fault.what();
        throw;
    }
    gpu.print(options.output);
    end_checks(false);
    record();
    result.status = status_of(stopped);
    return out;
}

report::RunResult Device::Impl::results() const {
    report::RunResult out = result;
    out.plugins.assign(config::plugins().begin(), config::plugins().end());
    if (interrupted && out.status == report::Status::Complete)
        out.status = report::Status::Interrupted;
    return out;
}

LaunchResult Device::launch(KernelId id, const LaunchShape& shape, std::span<const std::byte> parameters) {
    return impl_->run_family(*this, id, shape, parameters, {});
}

LaunchResult Device::launch(KernelId id, const LaunchShape& shape, void* const* arguments) {
    const KernelInfo& kernel = info(id);
    std::vector<std::byte> block(kernel.parameter_bytes);
    for (std::size_t i = 0; i < kernel.parameters.size(); ++i)
        std::memcpy(block.data() + kernel.parameters[i].offset, arguments[i], kernel.parameters[i].bytes);
    return impl_->run_family(*this, id, shape, block, {});
}

void Device::interrupt() noexcept {
    interrupted = true;
}

void Device::clear_interrupt() noexcept {
    interrupted = false;
}

} // namespace heddle::runtime
