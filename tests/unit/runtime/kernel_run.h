// Runs a few lines of PTX as a kernel of one 64-bit parameter `x`, a buffer that is cold in every cache.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "runtime/device.h"

namespace heddle::runtime {

struct KernelRun {
    Cycle cycles = 0;
    nlohmann::json result;            // RESULT.json
    std::string timeline;             // the file for trace viewers, where one is recorded
    std::string losses;               // what it leaves out
    std::string thread_traces;        // what threads executed, where that is kept
    std::vector<std::uint32_t> words; // the buffer afterwards

    // A counter of the whole run, by section and name.
    [[nodiscard]] std::uint64_t counter(const char* section, const char* name) const {
        return result.at("stats").at(section).at(name).get<std::uint64_t>();
    }
};

// `globals`: declarations before the kernel.
inline std::string module_of(const std::string& body, const std::string& globals = "") {
    return ".version 7.0\n.target sm_75\n.address_size 64\n" + globals +
           "\n.visible .entry k(.param .u64 x)\n{\n"
           ".reg .pred %p<8>; .reg .b32 %r<64>; .reg .b64 %rd<64>; .reg .f32 %f<64>;\n" +
           body + "\n}\n";
}

// How to run it, beside the kernel itself.
struct RunSetup {
    std::string machine = "lwm11";
    std::vector<std::string> settings = {};
    std::uint64_t buffer = 1 << 20; // bytes
    unsigned launches = 1;
    Options options = {};
    std::string globals = {}; // of the module
    Dim3 cluster{0, 0, 0};    // as in LaunchShape
};

// A device with the kernel and its buffer.
class LoadedKernel {
public:
    LoadedKernel(const RunSetup& setup, const std::string& body);
    Cycle launch(std::uint32_t threads, std::uint32_t blocks); // gives its cycles
    [[nodiscard]] std::vector<std::uint32_t> words() const;    // the buffer

    Device device;

private:
    KernelId kernel_;
    std::uint64_t bytes_; // of the buffer
    Dim3 cluster_;
    Address buffer_;
};

// `cycles` is of the last launch, `result` of all of them.
[[nodiscard]] KernelRun run_kernel_on(const RunSetup& setup, const std::string& body, std::uint32_t threads,
                                      std::uint32_t blocks = 1);

inline KernelRun run_kernel(const std::string& body, std::uint32_t threads, std::uint32_t blocks = 1,
                            const std::vector<std::string>& settings = {}, std::uint64_t buffer = 1 << 20) {
    return run_kernel_on({.settings = settings, .buffer = buffer}, body, threads, blocks);
}

} // namespace heddle::runtime
