// Runs a random kernel on a machine: memory must be what a flat memory would hold, and nothing may hang.
#pragma once

#include <gtest/gtest.h>

#include "kernel_run.h"
#include "random_kernel.h"

namespace heddle::runtime {

inline void check(const std::string& machine, const std::vector<std::string>& settings, std::uint64_t seed,
                  unsigned steps = 40, unsigned blocks = 24, unsigned block = 32) {
    const RandomKernel kernel(seed, blocks * block, block, steps);
    RunSetup setup{
        .machine = machine, .settings = settings, .buffer = kernel.buffer_bytes(), .globals = RandomKernel::globals()};
    setup.options.max_cycles = 20'000'000;
    std::string what = machine + ", seed " + std::to_string(seed);
    for (const std::string& setting : settings)
        what += ", " + setting;
    try {
        const KernelRun run = run_kernel_on(setup, kernel.ptx(), block, blocks);
        ASSERT_EQ(run.result["status"], "complete") << what;
        ASSERT_EQ(run.words, kernel.expected()) << what;
    } catch (const std::exception& error) {
        FAIL() << what << ": " << error.what() << "\n" << kernel.ptx();
    }
}

} // namespace heddle::runtime
