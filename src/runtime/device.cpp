#include "runtime/device.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <limits>

#include <fmt/format.h>
#include <sys/resource.h>

#include "exec/executor.h"
#include "exec/memory_image.h"
#include "gpu/gpu.h"
#include "gpu/gpu_config.h"
#include "mem/dram_config.h"
#include "mem/llc_config.h"
#include "report/json.h"
#include "report/result.h"
#include "report/thread_traces.h"
#include "report/timeline.h"
#include "runtime/device_config.h"
#include "runtime/device_heap.h"
#include "runtime/module.h"
#include "sm/core_config.h"

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

// Counters of a core at a moment, and what they grew by since.
struct Marks {
    std::uint64_t warp_instructions, thread_instructions, cycles;
    probe::SlotCounts slots;
    stats::Histogram lanes;
    stats::Snapshot stats;

    Marks(const sm::CoreStats& core, const stats::Tree& tree)
        : warp_instructions(core.warp_instructions), thread_instructions(core.thread_instructions), cycles(core.cycles),
          slots(core.slots), lanes(core.active_lanes), stats(tree.snapshot()) {}
};

// `cycles`: that the launch took.
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
            out.stalls.emplace_back(probe::kSlots[i].name, core.slots[i] - before.slots[i]);
            slots += out.stalls.back().second;
        }
        const std::uint64_t carried = out.warp_instructions;
        out.active_lanes[0] = slots > carried ? slots - carried : 0;
    }
    out.stats = tree.snapshot() - before.stats;
    return out;
}

} // namespace

struct Device::Impl {
    Impl(config::Machine m, Options o)
        : machine(std::move(m)), options(std::move(o)), core(machine.get<sm::CoreConfig>()),
          image(machine.get<DeviceConfig>().memory), gpu(machine, image, program, options.trace) {
        result.machine = machine.name();
        result.config = machine.values();
        if (options.timeline)
            result.timelines = gpu.record(*options.timeline);
        if (options.thread_traces)
            traces = &gpu.trace_threads(*options.thread_traces);
    }

    config::Machine machine;
    Options options;
    sm::CoreConfig core;
    ir::Program program;
    exec::MemoryImage image;
    exec::TextureTable textures;
    gpu::Gpu gpu;
    std::vector<Variables> variables; // by module
    std::vector<KernelInfo> kernels;  // parallel to program.kernels
    report::RunResult result;
    const probe::ThreadTraces* traces = nullptr; // of threads; null: none are kept
    Address grid_barrier = 0;                    // of cooperative launches, from the first one on
    Address heap = 0;                            // of device code, from the first launch on that needs it
    std::uint64_t heap_bytes = kDefaultHeapBytes;
    std::uint64_t launches = 0;
    std::uint64_t cycles = 0, warp_instructions = 0; // over all launches, for limits
    Stop stopped = Stop::None;

    void add_kernels(std::size_t first);
    LaunchResult run(KernelId id, const LaunchShape& shape, std::span<const std::byte> parameters);
    [[nodiscard]] bool is_timed() const;
    [[nodiscard]] Address make_grid_barrier(const exec::Launch& launch, bool timed);
    [[nodiscard]] bool uses_heap(const ir::Kernel& kernel) const;
    void provide_heap(const ir::Kernel& kernel);
    void show_heap();
    void check_range(Address begin, std::uint64_t bytes, const char* what) const;
    [[nodiscard]] gpu::Limits limits_left() const;
    // The limit that earlier launches have used up, if one is.
    [[nodiscard]] Stop used_up(bool timed) const;
};

Device::Device(config::Machine machine, Options options)
    : impl_(std::make_unique<Impl>(std::move(machine), std::move(options))) {}
Device::~Device() = default;

ModuleId Device::load_module(std::string name, std::string ptx) {
    return load_module({{std::move(name), std::move(ptx)}});
}

