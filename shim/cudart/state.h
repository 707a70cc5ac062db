// The single simulated device of the process and the state of its CUDA runtime: registered modules, errors, memory.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include <sys/types.h>

#include "base/source.h"
#include "cuda_runtime_api.h"
#include "fat_binary.h"
#include "jit_log.h"
#include "managed_advice.h"
#include "results.h"
#include "runtime/device.h"

#define HEDDLE_CUDA_API extern "C" __attribute__((visibility("default")))

namespace heddle::cudart {

// A fat binary of the program. Its PTX is loaded when one of its kernels or variables is first used. Or a library,
// which the program hands over while it runs.
struct Module {
    const FatBinaryWrapper* wrapper = nullptr; // null: a library
    std::vector<runtime::PtxText> texts;       // of a library that is not loaded yet
    // Kernels for which a handle was requested. The address of an entry is the handle, as the address of a host
    // function is for other kernels.
    std::map<std::string, char, std::less<>> handles;
    std::optional<runtime::ModuleId> loaded; // all fat binaries of the wrapper, linked
    cudaError_t error = cudaSuccess;         // what loading ended with
    bool tried = false;
};

struct Kernel {
    Module* module;
    std::string name; // mangled, as in the PTX
    std::optional<runtime::KernelId> id;
    bool large_clusters = false; // of more than 8 blocks (cudaFuncAttributeNonPortableClusterSizeAllowed)
    Dim3 cluster{0, 0, 0};       // that the program requires (cudaFuncAttributeRequiredClusterWidth and so on)
    int carveout = cudaSharedmemCarveoutDefault; // of shared memory; changes nothing, as `scheduling`
    int scheduling = 0;                          // of clusters
    std::optional<int> dynamic_shared{};         // bytes (cudaFuncAttributeMaxDynamicSharedMemorySize)
};

// Bytes of shared memory that a block may have whose kernel has not asked for more.
inline std::uint32_t shared_unless_asked(const runtime::Properties& p) {
    return std::min(p.shared_bytes_per_block, 48U * 1024U);
}

// Bytes of shared memory that the system takes of each block.
inline std::uint32_t reserved_shared(const runtime::Properties& p) {
    return p.shared_bytes_per_sm - p.shared_bytes_per_block;
}

struct Symbol {
    Module* module;
    std::string name;
    std::size_t bytes;
    std::optional<Address> address;
};

// Of stream-ordered memory (pools.cpp).
enum class PoolMemory : std::uint8_t { Device, Host, Managed };
struct MemoryPool {
    PoolMemory memory = PoolMemory::Device;
    std::array<int, 3> reuse{1, 1, 1}; // from cudaMemPoolReuseFollowEventDependencies on; changes nothing
    std::uint64_t release_threshold = 0;
    std::uint64_t most = 0; // bytes that it may hold; 0: no limit
    std::uint64_t used = 0, most_used = 0;
};
struct Pools {
    struct OfMemory {
        explicit OfMemory(PoolMemory memory)
            : standard(std::make_shared<MemoryPool>(MemoryPool{.memory = memory})), current(standard) {}
        std::shared_ptr<MemoryPool> standard;
        std::shared_ptr<MemoryPool> current; // of allocations that name none
    };
    [[nodiscard]] OfMemory& of(PoolMemory memory) {
        return of_memory[static_cast<std::size_t>(memory)];
    }
    std::array<OfMemory, 3> of_memory{OfMemory(PoolMemory::Device), OfMemory(PoolMemory::Host),
                                      OfMemory(PoolMemory::Managed)};
    std::vector<std::shared_ptr<MemoryPool>> made; // by the program
};

class GraphMemory; // graph_memory.h

struct MemoryBlock {
    std::uint64_t bytes;
    unsigned flags = 0;                              // of cudaHostAlloc
    std::shared_ptr<MemoryPool> pool = nullptr;      // that it counts for
    std::shared_ptr<GraphMemory> of_graph = nullptr; // null: no graph allocated it
};

// Memory of the program that cudaHostRegister took.
struct RegisteredMemory {
    std::uint64_t bytes;
    Address on_device = 0; // 0: kernels do not reach it yet
};

// What a texture or surface object was made of.
struct TextureObject {
    cudaResourceDesc resource{};
    cudaTextureDesc sampler{};
    bool has_view = false;
    cudaResourceViewDesc view{};
};

class State {
public:
    static State& get();

    // The device, made at its first use from the environment (docs/cuda-support.md). Ends the process with a message
    // when the machine named there does not exist.
    runtime::Device& device();
    [[nodiscard]] const runtime::Properties& properties();

