// Programs on the machines of several SMs, for tests.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "kernel_run.h"

namespace heddle::runtime {

struct Shape {
    const char* machine;
    unsigned sms, threads; // of a block: at most what an SM holds
    unsigned slots = 1;    // of an SM: its schedulers
};
inline const Shape kShapes[] = {
    {"dwf07", 8, 64}, {"gtx480", 15, 64, 2}, {"maws-bulk", 4, 32}, {"maws-coherent", 4, 32}};

// A run whether it ends or not: its result but for what is the host's, the fault and the buffer.
struct Outcome {
    nlohmann::json result;
    std::string error;
    std::vector<std::uint32_t> words;
    bool operator==(const Outcome&) const = default;
};

inline Outcome run_anyhow(const RunSetup& setup, const std::string& body, std::uint32_t threads, std::uint32_t blocks) {
    Device device(config::Machine::load(setup.machine, setup.settings), setup.options);
    const KernelId kernel = device.kernel(device.load_module("test.ptx", module_of(body, setup.globals)), "k");
    const Address x = device.allocate(setup.buffer, "x");
    std::vector<std::byte> parameters(8);
    std::memcpy(parameters.data(), &x, 8);
    Outcome out;
    try {
        for (unsigned i = 0; i < setup.launches; ++i)
            device.launch(kernel, {{blocks, 1, 1}, {threads, 1, 1}, 0}, parameters);
    } catch (const Fault& fault) {
        out.error = fault.what();
    }
    out.result = nlohmann::json::parse(device.result_json());
    out.result.erase("host");
    out.result["config"].erase("gpu.sm_order");
    out.words.resize(setup.buffer / 4);
    device.read(out.words.data(), x, setup.buffer);
    return out;
}

// The same with the SMs in each order; demands identical outcomes and gives one of them.
inline Outcome in_every_order(RunSetup setup, const std::string& body, std::uint32_t threads, std::uint32_t blocks) {
    setup.settings.emplace_back("gpu.sm_order=ascending");
    const Outcome ascending = run_anyhow(setup, body, threads, blocks);
    for (const char* const order : {"descending", "shuffled"}) {
        setup.settings.back() = std::string("gpu.sm_order=") + order;
        const Outcome other = run_anyhow(setup, body, threads, blocks);
        EXPECT_EQ(other.error, ascending.error) << setup.machine << ", " << order;
        EXPECT_EQ(other.words, ascending.words) << setup.machine << ", " << order;
        EXPECT_EQ(other.result, ascending.result) << setup.machine << ", " << order;
    }
    return ascending;
}

// %r4: global thread number, %rd1: the buffer, %rd2: word %r4 of it.
inline const std::string kMine =
    "ld.param.u64 %rd1, [x]; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;\n"
    "mad.lo.u32 %r4, %r1, %r2, %r3; mul.wide.u32 %rd2, %r4, 4; add.u64 %rd2, %rd1, %rd2;\n";

} // namespace heddle::runtime
