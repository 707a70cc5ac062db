// heddle's public C++ API: a simulated device that loads PTX, holds memory and runs kernels.
//
//   heddle::runtime::Device device(heddle::config::Machine::load("lwm11", {}));
//   auto module = device.load_module("axpy.ptx", text);
//   auto x = device.allocate(n * 4, "x");
//   device.write(x, host, n * 4);
//   auto result = device.launch(device.kernel(module, "axpy"), {grid, block, 0}, parameters);
//
// Every call throws UserError (bad PTX, unknown names, launch configurations that do not fit) or Fault (an illegal
// action of a kernel), with a message that is ready to print.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdio>
#include <functional>
#include <iosfwd>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/types.h"
#include "check/checks.h"
#include "config/parameter.h"
#include "exec/fault.h"
#include "exec/memory_image.h"
#include "exec/texture.h"
#include "gpu/stop.h"
#include "probe/thread_traces.h"
#include "probe/timeline.h"
#include "runtime/fixed_memory.h"
#include "runtime/host_pages.h"
#include "runtime/progress_line.h"
#include "runtime/virtual_memory.h"
#include "sm/frame/occupancy.h"

namespace heddle::runtime {

class GraphLauncher;

using ModuleId = std::uint32_t;
using KernelId = std::uint32_t;

struct LaunchShape {
    Dim3 grid;
    Dim3 block;
    std::uint32_t dynamic_shared = 0;
    bool cooperative = false; // its threads may wait for threads of all blocks, so all blocks have to be resident
    Dim3 cluster{0, 0, 0};    // blocks of a cluster; zero: as the kernel says (.reqnctapercluster), or no clusters
};

struct ParameterInfo {
    std::uint32_t offset, bytes, alignment;
    std::string type; // as the PTX has it: "f32", "b64"; of an array, that of its elements
};

struct KernelInfo {
    std::string name;
    std::vector<ParameterInfo> parameters;
    std::uint32_t parameter_bytes;
    std::uint32_t registers, static_shared, local_bytes, max_threads;
    std::uint64_t constant_bytes;      // of the variables of its module in constant memory
    std::uint32_t ptx_version;         // compute capability that its PTX is for, as 75
    Dim3 required_cluster{0, 0, 0};    // blocks of a cluster (.reqnctapercluster); zero: none
    std::uint32_t largest_cluster = 0; // blocks (.maxclusterrank); 0: no limit of its own
    bool explicit_cluster = false;     // its launches have clusters (.explicitcluster)
};

struct Variable {
    Address address;
    std::uint64_t bytes;
    std::optional<exec::Texture::Kind> object; // of a texture reference and the like: the address is its handle
};

// Properties of a machine, in the units of cudaDeviceProp.
struct Properties {
    std::string name;
    std::uint64_t global_bytes;
    std::uint32_t shared_bytes_per_sm, shared_bytes_per_block, registers_per_block, warp_size, max_threads_per_block,
        max_threads_per_sm, sms, max_blocks_per_sm;
    Dim3 max_block, max_grid;
    std::uint32_t clock_khz, memory_clock_khz, memory_bus_bits, l2_bytes;
    std::uint32_t compute_major, compute_minor;
};

using check::Checks;
using check::parse_checks;
using exec::Fault;
using exec::Owner;
using exec::Sampler;
using exec::TexelArray;
using exec::TexelFormat;
using exec::Texture;
using gpu::Stop;
using probe::ThreadTraceOptions;
using probe::TimelineOptions;

struct LaunchResult {
    Cycle cycles = 0;
    std::uint64_t warp_instructions = 0;
    std::uint64_t thread_instructions = 0;
    Stop stop = Stop::None;
};

struct Options {
    std::string program;                // the name of the program's file, for the results
    bool functional = false;            // no timing
    std::uint64_t max_cycles = 0;       // limit over the whole run; 0: none
    std::uint64_t max_instructions = 0; // the same limit in warp instructions
    std::optional<std::pair<std::uint64_t, std::uint64_t>> timed_kernels; // time launches first..last (from 0) only
    std::uint64_t host_threads = 1;                                       // at least 1 (docs/parallel.md)
    bool strict = false; // an access outside every allocation is a fault also where a GPU lets it pass
    Checks checks;       // what to look for besides (docs/checker.md)
    // Receives the report of each error that is found, once, also during a launch.
    std::function<void(std::string_view)> checked = [](std::string_view report) {
        std::fprintf(stderr, "heddle: %.*s\n", static_cast<int>(report.size()), report.data());
    };
    std::function<void(std::string_view)> trace;     // a line a cycle; empty: off
    std::optional<TimelineOptions> timeline;         // record a timeline of each SM
    std::optional<ThreadTraceOptions> thread_traces; // of launches that are not timed
    bool profile = false;                            // count by instruction (docs/profile.md)
    // Receives the output of threads, also during a launch.
    std::function<void(std::string_view)> output = [](std::string_view text) {
        std::fwrite(text.data(), 1, text.size(), stdout);
    };
    // Called from time to time during a launch (ProgressLine shows it).
    std::function<void(const Progress&)> progress;
};

struct PtxText {
    std::string name; // of the file, for messages
    std::string ptx;
};

// The errors of texts of a module that is not loaded yet; empty: there is none. Those of variables that are defined
// nowhere, and of what initialisers name, are found when the module is loaded. `are_all`: nothing else is linked to
// them. Otherwise texts that declare what others define are only parsed.
[[nodiscard]] std::string errors_of(std::vector<PtxText> texts, bool are_all);
// Whether it says that it is of a newer version of PTX than all that are known.
[[nodiscard]] bool is_too_new(const PtxText& text);

class Device {
public:
    explicit Device(config::Machine machine, Options options = {});
    ~Device();
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;

