// One thread that reads %clock64 before, between and after a row of instructions.
#pragma once

#include "kernel_run.h"

namespace heddle::runtime {

// The readings around each of `instructions`, which find the buffer's address in %rd1. They are executed once, with all
// code in the instruction cache: a first pass has them predicated off. Where there is a `neighbour`, block 0 executes
// that on its SM, and the readings are of block 1 on the next one, in which all begins at cycle 20000.
inline std::vector<Cycle> clocks_around(const RunSetup& setup, const std::vector<std::string>& instructions,
                                        std::uint32_t threads = 1, const std::string& neighbour = "") {
    const auto clock = [](std::size_t i) { return "%rd" + std::to_string(10 + i); };
    std::string body = "ld.param.u64 %rd1, [x];\n";
    if (!neighbour.empty())
        body += "mov.u32 %r1, %ctaid.x; setp.ne.u32 %p1, %r1, 0; @%p1 bra later;\n" + neighbour +
                "; ret;\nlater: mov.u64 %rd9, %clock64; setp.lt.u64 %p1, %rd9, 20000; @%p1 bra later;\n";
    body += "mov.u32 %r1, 0; mov.u32 %r2, 1; mov.u32 %r3, 2;\n"
            "again: setp.ne.u32 %p1, %r1, 0;\nmov.u64 " +
            clock(0) + ", %clock64;\n";
    for (std::size_t i = 0; i < instructions.size(); ++i)
        body += "@%p1 " + instructions[i] + ";\nmov.u64 " + clock(i + 1) + ", %clock64;\n";
    body += "add.u32 %r1, %r1, 1; setp.lt.u32 %p2, %r1, 2; @%p2 bra again;\n";
    for (std::size_t i = 0; i <= instructions.size(); ++i)
        body += "st.global.u64 [%rd1+" + std::to_string(8 * i) + "], " + clock(i) + ";\n";
    const KernelRun run = run_kernel_on(setup, body + "ret;", threads, neighbour.empty() ? 1 : 2);
    std::vector<Cycle> out(instructions.size() + 1);
    std::memcpy(out.data(), run.words.data(), 8 * out.size());
    return out;
}

inline std::string load_from(std::uint64_t offset) {
    return "ld.global.u32 %r4, [%rd1+" + std::to_string(offset) + "]";
}

} // namespace heddle::runtime