ModuleId Device::load_module(std::vector<PtxText> texts) {
    const std::size_t first = impl_->program.kernels.size();
    impl_->variables.push_back(load(std::move(texts), impl_->image, impl_->program));
    impl_->add_kernels(first);
    impl_->show_heap();
    return static_cast<ModuleId>(impl_->variables.size() - 1);
}

void Device::Impl::add_kernels(std::size_t first) {
    for (std::size_t k = first; k < program.kernels.size(); ++k) {
        const ir::Kernel& kernel = program.kernels[k];
        KernelInfo info{.name = kernel.name,
                        .parameters = {},
                        .parameter_bytes = kernel.parameter_bytes,
                        .registers = sm::registers_of(core, kernel),
                        .static_shared = kernel.static_shared,
                        .local_bytes = kernel.local_bytes,
                        .max_threads = kernel.max_threads};
        for (const ir::Parameter& p : kernel.parameters)
            info.parameters.push_back({p.offset, p.bytes, p.alignment});
        kernels.push_back(std::move(info));
    }
}

KernelId Device::kernel(ModuleId module, std::string_view name) const {
    const ir::Kernel* kernel = impl_->program.find_kernel(module, name);
    if (kernel == nullptr) {
        std::string known;
        for (const ir::Kernel& k : impl_->program.kernels)
            if (k.module == module)
                known += (known.empty() ? "" : ", ") + k.name;
        throw UserError(fmt::format("{} has no entry '{}'; its entries: {}", impl_->program.modules[module], name,
                                    known.empty() ? "none" : known));
    }
    return static_cast<KernelId>(kernel - impl_->program.kernels.data());
}

std::vector<std::string> Device::kernel_names(ModuleId module) const {
    std::vector<std::string> out;
    for (const ir::Kernel& k : impl_->program.kernels)
        if (k.module == module)
            out.push_back(k.name);
    return out;
}

const KernelInfo& Device::info(KernelId id) const {
    return impl_->kernels.at(id);
}

Variable Device::variable(ModuleId module, std::string_view name) const {
    const Variables& variables = impl_->variables.at(module);
    const auto at = variables.find(name);
    if (at == variables.end())
        throw UserError(fmt::format("{} has no variable '{}'", impl_->program.modules[module], name));
    return at->second;
}

Address Device::allocate(std::uint64_t bytes, std::string label) {
    return impl_->image.allocate(bytes, std::move(label));
}

Address Device::allocate_shared(std::uint64_t bytes, std::string label) {
    return impl_->image.allocate_shared(bytes, std::move(label));
}

Address Device::allocate_pinned(std::uint64_t bytes, std::string label) {
    return impl_->image.allocate_pinned(bytes, std::move(label));
}

bool Device::release(Address address) {
    return impl_->image.release(address);
}

void Device::Impl::check_range(Address begin, std::uint64_t bytes, const char* what) const {
    if (bytes == 0 || image.find(begin, bytes) != nullptr)
        return;
    const exec::Allocation* near = image.nearest(begin);
    throw UserError(fmt::format("{} of {} bytes at {:#x} is outside every allocation{}", what, bytes, begin,
                                near == nullptr ? std::string()
                                                : fmt::format("; the nearest is '{}', {} bytes at {:#x}{}", near->label,
                                                              near->bytes, near->begin, near->live ? "" : ", freed")));
}

std::uint64_t Device::add_texture(const Texture& what) {
    impl_->check_range(what.texels.begin, what.texels.bytes(), "a texture");
    return impl_->textures.add(what);
}

bool Device::remove_texture(std::uint64_t handle) {
    return impl_->textures.remove(handle);
}

const Texture* Device::texture(std::uint64_t handle) const {
    return impl_->textures.find(handle);
}

void Device::write(Address to, const void* from, std::uint64_t bytes) {
    impl_->check_range(to, bytes, "a copy to the device");
    if (bytes != 0)
        std::memcpy(impl_->image.host(to), from, bytes);
}

void Device::read(void* to, Address from, std::uint64_t bytes) const {
    impl_->check_range(from, bytes, "a copy from the device");
    if (bytes != 0)
        std::memcpy(to, impl_->image.host(from), bytes);
}