    [[nodiscard]] ModuleId load_module(std::string name, std::string ptx);
    // Loads a module of several texts, which are linked (-rdc=true). The module has the name of the first text.
    [[nodiscard]] ModuleId load_module(std::vector<PtxText> texts);
    [[nodiscard]] KernelId kernel(ModuleId, std::string_view name) const;
    [[nodiscard]] const KernelInfo& info(KernelId) const;
    [[nodiscard]] std::vector<std::string> kernel_names(ModuleId) const; // in text order
    // Instructions of the module's kernels that cannot be executed, one message each; empty: there are none.
    [[nodiscard]] std::string unsupported(ModuleId) const;
    [[nodiscard]] Variable variable(ModuleId, std::string_view name) const;
    // The variable of a module that holds an address, also one without a name in the program; nothing where none does.
    [[nodiscard]] std::optional<Variable> variable_at(Address) const;

    // 0: out of memory. What is not the program's has zeros, which count as written.
    [[nodiscard]] Address allocate(std::uint64_t bytes, std::string label, Owner owner = Owner::Program);
    [[nodiscard]] Address allocate_shared(std::uint64_t bytes, std::string label); // exec/memory_image.h
    [[nodiscard]] Address allocate_pinned(std::uint64_t bytes, std::string label); // see exec/memory_image.h
    bool release(Address);                                                         // false: no allocation begins here
    // Memory that is placed at addresses of its own (runtime/virtual_memory.h).
    [[nodiscard]] VirtualMemory& virtual_memory();
    // Memory of the program at addresses of the device (runtime/host_pages.h).
    [[nodiscard]] HostPages& host_pages();
    // Memory that comes and goes at addresses of its own (runtime/fixed_memory.h).
    [[nodiscard]] FixedMemory& fixed_memory();
    // The heap of device code: sets its size (false: the heap exists already, because a kernel that needs it was
    // launched). drop_heap() frees it with all its blocks.
    bool set_heap_bytes(std::uint64_t);
    [[nodiscard]] std::uint64_t heap_bytes() const;
    void drop_heap();
    // Adds a texture or surface object. Returns its handle, which is not 0. Throws UserError when the texels are not in
    // one live allocation.
    [[nodiscard]] std::uint64_t add_texture(const Texture&);
    // Lets a handle stand for another object, or for nothing where that has no texels. Throws as add_texture().
    void bind_texture(std::uint64_t handle, const Texture&);
    bool remove_texture(std::uint64_t handle);                        // false: unknown handle
    [[nodiscard]] const Texture* texture(std::uint64_t handle) const; // null: unknown handle
    // Copies between host and device. Throw UserError when a range is not in one live allocation.
    void write(Address to, const void* from, std::uint64_t bytes);
    void read(void* to, Address from, std::uint64_t bytes) const;
    void copy(Address to, Address from, std::uint64_t bytes);
    void fill(Address to, int byte, std::uint64_t bytes);
    // Whether an address belongs to this device (cudaMemcpyDefault).
    [[nodiscard]] bool owns(Address) const;
    [[nodiscard]] bool is_shared(Address) const; // with the host program

