// Programs on the machines of several SMs, for tests.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

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

[[nodiscard]] Outcome run_anyhow(const RunSetup& setup, const std::string& body, std::uint32_t threads,
                                 std::uint32_t blocks);

// The same with the SMs in each order, and on several host threads; demands identical outcomes and gives one of them.
Outcome in_every_order(RunSetup setup, const std::string& body, std::uint32_t threads, std::uint32_t blocks);

// %r4: global thread number, %rd1: the buffer, %rd2: word %r4 of it.
inline const std::string kMine =
    "ld.param.u64 %rd1, [x]; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;\n"
    "mad.lo.u32 %r4, %r1, %r2, %r3; mul.wide.u32 %rd2, %r4, 4; add.u64 %rd2, %rd1, %rd2;\n";

} // namespace heddle::runtime