    Module* add_module(const FatBinaryWrapper* wrapper);
    // A library that load() will load. `image`: PTX, or a fat binary with PTX, else UserError; of a file so many
    // `bytes`, and its `name`.
    Module* add_library(const void* image, std::size_t bytes = kUnknownBytes, std::string name = {});
    bool drop_library(const Module* library); // false: it is none
    [[nodiscard]] bool is_library(const Module* module) const;
    void add_kernel(Module* module, const void* host, const char* name);
    void add_symbol(Module* module, const void* host, const char* name, std::size_t bytes);
    // A __managed__ variable, which the program reaches through a pointer of its own.
    void add_managed(Module* module, void** pointer, const char* name, std::size_t bytes);
    // Sets these pointers, before the program uses one. False, with a message, when there are no such variables.
    bool find_managed(Module* module);
    // What loading a module ended with, now or before.
    cudaError_t load(Module& module);
    // The loaded kernel with this host address; null for other addresses, or when loading failed (`error` has the
    // code).
    Kernel* find_kernel(const void* host, cudaError_t& error);
    Symbol* find_symbol(const void* host, cudaError_t& error);
    // Bytes of dynamic shared memory that a block of a loaded kernel may have.
    [[nodiscard]] std::uint64_t most_dynamic_shared(const Kernel& kernel);

    // Runs a kernel and everything that follows from how it ends.
    cudaError_t launch(Kernel& kernel, const runtime::LaunchShape& shape, void* const* arguments);

    // From the first call on there are results at the end of the process, also when nothing needs the device until then
    // (a program that counts devices and makes streams).
    void note_call() {
        if (first_caller_ == 0)
            note_first_call();
    }

    // Whether a process has forked this one after its first use of the device: nothing works here, as in CUDA. Says so,
    // once.
    bool is_forked();

    // The host has no memory left for the simulation: says so and ends the process. What a launch was doing is lost.
    [[noreturn]] void end_without_memory();

    // Memory by its begin.
    std::map<Address, MemoryBlock> device_memory, host_memory;
    std::map<Address, RegisteredMemory> registered;
    ManagedAdvice advice;
    std::uint64_t allocated = 0, host_allocated = 0; // ever: they name the allocations
    Pools pools;
    std::map<cudaArray_const_t, std::shared_ptr<cudaArray>> arrays;
    std::map<const cudaMipmappedArray*, std::shared_ptr<cudaMipmappedArray>> mipmapped_arrays;
    std::map<std::uint64_t, TextureObject> objects; // by handle

    std::recursive_mutex mutex;
    std::atomic<bool> used_by_program = false; // and not by the driver alone
    cudaError_t sticky = cudaSuccess;          // a kernel's fault: every later call returns it
    unsigned device_flags = 0;
    std::map<int, std::size_t> limits; // by cudaLimit: those that the program has set and that change nothing

private:
    State() = default;
    void make_device();
    void note_first_call();
    void make_device_at_exit();
    void tell_warnings(); // of the last launch
    [[nodiscard]] std::vector<runtime::PtxText> texts_of(const std::vector<FatBinary>& binaries, bool only);

    bool told_forked_ = false;
    pid_t first_caller_ = 0; // this process, or one that has forked it; 0: nobody has called
    std::unique_ptr<Results> results_;
    std::unique_ptr<runtime::Device> device_;
    std::optional<runtime::Properties> properties_;
    std::vector<std::unique_ptr<Module>> modules_;
    unsigned loads_ = 0;
    std::unordered_map<const void*, Kernel> kernels_;
    std::unordered_map<const void*, Symbol> symbols_; // managed ones also by the address that the pointer has
    std::vector<void**> managed_;
};

// A pointer of the program, as the device's address that it may be.
inline Address device_address(const void* pointer) {
    return reinterpret_cast<Address>(pointer);
}

// Prints "heddle: message" to stderr. The log of the calling thread has it, too, if there is one.
void complain(const std::string& message);
JitLog*& log_of_thread();

// The calling thread's last error: returned by cudaPeekAtLastError.
cudaError_t& last_error();
cudaError_t record(cudaError_t error);

// Threads that are in the runtime, for a signal handler to read.
inline std::atomic<int> threads_inside = 0;
struct Inside {
    Inside() {
        ++threads_inside;
    }
    ~Inside() {
        --threads_inside;
    }
};

// For the driver (driver_link.h): whether the thread has called the runtime, and whether the driver calls it now.
bool& thread_uses_runtime();
int& driver_calls();

// The frame of every API function: one caller at a time, a kernel's fault returned by all, exceptions as error codes.
template <class F>
cudaError_t api(F&& body, cudaError_t on_user_error = cudaErrorInvalidValue) {
    const Inside inside;
    State& state = State::get();
    const std::lock_guard lock(state.mutex);
    state.note_call();
    if (driver_calls() == 0)
        thread_uses_runtime() = state.used_by_program = true;
    if (state.is_forked())
        return record(cudaErrorInitializationError);
    if (state.sticky != cudaSuccess)
        return record(state.sticky);
    try {
        return record(body(state));
    } catch (const UserError& e) {
        complain(e.what());
        return record(on_user_error);
    } catch (const std::bad_alloc&) {
        state.end_without_memory();
    }
}

} // namespace heddle::cudart