    // Values of cudaDeviceGetAttribute, by cudaDeviceAttr, for device code.
    void set_attributes(std::vector<int>);
    // What executes the graphs that device code launches, and outlives the device; null: device code launches none.
    void set_graph_launcher(GraphLauncher*);

    // Runs the kernel to its end, and the grids that it launches. `parameters`: the parameter block, parameter_bytes
    // long.
    LaunchResult launch(KernelId, const LaunchShape&, std::span<const std::byte> parameters);
    // As above, from CUDA's array of pointers to arguments.
    LaunchResult launch(KernelId, const LaunchShape&, void* const* arguments);

    // The number of blocks of such a launch that an SM can hold at once, and the limit.
    [[nodiscard]] sm::Occupancy occupancy(KernelId, const LaunchShape&) const;
    // Blocks of such a launch that each GPC can hold at once (a cluster lies in one GPC), or the whole device where the
    // machine has no GPCs. Never empty.
    [[nodiscard]] std::vector<std::uint64_t> cluster_rooms(KernelId, const LaunchShape&) const;
    // Of a thread, as its code has them: on machines with native code this makes the code.
    [[nodiscard]] std::uint32_t registers(KernelId) const;
    // Threads of the largest block of the kernel: by its .maxntid, and that an SM can hold.
    [[nodiscard]] std::uint32_t largest_block(KernelId) const;

    [[nodiscard]] Properties properties() const;
    [[nodiscard]] Cycle total_cycles() const;  // simulated time since construction, for events
    [[nodiscard]] double seconds(Cycle) const; // by the machine's core clock

    // The text of RESULT.json for everything that ran so far; complete also after a fault or an interrupt.
    [[nodiscard]] std::string result_json() const;
    // Writes the recorded events so far for a trace viewer (Options::timeline; docs/timeline.md). Returns a sentence
    // about events that were left out; empty when none were.
    [[nodiscard]] std::string write_timeline(std::ostream&) const;
    // Writes the traces of threads so far, for `heddle oracle` (Options::thread_traces; docs/oracle.md).
    void write_thread_traces(std::ostream&) const;
    // Reports of accesses that have passed though no allocation holds them, a source line each, once: of those of the
    // launches since the last call.
    [[nodiscard]] std::vector<std::string> take_warnings();
    // How many there were, of the source lines that had some in several launches: a line each, in the order of names.
    [[nodiscard]] std::string overrun_totals() const;
    // The program is over: looks for what it has not freed, and reports how much was found in all. Nothing where
    // nothing is checked; the first call counts.
    void finish_checks();
    // Stops a running launch soon. May be called from a signal handler or another thread.
    static void interrupt() noexcept;
    // Launches of other devices run again. The interrupted device has ended.
    static void clear_interrupt() noexcept;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace heddle::runtime
