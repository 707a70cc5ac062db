// Runs a few lines of PTX as a kernel of one 64-bit parameter `x`, a buffer that is cold in every cache.
#pragma once

#include <cstring>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "runtime/device.h"

namespace heddle::runtime {

struct KernelRun {
    Cycle cycles = 0;
    nlohmann::json result;            // RESULT.json
    std::vector<std::uint32_t> words; // the buffer afterwards
};

inline KernelRun run_kernel(const std::string& body, std::uint32_t threads, std::uint32_t blocks = 1,
                            const std::vector<std::string>& settings = {}, std::uint64_t buffer = 1 << 20) {
    const std::string text = ".version 7.0\n.target sm_75\n.address_size 64\n"
                             ".visible .entry k(.param .u64 x)\n{\n"
                             ".reg .pred %p<8>; .reg .b32 %r<64>; .reg .b64 %rd<64>; .reg .f32 %f<64>;\n" +
                             body + "\n}\n";
    Device device(config::Machine::load("lwm11", settings));
    const KernelId kernel = device.kernel(device.load_module("test.ptx", text), "k");
    const Address x = device.allocate(buffer, "x");
    std::vector<std::byte> parameters(8);
    std::memcpy(parameters.data(), &x, 8);
    KernelRun run;
    run.cycles = device.launch(kernel, {{blocks, 1, 1}, {threads, 1, 1}, 0}, parameters).cycles;
    run.result = nlohmann::json::parse(device.result_json());
    run.words.resize(buffer / 4);
    device.read(run.words.data(), x, buffer);
    return run;
}

} // namespace heddle::runtime
