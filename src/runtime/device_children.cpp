// Grids that grids launch.
#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "ir/current_graph.h"
#include "runtime/device_impl.h"

namespace heddle::runtime {
namespace {

using device_code::Box;
using device_code::Record;

bool is_tail(const ChildWork& work) {
    return work.record.kind == Record::kTailKernel;
}

GraphLauncher::Update update_of(const ChildWork& work) {
    using Field = GraphLauncher::Update::Field;
    const device_code::NodeUpdate& from = work.update;
    const Field field = from.field == device_code::NodeUpdate::kGrid        ? Field::Grid
                        : from.field == device_code::NodeUpdate::kParameter ? Field::Parameter
                                                                            : Field::Enabled;
    return {from.node,         field,       {from.grid[0], from.grid[1], from.grid[2]},
            from.enabled != 0, from.offset, work.parameters};
}

} // namespace

bool Device::Impl::launches_grids(const ir::Kernel& kernel) const {
    return variables[kernel.module].contains(kQueueVariable) && reaches(kernel, is_launch_function);
}

// Lets device code see the graph that its grid belongs to.
void Device::Impl::show_graph(const ir::Kernel& kernel) {
    const Variables& of_module = variables[kernel.module];
    const auto at = of_module.find(ir::kCurrentGraphVariable);
    if (at == of_module.end())
        return;
    const std::uint64_t graph = graphs == nullptr ? 0 : graphs->current_for_device();
    std::memcpy(image.host(at->second.address), &graph, sizeof graph);
}

void Device::Impl::provide_queue(const Device& device, const ir::Kernel& kernel, unsigned depth) {
    std::vector<device_code::GraphEntry> launchable;
    if (graphs != nullptr)
        for (const GraphLauncher::Graph& graph : graphs->launchable())
            launchable.push_back(
                {graph.handle, graph.is_running ? device_code::GraphEntry::kLaunched : device_code::GraphEntry::kIdle,
                 0});
    children.begin(
        {kernel.module, depth, heap_bytes, attributes, graphs == nullptr ? 0 : graphs->current(), launchable},
        device.properties(), [&](KernelId of) -> device_code::KernelEntry {
            const KernelInfo& info = kernels[of];
            return {info.parameter_bytes, device.largest_block(of), info.static_shared,
                    info.registers,       info.local_bytes,         0};
        });
    const Address queue = children.address();
    const Variables& of_module = variables[kernel.module];
    std::memcpy(image.host(of_module.at(std::string(kQueueVariable)).address), &queue, sizeof queue);
}

void Device::Impl::transfer(Record::Kind kind, const Box& box) {
    for (std::uint64_t z = 0; z < box.depth; ++z)
        for (std::uint64_t y = 0; y < box.height; ++y) {
            const Address to = box.to + z * box.to_slice + y * box.to_row;
            const Address from = box.from + z * box.from_slice + y * box.from_row;
            check_range(to, box.width, "the destination of a kernel's copy or fill");
            if (kind == Record::kFill) {
                std::memset(image.host(to), static_cast<int>(box.from), box.width);
                note_written(to, box.width);
                continue;
            }
            check_range(from, box.width, "the source of a kernel's copy");
            std::memmove(image.host(to), image.host(from), box.width);
            if (checker)
                checker->memory.copy(to, from, box.width);
        }
}

void Device::set_graph_launcher(GraphLauncher* launcher) {
    impl_->graphs = launcher;
}

void Device::set_attributes(std::vector<int> values) {
    impl_->attributes = std::move(values);
}

// A grid is over when all that it has queued is. What it leaves for its end (cudaStreamTailLaunch) comes last. Each
// child is executed with its own children before the next one begins, as in one stream, which CUDA permits for any
// streams.
LaunchResult Device::Impl::run_family(const Device& device, KernelId id, const LaunchShape& shape,
                                      std::span<const std::byte> parameters, const Origin& origin) {
    const ir::Kernel& kernel = program.kernels.at(id);
    if (!launches_grids(kernel))
        return run(id, shape, parameters, origin.parent);
    const std::uint32_t module = kernel.module;
    provide_queue(device, kernel, origin.depth);
    LaunchResult out = run(id, shape, parameters, origin.parent);
    if (out.stop != Stop::None)
        return out;
    const std::size_t number = result.kernels.size() - 1;
    std::vector<ChildWork> queued = children.take();
    std::stable_partition(queued.begin(), queued.end(), [](const ChildWork& work) { return !is_tail(work); });
    for (const ChildWork& work : queued) {
        if (out.stop != Stop::None)
            break;
        const Record& record = work.record;
        if (record.kind == Record::kCopy || record.kind == Record::kFill) {
            transfer(record.kind, work.box);
            continue;
        }
        if (record.kind == Record::kGraph) {
            if (graphs == nullptr || !graphs->launch(record.kernel, static_cast<GraphLaunch>(record.shared)))
                break;
            continue;
        }
        if (record.kind == Record::kNodeUpdate) {
            if (graphs == nullptr || !graphs->update(update_of(work)))
                throw UserError("a kernel changes a node that is no device-updatable node of an executable graph, or a "
                                "parameter that its kernel does not have");
            continue;
        }
        const LaunchShape child{.grid = {record.grid[0], record.grid[1], record.grid[2]},
                                .block = {record.block[0], record.block[1], record.block[2]},
                                .dynamic_shared = record.shared};
        const KernelId kernel_id = children.kernel(module, record);
        const LaunchResult more = run_family(
            device, kernel_id, child, std::span(work.parameters).first(program.kernels[kernel_id].parameter_bytes),
            {origin.depth + 1, number});
        out.cycles += more.cycles;
        out.warp_instructions += more.warp_instructions;
        out.thread_instructions += more.thread_instructions;
        out.stop = more.stop;
    }
    return out;
}

} // namespace heddle::runtime
