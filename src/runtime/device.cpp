#include "runtime/device.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>
#include <sys/resource.h>

#include "gpu/gpu_config.h"
#include "mem/dram/config.h"
#include "mem/system/llc_config.h"
#include "report/json.h"
#include "report/thread_traces.h"
#include "report/timeline.h"
#include "runtime/device_impl.h"
#include "runtime/native_code.h"
#include "runtime/profile.h"

namespace heddle::runtime {

Device::Device(config::Machine machine, Options options)
    : impl_(std::make_unique<Impl>(std::move(machine), std::move(options))) {}
Device::~Device() = default;

ModuleId Device::load_module(std::string name, std::string ptx) {
    return load_module({{std::move(name), std::move(ptx)}});
}

ModuleId Device::load_module(std::vector<PtxText> texts) {
    const std::size_t first = impl_->program.kernels.size();
    LoadedModule loaded = load(std::move(texts), impl_->image, impl_->textures, impl_->program);
    impl_->add_kernels(first, loaded);
    impl_->variables.push_back(std::move(loaded.variables));
    impl_->show_heap();
    return static_cast<ModuleId>(impl_->variables.size() - 1);
}

void Device::Impl::add_kernels(std::size_t first, const LoadedModule& module) {
    for (std::size_t k = first; k < program.kernels.size(); ++k) {
        const ir::Kernel& kernel = program.kernels[k];
        KernelInfo info{.name = kernel.name,
                        .parameters = {},
                        .parameter_bytes = kernel.parameter_bytes,
                        .registers = sm::registers_of(core, kernel),
                        .static_shared = kernel.static_shared,
                        .local_bytes = kernel.local_bytes,
                        .max_threads = kernel.max_threads,
                        .constant_bytes = module.constant_bytes,
                        .ptx_version = module.target,
                        .required_cluster = kernel.required_cluster,
                        .largest_cluster = kernel.largest_cluster,
                        .explicit_cluster = kernel.explicit_cluster};
        for (const ir::Parameter& p : kernel.parameters)
            info.parameters.push_back({p.offset, p.bytes, p.alignment, std::string(ptx::name_of(p.type))});
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

std::string Device::unsupported(ModuleId module) const {
    std::string out;
    for (const ir::Kernel& k : impl_->program.kernels)
        if (k.module == module)
            out += impl_->gpu.unsupported(k);
    return out;
}

Variable Device::variable(ModuleId module, std::string_view name) const {
    const Variables& variables = impl_->variables.at(module);
    const auto at = variables.find(name);
    if (at == variables.end())
        throw UserError(fmt::format("{} has no variable '{}'", impl_->program.modules[module], name));
    return at->second;
}

exec::Launch Device::Impl::launch_of(KernelId id, const LaunchShape& shape) const {
    exec::Launch launch;
    launch.kernel = &program.kernels.at(id);
    launch.grid = shape.grid;
    launch.block = shape.block;
    launch.dynamic_shared = shape.dynamic_shared;
    return launch;
}

sm::Occupancy Device::occupancy(KernelId id, const LaunchShape& shape) const {
    impl_->know_registers(id);
    impl_->count_for_block(id, shape.block.count());
    return impl_->gpu.occupancy(impl_->launch_of(id, shape));
}

std::vector<std::uint64_t> Device::cluster_rooms(KernelId id, const LaunchShape& shape) const {
    impl_->know_registers(id);
    return impl_->gpu.cluster_rooms(impl_->launch_of(id, shape));
}

std::uint32_t Device::registers(KernelId id) const {
    impl_->know_registers(id);
    return info(id).registers;
}

std::uint32_t Device::largest_block(KernelId id) const {
    const auto& core = impl_->core;
    std::uint64_t threads = properties().max_threads_per_block;
    if (const std::uint64_t most = info(id).max_threads; most != 0)
        threads = std::min(threads, most);
    const auto fits = [&](std::uint64_t n) {
        LaunchShape shape;
        shape.block = {static_cast<std::uint32_t>(n), 1, 1};
        return occupancy(id, shape).blocks != 0;
    };
    while (threads != 0 && !fits(threads))
        threads = (threads - 1) / core.width * core.width;
    return static_cast<std::uint32_t>(threads);
}

Properties Device::properties() const {
    const auto& core = impl_->core;
    const auto shared = impl_->machine.get<sm::SharedConfig>();
    const auto dram = impl_->machine.get<mem::DramConfig>();
    const auto gpu = impl_->machine.get<gpu::GpuConfig>();
    const auto llc = impl_->machine.get<mem::LlcConfig>();
    const std::uint64_t reserve = impl_->machine.get<sm::L1Config>().reserve; // what the system takes of a block
    const std::uint64_t capability = impl_->machine.get<DeviceConfig>().compute_capability;
    const bool timed = dram.model == "timed";
    const double memory_mhz = timed && dram.clock_mhz != 0 ? static_cast<double>(dram.clock_mhz) : core.clock_mhz;
    const auto u32 = [](auto value) { return static_cast<std::uint32_t>(value); };
    constexpr std::uint32_t kAnyGrid = std::numeric_limits<std::int32_t>::max();
    return {.name = "heddle " + impl_->machine.name(),
            .global_bytes = impl_->image.capacity(),
            .shared_bytes_per_sm = u32(shared.size),
            .shared_bytes_per_block = u32(shared.size - std::min(reserve, shared.size)),
            .registers_per_block = u32(core.registers != 0 ? core.registers : 16 * core.threads), // LWM11 Table 1: 16
            .warp_size = kPtxWarp,
            .max_threads_per_block = u32(std::min<std::uint64_t>(core.threads, 1024)),
            .max_threads_per_sm = u32(core.threads),
            .sms = u32(gpu.sms),
            .max_blocks_per_sm = u32(core.blocks),
            .max_block = {u32(std::min<std::uint64_t>(core.threads, 1024)),
                          u32(std::min<std::uint64_t>(core.threads, 1024)), 64},
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
    report::RunResult result = impl_->results();
    result.miss_intervals = impl_->gpu.miss_intervals();
    if (impl_->options.profile)
        result.profile = profile_of(impl_->gpu.profile(), impl_->program, impl_->launched, result.kernels,
                                    static_cast<unsigned>(impl_->core.width),
                                    static_cast<unsigned>(impl_->machine.get<sm::DCacheConfig>().line));
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    result.host.threads = impl_->gpu.host_threads();
    result.host.peak_rss_bytes = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
    return report::to_json(result);
}

std::string Device::write_timeline(std::ostream& out) const {
    const report::RunResult result = impl_->results();
    report::write_trace_events(out, result);
    return report::timeline_losses(result);
}

void Device::write_thread_traces(std::ostream& out) const {
    if (impl_->traces != nullptr)
        report::write_thread_traces(out, impl_->traces->launches());
}

std::vector<std::string> DeviceConfig::problems(const config::Machine& machine) const {
    if (machine.get<sm::CoreConfig>().code != "native")
        return {};
    const std::string problem = native_problem(compute_capability);
    return problem.empty() ? std::vector<std::string>() : std::vector{problem};
}

std::span<const config::Parameter<DeviceConfig>> DeviceConfig::parameters() {
    using C = DeviceConfig;
    static const config::Parameter<C> table[] = {
        {"memory", &C::memory, "bytes", "1048576..137438953472", "device memory that programs can allocate", "assumed"},
        {"compute_capability", &C::compute_capability, "tenths", "50..129",
         "compute capability reported to programs, which selects their PTX: 75 is 7.5", "assumed"},
        {"allocation_alignment", &C::allocation_alignment, "bytes", "power of two 256..1073741824",
         "allocations begin at multiples of it, and so in certain banks of main memory", "assumed: that of cudaMalloc"},
        {"allocation_gap", &C::allocation_gap, "bytes", "256..1073741824",
         "free bytes behind each allocation, in multiples of 256", "assumed: enough that a short overrun is detected"},
    };
    return table;
}

} // namespace heddle::runtime

HEDDLE_CONFIG_SECTION(heddle::runtime::DeviceConfig, "the device outside its SMs")