void Device::copy(Address to, Address from, std::uint64_t bytes) {
    impl_->check_range(from, bytes, "the source of a copy");
    impl_->check_range(to, bytes, "the destination of a copy");
    if (bytes != 0)
        std::memmove(impl_->image.host(to), impl_->image.host(from), bytes);
}

void Device::fill(Address to, int byte, std::uint64_t bytes) {
    impl_->check_range(to, bytes, "a fill");
    if (bytes != 0)
        std::memset(impl_->image.host(to), byte, bytes);
}

bool Device::is_shared(Address address) const {
    const exec::Allocation* const found = impl_->image.find(address, 0);
    return found != nullptr && found->shared;
}

bool Device::owns(Address address) const {
    return address >= exec::kGlobalBase && address < exec::kGlobalBase + exec::kGlobalBytes;
}

bool Device::Impl::is_timed() const {
    if (options.functional)
        return false;
    return !options.timed_kernels ||
           (launches >= options.timed_kernels->first && launches <= options.timed_kernels->second);
}

Stop Device::Impl::used_up(bool timed) const {
    if (timed && options.max_cycles != 0 && cycles >= options.max_cycles)
        return Stop::MaxCycles;
    if (options.max_instructions != 0 && warp_instructions >= options.max_instructions)
        return Stop::MaxInstructions;
    return Stop::None;
}

// Of limits that are not used up.
gpu::Limits Device::Impl::limits_left() const {
    gpu::Limits left;
    if (options.max_cycles != 0)
        left.cycles = options.max_cycles - cycles;
    if (options.max_instructions != 0)
        left.warp_instructions = options.max_instructions - warp_instructions;
    return left;
}

// Memory for the barrier of a cooperative launch, as exec::Launch wants it.
Address Device::Impl::make_grid_barrier(const exec::Launch& launch, bool timed) {
    const std::uint64_t sms = timed ? machine.get<gpu::GpuConfig>().sms : 1;
    const std::uint64_t room = gpu.occupancy(launch).blocks * sms;
    if (launch.grid.count() > room)
        throw UserError(
            fmt::format("launch of '{}': a cooperative launch of {} blocks, all of which have to run at once; "
                        "{} can{}",
                        launch.kernel->name, launch.grid.count(), room,
                        timed ? "" : " without timing, which has the room of one SM"));
    constexpr std::uint64_t kBytes = 8;
    if (grid_barrier == 0)
        grid_barrier = image.allocate(kBytes, "barrier of the grid");
    if (grid_barrier == 0)
        throw UserError(fmt::format("launch of '{}': the device has no memory left for the barrier of the grid",
                                    launch.kernel->name));
    std::memset(image.host(grid_barrier), 0, kBytes);
    return grid_barrier;
}

bool Device::Impl::uses_heap(const ir::Kernel& kernel) const {
    return variables[kernel.module].contains(kHeapVariable) &&
           std::any_of(program.functions.begin(), program.functions.end(), [&](const ir::Function& f) {
               return f.begin >= kernel.begin && f.end <= kernel.end && is_heap_function(f.name);
           });
}

// All modules have one heap.
void Device::Impl::provide_heap(const ir::Kernel& kernel) {
    if (heap != 0 || !uses_heap(kernel))
        return;
    heap = make_heap(image, heap_bytes);
    if (heap == 0)
        throw UserError(
            fmt::format("launch of '{}': its malloc needs a heap of {} bytes (cudaLimitMallocHeapSize), and "
                        "the device has no room for it",
                        kernel.name, heap_bytes));
    show_heap();
}

void Device::Impl::show_heap() {
    for (const Variables& of_module : variables)
        if (const auto at = of_module.find(kHeapVariable); at != of_module.end())
            std::memcpy(image.host(at->second.address), &heap, sizeof heap);
}

bool Device::set_heap_bytes(std::uint64_t bytes) {
    if (impl_->heap != 0)
        return false;
    impl_->heap_bytes = bytes;
    return true;
}

