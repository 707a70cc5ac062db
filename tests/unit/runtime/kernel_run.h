// Runs a few lines of PTX as a kernel of one 64-bit parameter `x`, a buffer that is cold in every cache.
#pragma once

#include <cstring>
#include <sstream>
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
};

// `cycles` is of the last launch, `result` of all of them.
inline KernelRun run_kernel_on(const RunSetup& setup, const std::string& body, std::uint32_t threads,
                               std::uint32_t blocks = 1) {
    Device device(config::Machine::load(setup.machine, setup.settings), setup.options);
    const KernelId kernel = device.kernel(device.load_module("test.ptx", module_of(body, setup.globals)), "k");
    const Address x = device.allocate(setup.buffer, "x");
    std::vector<std::byte> parameters(8);
    std::memcpy(parameters.data(), &x, 8);
    KernelRun run;
    for (unsigned i = 0; i < setup.launches; ++i)
        run.cycles = device.launch(kernel, {{blocks, 1, 1}, {threads, 1, 1}, 0}, parameters).cycles;
    run.result = nlohmann::json::parse(device.result_json());
    if (setup.options.timeline) {
        std::ostringstream file;
        run.losses = device.write_timeline(file);
        run.timeline = file.str();
    }
    if (setup.options.thread_traces) {
        std::ostringstream file;
        device.write_thread_traces(file);
        run.thread_traces = file.str();
    }
    run.words.resize(setup.buffer / 4);
    device.read(run.words.data(), x, setup.buffer);
    return run;
}

inline KernelRun run_kernel(const std::string& body, std::uint32_t threads, std::uint32_t blocks = 1,
                            const std::vector<std::string>& settings = {}, std::uint64_t buffer = 1 << 20) {
    return run_kernel_on({.settings = settings, .buffer = buffer}, body, threads, blocks);
}

} // namespace heddle::runtime
