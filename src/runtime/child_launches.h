// What kernels launch and copy (dynamic parallelism). CUDA's functions for device code are CUDA C++ that is linked with
// modules that call them (device_code/launches.cu). They put records into a queue in the device's memory, and take the
// time of their instructions. After the grid the host takes the records and executes them one after the other.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "exec/memory_image.h"
#include "ir/program.h"
#include "runtime/device.h"
#include "runtime/device_code/queue.h"

namespace heddle::runtime {

// The variable with the address of the queue, for the functions.
inline constexpr std::string_view kQueueVariable = "__heddle_queue";

// A record of the queue: the launch of a kernel or graph, a copy or fill of memory, or the update of a graph's node.
struct ChildWork {
    device_code::Record record{};
    std::vector<std::byte> parameters; // of a launch; bytes of an update
    device_code::Box box{};            // of a copy or fill
    device_code::NodeUpdate update{};
};

// The queue of a device.
class ChildLaunches {
public:
    ChildLaunches(exec::MemoryImage& image, const ir::Program& program) : image_(image), program_(program) {}

    using Describe = std::function<device_code::KernelEntry(KernelId)>;
    struct Grid {
        std::uint32_t module = 0;
        unsigned depth = 0; // launches below one of the host
        std::uint64_t heap_bytes = 0;
        std::span<const int> attributes;                 // of the device, by cudaDeviceAttr
        std::uint64_t graph = 0;                         // that the grid belongs to; 0: none
        std::span<const device_code::GraphEntry> graphs; // that device code may launch
    };
    // Prepares the queue for a grid. Throws UserError when the device's memory has no room.
    void begin(const Grid& grid, const Properties& limits, const Describe& describe);
    // What the grid has queued, in the order of its calls. The queue is empty then. Throws UserError when the program
    // has damaged the queue, as kernel() does.
    [[nodiscard]] std::vector<ChildWork> take();
    // The kernel of a record of a grid of `module`.
    [[nodiscard]] KernelId kernel(std::uint32_t module, const device_code::Record& record) const;
    // The address of the queue; 0 before the first begin().
    [[nodiscard]] Address address() const {
        return queue_;
    }

private:
    struct Table { // of a module's kernels
        Address address = 0;
        std::uint64_t entries = 0;
    };
    [[nodiscard]] Address allocate(std::uint64_t bytes, const char* what);
    [[nodiscard]] const Table& table(std::uint32_t module, const Describe& describe);
    void write_graphs(std::span<const device_code::GraphEntry> graphs);
    // Empties the queue.
    void clear();
    [[nodiscard]] device_code::Queue& header() const {
        return *reinterpret_cast<device_code::Queue*>(image_.host(queue_));
    }

    exec::MemoryImage& image_;
    const ir::Program& program_;
    Address queue_ = 0;
    Address attributes_ = 0;
    std::uint64_t attribute_count_ = 0;
    Address graphs_ = 0;
    std::uint64_t graph_room_ = 0;                    // entries
    std::unordered_map<std::uint32_t, Table> tables_; // by module
};

} // namespace heddle::runtime