std::uint64_t Device::heap_bytes() const {
    return impl_->heap_bytes;
}

void Device::drop_heap() {
    if (impl_->heap != 0)
        impl_->image.release(impl_->heap);
    impl_->heap = 0;
    impl_->heap_bytes = kDefaultHeapBytes;
}

LaunchResult Device::Impl::run(KernelId id, const LaunchShape& shape, std::span<const std::byte> parameters) {
    if (stopped != Stop::None)
        return {.stop = stopped};
    const ir::Kernel& kernel = program.kernels.at(id);
    const bool timed = is_timed();
    stopped = used_up(timed);
    if (stopped != Stop::None) {
        result.status = status_of(stopped);
        return {.stop = stopped};
    }
    exec::Launch launch{.program = &program,
                        .kernel = &kernel,
                        .grid = shape.grid,
                        .block = shape.block,
                        .dynamic_shared = shape.dynamic_shared,
                        .parameters = parameters,
                        .grid_id = launches++,
                        .nanoseconds_per_cycle = 1000.0 / core.clock_mhz,
                        .textures = &textures};
    if (const std::string reason = gpu.refusal(launch, timed); !reason.empty())
        throw UserError(fmt::format("launch of '{}': {}", kernel.name, reason));
    if (const std::string reason = gpu.unsupported(kernel); !reason.empty())
        throw UserError(fmt::format("launch of '{}': {}", kernel.name, reason));
    provide_heap(kernel);
    if (shape.cooperative)
        launch.grid_barrier = make_grid_barrier(launch, timed);

    const stats::Tree& tree = gpu.tree(timed);
    const Marks before(gpu.core_stats(timed), tree);
    const Cycle start = gpu.now();
    const auto began = std::chrono::steady_clock::now();
    LaunchResult out;
    gpu.begin_record(static_cast<std::uint32_t>(result.kernels.size()));
    const auto record = [&] {
        gpu.end_record();
        const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - began;
        report::Counts counts = counts_since(before, gpu.core_stats(timed), tree, static_cast<unsigned>(core.width),
                                             gpu.now() - start, timed);
        out.cycles = counts.cycles;
        out.warp_instructions = counts.warp_instructions;
        out.thread_instructions = counts.thread_instructions;
        cycles += counts.cycles;
        warp_instructions += counts.warp_instructions;
        result.host.wall_seconds += wall.count();
        const sm::Occupancy occupancy = gpu.occupancy(launch);
        result.kernels.push_back({kernel.name, shape.grid, shape.block, sm::registers_of(core, kernel),
                                  occupancy.blocks, std::string(occupancy.limited_by), timed, std::move(counts), start,
                                  launch.shared_bytes()});
    };
    const auto progress = [&](Cycle done) {
        gpu.print(options.output);
        if (options.progress)
            options.progress(cycles + done,
                             warp_instructions + gpu.core_stats(timed).warp_instructions - before.warp_instructions);
    };
    try {
        const gpu::Outcome outcome = gpu.run(launch, timed, limits_left(), interrupted, progress);
        stopped = out.stop = outcome.stop;
    } catch (const exec::Fault& fault) {
        gpu.print(options.output);
        record();
        result.status = report::Status::Failed;
        result.error = fault.what();
        throw;
    }
    gpu.print(options.output);
    record();
    result.status = status_of(stopped);
    return out;
}

LaunchResult Device::launch(KernelId id, const LaunchShape& shape, std::span<const std::byte> parameters) {
    return impl_->run(id, shape, parameters);
}

LaunchResult Device::launch(KernelId id, const LaunchShape& shape, void* const* arguments) {
    const KernelInfo& kernel = info(id);
    std::vector<std::byte> block(kernel.parameter_bytes);
    for (std::size_t i = 0; i < kernel.parameters.size(); ++i)
        std::memcpy(block.data() + kernel.parameters[i].offset, arguments[i], kernel.parameters[i].bytes);
    return impl_->run(id, shape, block);
}

