#include "runtime/child_launches.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "ir/isa/names.h"

namespace heddle::runtime {
namespace {

using device_code::Box;
using device_code::KernelEntry;
using device_code::NodeUpdate;
using device_code::Queue;
using device_code::Record;

constexpr std::uint64_t kQueueBytes = std::uint64_t{64} << 20;
constexpr std::uint64_t kRecordsAt =
    (sizeof(Queue) + device_code::kRecordAlignment - 1) / device_code::kRecordAlignment * device_code::kRecordAlignment;
constexpr Address kFirstKernel = ir::code_address(0), kApart = ir::code_address(1) - ir::code_address(0);

void set(unsigned (&to)[3], Dim3 from) {
    to[0] = from.x;
    to[1] = from.y;
    to[2] = from.z;
}

[[noreturn]] void fail_damaged() {
    throw UserError("the queue of launches is damaged: a kernel has stored something into it, behind the buffer of a "
                    "launch's parameters perhaps");
}

template <class T>
void read(T& to, std::span<const std::byte> from) {
    if (from.size() < sizeof to)
        fail_damaged();
    std::memcpy(&to, from.data(), sizeof to);
}

// What stands behind the record.
void read_more(ChildWork& work, std::span<const std::byte> more) {
    switch (work.record.kind) {
    case Record::kCopy:
    case Record::kFill:
        return read(work.box, more);
    case Record::kNodeUpdate:
        read(work.update, more);
        more = more.subspan(sizeof work.update);
        if (work.update.bytes > more.size())
            fail_damaged();
        return work.parameters.assign(more.begin(), more.begin() + static_cast<std::ptrdiff_t>(work.update.bytes));
    case Record::kGraph:
        return;
    default:
        work.parameters.assign(more.begin(), more.end());
    }
}

} // namespace

Address ChildLaunches::allocate(std::uint64_t bytes, const char* what) {
    const Address address = image_.allocate(bytes, what);
    if (address == 0)
        throw UserError(fmt::format("a kernel that launches kernels needs {} bytes for the {}, and the device has no "
                                    "room for it",
                                    bytes, what));
    image_.set_owner(address, exec::Owner::Simulator);
    std::memset(image_.host(address), 0, bytes);
    return address;
}

const ChildLaunches::Table& ChildLaunches::table(std::uint32_t module, const Describe& describe) {
    const auto [entry, fresh] = tables_.try_emplace(module);
    Table& table = entry->second;
    if (!fresh)
        return table;
    for (const ir::Kernel& kernel : program_.kernels)
        if (kernel.module == module)
            table.entries = std::max(table.entries, (kernel.address - kFirstKernel) / kApart + 1);
    table.address = allocate(table.entries * sizeof(KernelEntry), "table of kernels");
    auto* const entries = reinterpret_cast<KernelEntry*>(image_.host(table.address));
    for (std::size_t k = 0; k < program_.kernels.size(); ++k) {
        const ir::Kernel& kernel = program_.kernels[k];
        if (kernel.module == module)
            entries[(kernel.address - kFirstKernel) / kApart] = describe(static_cast<KernelId>(k));
    }
    return table;
}

void ChildLaunches::write_graphs(std::span<const device_code::GraphEntry> graphs) {
    if (graphs.size() > graph_room_) {
        if (graphs_ != 0)
            image_.release(graphs_);
        graph_room_ = std::max<std::uint64_t>(2 * graph_room_, graphs.size());
        graphs_ = allocate(graph_room_ * sizeof(device_code::GraphEntry), "table of graphs");
    }
    if (!graphs.empty())
        std::memcpy(image_.host(graphs_), graphs.data(), graphs.size_bytes());
}

void ChildLaunches::begin(const Grid& grid, const Properties& limits, const Describe& describe) {
    if (queue_ == 0) {
        queue_ = allocate(kQueueBytes, "queue of launches");
        header().next = kRecordsAt;
    }
    clear(); // a grid that has failed leaves records
    if (attributes_ == 0 && !grid.attributes.empty()) {
        attributes_ = allocate(grid.attributes.size_bytes(), "table of attributes");
        attribute_count_ = grid.attributes.size();
        std::memcpy(image_.host(attributes_), grid.attributes.data(), grid.attributes.size_bytes());
    }
    const Table& kernels = table(grid.module, describe);
    Queue& queue = header();
    queue.end = kQueueBytes;
    queue.kernels = kernels.address;
    queue.first_kernel = kFirstKernel;
    queue.apart = kApart;
    queue.kernel_count = kernels.entries;
    queue.attributes = attributes_;
    queue.attribute_count = attribute_count_;
    queue.heap_bytes = grid.heap_bytes;
    write_graphs(grid.graphs);
    queue.graph = grid.graph;
    queue.graphs = graphs_;
    queue.graph_count = grid.graphs.size();
    queue.error = 0;
    queue.depth = grid.depth;
    queue.max_threads = limits.max_threads_per_block;
    queue.max_shared = limits.shared_bytes_per_block;
    set(queue.max_block, limits.max_block);
    set(queue.max_grid, limits.max_grid);
}

void ChildLaunches::clear() {
    const std::uint64_t end = std::clamp<std::uint64_t>(header().next, kRecordsAt, kQueueBytes);
    std::memset(image_.host(queue_) + kRecordsAt, 0, end - kRecordsAt);
    header().next = kRecordsAt;
}

std::vector<ChildWork> ChildLaunches::take() {
    std::vector<ChildWork> out;
    const std::uint64_t next = header().next;
    const std::uint64_t end = std::min(next, kQueueBytes);
    const std::byte* const begin = image_.host(queue_);
    std::uint64_t at = kRecordsAt;
    while (at + sizeof(Record) <= end) {
        ChildWork work;
        Record& record = work.record;
        std::memcpy(&record, begin + at, sizeof record);
        if (record.bytes == 0 && next > kQueueBytes) { // the first record that did not fit
            at = end;
            break;
        }
        if (record.bytes < sizeof(Record) || record.bytes > end - at || record.kind > Record::kNodeUpdate)
            fail_damaged();
        read_more(work, {begin + at + sizeof(Record), record.bytes - sizeof(Record)});
        at += record.bytes;
        if (record.kind != Record::kNotLaunched)
            out.push_back(std::move(work));
    }
    if (at != end)
        fail_damaged();
    clear();
    return out;
}

KernelId ChildLaunches::kernel(std::uint32_t module, const Record& record) const {
    const auto found = std::find_if(program_.kernels.begin(), program_.kernels.end(), [&](const ir::Kernel& kernel) {
        return kernel.module == module && kernel.address == record.kernel;
    });
    if (found == program_.kernels.end() || record.bytes < sizeof(Record) + found->parameter_bytes)
        fail_damaged();
    return static_cast<KernelId>(found - program_.kernels.begin());
}

} // namespace heddle::runtime