sm::Occupancy Device::occupancy(KernelId id, const LaunchShape& shape) const {
    exec::Launch launch;
    launch.kernel = &impl_->program.kernels.at(id);
    launch.grid = shape.grid;
    launch.block = shape.block;
    launch.dynamic_shared = shape.dynamic_shared;
    return impl_->gpu.occupancy(launch);
}

std::uint32_t Device::largest_block(KernelId id) const {
    const KernelInfo& kernel = info(id);
    const auto& core = impl_->core;
    std::uint64_t threads = properties().max_threads_per_block;
    if (core.registers != 0 && kernel.registers != 0)
        threads = std::min(threads, core.registers / kernel.registers / core.width * core.width);
    return static_cast<std::uint32_t>(threads);
}

Properties Device::properties() const {
    const auto& core = impl_->core;
    const auto shared = impl_->machine.get<sm::SharedConfig>();
    const auto dram = impl_->machine.get<mem::DramConfig>();
    const auto gpu = impl_->machine.get<gpu::GpuConfig>();
    const auto llc = impl_->machine.get<mem::LlcConfig>();
    const std::uint64_t capability = impl_->machine.get<DeviceConfig>().compute_capability;
    const bool timed = dram.model == "timed";
    const double memory_mhz = timed && dram.clock_mhz != 0 ? static_cast<double>(dram.clock_mhz) : core.clock_mhz;
    const auto u32 = [](auto value) { return static_cast<std::uint32_t>(value); };
    constexpr std::uint32_t kAnyGrid = std::numeric_limits<std::int32_t>::max();
    return {.name = "heddle " + impl_->machine.name(),
            .global_bytes = impl_->image.capacity(),
            .shared_bytes_per_block = u32(shared.size),
            .registers_per_block = u32(core.registers != 0 ? core.registers : 16 * core.threads), // LWM11 Table 1: 16
            .warp_size = kPtxWarp,
            .max_threads_per_block = u32(std::min<std::uint64_t>(core.threads, 1024)),
            .max_threads_per_sm = u32(core.threads),
            .sms = u32(gpu.sms),
            .max_blocks_per_sm = u32(core.blocks),
            .max_block = {u32(core.threads), u32(core.threads), 64},
            .max_grid = {kAnyGrid, 65535, 65535},
            .clock_khz = u32(core.clock_mhz * 1000),
            .memory_clock_khz = u32(memory_mhz * 1000),
            .memory_bus_bits = u32(8 * dram.channels * (timed ? dram.bus_bytes : dram.bytes_per_cycle)),
            .l2_bytes = u32(llc.size),
            .compute_major = u32(capability / 10),
            .compute_minor = u32(capability % 10)};
}

Cycle Device::total_cycles() const {
    return impl_->gpu.now();
}

double Device::seconds(Cycle cycles) const {
    return static_cast<double>(cycles) / (impl_->core.clock_mhz * 1e6);
}

std::string Device::result_json() const {
    report::RunResult result = impl_->result;
    result.miss_intervals = impl_->gpu.miss_intervals();
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    result.host.peak_rss_bytes = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
    return report::to_json(result);
}

std::string Device::write_timeline(std::ostream& out) const {
    report::write_trace_events(out, impl_->result);
    return report::timeline_losses(impl_->result);
}

void Device::write_thread_traces(std::ostream& out) const {
    if (impl_->traces != nullptr)
        report::write_thread_traces(out, impl_->traces->launches());
}

void Device::interrupt() noexcept {
    interrupted = true;
}

std::span<const config::Parameter<DeviceConfig>> DeviceConfig::parameters() {
    using C = DeviceConfig;
    static const config::Parameter<C> table[] = {
        {"memory", &C::memory, "bytes", "1048576..137438953472", "device memory that a program can allocate",
         "assumed"},
        {"compute_capability", &C::compute_capability, "tenths", "50..129",
         "version that programs are told and choose their PTX by: 75 is 7.5", "assumed"},
    };
    return table;
}

} // namespace heddle::runtime

HEDDLE_CONFIG_SECTION(heddle::runtime::DeviceConfig, "the device around its SMs")
